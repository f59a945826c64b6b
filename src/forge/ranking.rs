//! In which order the faults of a pattern are tried in a project: operators take turns, and sites that matter more come first
//! (ScratchEval, section 3.4).

use std::collections::BTreeMap;

use super::gold::Gold;
use super::rules::Rules;
use crate::inject::{Candidate, OPERATORS, Pattern};
use crate::model::sha256_hex;

/// How many faults of each operator were accepted so far.
pub type Turns = BTreeMap<String, usize>;

/// The candidates of a pattern that are tried, the first one first. The operator whose turn it is, is the one with the fewest accepted
/// faults so far, in the order of the table.
pub fn ranked(gold: &Gold, candidates: &[Candidate], pattern: Pattern, rules: &Rules, turns: &Turns) -> Vec<Candidate> {
    let covered = gold.covered();
    let mut by_operator: BTreeMap<&str, Vec<(u32, String, &Candidate)>> = BTreeMap::new();
    for candidate in candidates.iter().filter(|candidate| candidate.pattern == pattern) {
        let ran =
            covered.get(candidate.sprite_id.as_str()).is_some_and(|ids| ids.contains(candidate.statement.as_str()));
        let script = gold.reach.scripts.iter().find(|script| script.root == candidate.script);
        let is_near = script.is_some_and(|script| script.hops == Some(0));
        let score = 4 * u32::from(ran) + 2 * u32::from(touches_state(gold, candidate)) + u32::from(is_near);
        let tie = sha256_hex(format!("{} {} {}", rules.seed, gold.id, candidate.id()).as_bytes());
        by_operator.entry(candidate.operator).or_default().push((score, tie, candidate));
    }
    for sites in by_operator.values_mut() {
        sites.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    }
    let place = |operator: &str| OPERATORS.iter().position(|known| *known == operator);
    let mut operators: Vec<&str> = by_operator.keys().copied().collect();
    operators.sort_by_key(|operator| (turns.get(*operator).copied().unwrap_or_default(), place(operator)));
    let longest = by_operator.values().map(Vec::len).max().unwrap_or_default();
    let rounds = (0..longest).flat_map(|round| operators.iter().map(move |operator| (round, *operator)));
    rounds
        .filter_map(|(round, operator)| Some(by_operator[operator].get(round)?.2.clone()))
        .take(rules.trials)
        .collect()
}

/// Whether the statement names what the program's state is in.
fn touches_state(gold: &Gold, candidate: &Candidate) -> bool {
    let target =
        crate::project::view::targets(&gold.project.json).find(|target| target.sprite_id() == candidate.sprite_id);
    let Some(block) = target.and_then(|target| target.block(&candidate.statement)) else { return false };
    let names: Vec<String> = block.fields().map(|field| field.value).collect();
    let state = |name: &String| gold.facts.state_signals.iter().any(|signal| signal.ends_with(&format!("/{name}")));
    names.iter().any(state)
}
