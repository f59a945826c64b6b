//! Damage to a sprite besides its scripts: it is hidden or shown, or wears another costume.

use serde_json::json;

use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, candidate};
use crate::project::view::TargetView;
use crate::project::walk::Statement;

/// The path of a sprite, which is not a statement.
const PATH: &str = "sprite";

/// All candidates of one target. A start value that scripts set anyway is left out: a mutant of it would be
/// right from its first tick on.
pub(super) fn candidates(target: TargetView<'_>, scripts: &[Vec<Statement<'_>>]) -> Vec<Candidate> {
    let runs = |opcodes: &[&str]| scripts.iter().flatten().any(|found| opcodes.contains(&found.block.opcode));
    let make = |operator, variant: &str, step| candidate(operator, PATH, variant, String::new(), vec![step]);
    let mut found = Vec::new();
    let visible = target.get("visible").and_then(serde_json::Value::as_bool);
    if let Some(visible) = visible.filter(|_| !target.is_stage() && !runs(&["looks_show", "looks_hide"])) {
        let step = Step::Property { key: "visible", value: json!(!visible) };
        found.push(make("collateral:hidden", if visible { "hidden" } else { "shown" }, step));
    }
    let switches = ["looks_switchcostumeto", "looks_nextcostume", "looks_switchbackdropto", "looks_nextbackdrop"];
    let costumes = target.items("costumes").len();
    if costumes > 1 && !runs(&switches) {
        let current = target.get("currentCostume").and_then(serde_json::Value::as_u64).unwrap_or_default();
        let next = usize::try_from(current).map_or(0, |current| (current + 1) % costumes);
        found.push(make("collateral:costume", "next", Step::Property { key: "currentCostume", value: json!(next) }));
    }
    found
}
