//! Whether step limits are sufficient: an oracle never errs, unlike an agent, so its solution may need at most half of
//! a limit. Project time is `pace`'s.

use super::certificate::Certificate;
use crate::model::Mode;
use crate::taskset::{MouseRecord, TaskEntry};

/// A certificate that also refuses its task if the steps that it allows are too few.
pub fn with_budget(mut certificate: Certificate, entry: &TaskEntry) -> Certificate {
    certificate.reasons.extend(budget_faults(entry));
    certificate.certified &= certificate.reasons.is_empty();
    certificate
}

/// What speaks against the steps that a task allows. Packs are not asked: their limits are published ones.
pub fn budget_faults(entry: &TaskEntry) -> Vec<String> {
    if entry.pack.is_some() {
        return Vec::new();
    }
    [composite(entry), primitive(entry)].into_iter().flatten().collect()
}

fn composite(entry: &TaskEntry) -> Option<String> {
    match entry.oracle(Mode::Composite) {
        Ok(Some(calls)) => over_half(entry, Mode::Composite, u32::try_from(calls.len()).unwrap_or(u32::MAX)),
        // A task without a list was refused when it was read.
        Ok(None) => None,
        Err(error) => Some(error.to_string()),
    }
}

fn primitive(entry: &TaskEntry) -> Option<String> {
    let again = format!(
        "`scratchbed run --agent oracle --mode primitive --task {}{} --write-records` counts the mouse oracle's actions",
        entry.task.id,
        if entry.is_draft() { " --drafts" } else { "" }
    );
    let record = match MouseRecord::beside(entry) {
        Ok(Some(record)) => record,
        Ok(None) => return Some(format!("it has no mouse.json; {again}")),
        Err(error) => return Some(error.to_string()),
    };
    match record.is_current(entry) {
        Ok(true) => over_half(entry, Mode::Primitive, record.actions),
        Ok(false) => Some(format!("its mouse.json was made from other projects; {again}")),
        Err(error) => Some(error.to_string()),
    }
}

/// The closing `done` is not counted, here as in records of runs.
fn over_half(entry: &TaskEntry, mode: Mode, needed: u32) -> Option<String> {
    let allowed = entry.task.limits.steps.of(mode);
    let over = needed.saturating_mul(2) > allowed;
    over.then(|| format!("limits.steps.{mode} is {allowed}, and must be twice the {needed} that its oracle needs"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::StepLimits;
    use crate::taskset::TaskSet;

    /// A task in a folder of its own, with what the mouse needed.
    fn found(steps: StepLimits, needed: Option<u32>, then: impl FnOnce(&TaskEntry)) -> Vec<String> {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let source = set.find("kite_gusts").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut entry = source.clone();
        folder.path().clone_into(&mut entry.folder);
        entry.task.limits.steps = steps;
        for name in ["initial.txt", "golden.txt", "oracle.composite.json"] {
            std::fs::copy(source.folder.join(name), folder.path().join(name)).unwrap();
        }
        if let Some(needed) = needed {
            MouseRecord::of(&entry, needed, 0, 0).unwrap().write(&entry.folder).unwrap();
        }
        then(&entry);
        budget_faults(&entry)
    }

    #[test]
    fn an_oracle_may_need_half_of_either_limit() {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let calls = set.find("kite_gusts").unwrap().oracle(Mode::Composite).unwrap().unwrap().len();
        let composite = 2 * u32::try_from(calls).unwrap();
        let nothing = |_: &TaskEntry| ();
        assert_eq!(found(StepLimits { composite, primitive: 80 }, Some(40), nothing), [""; 0]);
        let tight = found(StepLimits { composite: composite - 1, primitive: 79 }, Some(40), nothing);
        assert!(tight.len() == 2 && tight[0].contains("composite") && tight[1].contains("primitive"), "{tight:?}");
    }

    #[test]
    fn a_record_that_is_missing_or_of_other_projects_is_a_fault() {
        let enough = StepLimits::same(500);
        let missing = found(enough, None, |_| ());
        assert!(missing.len() == 1 && missing[0].contains("no mouse.json"), "{missing:?}");
        let stale = found(enough, Some(40), |entry| std::fs::write(entry.golden(), "another").unwrap());
        assert!(stale.len() == 1 && stale[0].contains("other projects"), "{stale:?}");
    }
}
