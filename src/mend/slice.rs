//! Which scripts a report has to do with, as far as the report itself tells: all but those that only other inputs start.

use std::collections::BTreeSet;

use serde_json::Value;

use super::representation::Scripts;
use crate::bugs::BugReport;
use crate::forge::says::is_reported;
use crate::project::reach::{Reach, Start};

/// The scripts that the inputs of a report start, directly or through others, and those that no input starts: the fault may be that
/// nothing does.
pub fn slice(buggy: &Value, report: &BugReport) -> Scripts {
    let reach = Reach::of(buggy);
    let comes_by_itself = |start: &Start| matches!(start, Start::Sensed(_));
    let starts: Vec<Start> = reach.scripts.iter().map(|script| script.start.clone()).collect();
    let reported: Vec<Start> =
        starts.into_iter().filter(|start| comes_by_itself(start) || is_reported(start, &report.reproduce)).collect();
    let reached = reach.reached_by(&reported);
    let others: BTreeSet<(String, String)> = reach
        .scripts
        .iter()
        .enumerate()
        .filter(|(at, script)| script.hops.is_some() && !reached.contains(at))
        .map(|(_, script)| (script.target.clone(), script.root.clone()))
        .collect();
    Scripts::without(others)
}
