//! Records of format 1, read as those of today. There, attempts at tasks and trials of the other benchmarks had shapes of
//! their own: `attempts/<task>.<mode>.<try>/attempt.json` and `trials/<item>.<attempt>/trial.json`.

use serde_json::{Map, Value, json};

/// Where trials were, and their records.
pub(super) const TRIALS: (&str, &str) = ("trials", "trial.json");

/// Fields of an attempt at a task that are measured.
const DETAIL: [&str; 10] = [
    "category",
    "mode",
    "ending",
    "steps",
    "misses",
    "replans",
    "passed_tests",
    "total_tests",
    "judging_s",
    "lost_program",
];

/// The record of a run or attempt in the shape of today; verdicts are what they were.
pub(super) fn upgraded(mut value: Value) -> Value {
    let Some(record) = value.as_object_mut() else { return value };
    if record.contains_key("items") || record.contains_key("tasks") {
        run(record);
    } else if record.contains_key("ending") {
        task_attempt(record);
    } else if record.contains_key("item") {
        record.insert("retry".into(), json!(0));
    }
    value
}

fn run(record: &mut Map<String, Value>) {
    let Some(tasks) = record.remove("tasks") else { return };
    let limits = record.remove("limits").unwrap_or_else(|| json!({}));
    let set = record.remove("task_set").unwrap_or_else(|| json!(""));
    let added = [
        ("benchmark", json!("tasks")),
        ("setting", json!("plain")),
        ("options", json!({"limits": limits})),
        ("set", set),
        ("attempts", json!(1)),
        ("items", tasks),
    ];
    record.extend(added.map(|(name, value)| (name.to_owned(), value)));
}

fn task_attempt(record: &mut Map<String, Value>) {
    let detail: Map<String, Value> =
        DETAIL.iter().filter_map(|name| Some(((*name).to_owned(), record.remove(*name)?))).collect();
    // Each try had a number of its own.
    let retry = record.get("attempt").and_then(Value::as_u64).unwrap_or(1).saturating_sub(1);
    let seconds = record.remove("acting_s").unwrap_or_else(|| json!(0.0));
    let item = record.remove("task").unwrap_or_default();
    let cost = json!({"seconds": seconds, "calls": 0, "input_tokens": 0, "output_tokens": 0});
    let added =
        [("item", item), ("attempt", json!(1)), ("retry", json!(retry)), ("cost", cost), ("detail", detail.into())];
    record.extend(added.map(|(name, value)| (name.to_owned(), value)));
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::model::{Mode, Outcome, TaskDetail};
    use crate::store::RunDir;

    // As version 0.1.0 wrote them.
    const TASK_RUN: &str = r#"{"format": 1, "id": "one", "started_at": 1.5, "version": "0.1.0", "agent": "oracle",
        "mode": "composite", "tasks": ["a"], "task_set": "1-ab", "limits": {"max_steps": 5}, "notes": ["extended sessions"]}"#;
    const TASK_ATTEMPT: &str = r#"{"format": 1, "task": "a", "category": "debug", "mode": "composite", "attempt": 2,
        "outcome": "passed", "ending": "done", "steps": 3, "passed_tests": 2, "total_tests": 2, "acting_s": 1.5,
        "judging_s": 2.0}"#;
    const DRAG_RUN: &str = r#"{"format": 1, "id": "two", "started_at": 1.5, "version": "0.1.0", "benchmark": "drag",
        "agent": "m", "setting": "baseline", "options": {"agent": null}, "set": "ab", "attempts": 2, "items": ["D_001"]}"#;
    const TRIAL: &str = r#"{"format": 1, "item": "D_001", "attempt": 2, "outcome": "call_failed", "error": "gone",
        "cost": {"seconds": 1.0, "calls": 5, "input_tokens": 7, "output_tokens": 0}, "detail": null}"#;

    #[test]
    fn runs_of_format_1_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("one/run.json", TASK_RUN);
        write("one/attempts/a.composite.2/attempt.json", TASK_ATTEMPT);
        write("two/run.json", DRAG_RUN);
        write("two/trials/D_001.2/trial.json", TRIAL);

        let tasks = RunDir::open(&folder.path().join("one")).unwrap();
        let run = tasks.record();
        assert_eq!((run.benchmark.as_str(), run.set.as_str(), run.mode), ("tasks", "1-ab", Some(Mode::Composite)));
        assert_eq!((run.options["limits"]["max_steps"].as_u64(), run.items.len()), (Some(5), 1));
        let (name, record) = tasks.attempts::<TaskDetail>().unwrap().remove(0);
        assert_eq!((name.as_str(), record.attempt, record.retry), ("a.composite.2", 1, 1));
        assert_eq!((record.outcome, record.detail.steps, record.cost.seconds), (Outcome::Passed, 3, 1.5));
        assert!(tasks.recorded("a.composite.2").unwrap().is_some_and(|attempt| attempt.record == record));

        let drag = RunDir::open(&folder.path().join("two")).unwrap();
        let (name, record) = drag.attempts::<Option<u8>>().unwrap().remove(0);
        assert_eq!((name.as_str(), record.attempt, record.retry, record.cost.calls), ("D_001.2", 2, 0, 5));
        assert_eq!((record.outcome, record.error.as_deref()), (Outcome::CallFailed, Some("gone")));

        for name in ["one", "two"] {
            let refused = RunDir::resume(&folder.path().join(name)).unwrap_err();
            assert_eq!(refused.code(), "run_format_older", "{refused}");
        }
    }
}
