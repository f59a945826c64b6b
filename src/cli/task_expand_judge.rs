//! `scratchbed task expand judge`: a judge for a finished task, from a language model.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::task_expand::{cost, with_record};
use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::model::{ModelArgs, ModelName, Preset};
use crate::flags::settings::Settings;
use scratchbed::agent::model::{Budget, ModelClient};
use scratchbed::author::AuthorError;
use scratchbed::author::expand::{DraftedJudge, JudgeDrafting, Record};
use scratchbed::certify::build_ends;
use scratchbed::judge::Judges;
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};

/// What to write a judge for.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// The task: its instruction and its two projects must be finished.
    #[arg(long, value_name = "ID")]
    task: String,
    /// Take the draft of this name in tasks/drafts.
    #[arg(long)]
    drafts: bool,
    /// Put the judge in the place of the draft's, if nothing is wrong with it. Without this it is only kept in the folder of
    /// the run.
    #[arg(long, requires = "drafts")]
    write: bool,
    /// How often what is wrong with it is sent back to the model, at most.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=20))]
    rounds: u32,
    #[command(flatten)]
    name: ModelName,
    #[command(flatten)]
    model: ModelArgs,
}

/// The status is positive only if there is a judge without problems.
pub async fn run(args: &JudgeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = if args.drafts { TaskSet::read_drafts(&settings.root)? } else { TaskSet::read(&settings.root)? };
    let entry = set.find(&args.task)?;
    let client = args.model.client(&args.name, &Preset::default(), Budget::default()).map_err(AuthorError::from)?;
    let about = json!({"model": args.model.options(&args.name, &Preset::default()), "task": args.task, "drafts": args.drafts, "rounds": args.rounds});
    let mut record = Record::create(&settings.root, "judge", &about)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), 1);
    let drafted = drafted(args, settings, entry, (&client, &fleet, &judges), &mut record).await;
    judges.close().await;
    fleet.shutdown().await;
    kept(args, settings, entry, (&drafted?, record.folder()), out)
}

async fn drafted(
    args: &JudgeArgs,
    settings: &Settings,
    entry: &TaskEntry,
    (client, fleet, judges): (&ModelClient, &Fleet, &Judges),
    record: &mut Record,
) -> Result<DraftedJudge, Failure> {
    let (initial, golden) = build_ends(fleet, &browsers::built_projects(settings), entry).await?;
    let checkout = &settings.root;
    let drafting = JudgeDrafting { checkout, client, judges, projects: (&initial, &golden), repairs: args.rounds };
    let progress = spinner("asking and judging");
    let drafted = drafting.draft(entry, record).await;
    progress.finish_and_clear();
    drafted.map_err(|error| with_record(error, record))
}

/// Keeps the judge with what is wrong with it, and says where.
fn kept(
    args: &JudgeArgs,
    settings: &Settings,
    entry: &TaskEntry,
    (drafted, folder): (&DraftedJudge, &Path),
    out: Output,
) -> Result<Status, Failure> {
    let id = &entry.task.id;
    let is_sound = drafted.problems.is_empty();
    let mut file = None;
    if let Some(judge) = &drafted.judge {
        let own = settings.root.draft_judges().join(format!("{}.js", entry.task.evaluation));
        let place = if args.write && is_sound { own } else { folder.join("judge.js") };
        files::write(&place, judge.as_bytes())?;
        file = Some(place);
    }
    if !is_sound {
        files::write(&folder.join("problems.txt"), (drafted.problems.join("\n") + "\n").as_bytes())?;
    }
    for problem in &drafted.problems {
        out.say(format!("{id}: {problem}"));
    }
    let result = match (&drafted.judge, is_sound) {
        (Some(_), true) => "a judge that passes the golden project and fails the initial one",
        (Some(_), false) => "a judge with problems",
        (None, _) => "no judge",
    };
    out.say(format!("{id}: {result}, {} rounds, {}", drafted.rounds, cost(drafted.usage)));
    if let Some(file) = &file {
        out.say(format!("judge     {}", file.display()));
    }
    out.say(format!("exchanges {}", folder.display()));
    if is_sound {
        out.say(format!(
            "It is a draft: read it. `scratchbed check --drafts --task {id}` finds out what it does not notice."
        ));
    }
    out.answer(&json!({"task": id, "file": file, "draft": drafted, "run": folder}));
    Ok(Status::of(is_sound))
}
