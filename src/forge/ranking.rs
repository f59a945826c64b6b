//! In which order the faults of a pattern are tried in a project: operators take turns, and sites that matter more come first
//! (ScratchEval, section 3.4).

use std::collections::BTreeMap;

use super::gold::Gold;
use super::rules::Rules;
use crate::inject::{Candidate, OPERATORS, Pattern};
use crate::model::sha256_hex;
use crate::project::view::target;

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
    let sites = |operator: &str| {
        let own = by_operator.get(operator).into_iter().flatten().map(|(_, _, candidate)| *candidate);
        own.filter(|candidate| candidate.applies_to(&gold.project.json))
    };
    in_turns(operators.into_iter().map(sites).collect(), rules.trials)
}

/// One of each, then a second one of each, and so on; no more are looked at than are taken.
fn in_turns<'a>(mut open: Vec<impl Iterator<Item = &'a Candidate>>, most: usize) -> Vec<Candidate> {
    let mut taken: Vec<Candidate> = Vec::new();
    while taken.len() < most {
        let before = taken.len();
        for own in &mut open {
            if taken.len() == most {
                break;
            }
            taken.extend(own.next().cloned());
        }
        if taken.len() == before {
            break;
        }
    }
    taken
}

/// Whether the statement names what the program's state is in.
fn touches_state(gold: &Gold, candidate: &Candidate) -> bool {
    let target = target(&gold.project.json, &candidate.sprite_id);
    let Some(block) = target.and_then(|target| target.block(&candidate.statement)) else { return false };
    let names: Vec<String> = block.fields().map(|field| field.value).collect();
    let state = |name: &String| gold.facts.state_signals.iter().any(|signal| signal.ends_with(&format!("/{name}")));
    names.iter().any(state)
}
