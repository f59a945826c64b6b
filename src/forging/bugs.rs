//! `scratchbed bugs …`: the instances of a benchmark of faults are listed, shown and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::bugs_check::{CheckArgs, check_all};
use super::bugs_export::{self, ExportArgs};
use super::bugs_pack::packed;
use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::repairs::ShownArgs;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::preset::PresetArgs;
use crate::flags::settings::Settings;
use scratchbed::bugs::{AdequacyMark, Bench, Folds, Instance};
use scratchbed::compile::DrawingPage;
use scratchbed::fault_views::instance_page;
use scratchbed::judge::Judges;
use scratchbed::mend::{Asked, MendError, Message, question};
use scratchbed::model::{Guard, Suite, pluralise};
use scratchbed::project::Project;
use scratchbed::report::{plain_table as table, write_instance_page};
use scratchbed::taskset::player;

/// Guards of a scenario that are shown; the answer has all.
const MOST_GUARDS: usize = 3;

/// What to do with instances.
#[derive(Debug, Subcommand)]
pub enum BugsCommand {
    /// List the instances of a benchmark.
    List {
        /// The benchmark, as `scratchbed forge run` makes it.
        bench: PathBuf,
    },
    /// Show what a model is told of an instance, and with `--truth` what the fault is.
    Show {
        /// The benchmark.
        bench: PathBuf,
        /// The instance.
        id: String,
        /// Show the fault, its inverse and the suite as well.
        #[arg(long)]
        truth: bool,
        /// Show the whole question that a model is asked, with the ids that a patch names.
        #[arg(long)]
        prompt: bool,
        #[command(flatten)]
        shown: ShownArgs,
        /// Write a page about it into this file, for people who may see the truth: both projects' scripts with the fault marked, both
        /// stages where the runs part, the patches, and the suite over time. Keep it from whoever is tested on the instance.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Check instances: the inverse restores gold, gold passes with all guards, the buggy project fails, and no run comes out otherwise.
    Check(CheckArgs),
    /// Part a benchmark into two halves for models that are tuned, and write them to its folds.json.
    Folds {
        /// The benchmark.
        bench: PathBuf,
    },
    /// Write examples to tune a model with: the question that is asked in evaluation, answered by the inverse patch.
    Export(ExportArgs),
    /// Make a pack of debug tasks of the instances: agents mend them in the editor, and the suites judge. Each repair is tried in the
    /// editor first.
    Pack {
        /// The benchmark.
        bench: PathBuf,
        /// Where the pack goes.
        #[arg(long, value_name = "PACK")]
        out: PathBuf,
    },
}

/// Does it.
pub async fn run(command: BugsCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        BugsCommand::List { bench } => list(&Bench::open(&bench)?, out),
        BugsCommand::Show { bench, id, truth, prompt, shown, html } => {
            let bench = Bench::open(&bench)?;
            let instance = bench.instance(&id)?;
            let page = match html {
                Some(file) => Some(drawn(&instance, file, settings).await?),
                None => None,
            };
            let question = prompt.then(|| asked(&instance, &shown)).transpose()?;
            let mark = bench.adequacy(&id)?;
            let truth = (truth, mark.as_ref());
            Ok(show((&instance, &bench.public(&id)), truth, (question.as_ref(), page.as_deref()), out))
        }
        BugsCommand::Check(args) => check_all(&args, settings, out).await,
        BugsCommand::Folds { bench } => Ok(folded(&Bench::open(&bench)?.fold()?, out)),
        BugsCommand::Export(args) => bugs_export::run(&args, out),
        BugsCommand::Pack { bench, out: folder } => packed(&Bench::open(&bench)?, &folder, settings, out).await,
    }
}

fn folded(folds: &Folds, out: Output) -> Status {
    for (name, ids) in [("A", &folds.a), ("B", &folds.b)] {
        out.say(format!("{name}: {}: {}", pluralise(ids.len(), "instance"), ids.join(" ")));
    }
    for (pattern, ids) in &folds.leave_out {
        out.say(format!("without {pattern}: {} to evaluate", ids.len()));
    }
    out.answer(&json!(folds));
    Status::Success
}

fn list(bench: &Bench, out: Output) -> Result<Status, Failure> {
    let marks = bench.entries().iter().map(|entry| bench.adequacy(&entry.id)).collect::<Result<Vec<_>, _>>()?;
    let rows = bench.entries().iter().zip(&marks).map(|(entry, mark)| {
        // The whole suite was measured since, or damage elsewhere when it was forged.
        let is_weak = match mark {
            Some(mark) => !mark.is_adequate,
            None => entry.is_inadequate(bench.rules()),
        };
        [
            entry.id.clone(),
            entry.project.clone(),
            entry.pattern.clone(),
            entry.operator.clone(),
            entry.difficulty.to_string(),
            if is_weak { "WEAK".to_owned() } else { String::new() },
        ]
    });
    out.say(table(&["instance", "project", "pattern", "operator", "difficulty", ""], rows).to_string());
    out.say(format!(
        "{}, profile {}, version {}",
        pluralise(bench.entries().len(), "instance"),
        bench.profile(),
        &bench.version()[..12]
    ));
    let adequacy: BTreeMap<&str, &AdequacyMark> = bench
        .entries()
        .iter()
        .zip(&marks)
        .filter_map(|(entry, mark)| Some((entry.id.as_str(), mark.as_ref()?)))
        .collect();
    let (profile, version) = (bench.profile(), bench.version());
    out.answer(
        &json!({"name": bench.name(), "profile": profile, "version": version, "instances": bench.entries(), "adequacy": adequacy}),
    );
    Ok(Status::Success)
}

/// Writes the page of an instance.
async fn drawn(instance: &Instance, file: PathBuf, settings: &Settings) -> Result<PathBuf, Failure> {
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    // The few scenarios of a suite take one page less time than it takes to open another.
    let (judges, drawing) = (Judges::new(fleet.clone(), 1), DrawingPage::new(fleet.clone()));
    let shown = spinner("scenarios and pictures");
    let page = instance_page(instance, (&judges, &drawing), &sources).await;
    shown.finish_and_clear();
    drawing.clear().await;
    judges.close().await;
    fleet.shutdown().await;
    write_instance_page(&file, &page?)?;
    Ok(file)
}

/// The question that a model is asked about an instance.
fn asked(instance: &Instance, shown: &ShownArgs) -> Result<[Message; 2], Failure> {
    let buggy = Project::read(&instance.buggy)?.json;
    let asked = Asked { id: &instance.entry.id, buggy: &buggy, report: &instance.report, sheet: None };
    Ok(question(&asked, &shown.manner(PresetArgs::default())).map_err(MendError::from)?)
}

/// How many guards there are, and what they say of each scenario's first ones: the suite has them all.
fn say_guards(suite: &Suite, out: Output) {
    let hidden = suite.guards.iter().filter(|guard| guard.broken_by_fault).count();
    out.say(format!("guards     {}, of which the fault breaks {hidden}", suite.guards.len()));
    for scenario in suite.guarded() {
        let own: Vec<&Guard> = suite.guards.iter().filter(|guard| guard.scenario == scenario.id).collect();
        for guard in own.iter().take(MOST_GUARDS) {
            out.say(format!("  {} in {}: {}", guard.id, guard.scenario, guard.says));
        }
        if own.len() > MOST_GUARDS {
            out.say(format!("  and {} more in {}", own.len() - MOST_GUARDS, scenario.id));
        }
    }
}

fn show(
    (instance, public): (&Instance, &Path),
    (truth, mark): (bool, Option<&AdequacyMark>),
    (question, page): (Option<&[Message; 2]>, Option<&Path>),
    out: Output,
) -> Status {
    let report = &instance.report;
    out.say(format!("symptom    {}", report.symptom));
    out.say(format!("expected   {}", report.expected));
    out.say("reproduce");
    report.reproduce.iter().for_each(|step| out.say(format!("  {step}")));
    let project = public.join("buggy.sb3");
    out.say(format!("project    {}", project.display()));
    let mut answer =
        json!({"id": instance.entry.id, "report": report, "project": project, "licence": instance.licence});
    if let Some([system, user]) = question {
        out.say(format!("\n--- system\n{}\n--- user\n{}", system.content, user.content));
        answer["prompt"] = json!([system, user]);
    }
    if truth {
        let found = &instance.truth;
        out.say(format!("fault      {} ({}), {}", found.pattern, found.operator, found.difficulty));
        out.say(format!("site       {} {} in script {}", found.site.sprite_id, found.site.path, found.site.script));
        for edit in &found.inverse {
            out.say(format!("repair     {}", json!(edit)));
        }
        for assertion in &instance.suite.assertions {
            let is_kept = assertion.p_buggy > instance.suite.theta.1;
            let why = if is_kept { " (the fault keeps it; wrong repairs do not)" } else { "" };
            out.say(format!("assertion  {} in {}: {}{why}", assertion.id, assertion.scenario, assertion.says));
        }
        say_guards(&instance.suite, out);
        if let Some(mark) = mark {
            out.say(format!("adequacy   {mark}"));
            answer["adequacy"] = json!(mark);
        }
        if let Some(share) = instance.entry.adequacy {
            out.say(format!("forged     rejects {share:.3} of damage elsewhere"));
        }
        answer["truth"] = json!(found);
        answer["suite"] = json!(instance.suite);
    }
    if let Some(page) = page {
        out.say(format!("page       {}", page.display()));
        answer["page"] = json!(page);
    }
    out.answer(&answer);
    Status::Success
}
