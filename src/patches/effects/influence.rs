//! What a fault in a script can change, by what the program says: variables that it writes, messages that it sends, targets that look
//! otherwise for it, and so on through whoever depends on these. What else changes in a run changes by its timing alone.

use std::collections::BTreeSet;

use serde_json::Value;

use super::program::{Line, Program};
use super::touches::{Thing, Touches};
use crate::model::EVENTS;
use crate::project::reach::{Start, set_off};
use crate::project::view::{TargetView, target, targets};

/// What can change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Influence {
    /// Names of targets.
    targets: BTreeSet<String>,
    /// Names of variables and lists.
    values: BTreeSet<String>,
    /// Messages, in capitals.
    messages: BTreeSet<String>,
    /// Whether messages have names that are made while the program runs: any may be sent.
    any_message: bool,
}

impl Influence {
    /// What the difference between two projects can change: what the scripts can in which they differ, in either of them.
    pub fn between(one: &Value, other: &Value) -> Self {
        let differing = differing(one, other);
        let of = |json: &Value| {
            let program = Program::of(json);
            let differs = |line: &&Line<'_>| differing.contains(&(&line.sprite, program.scripts[line.script].root));
            let scripts: Vec<usize> = program.lines.iter().filter(differs).map(|line| line.script).collect();
            Self::of(&program, scripts)
        };
        of(one).with(of(other))
    }

    /// What scripts of a project can change: places in its list of scripts.
    pub fn of(program: &Program<'_>, scripts: impl IntoIterator<Item = usize>) -> Self {
        let touches: Vec<Touches> = program.lines.iter().map(|line| Touches::of(program.json, line)).collect();
        let mut influence = Self::default();
        let (mut written, mut open) = (BTreeSet::<Thing>::new(), scripts.into_iter().collect::<Vec<_>>());
        let mut seen = BTreeSet::new();
        while let Some(script) = open.pop() {
            if !seen.insert(script) {
                continue;
            }
            for (line, touch) in program.lines.iter().zip(&touches).filter(|(line, _)| line.script == script) {
                influence.targets.insert(line.sprite.clone());
                written.extend(touch.writes.iter().chain(&touch.shows).cloned());
                let start = set_off(line.target, &line.statement.block);
                influence.any_message |= start.is_none() && line.statement.block.opcode.starts_with("event_broadcast");
                if let Some(start) = start {
                    if let Start::Message(message) = &start {
                        influence.messages.insert(message.clone());
                    }
                    open.extend((0..program.scripts.len()).filter(|at| program.scripts[*at].start == start));
                }
            }
            let depends = program.lines.iter().zip(&touches).filter(|(_, touch)| touch.meets(&written));
            open.extend(depends.map(|(line, _)| line.script).filter(|script| !seen.contains(script)));
        }
        influence.name(&written, program.json);
        influence
    }

    fn name(&mut self, written: &BTreeSet<Thing>, json: &Value) {
        for thing in written {
            match thing {
                Thing::Seen(target, _) => {
                    self.targets.insert(target.clone());
                }
                Thing::Value(id) => {
                    let all = targets(json).flat_map(|target| ["variables", "lists"].map(|key| (target, key)));
                    let found = all.filter_map(|(target, key)| {
                        let (_, value) = target.entries(key).find(|(known, _)| known == id)?;
                        value.get(0)?.as_str().map(str::to_owned)
                    });
                    self.values.extend(found);
                }
            }
        }
    }

    fn with(mut self, other: Self) -> Self {
        self.targets.extend(other.targets);
        self.values.extend(other.values);
        self.messages.extend(other.messages);
        self.any_message |= other.any_message;
        self
    }

    /// Whether a signal of a trace can change for it.
    pub fn reaches(&self, signal: &str) -> bool {
        if let Some((kind, name)) = signal.strip_prefix(EVENTS).and_then(|event| event.split_once(':')) {
            return match kind {
                "broadcast" => self.any_message || self.messages.contains(&name.to_uppercase()),
                "sound" | "say" | "think" => {
                    name.split_once(": ").is_none_or(|(target, _)| self.targets.contains(target))
                }
                _ => true,
            };
        }
        if let Some(sprite) = signal.strip_prefix("clones/") {
            return self.targets.contains(sprite);
        }
        match signal.split_once('/') {
            Some((owner, what)) => match what.split_once('/') {
                Some(("variable" | "list", name)) => self.values.contains(name),
                _ => self.targets.contains(owner),
            },
            None => true,
        }
    }
}

/// The scripts in which two projects differ: names of targets, and first blocks in either of them.
fn differing<'a>(one: &'a Value, other: &'a Value) -> BTreeSet<(&'a str, &'a str)> {
    let mut found = BTreeSet::new();
    for (mine, yours) in targets(one).filter_map(|mine| Some((mine, target(other, mine.sprite_id())?))) {
        let block = |target: TargetView<'a>, id: &str| target.get("blocks").and_then(|blocks| blocks.get(id));
        let ids = mine.entries("blocks").chain(yours.entries("blocks")).map(|(id, _)| id);
        for id in ids.filter(|id| block(mine, id) != block(yours, id)) {
            found.extend([mine, yours].map(|target| (mine.sprite_id(), target.root(id))));
        }
    }
    found
}
