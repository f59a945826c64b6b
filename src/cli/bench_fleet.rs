//! `scratchbed bench fleet`: a thousand workers whose attempts sleep, on a real database, while processes are killed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::{bar, spinner};
use crate::flags::failure::{Failure, Status};
use scratchbed::ledger::simulation;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::perf::fleet::{FleetPlan, Goal, goals, simulation as planned};
use scratchbed::report::plain_table as table;

/// Which fleet, on which database.
///
/// The database should be an empty one of its own. Workers share processes, fifty each, and a process is killed or frozen as often as
/// the rates of its workers say. Exit code 0 only if nothing was lost, counted twice or left unpaid, and the goals are met.
#[derive(Debug, Args)]
pub struct FleetArgs {
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=5000))]
    workers: u32,
    /// Attempts of a worker at a time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    slots: u32,
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    cells: u32,
    /// Workers that are killed, for example `50/min`.
    #[arg(long, value_name = "RATE", default_value = "50/min", value_parser = per_minute)]
    kill: f64,
    /// Workers that are frozen for a minute, for example `10/min`.
    #[arg(long, value_name = "RATE", default_value = "10/min", value_parser = per_minute)]
    freeze: f64,
    /// How many seconds an attempt sleeps on average.
    #[arg(long, value_name = "SECONDS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=3600))]
    attempt: u64,
    /// The database: `env:NAME` for a URL in an environment variable, or a URL without a password.
    #[arg(long, value_name = "URL")]
    queue: String,
    /// What is drawn from it: which processes are harmed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The file that tells a process of the fleet what to do.
#[derive(Debug, Args)]
pub struct MemberArgs {
    spec: PathBuf,
}

/// Measures a fleet.
pub async fn run(args: &FleetArgs, out: Output) -> Result<Status, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::infrastructure("no_program", &error))?;
    let folder = tempfile::tempdir().map_err(|error| Failure::infrastructure("no_folder", &error))?;
    let fleet = FleetPlan {
        workers: args.workers,
        slots: args.slots,
        cells: args.cells,
        kills_per_min: args.kill,
        freezes_per_min: args.freeze,
        attempt: Duration::from_secs(args.attempt),
        queue: address(&args.queue)?,
        program: vec![program.display().to_string(), "bench".to_owned(), "fleet-member".to_owned()],
        seed: args.seed,
    };
    let starting = spinner("starting the fleet, and watching it idle");
    let progress = bar("cells decided", args.cells.into());
    let plan = planned(&fleet, folder.path());
    let watched = simulation::run(&plan, |decided| {
        starting.finish_and_clear();
        progress.set_position(decided);
    });
    let report = Box::pin(watched).await;
    starting.finish_and_clear();
    progress.finish_and_clear();
    let report = report?;
    show(&report, out);
    let goals = goals(&report);
    let rows = goals.iter().map(|goal| {
        let bound = if goal.is_least { "at least" } else { "at most" };
        let met = if goal.is_met() { "met" } else { "MISSED" };
        [
            goal.name.to_owned(),
            format!("{:.1} {}", goal.value, goal.unit),
            format!("{bound} {}", goal.goal),
            met.to_owned(),
        ]
    });
    out.say(table(&["goal", "value", "wanted", ""], rows).to_string());
    for breach in &report.breaches {
        out.say(format!("breach: {breach}"));
    }
    let passed = report.passed() && goals.iter().all(Goal::is_met);
    out.answer(&json!({"fleet": report, "goals": goals, "passed": passed}));
    Ok(Status::of(passed))
}

/// Is a process of the fleet.
pub async fn member(args: &MemberArgs) -> Result<Status, Failure> {
    Box::pin(simulation::member(&args.spec)).await?;
    Ok(Status::Success)
}

fn show(report: &simulation::Report, out: Output) {
    out.say(format!(
        "{}; {} of {} decided in {:.0} s by {}, {:.1} a second; {}, {}",
        pluralise(report.workers, "worker"),
        report.decided,
        pluralise(report.cells, "cell"),
        report.seconds,
        pluralise(report.attempts, "attempt"),
        report.attempts_per_s,
        pluralise(report.kills, "kill"),
        pluralise(report.freezes, "freeze")
    ));
    let rows = report.calls.iter().map(|(call, latency)| {
        let ms = |ms: f64| format!("{ms:.1}");
        [call.clone(), latency.calls.to_string(), ms(latency.p50_ms), ms(latency.p99_ms), ms(latency.longest_ms)]
    });
    out.say(table(&["call", "times", "p50 ms", "p99 ms", "longest"], rows).to_string());
    let states = report.by_state.iter().map(|(state, attempts)| [state.clone(), attempts.to_string()]);
    out.say(table(&["attempts", "number"], states).to_string());
    for (lane, (most, cap)) in &report.lanes {
        out.say(format!("{lane}: at most {most} at a time of {cap}"));
    }
    if let Some(idle) = report.idle {
        let statements = idle.statements_per_s.map_or("not counted by this server".to_owned(), |n| format!("{n:.0}"));
        out.say(format!("idle, each second: {:.0} transactions, statements: {statements}", idle.transactions_per_s));
    }
    out.say(format!(
        "{} with several attempts that count; {} killed, {} of them made again",
        pluralise(report.duplicates, "cell"),
        pluralise_as(report.ended_before_kill, "attempt had ended when it was", "attempts had ended when they were"),
        report.made_again
    ));
}

/// The URL that is meant. One with a password would be seen by everyone who lists processes.
fn address(queue: &str) -> Result<String, Failure> {
    if let Some(name) = queue.strip_prefix("env:") {
        let missing = || Failure::new(Status::Input, "variable_not_set", format!("the variable `{name}` is not set"));
        return std::env::var(name).map_err(|_| missing());
    }
    let user = queue.split_once("://").and_then(|(_, rest)| rest.split('/').next()?.rsplit_once('@'));
    if user.is_some_and(|(user, _)| user.contains(':')) || queue.contains("password=") {
        let problem = "the URL holds a password, which everyone who lists processes would see";
        let hint = "put it into a variable, and name that: `--queue env:NAME`";
        return Err(Failure::new(Status::Input, "password_in_arguments", problem).hinted(hint));
    }
    Ok(queue.to_owned())
}

/// `50/min`, `2/s`, `100/h`, each minute.
fn per_minute(text: &str) -> Result<f64, String> {
    let (number, unit) = text.split_once('/').ok_or("a rate is a number each time, for example 50/min")?;
    let factor = match unit {
        "s" => 60.0,
        "min" => 1.0,
        "h" => 1.0 / 60.0,
        _ => return Err(format!("`{unit}` is none of s, min, h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    if number.is_finite() && number >= 0.0 { Ok(number * factor) } else { Err("a rate is not negative".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_each_minute() {
        assert_eq!((per_minute("50/min"), per_minute("2/s"), per_minute("120/h")), (Ok(50.0), Ok(120.0), Ok(2.0)));
        for wrong in ["50", "x/min", "5/day", "-1/s"] {
            assert!(per_minute(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_in_the_arguments_is_refused() {
        assert!(address("postgres://me:secret@host/db").is_err());
        assert!(address("postgres://host/db?password=secret").is_err());
        assert!(address("env:SCRATCHBED_NO_SUCH_VARIABLE").is_err());
        assert_eq!(address("postgres://me@host:5432/db").unwrap(), "postgres://me@host:5432/db");
    }
}
