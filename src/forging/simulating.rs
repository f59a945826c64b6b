//! `scratchbed repair simulate`: controllers off-line, from runs that gave every case every plan.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::cases::counted;
use crate::arms::files;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::export::claims;
use scratchbed::model::Trajectory;
use scratchbed::store::RunDir;
use scratchbed::trajectory::{Outcome, Plans, Tried, best, calibrated, disagreements, simulated};

/// Which runs are simulated from.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// Runs of one model over the same cases: one with each `--force-plan T1, T2, M1, M2`, and, to hold the simulation against it, one with
    /// `--mode heuristic`. All with `--share-answers --max-attempts 1`.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The file of plans with the cutoffs in use.
    #[arg(long, value_name = "FILE")]
    plans: Option<PathBuf>,
    /// Write the file of plans with the cutoffs that were chosen, for `repair run --plans`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Simulates, chooses cutoffs on one half of the cases, and says their regret on the other.
pub fn simulate(args: &SimulateArgs, out: Output) -> Result<Status, Failure> {
    let plans = Plans::read(args.plans.as_deref())?;
    let (mut tried, mut heuristic, mut claimed) = (Vec::new(), Vec::new(), Vec::new());
    for run in &args.runs {
        let dir = RunDir::open(run)?;
        claimed.extend(claims([&dir]));
        let is_forced = !dir.record().options["controller"]["forced"].is_null();
        let firsts = counted(&dir)?.into_iter().filter_map(|(_, trajectory): (_, Trajectory)| Tried::of(&trajectory));
        if is_forced { tried.extend(firsts) } else { heuristic.extend(firsts) }
    }
    if tried.is_empty() {
        let failure = Failure::new(Status::Input, "no_survey", "none of these runs gave every case one plan");
        return Err(failure.hinted("make runs with --force-plan T1, T2, M1 and M2"));
    }
    let (own, others): (Vec<Tried>, Vec<Tried>) = tried.iter().cloned().partition(Tried::is_development);
    let (cutoffs, on_own) = calibrated(&own);
    let (on_others, bound) = (simulated(&others, cutoffs), best(&others));
    let told = [
        ("in use, all cases", simulated(&tried, plans.cutoffs)),
        ("chosen, development", on_own),
        ("chosen, test", on_others),
        ("best plan, test", bound),
    ];
    for note in &claimed {
        out.say(format!("note: {note}"));
    }
    out.say(format!("{:<22} cases  strict  generated  USD       tokens   unknown", "cutoffs"));
    for (name, outcome) in &told {
        out.say(line(name, outcome));
    }
    out.say(format!(
        "chosen    early {} ticks, broad {:.2}, unstable {:.2}; regret on the test half {} strict successes",
        cutoffs.early,
        cutoffs.broad,
        cutoffs.unstable,
        bound.strict.saturating_sub(on_others.strict)
    ));
    if let Some(file) = &args.out {
        files::write(file, Plans::with_cutoffs(args.plans.as_deref(), cutoffs)?.as_bytes())?;
        out.say(format!("plans     {}", file.display()));
    }
    let differing = disagreements(&tried, &heuristic, plans.cutoffs);
    if !heuristic.is_empty() {
        out.say(format!(
            "heuristic {} of {} first attempts as simulated",
            heuristic.len() - differing.len(),
            heuristic.len()
        ));
    }
    let outcomes: Vec<Value> = told.iter().map(|(name, outcome)| json!({"name": name, "outcome": outcome})).collect();
    out.answer(&json!({
        "cutoffs": cutoffs, "outcomes": outcomes, "compared": heuristic.len(), "differing": differing, "claims": claimed,
    }));
    Ok(Status::of(differing.is_empty()))
}

fn line(name: &str, outcome: &Outcome) -> String {
    format!(
        "{name:<22} {:>5}  {:>6}  {:>9}  {:<8.5}  {:<7}  {}",
        outcome.cases, outcome.strict, outcome.generated, outcome.usd, outcome.tokens, outcome.unknown
    )
}
