//! Runs of two halves as one table, and what fixes gained.

use std::path::Path;

use super::*;
use crate::model::{Cost, RUN_FORMAT};
use crate::report::side::{Format, compare, pooled};
use crate::store::fakes;

/// A run of a track over these instances, each of whose attempts passed or failed.
fn run(folder: &Path, (benchmark, agent): (&str, &str), outcomes: &[(&str, bool)], options: Value) -> RunDir {
    let names: Vec<&str> = outcomes.iter().map(|(name, _)| *name).collect();
    let record = RunRecord {
        id: format!("{benchmark}-{agent}"),
        agent: agent.to_owned(),
        benchmark: benchmark.to_owned(),
        setting: "zero-shot".to_owned(),
        options,
        ..fakes::run(&names)
    };
    let run = RunDir::create(folder, record).unwrap();
    for (name, passed) in outcomes {
        let item: ItemId = name.parse().unwrap();
        let dir = run.begin(&item, 1, 0).unwrap();
        let outcome = if *passed { Outcome::Passed } else { Outcome::Failed };
        let stage = if *passed { "passed" } else { "assertion_failed" };
        let detail = (benchmark == "repair").then(|| repaired(stage));
        let (format, cost) = (RUN_FORMAT, Cost::default());
        dir.complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
            .unwrap();
    }
    let item = |name: &&str| json!({"id": name, "pattern": "desynchronization", "difficulty": "easy"});
    run.keep(repair::ITEMS, &names.iter().map(item).collect::<Vec<_>>()).unwrap();
    run
}

fn repaired(stage: &str) -> Value {
    let held = json!({"held": 0, "of": 0});
    json!({"stage": stage, "patch": [], "exact": false, "within_region": false, "located": false, "assertions": held,
        "failed": [], "modes": [], "flags": []})
}

fn asked(model: &str, temperature: f64) -> Value {
    json!({"agent": {"model": model, "temperature": temperature}, "question": {"shots": []},
        "preset": {"name": "paper", "temperature": temperature, "beside": ["--effort low"]}})
}

fn why(runs: &[RunDir]) -> String {
    pooled(runs, &PriceTable::bundled().unwrap()).unwrap_err().to_string()
}

#[test]
fn two_halves_are_one_table_and_unlike_or_overlapping_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let of = |agent: &str, outcomes: &[(&str, bool)], temperature: f64| {
        run(folder.path(), ("repair", agent), outcomes, asked(agent, temperature))
    };
    let a = of("tuned_a", &[("i1", true), ("i2", false)], 0.0);
    let b = of("tuned_b", &[("i3", true)], 0.0);
    let both = [a.clone(), b.clone()];
    let text = pooled(&both, &PriceTable::bundled().unwrap()).unwrap().write(Format::Csv).unwrap();
    assert!(text.contains("\"tuned_a + tuned_b, pooled\"") && text.contains("66.67"), "{text}");
    assert!(text.contains("Preset paper: temperature 0.0; beside it: --effort low"), "{text}");
    assert!(why(&[a.clone(), of("hot", &[("i4", true)], 0.7)]).contains("differ in how they were asked"));
    assert!(why(&[a.clone(), of("again", &[("i2", true)], 0.0)]).contains("1 instance of repair-again is in"));
    assert!(why(std::slice::from_ref(&a)).contains("is alone"));
    let tasks = run(folder.path(), ("tasks", "m"), &[("i9", true)], Value::Null);
    assert!(why(&[a, tasks]).contains("no halves"));
}

#[test]
fn understanding_stands_beside_what_fixes_gained_over_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let of =
        |kind: &str, agent: &str, outcomes: &[(&str, bool)]| run(folder.path(), (kind, agent), outcomes, Value::Null);
    let runs = [
        of("repair", "plain", &[("i1", false), ("i2", false), ("i3", true), ("i4", true)]),
        of("repair", "tuned", &[("i1", true), ("i2", true), ("i3", true), ("i4", false)]),
        of("explain", "tuned", &[("i1", true)]),
    ];
    let compared = |runs: &[RunDir]| {
        let prices = PriceTable::bundled().unwrap();
        let compared =
            compare(runs, &prices, crate::grade::Count::Ours, crate::benchmarks::tasks::regrade::Grading::Original);
        compared.unwrap().write(Format::Text).unwrap()
    };
    let text = compared(&runs);
    let own = text.split("Understanding and fix gains").nth(1).unwrap();
    let row = |agent: &str| own.lines().find(|line| line.trim_start().starts_with(agent)).unwrap();
    let cells: Vec<&str> = row("tuned").split_whitespace().rev().take(3).collect();
    assert_eq!(cells, ["4", "1", "2"], "of, lost, gains: {own}");
    assert!(row("plain").trim_end().ends_with('–'), "{own}");
    assert!(!compared(&runs[1..]).contains("fix gains"), "one run of repairs has no gains");
}
