//! What a search is after: live statements that no run has executed, each with the statements that must run first, and how near a run
//! came to one (ScratchEval, section 10.5: approach level and branch distance).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::distance::{UNKNOWN, distance};
use crate::judge::Played;
use crate::project::reach::{Reach, Start, set_off};
use crate::project::view::{Block, Slot, TargetView, target, targets};

/// Scripts that set one another off, and are followed to see how far a run is from a hat.
const MOST_HOPS: u32 = 4;

/// A statement of a target.
pub type Place = (String, String);

/// What decides whether the next statement of a path runs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Gate {
    /// The statement.
    id: String,
    /// The condition in one of its slots, and what it must be; `None` where something else decides.
    condition: Option<(String, bool)>,
}

/// The statements that run before a statement does, its hat first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    gates: Vec<Gate>,
    start: Start,
}

/// The live statements of a project.
#[derive(Debug)]
pub struct Goals<'a> {
    project: &'a Value,
    paths: BTreeMap<Place, Path>,
    /// Statements that send a message, make a clone, switch a backdrop or call a block.
    senders: Vec<(Start, Place)>,
}

impl<'a> Goals<'a> {
    /// The live statements of a gold project.
    pub fn of(project: &'a Value, reach: &Reach) -> Self {
        let mut goals = Self { project, paths: BTreeMap::new(), senders: Vec::new() };
        for target in targets(project) {
            for script in reach.live().filter(|script| script.target == target.sprite_id()) {
                goals.stack(target, Some(&script.root), &script.start, &mut Vec::new());
            }
        }
        goals
    }

    /// Notes the statements from this one on, after those that run before.
    fn stack(&mut self, target: TargetView<'_>, first: Option<&str>, start: &Start, before: &mut Vec<Gate>) {
        let outer = before.len();
        let mut next = first;
        while let Some(block) = next.and_then(|id| target.block(id)) {
            let place = (target.sprite_id().to_owned(), block.id.to_owned());
            self.paths.insert(place.clone(), Path { gates: before.clone(), start: start.clone() });
            self.senders.extend(set_off(target, &block).map(|start| (start, place)));
            for (mouth, wanted) in [("SUBSTACK", block.opcode != "control_repeat_until"), ("SUBSTACK2", false)] {
                if let Some(Slot::Block(inner)) = block.input(mouth).and_then(|input| input.value) {
                    before.push(Gate { id: block.id.to_owned(), condition: condition(&block, wanted) });
                    self.stack(target, Some(inner), start, before);
                    before.pop();
                }
            }
            // What follows a loop or a wait runs when it is over.
            let waits = matches!(block.opcode, "control_wait_until" | "control_repeat_until");
            let condition = waits.then(|| condition(&block, true)).flatten();
            before.push(Gate { id: block.id.to_owned(), condition });
            next = block.next;
        }
        before.truncate(outer);
    }

    /// All live statements.
    pub fn all(&self) -> impl Iterator<Item = &Place> {
        self.paths.keys()
    }

    /// How far a run was from a statement: 0 if it ran, else the statements that did not run before it, and a part below 1 for how far
    /// the condition was from being as it must.
    pub fn fitness(&self, goal: &Place, run: &Played, ran: &Ran<'_>) -> f64 {
        self.away(goal, run, ran, MOST_HOPS)
    }

    fn away(&self, goal: &Place, run: &Played, ran: &Ran<'_>, hops: u32) -> f64 {
        let Some(path) = self.paths.get(goal) else { return f64::INFINITY };
        if ran.has(goal) {
            return 0.0;
        }
        let sprite = goal.0.as_str();
        let reached = path.gates.iter().take_while(|gate| ran.0.contains(&(sprite, gate.id.as_str()))).count();
        let missing = f64::from(u32::try_from(path.gates.len() - reached).unwrap_or(u32::MAX)) + 1.0;
        match reached.checked_sub(1) {
            Some(last) => missing - 1.0 + self.branch(sprite, &path.gates[last], run),
            None => missing + self.unstarted(&path.start, run, ran, hops),
        }
    }

    /// How far the last gate that ran was from letting the run through, below 1.
    fn branch(&self, sprite: &str, gate: &Gate, run: &Played) -> f64 {
        let known = target(self.project, sprite).zip(gate.condition.as_ref());
        known.map_or(UNKNOWN, |(target, (condition, wanted))| distance(target, condition, *wanted, run.run()))
    }

    /// How far a run was from whatever starts a script that did not start.
    fn unstarted(&self, start: &Start, run: &Played, ran: &Ran<'_>, hops: u32) -> f64 {
        if hops == 0 {
            return UNKNOWN;
        }
        let senders = self.senders.iter().filter(|(sets_off, _)| sets_off == start);
        let nearest = senders.map(|(_, place)| self.away(place, run, ran, hops - 1)).reduce(f64::min);
        nearest.unwrap_or(UNKNOWN)
    }
}

/// Targets and ids of the statements that ran.
pub struct Ran<'a>(BTreeSet<(&'a str, &'a str)>);

impl<'a> Ran<'a> {
    /// In any of these runs.
    pub fn of(runs: impl IntoIterator<Item = &'a Played>) -> Self {
        let covered = runs.into_iter().flat_map(|run| &run.covered);
        Self(covered.flat_map(|(sprite, ids)| ids.iter().map(|id| (sprite.as_str(), id.as_str()))).collect())
    }

    pub fn has(&self, (sprite, id): &Place) -> bool {
        self.0.contains(&(sprite.as_str(), id.as_str()))
    }
}

/// The condition of a block, with what it must be.
fn condition(block: &Block<'_>, wanted: bool) -> Option<(String, bool)> {
    match block.input("CONDITION")?.value? {
        Slot::Block(id) => Some((id.to_owned(), wanted)),
        Slot::Primitive(_) => None,
    }
}
