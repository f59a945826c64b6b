//! Whether a task's limits fit its solutions: correct work, however slow within the instruction, must never hit a
//! limit, and a judge must not wait for ever.

use crate::model::{Task, Verdict};

/// Project time that a golden project may need for one test, in milliseconds.
const LONGEST: f64 = 8000.0;
/// How many times the longest test of the slowest solution `case_ms` must be: no author thinks of the slowest program.
const ROOM: f64 = 1.5;
/// The largest `case_ms`. A program that never gets done costs as much for each test, in wall-clock time where it is judged in real
/// time.
const MOST: u32 = 60_000;

/// What speaks against the limits of a task whose solutions were judged so; nothing where no test was timed.
pub(super) fn faults(task: &Task, goldens: &[&Verdict], others: &[&Verdict]) -> Vec<String> {
    let mut faults = Vec::new();
    let golden = longest(goldens);
    if golden > LONGEST {
        faults.push(format!("the golden project needs {golden:.0} ms for one test, and may need {LONGEST:.0}"));
    }
    let slowest = golden.max(longest(others));
    let (case_ms, task_ms) = (task.limits.case_ms, task.limits.task_ms);
    if f64::from(case_ms) < ROOM * slowest {
        let least = (ROOM * slowest).ceil();
        faults.push(format!(
            "limits.case_ms is {case_ms}, and must be at least {least:.0}: {ROOM} times the {slowest:.0} ms that the slowest solution \
             needs for a test"
        ));
    }
    if slowest > 0.0 && case_ms > MOST {
        faults.push(format!("limits.case_ms is {case_ms}, and may be {MOST}"));
    }
    // A judge gives each test what is left of `task_ms` at most, so that slow tests would take time from those after them.
    let tests = goldens.iter().map(|golden| golden.total_tests).max().unwrap_or_default();
    let all = tests.saturating_mul(case_ms);
    if slowest > 0.0 && task_ms < all {
        faults.push(format!(
            "limits.task_ms is {task_ms}, and must be at least {all}: case_ms for each of {tests} tests"
        ));
    }
    faults
}

/// The longest test, in milliseconds of project time; 0 where none was timed.
fn longest(verdicts: &[&Verdict]) -> f64 {
    let tests = verdicts.iter().flat_map(|verdict| &verdict.details);
    tests.filter_map(|test| test.duration_ms).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taskset::TaskSet;

    fn verdict(duration: Option<f64>) -> Verdict {
        let details = [serde_json::json!({"name": "one", "passed": true, "duration_ms": duration})];
        let verdict = serde_json::json!({
            "task": "kite_gusts", "outcome": "passed", "passed_tests": 1, "total_tests": 3, "details": details, "seed": 1,
            "clock": "virtual", "hashes": {"project": "", "script": "", "editor": "", "browser": ""},
        });
        serde_json::from_value(verdict).unwrap()
    }

    /// What is found where the golden project and a slow solution need so long for a test.
    fn found(case_ms: u32, task_ms: u32, golden: Option<f64>, slow: Option<f64>) -> Vec<String> {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut task = set.find("kite_gusts").unwrap().task.clone();
        (task.limits.case_ms, task.limits.task_ms) = (case_ms, task_ms);
        faults(&task, &[&verdict(golden)], &[&verdict(slow)])
    }

    #[test]
    fn the_slowest_solution_decides_how_long_a_test_may_take() {
        assert_eq!(found(3000, 9000, Some(500.0), Some(2000.0)), [""; 0]);
        assert_eq!(found(3000, 9000, Some(2000.0), Some(500.0)), [""; 0], "a slow solution need not be the slowest");
        let less = found(3000, 9000, Some(500.0), Some(2001.0));
        assert!(less.len() == 1 && less[0].contains("must be at least 3002"), "{less:?}");
    }

    #[test]
    fn nothing_is_without_bounds() {
        assert_eq!(found(60_000, 180_000, Some(8000.0), Some(20_000.0)), [""; 0]);
        assert!(found(60_000, 180_000, Some(8001.0), None)[0].contains("golden project needs 8001 ms"));
        assert!(found(60_001, 190_000, Some(10.0), None)[0].contains("may be 60000"));
        assert_eq!(found(60_000, 60_000, None, None), [""; 0], "not timed");
    }

    #[test]
    fn all_tests_together_may_take_as_long_as_each_alone() {
        let less = found(3000, 8999, Some(500.0), None);
        assert!(less.len() == 1 && less[0].contains("limits.task_ms is 8999, and must be at least 9000"), "{less:?}");
    }
}
