//! What went wrong in attempts at tasks, counted by rules from what was recorded: no model reads anything.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::{CallRecord, ItemId, Verdict};

/// Calls that are no actions of the agent on the project.
const NO_ACTIONS: [&str; 4] = ["observe", "block_catalogue", "done", "failed"];

/// How the ends of drags were named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DragEnds {
    /// Both as elements of the list.
    pub by_index: usize,
    /// Both as coordinates.
    pub by_points: usize,
    /// One of each.
    pub mixed: usize,
}

/// How often something happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeCount {
    pub code: String,
    pub count: usize,
}

/// How often a test failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedTest {
    pub item: ItemId,
    /// Its name.
    pub test: String,
    pub failed: usize,
    /// Attempts in which it was run.
    pub of: usize,
}

/// The counts of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// Answers of the model.
    pub turns: usize,
    /// Of those: answers that held no action that can be carried out.
    pub wasted_turns: usize,
    /// Actions, without looks and without `done` and `failed`.
    pub actions: usize,
    /// Of those: the same call as the action before it.
    pub repeated: usize,
    /// Of those: actions that were refused or failed.
    pub refused: usize,
    /// Why, the most frequent first.
    pub codes: Vec<CodeCount>,
    pub drags: DragEnds,
    /// Tests that failed, the most frequent first.
    pub tests: Vec<FailedTest>,
}

/// Counts attempt by attempt.
#[derive(Debug, Default)]
pub struct FailureCounter {
    sum: Failures,
    codes: BTreeMap<String, usize>,
    /// How often each test failed and was run.
    tests: BTreeMap<(ItemId, String), (usize, usize)>,
}

impl FailureCounter {
    /// Adds the calls of an attempt.
    pub fn add_calls(&mut self, calls: &[CallRecord]) {
        let mut before: Option<&CallRecord> = None;
        for made in calls.iter().filter(|made| !NO_ACTIONS.contains(&made.call.api.as_str())) {
            self.sum.actions += 1;
            let is_same = |other: &CallRecord| (&other.call.api, &other.call.args) == (&made.call.api, &made.call.args);
            self.sum.repeated += usize::from(before.is_some_and(is_same));
            before = Some(made);
            if let Some(error) = &made.reply.error {
                self.sum.refused += 1;
                *self.codes.entry(error.code.clone()).or_default() += 1;
            }
            if made.call.api == "drag_and_drop" {
                self.add_drag(made);
            }
        }
    }

    fn add_drag(&mut self, made: &CallRecord) {
        let is_index =
            ["start_index", "end_index"].map(|name| made.call.args.get(name).is_some_and(|at| !at.is_null()));
        let drags = &mut self.sum.drags;
        match is_index {
            [true, true] => drags.by_index += 1,
            [false, false] => drags.by_points += 1,
            _ => drags.mixed += 1,
        }
    }

    /// Adds the answers of an attempt's model, each with whether it was wasted.
    pub fn add_turns(&mut self, wasted: impl IntoIterator<Item = bool>) {
        for is_wasted in wasted {
            self.sum.turns += 1;
            self.sum.wasted_turns += usize::from(is_wasted);
        }
    }

    /// Adds what the judge found.
    pub fn add_verdict(&mut self, item: &ItemId, verdict: &Verdict) {
        for test in &verdict.details {
            let (failed, of) = self.tests.entry((item.clone(), test.name.clone())).or_default();
            *failed += usize::from(!test.passed);
            *of += 1;
        }
    }

    /// The counts.
    pub fn finish(self) -> Failures {
        let mut codes: Vec<CodeCount> = self.codes.into_iter().map(|(code, count)| CodeCount { code, count }).collect();
        codes.sort_by_key(|one| std::cmp::Reverse(one.count));
        let mut tests: Vec<FailedTest> = self
            .tests
            .into_iter()
            .filter(|(_, (failed, _))| *failed > 0)
            .map(|((item, test), (failed, of))| FailedTest { item, test, failed, of })
            .collect();
        tests.sort_by_key(|one| std::cmp::Reverse(one.failed));
        Failures { codes, tests, ..self.sum }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn call(api: &str, args: &Value, code: Option<&str>) -> CallRecord {
        let call = json!({"api": api, "args": args});
        let error = code.map(|code| json!({"code": code, "message": "m", "hint": null, "infrastructure": false}));
        let timing = json!({"wait_ms": 0.0, "action_ms": 0.0, "settle_ms": 0.0, "settle": "skipped"});
        let reply =
            json!({"success": code.is_none(), "executed_action": call, "data": {}, "error": error, "timing": timing});
        serde_json::from_value(json!({"step": 1, "at_s": 0.1, "call": call, "reply": reply})).unwrap()
    }

    #[test]
    fn repeats_are_seen_across_looks_and_refusals_by_their_codes() {
        let drag = |args: Value, code| call("drag_and_drop", &args, code);
        let calls = [
            call("observe", &json!({}), None),
            drag(json!({"start_index": 1, "end_index": 2}), Some("stale_index")),
            call("observe", &json!({}), None),
            drag(json!({"start_index": 1, "end_index": 2}), Some("stale_index")),
            drag(json!({"start_index": 1, "end_x": 2, "end_y": 3}), Some("outside")),
            drag(json!({"start_x": 1, "start_y": 1, "end_x": 2, "end_y": 3}), None),
            call("done", &json!({}), None),
        ];
        let mut counter = FailureCounter::default();
        counter.add_calls(&calls);
        counter.add_turns([true, false, false]);
        let found = counter.finish();
        assert_eq!((found.actions, found.repeated, found.refused), (4, 1, 3));
        assert_eq!((found.turns, found.wasted_turns), (3, 1));
        assert_eq!(found.drags, DragEnds { by_index: 2, by_points: 1, mixed: 1 });
        assert_eq!(found.codes[0], CodeCount { code: "stale_index".to_owned(), count: 2 });
    }

    #[test]
    fn tests_that_fail_most_often_come_first() {
        let verdict = |passed: [bool; 2]| -> Verdict {
            let details: Vec<Value> =
                ["a", "b"].iter().zip(passed).map(|(name, passed)| json!({"name": name, "passed": passed})).collect();
            serde_json::from_value(json!({
                "task": "t", "outcome": "failed", "passed_tests": 0, "total_tests": 2, "details": details, "seed": 1,
                "clock": "virtual", "trace_hash": null,
                "hashes": {"project": "", "script": "", "editor": "", "browser": ""},
            }))
            .unwrap()
        };
        let mut counter = FailureCounter::default();
        for passed in [[false, true], [true, false], [true, false]] {
            counter.add_verdict(&"t".parse().unwrap(), &verdict(passed));
        }
        let tests: Vec<_> = counter.finish().tests.into_iter().map(|one| (one.test, one.failed, one.of)).collect();
        assert_eq!(tests, [("b".to_owned(), 2, 3), ("a".to_owned(), 1, 3)]);
    }
}
