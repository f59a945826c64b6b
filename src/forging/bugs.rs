//! `scratchbed bugs …`: the instances of a benchmark of faults are listed, shown and checked.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::bugs_export::{self, ExportArgs};
use super::bugs_pack::packed;
use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::repairs::ShownArgs;
use crate::arms::signs::{bar, spinner};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::bugs::{Bench, Folds, Instance};
use scratchbed::forge::{Adequacy, Checked, FixOutcome, Plays, Rules, Validator, adequacy, check, validators};
use scratchbed::grade::Proportion;
use scratchbed::judge::Judges;
use scratchbed::mend::{Asked, MendError, Message, question};
use scratchbed::project::Project;
use scratchbed::report::plain_table as table;
use scratchbed::report::{instance_page, write_instance_page};
use scratchbed::taskset::player;

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
    /// Check instances: the inverse restores gold, gold passes, the buggy project fails, and no run comes out otherwise.
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

/// What to check, and how often.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The benchmark.
    bench: PathBuf,
    /// Instances; all of them without any.
    ids: Vec<String>,
    /// Also try wrong and right repairs on each suite: it should reject at least 0.8 of the wrong ones, and none of the right ones.
    #[arg(long)]
    adequacy: bool,
    /// How often each run is made.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Runs at a time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
}

/// Does it.
pub async fn run(command: BugsCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        BugsCommand::List { bench } => Ok(list(&Bench::open(&bench)?, out)),
        BugsCommand::Show { bench, id, truth, prompt, shown, html } => {
            let bench = Bench::open(&bench)?;
            let instance = bench.instance(&id)?;
            let page = match html {
                Some(file) => Some(drawn(&instance, file, settings).await?),
                None => None,
            };
            let question = prompt.then(|| asked(&instance, &shown)).transpose()?;
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
        out.say(format!("{name}: {} instances: {}", ids.len(), ids.join(" ")));
    }
    for (pattern, ids) in &folds.leave_out {
        out.say(format!("without {pattern}: {} to evaluate", ids.len()));
    }
    out.answer(&json!(folds));
    Status::Success
}

fn list(bench: &Bench, out: Output) -> Status {
    let rows = bench.entries().iter().map(|entry| {
        [
            entry.id.clone(),
            entry.project.clone(),
            entry.pattern.clone(),
            entry.operator.clone(),
            entry.difficulty.to_string(),
        ]
    });
    out.say(table(&["instance", "project", "pattern", "operator", "difficulty"], rows).to_string());
    out.say(format!(
        "{} instances, profile {}, version {}",
        bench.entries().len(),
        bench.profile(),
        &bench.version()[..12]
    ));
    out.answer(&json!({"name": bench.name(), "profile": bench.profile(), "version": bench.version(), "instances": bench.entries()}));
    Status::Success
}

/// Writes the page of an instance.
async fn drawn(instance: &Instance, file: PathBuf, settings: &Settings) -> Result<PathBuf, Failure> {
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), 2);
    let shown = spinner("scenarios and pictures");
    let page = instance_page(instance, &judges, &sources).await;
    shown.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    write_instance_page(&file, &page?)?;
    Ok(file)
}

/// The question that a model is asked about an instance.
fn asked(instance: &Instance, shown: &ShownArgs) -> Result<[Message; 2], Failure> {
    let buggy = Project::read(&instance.buggy)?.json;
    let asked = Asked { id: &instance.entry.id, buggy: &buggy, report: &instance.report, sheet: None };
    Ok(question(&asked, &shown.manner()).map_err(MendError::from)?)
}

fn show(
    (instance, public): (&Instance, &Path),
    truth: bool,
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
            out.say(format!("assertion  {} in {}: {}", assertion.id, assertion.scenario, assertion.says));
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

async fn check_all(args: &CheckArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let bench = Bench::open(&args.bench)?;
    let ids: Vec<String> = if args.ids.is_empty() {
        bench.entries().iter().map(|entry| entry.id.clone()).collect()
    } else {
        args.ids.clone()
    };
    let instances = ids.iter().map(|id| bench.instance(id)).collect::<Result<Vec<Instance>, _>>()?;
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), usize::from(args.lanes));
    let shown = bar("instances", instances.len() as u64);
    let checked = async {
        let (mut checked, mut adequate) = (Vec::new(), Vec::new());
        for instance in &instances {
            let (every, reruns) = (instance.suite.every, instance.suite.seeds.len() as u64);
            let rules = Rules { every, reruns, ..Rules::default() };
            let plays = Plays::of_suite(judges.clone(), sources.clone(), &instance.suite);
            let one = check(instance, &plays, args.repeat).await?;
            let mut line = format!("{}: {} flips of {} runs", one.id, one.flips, one.runs);
            checked.push(one);
            if args.adequacy {
                let one = adequacy(instance, &plays, &rules).await?;
                let _ = write!(line, ", adequacy {:.2}", one.score);
                adequate.push(one);
            }
            shown.say(line);
            shown.inc(1);
        }
        Ok::<(Vec<Checked>, Vec<Adequacy>), Failure>((checked, adequate))
    }
    .await;
    shown.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let (checked, adequate) = checked?;
    let yes = |flag: bool| if flag { "yes" } else { "NO" }.to_owned();
    let rows = checked.iter().map(|one| {
        let shares = [one.golden, one.buggy].map(|share| format!("{share:.2}"));
        let [golden, buggy] = shares;
        [
            one.id.clone(),
            yes(one.restores),
            yes(one.is_current),
            golden,
            buggy,
            format!("{} of {}", one.flips, one.runs),
            yes(one.sound),
        ]
    });
    out.say(table(&["instance", "restores", "files", "gold", "buggy", "flips", "sound"], rows).to_string());
    let sound = checked.iter().filter(|one| one.sound).count();
    out.say(format!("{sound} of {} instances are sound", checked.len()));
    show_adequacy(&adequate, out);
    let worth = if adequate.is_empty() { Vec::new() } else { validators(&adequate) };
    show_validators(&worth, out);
    out.answer(&json!({"checked": checked, "sound": sound, "adequacy": adequate, "validators": worth}));
    Ok(Status::of(sound == checked.len() && adequate.iter().all(Adequacy::is_adequate)))
}

fn show_adequacy(all: &[Adequacy], out: Output) {
    if all.is_empty() {
        return;
    }
    let rows = all.iter().map(|one| {
        let count = |outcome| one.wrong.iter().filter(|fix| fix.outcome == outcome).count().to_string();
        let right = format!("{} of {}", one.right.len() - one.rejected_right().count(), one.right.len());
        let [rejected, accepted, equivalent] =
            [FixOutcome::Rejected, FixOutcome::Accepted, FixOutcome::Equivalent].map(count);
        let mark = if one.is_adequate() { "" } else { "WEAK" };
        [one.id.clone(), rejected, accepted, equivalent, format!("{:.2}", one.score), right, mark.to_owned()]
    });
    let head = ["instance", "wrong rejected", "wrong accepted", "equivalent", "score", "right accepted", ""];
    out.say(table(&head, rows).to_string());
    for one in all.iter().filter(|one| !one.is_adequate()) {
        let accepted = one.wrong.iter().filter(|fix| fix.outcome == FixOutcome::Accepted);
        accepted.for_each(|fix| out.say(format!("{} accepts {}", one.id, fix.name)));
        one.rejected_right().for_each(|fix| out.say(format!("{} rejects {}, which is right", one.id, fix.name)));
    }
}

/// What validators flag, and how much of it the suites reject.
fn show_validators(all: &[Validator], out: Output) {
    let rows = all.iter().filter(|one| one.detection.precision.n > 0).map(|one| {
        let share = |share: Proportion| {
            let percent = share.percent.map_or_else(String::new, |percent| format!(" ({percent:.0} %)"));
            format!("{} of {}{percent}", share.hits, share.n)
        };
        [one.name.clone(), share(one.detection.precision), share(one.detection.recall)]
    });
    if !all.is_empty() {
        out.say(table(&["validator", "flagged and rejected", "rejected and flagged"], rows).to_string());
    }
}
