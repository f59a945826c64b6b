//! `scratchbed task expand`: ideas and drafts from a language model.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::task_expand_judge::{self, JudgeArgs};
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::model::{ModelArgs, ModelName, Preset};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::agent::model::{Budget, Usage};
use scratchbed::author::AuthorError;
use scratchbed::author::expand::{Drafted, Drafting, Idea, Ideas, IdeasRequest, Record, propose};
use scratchbed::model::{Category, Coded};
use scratchbed::report::plain_table as table;

/// What a model is asked for.
#[derive(Debug, Subcommand)]
pub enum ExpandCommand {
    /// Propose tasks that differ from those there are, and keep them in a file.
    Ideas(IdeasArgs),
    /// Write drafts of ideas to tasks/drafts. Ideas whose names are taken are passed over, so a broken-off call can be
    /// repeated. No draft counts before `scratchbed check --drafts` certifies it.
    Draft(DraftArgs),
    /// Write a judge for a task whose instruction and projects are finished, and try it: it must pass the golden project and
    /// fail the initial one.
    Judge(JudgeArgs),
}

/// What to propose.
#[derive(Debug, Args)]
pub struct IdeasArgs {
    /// The kind of task.
    #[arg(long, value_parser = named::<Category>())]
    category: Category,
    /// The project in tasks/bases that they use; needed for debug and extend.
    #[arg(long)]
    base: Option<String>,
    /// How many.
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    n: u8,
    #[command(flatten)]
    name: ModelName,
    #[command(flatten)]
    model: ModelArgs,
}

/// What to write.
#[derive(Debug, Args)]
pub struct DraftArgs {
    /// A file of ideas.
    #[arg(long, value_name = "FILE")]
    ideas: PathBuf,
    /// Only this idea, by name; may be given several times.
    #[arg(long = "idea", value_name = "ID")]
    only: Vec<String>,
    /// How often faults in its files are sent back to the model, at most.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=20))]
    rounds: u32,
    #[command(flatten)]
    name: ModelName,
    #[command(flatten)]
    model: ModelArgs,
}

pub async fn run(command: &ExpandCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        ExpandCommand::Ideas(args) => ideas(args, settings, out).await,
        ExpandCommand::Draft(args) => drafts(args, settings, out).await,
        ExpandCommand::Judge(args) => task_expand_judge::run(args, settings, out).await,
    }
}

/// The status is positive only if there are as many ideas as wanted.
async fn ideas(args: &IdeasArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let client = args.model.client(&args.name, &Preset::default(), Budget::default()).map_err(AuthorError::from)?;
    let base = args.base.as_ref().map(|base| base.parse()).transpose().map_err(AuthorError::from)?;
    let request = IdeasRequest { category: args.category, n: args.n.into(), base };
    let about = json!({"model": args.model.options(&args.name, &Preset::default()), "category": args.category, "base": args.base, "n": args.n});
    let mut record = Record::create(&settings.root, "ideas", &about)?;
    let progress = bar("ideas", args.n.into());
    let found =
        propose(&settings.root, &request, &client, &mut record, |taken| progress.set_position(taken as u64)).await;
    progress.finish_and_clear();
    let found = found.map_err(|error| with_record(error, &record))?;
    let rows = found.ideas.iter().map(|idea| [idea.id.clone(), idea.difficulty.to_string(), idea.title.clone()]);
    out.say(table(&["idea", "difficulty", "title"], rows).to_string());
    for idea in &found.rejected {
        out.say(format!("rejected: {}: {}", idea.id, idea.reason));
    }
    let file = record.folder().join("ideas.json");
    out.say(format!("{} of {} ideas, {}: {}", found.ideas.len(), args.n, cost(found.usage), file.display()));
    out.say(format!("Next: read them, then scratchbed task expand draft --ideas {}", file.display()));
    out.answer(&json!({"file": file, "ideas": found.ideas, "rejected": found.rejected, "usage": found.usage}));
    Ok(Status::of(found.ideas.len() >= usize::from(args.n)))
}

/// The status is positive only if each idea has a draft without problems, be it from before.
async fn drafts(args: &DraftArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ideas = Ideas::read(&args.ideas)?;
    let chosen = chosen(&ideas, &args.only)?;
    let client = args.model.client(&args.name, &Preset::default(), Budget::default()).map_err(AuthorError::from)?;
    let about = json!({"model": args.model.options(&args.name, &Preset::default()), "ideas": args.ideas, "rounds": args.rounds});
    let mut record = Record::create(&settings.root, "draft", &about)?;
    let drafting = Drafting { checkout: &settings.root, ideas: &ideas, client: &client, repairs: args.rounds };
    let progress = bar("drafts", chosen.len() as u64);
    let mut made = Vec::new();
    for idea in chosen {
        progress.set_message(idea.id.clone());
        let drafted = drafting.draft(idea, &mut record).await;
        progress.inc(1);
        made.push(drafted.inspect_err(|_| progress.finish_and_clear()).map_err(|error| with_record(error, &record))?);
    }
    progress.finish_and_clear();
    show(&made, record.folder(), out);
    out.answer(&json!({"drafts": made, "run": record.folder()}));
    Ok(Status::of(made.iter().all(|one| one.problems.is_empty() || one.rounds == 0)))
}

/// The ideas of these names, or all.
fn chosen<'a>(ideas: &'a Ideas, only: &[String]) -> Result<Vec<&'a Idea>, AuthorError> {
    let known = || ideas.ideas.iter().map(|idea| idea.id.clone()).collect();
    if let Some(id) = only.iter().find(|id| !ideas.ideas.iter().any(|idea| idea.id == **id)) {
        return Err(AuthorError::UnknownIdea { id: id.clone(), known: known() });
    }
    Ok(ideas.ideas.iter().filter(|idea| only.is_empty() || only.contains(&idea.id)).collect())
}

fn show(made: &[Drafted], folder: &Path, out: Output) {
    let rows = made.iter().map(|one| {
        let result = match (&one.draft, one.rounds) {
            (_, 0) => "passed over",
            (Some(_), _) if one.problems.is_empty() => "draft",
            (Some(_), _) => "draft with problems",
            (None, _) => "no draft",
        };
        [one.id.clone(), result.to_owned(), one.rounds.to_string(), one.problems.len().to_string(), cost(one.usage)]
    });
    out.say(table(&["idea", "result", "rounds", "problems", "cost"], rows).to_string());
    for one in made {
        for problem in &one.problems {
            out.say(format!("{}: {problem}", one.id));
        }
    }
    out.say(format!("all that was asked and answered: {}", folder.display()));
    let Some(first) = made.iter().find(|one| one.draft.is_some()).map(|one| &one.id) else { return };
    out.say(format!(
        "No draft counts before it is certified. Read it and mend it, then\n  \
         scratchbed judge --drafts --task {first} --golden\n  scratchbed task oracle --drafts {first} --write\n  \
         scratchbed check --drafts --task {first} --write"
    ));
}

pub(super) fn cost(usage: Usage) -> String {
    format!("{} + {} tokens", usage.input_tokens, usage.output_tokens)
}

/// A failure of the model, with where its answers are.
pub(super) fn with_record(error: AuthorError, record: &Record) -> Failure {
    let kept = format!("what was asked and answered: {}", record.folder().display());
    let hint = error.hint().map_or_else(|| kept.clone(), |hint| format!("{hint}; {kept}"));
    Failure::from(error).hinted(hint)
}
