//! `scratchbed bench judge`: how fast goldens are judged, and whether judging them again says the same.

use clap::Args;
use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::{bar, spinner};
use crate::flags::choice::ChoiceArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::certify::build;
use scratchbed::compile::texts_of;
use scratchbed::judge::Judges;
use scratchbed::model::Clock;
use scratchbed::perf::bench::judging::{self, JudgingPlan, JudgingReport};
use scratchbed::report::plain_table as table;

/// What to judge, and how often.
///
/// Exit code 0 only if every judgement of a task gave the same verdict and the same trace.
#[derive(Debug, Args)]
pub struct JudgingArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    pack: PackArgs,
    /// How often each task's golden project is judged.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Judgements at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
    /// Judgements made beforehand and not counted, to measure pages whose code is compiled.
    #[arg(long, value_name = "N", default_value_t = 0)]
    warm_up: u32,
    /// The time that the projects and the scripts run in.
    #[arg(long, value_parser = named::<Clock>(), default_value_t)]
    clock: Clock,
}

/// Judges in pages of its own, opened beforehand.
pub async fn run(args: &JudgingArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let entries = set.select(&args.choice.selection())?;
    let lanes = usize::from(args.lanes);
    let fleet = browsers::start(settings, 0).await?;
    let cache = browsers::built_projects(settings);
    browsers::build_ahead(&fleet, &cache, &texts_of(entries.iter().copied())).await;
    let mut projects = Vec::new();
    for entry in entries {
        projects.push((entry.clone(), build(&fleet, &cache, entry).await?.golden));
    }
    let waiting = spinner("opening pages");
    let judges = Judges::new(fleet.clone(), lanes);
    judges.warm_up().await.map_err(|error| Failure::infrastructure("no_page", &error))?;
    waiting.finish_and_clear();
    let plan =
        JudgingPlan { rounds: args.rounds as usize, at_once: lanes, clock: args.clock, warm_up: args.warm_up as usize };
    let progress = bar("judgements", (plan.rounds * projects.len()) as u64);
    let report = judging::run(&judges, &projects, plan, |done| progress.set_position(done as u64)).await;
    progress.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    show(&report, out);
    out.answer(&json!({"judging": report, "stable": report.is_stable()}));
    Ok(Status::of(report.is_stable()))
}

fn show(report: &JudgingReport, out: Output) {
    let rows = report.tasks.iter().map(|task| {
        let outcomes = task.outcomes.iter().cloned().collect::<Vec<_>>().join(", ");
        let tests = format!("{} of {}", task.differing_tests, task.tests);
        let counts = [task.verdicts.to_string(), task.traces.to_string()];
        let times = [format!("{:.1}", task.project_ms / 1000.0), format!("{:.0}", task.median_ms)];
        let [verdicts, traces] = counts;
        let [project, median] = times;
        [task.task.clone(), outcomes, verdicts, traces, tests, project, median]
    });
    let head = ["task", "outcome", "verdicts", "traces", "differing tests", "project s", "median ms"];
    out.say(table(&head, rows).to_string());
    let JudgingReport { judgements, project_s, wall_s, speed, .. } = report;
    out.say(format!(
        "{judgements} judgements, {project_s:.1} s of project time in {wall_s:.1} s: {speed:.1} times real time"
    ));
    out.say(format!("median at the beginning {:.0} ms, at the end {:.0} ms", report.first_ms, report.last_ms));
    let series = |figures: &[f64]| figures.iter().map(|one| format!("{one:.0}")).collect::<Vec<_>>().join(", ");
    out.say(format!("median of each hundred: {} ms", series(&report.hundreds_ms)));
    out.say(format!("memory after each hundred: {} MB", series(&report.hundreds_mb)));
    for failure in &report.failures {
        out.say(format!("failed: {failure}"));
    }
}
