//! Trace-difference localisation (EcoScratch, section 12.1): which statements of a project can have written the signals that differ from
//! gold's, the most suspect ones first. The way leads from a signal to its writers, and from there to what decides on them: conditions and
//! loops around them, values that they read, messages, clones and calls that start their scripts. No run is made here.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::model::EVENTS;
use crate::patches::effects::{Aspect, Line, Program, Thing, Touches};
use crate::project::reach::{Start, set_off};
use crate::project::view::{TargetView, target, targets};

/// Signals that are followed, the first to differ first.
const SIGNALS: usize = 20;
/// Steps that are taken from a writer, and what a step leaves of its points.
const STEPS: u32 = 3;
const LEFT: f64 = 0.5;

/// A statement that can have made signals differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspect {
    /// The name of its target; the stage is `Stage`.
    pub target: String,
    /// Its block.
    pub block: String,
    pub opcode: String,
    /// More is more suspect; above 0.
    pub points: f64,
}

/// Where the fault stands in the list of suspects.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rank {
    /// Place of the statement that differs from gold, from 1; the middle one of equals. Of several statements the first one counts.
    pub rank: f64,
    /// Statements in all.
    pub of: usize,
}

/// How well faults are found over several cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Localised {
    /// Cases with a rank, and those of them whose fault is among the first 1, 5 and 10 suspects.
    pub cases: u32,
    pub top_1: u32,
    pub top_5: u32,
    pub top_10: u32,
    /// EXAM: the mean share of statements that are looked at before the fault is found (Wong et al., "A Survey on Software Fault
    /// Localization", 2016). 0 to 1, less is better; 0.5 by chance. Absent without cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exam: Option<f64>,
}

impl Localised {
    /// The figures of these ranks.
    #[expect(clippy::cast_precision_loss, reason = "statements are few")]
    pub fn of(ranks: &[Rank]) -> Self {
        let within = |most: f64| ranks.iter().map(|one| u32::from(one.rank <= most)).sum();
        let cases = ranks.iter().map(|_| 1).sum::<u32>();
        let looked_at: f64 = ranks.iter().map(|one| one.rank / one.of as f64).sum();
        let exam = (cases > 0).then(|| looked_at / f64::from(cases));
        Self { cases, top_1: within(1.0), top_5: within(5.0), top_10: within(10.0), exam }
    }
}

/// Statements that can write one of these signals, by points; of equals in the order of the file.
pub fn suspects(project: &Value, differing: &[String]) -> Vec<Suspect> {
    if differing.is_empty() {
        return Vec::new();
    }
    let program = Program::of(project);
    let points = Paths::of(&program).points(differing);
    let mut found: Vec<Suspect> = program
        .lines
        .iter()
        .zip(points)
        .filter(|(_, points)| *points > 0.0)
        .map(|(line, points)| Suspect {
            target: line.sprite.clone(),
            block: line.statement.block.id.to_owned(),
            opcode: line.statement.block.opcode.to_owned(),
            points,
        })
        .collect();
    found.sort_by(|one, other| other.points.total_cmp(&one.points));
    found
}

/// The rank of what differs between a project and its gold; `None` where no statement of a script differs.
pub fn rank(project: &Value, golden: &Value, differing: &[String]) -> Option<Rank> {
    let program = Program::of(project);
    let points = Paths::of(&program).points(differing);
    let faulty = faulty(&program, golden);
    let best = faulty.into_iter().map(|at| points[at]).max_by(f64::total_cmp)?;
    let above = points.iter().filter(|one| **one > best).count();
    let equal = points.iter().filter(|one| (**one - best).abs() < f64::EPSILON).count();
    #[expect(clippy::cast_precision_loss, reason = "statements are few")]
    let rank = above as f64 + f64::midpoint(equal as f64, 1.0);
    Some(Rank { rank, of: points.len() })
}

/// Statements with a block that is otherwise in gold, or not there. What was taken away shows in the links of its neighbours.
fn faulty(program: &Program<'_>, golden: &Value) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for mine in targets(program.json) {
        let theirs = target(golden, mine.sprite_id());
        let block = |of: TargetView<'_>, id: &str| of.get("blocks").and_then(|blocks| blocks.get(id)).map(content);
        for (id, _) in mine.entries("blocks") {
            if block(mine, id) != theirs.and_then(|theirs| block(theirs, id)) {
                found.extend(statement_of(program, mine, id));
            }
        }
    }
    found
}

/// A block without its place in the workspace.
fn content(block: &Value) -> Value {
    let mut block = block.clone();
    if let Some(members) = block.as_object_mut() {
        members.retain(|name, _| !matches!(name.as_str(), "x" | "y" | "comment"));
    }
    block
}

/// The statement that a block is part of: itself, or the one in whose slots it is.
fn statement_of(program: &Program<'_>, of: TargetView<'_>, id: &str) -> Option<usize> {
    let (mut at, mut seen) = (id.to_owned(), BTreeSet::new());
    while seen.insert(at.clone()) {
        let found = program.lines.iter().find(|line| line.statement.block.id == at && line.sprite == of.sprite_id());
        if let Some(line) = found {
            return Some(line.at);
        }
        at = of.holder(&at)?.id.to_owned();
    }
    None
}

/// The statements that decide on each statement.
struct Paths<'p, 'a> {
    program: &'p Program<'a>,
    touches: Vec<Touches>,
    writers: BTreeMap<Thing, Vec<usize>>,
    starters: Vec<(Start, usize)>,
}

impl<'p, 'a> Paths<'p, 'a> {
    fn of(program: &'p Program<'a>) -> Self {
        let touches: Vec<Touches> = program.lines.iter().map(|line| Touches::of(program.json, line)).collect();
        let mut writers: BTreeMap<Thing, Vec<usize>> = BTreeMap::new();
        for (at, touch) in touches.iter().enumerate() {
            for thing in &touch.writes {
                writers.entry(thing.clone()).or_default().push(at);
            }
        }
        let starter = |line: &Line<'_>| Some((set_off(line.target, &line.statement.block)?, line.at));
        let starters = program.lines.iter().filter_map(starter).collect();
        Self { program, touches, writers, starters }
    }

    /// Points of each statement, in their order.
    fn points(&self, differing: &[String]) -> Vec<f64> {
        let mut points = vec![0.0; self.program.lines.len()];
        let mut weight = 1.0;
        for (signal, place) in differing.iter().take(SIGNALS).zip(1_u32..) {
            self.spread(self.written_by(signal), weight, &mut points);
            weight = 1.0 / f64::from(place + 1);
        }
        points
    }

    fn spread(&self, from: Vec<usize>, weight: f64, points: &mut [f64]) {
        let mut seen: BTreeSet<usize> = from.iter().copied().collect();
        let (mut open, mut left) = (from, weight);
        for _ in 0..=STEPS {
            let mut next = Vec::new();
            for at in open {
                points[at] += left;
                next.extend(self.deciding(at).into_iter().filter(|before| seen.insert(*before)));
            }
            (open, left) = (next, left * LEFT);
        }
    }

    /// What decides on a statement: what is around and above it, its script's hat and what starts that, who writes what it reads.
    fn deciding(&self, at: usize) -> Vec<usize> {
        let line = &self.program.lines[at];
        let mut found: Vec<usize> = Vec::new();
        let above = line.target.holder(line.statement.block.id).map(|above| above.id);
        let hat = self.program.scripts[line.script].root;
        let same = self.program.lines.iter().filter(|other| other.script == line.script && other.at != at);
        found.extend(
            same.filter(|other| [above, Some(hat)].contains(&Some(other.statement.block.id))).map(|one| one.at),
        );
        let start = self.program.start(line);
        found.extend(self.starters.iter().filter(|(started, _)| started == start).map(|(_, at)| *at));
        let read = self.touches[at].reads.iter().filter_map(|thing| self.writers.get(thing));
        found.extend(read.flatten().copied().filter(|other| *other != at));
        found
    }

    /// Statements that write a signal themselves.
    fn written_by(&self, signal: &str) -> Vec<usize> {
        if let Some((kind, name)) = signal.strip_prefix(EVENTS).and_then(|event| event.split_once(':')) {
            return self.happening(kind, name);
        }
        if let Some(sprite) = signal.strip_prefix("clones/") {
            return self.cloning(sprite);
        }
        let Some((owner, what)) = signal.split_once('/') else { return Vec::new() };
        let owner = self.original(owner);
        let things = match what.split_once('/') {
            Some(("variable", name)) => self.values(owner, "variables", name),
            Some(("list", name)) => self.values(owner, "lists", name),
            _ => aspect(what).map(|aspect| Thing::Seen(owner.to_owned(), aspect)).into_iter().collect(),
        };
        things.iter().filter_map(|thing| self.writers.get(thing)).flatten().copied().collect()
    }

    /// The sprite of a clone, whose signals begin with the sprite's name and a number.
    fn original<'n>(&self, owner: &'n str) -> &'n str {
        if target(self.program.json, owner).is_some() {
            return owner;
        }
        owner.rsplit_once('#').map_or(owner, |(sprite, _)| sprite)
    }

    fn values(&self, owner: &str, key: &str, name: &str) -> Vec<Thing> {
        let entries = target(self.program.json, owner).into_iter().flat_map(|target| target.entries(key));
        let named = entries.filter(|(_, value)| value.get(0).and_then(Value::as_str) == Some(name));
        named.map(|(id, _)| Thing::Value(id.to_owned())).collect()
    }

    fn happening(&self, kind: &str, name: &str) -> Vec<usize> {
        let message = Start::Message(name.to_uppercase());
        let owner = name.split_once(": ").map_or(name, |(owner, _)| owner);
        let is_it = |line: &&Line<'_>| {
            let block = &line.statement.block;
            match kind {
                "broadcast" => {
                    // A message whose name is made while it runs may be this one.
                    let is_message = set_off(line.target, block).is_none_or(|started| started == message);
                    block.opcode.starts_with("event_broadcast") && is_message
                }
                "say" => line.sprite == owner && block.opcode.starts_with("looks_say"),
                "think" => line.sprite == owner && block.opcode.starts_with("looks_think"),
                "question" => block.opcode == "sensing_askandwait",
                "sound" => line.sprite == owner && block.opcode.starts_with("sound_play"),
                _ => false,
            }
        };
        self.program.lines.iter().filter(is_it).map(|line| line.at).collect()
    }

    /// What makes clones and deletes them, and where scripts of clones end: a deletion may be missing there.
    fn cloning(&self, sprite: &str) -> Vec<usize> {
        let made = Start::Clone(sprite.to_owned());
        let is_it = |line: &&Line<'_>| {
            let ends = line.statement.block.next.is_none() && *self.program.start(line) == made;
            let deletes = line.sprite == sprite && line.statement.block.opcode == "control_delete_this_clone";
            ends || deletes || set_off(line.target, &line.statement.block).as_ref() == Some(&made)
        };
        self.program.lines.iter().filter(is_it).map(|line| line.at).collect()
    }
}

/// The side of a target that a signal is about.
fn aspect(what: &str) -> Option<Aspect> {
    if what.starts_with("effect") {
        return Some(Aspect::Effects);
    }
    Some(match what {
        "x" | "y" => Aspect::Place,
        "direction" | "rotation_style" => Aspect::Direction,
        "size" => Aspect::Size,
        "visible" => Aspect::Visible,
        "costume" => Aspect::Costume,
        "layer" => Aspect::Layer,
        "bubble" => Aspect::Speech,
        _ => return None,
    })
}

#[cfg(test)]
#[path = "localise_tests.rs"]
mod tests;
