//! Whether a task's limits fit its golden project: a judge must neither take long nor wait long for what never comes.

use crate::model::{Task, Verdict};

/// Project time that a golden project may need for one test, in milliseconds.
const LONGEST: f64 = 8000.0;
/// Limits are round numbers, and need not be less than twice this.
const STEP: f64 = 500.0;

/// What speaks against the limits of a task whose golden project was judged so; nothing where no test was timed.
pub(super) fn faults<'v>(task: &Task, goldens: impl Iterator<Item = &'v Verdict>) -> Vec<String> {
    let durations = goldens.flat_map(|golden| &golden.details).filter_map(|test| test.duration_ms);
    let longest = durations.fold(0.0, f64::max);
    if longest <= 0.0 {
        return Vec::new();
    }
    let mut faults = Vec::new();
    if longest > LONGEST {
        faults.push(format!("the golden project needs {longest:.0} ms for one test, and may need {LONGEST:.0}"));
    }
    let most = ((2.0 * longest / STEP).ceil() * STEP).max(2.0 * STEP);
    if f64::from(task.limits.case_ms) > most {
        let limit = task.limits.case_ms;
        faults.push(format!(
            "limits.case_ms is {limit}, and may be {most:.0}: twice the {longest:.0} ms that the golden project needs"
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taskset::TaskSet;

    fn found(case_ms: u32, durations: &[Option<f64>]) -> usize {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut task = set.find("kite_gusts").unwrap().task.clone();
        task.limits.case_ms = case_ms;
        let details: Vec<_> = durations
            .iter()
            .map(|duration| serde_json::json!({"name": "one", "passed": true, "duration_ms": duration}))
            .collect();
        let golden = serde_json::json!({
            "task": "kite_gusts", "outcome": "passed", "passed_tests": 1, "total_tests": 1, "details": details, "seed": 1,
            "clock": "virtual", "hashes": {"project": "", "script": "", "editor": "", "browser": ""},
        });
        faults(&task, std::iter::once(&serde_json::from_value(golden).unwrap())).len()
    }

    #[test]
    fn limits_are_at_most_twice_what_the_golden_project_needs() {
        assert_eq!(found(4500, &[Some(100.0), Some(2100.0)]), 0, "rounded up");
        assert_eq!(found(5000, &[Some(100.0), Some(2100.0)]), 1);
        assert_eq!(found(1000, &[Some(33.0)]), 0, "no limit need be shorter than a second");
        assert_eq!(found(17000, &[Some(8500.0)]), 1, "too long itself");
        assert_eq!(found(30000, &[None]), 0, "not timed");
    }
}
