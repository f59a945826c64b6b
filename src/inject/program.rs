//! A gold project as operators look at it: its statements with their places, which scripts are live, and who uses what.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::mutants::walk::{Statement, is_mouth, places, scripts};
use crate::project::reach::{Reach, Start};
use crate::project::view::{Block, Slot, TargetView, targets};

/// Statements after which others run before the next one does.
const YIELDS: [&str; 13] = [
    "control_wait",
    "motion_glidesecstoxy",
    "motion_glideto",
    "looks_sayforsecs",
    "looks_thinkforsecs",
    "sensing_askandwait",
    "sound_playuntildone",
    "event_broadcastandwait",
    "control_forever",
    "control_repeat",
    "control_repeat_until",
    "control_while",
    "control_for_each",
];
const LOOPS: [&str; 5] =
    ["control_forever", "control_repeat", "control_repeat_until", "control_while", "control_for_each"];
/// What ends the beginning of a script, besides loops.
const ENDS_PREFIX: [&str; 3] = ["control_wait_until", "event_broadcastandwait", "control_stop"];

/// A statement of a script that starts by a hat.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) target: TargetView<'a>,
    /// The target's name; the stage is `Stage`.
    pub(super) sprite: String,
    /// Place of its script in [`Program::scripts`].
    pub(super) script: usize,
    /// The statement and its path: target's script, place in the stack, mouths.
    pub(super) statement: Statement<'a>,
    /// Whether it is outside of mouths, before the first loop, wait until, broadcast that waits, or stop.
    pub(super) is_prefix: bool,
}

/// Who writes and reads a variable or list, in live scripts: ids of blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Uses<'a> {
    pub(super) writes: Vec<&'a str>,
    pub(super) reads: Vec<&'a str>,
}

/// One script with its hat.
#[derive(Debug, Clone)]
pub(super) struct Script<'a> {
    pub(super) root: &'a str,
    pub(super) start: Start,
    pub(super) is_live: bool,
}

/// A project with what operators ask of it.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) scripts: Vec<Script<'a>>,
    /// In the order of the file.
    pub(super) lines: Vec<Line<'a>>,
    /// By ids of variables and lists.
    pub(super) uses: BTreeMap<&'a str, Uses<'a>>,
    pub(super) json: &'a Value,
}

impl<'a> Program<'a> {
    pub(super) fn of(json: &'a Value) -> Self {
        let reach = Reach::of(json);
        let mut program = Self { scripts: Vec::new(), lines: Vec::new(), uses: BTreeMap::new(), json };
        for target in targets(json) {
            let sprite = target.sprite_id();
            for statements in scripts(target) {
                let Some(hat) = statements.first().map(|statement| statement.block.id) else { continue };
                let known = reach.scripts.iter().find(|script| script.target == sprite && script.root == hat);
                let Some(known) = known else { continue };
                let script = Script { root: hat, start: known.start.clone(), is_live: known.hops.is_some() };
                program.add_script(target, sprite, script, statements);
            }
        }
        program
    }

    fn add_script(&mut self, target: TargetView<'a>, sprite: &str, script: Script<'a>, statements: Vec<Statement<'a>>) {
        let (number, is_live) = (self.scripts.len(), script.is_live);
        self.scripts.push(script);
        let mut is_prefix = true;
        for statement in statements {
            let opcode = statement.block.opcode;
            is_prefix &= !(statement.depth == 0 && (LOOPS.contains(&opcode) || ENDS_PREFIX.contains(&opcode)));
            if is_live {
                self.note_uses(target, &statement);
            }
            let is_prefix = is_prefix && statement.depth == 0;
            self.lines.push(Line { target, sprite: sprite.to_owned(), script: number, statement, is_prefix });
        }
    }

    fn note_uses(&mut self, target: TargetView<'a>, statement: &Statement<'a>) {
        let block = &statement.block;
        for field in ["VARIABLE", "LIST"] {
            let Some(id) = block.field(field).and_then(|field| field.id) else { continue };
            if !matches!(block.opcode, "data_showvariable" | "data_hidevariable" | "data_showlist" | "data_hidelist") {
                self.uses.entry(id).or_default().writes.push(block.id);
            }
        }
        for place in places(target, statement) {
            match &place.value {
                Slot::Primitive(primitive) if primitive.is_reporter() => {
                    if let Some(id) = primitive.id {
                        self.uses.entry(id).or_default().reads.push(place.holder.id);
                    }
                }
                Slot::Block(id) => {
                    let list = target.block(id).and_then(|block| block.field("LIST")?.id);
                    if let Some(list) = list {
                        self.uses.entry(list).or_default().reads.push(place.holder.id);
                    }
                }
                Slot::Primitive(_) => {}
            }
        }
    }

    /// Statements of live scripts, hats left out.
    pub(super) fn live(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| self.scripts[line.script].is_live && !self.is_hat(line))
    }

    fn is_hat(&self, line: &Line<'a>) -> bool {
        line.statement.block.id == self.scripts[line.script].root
    }

    /// What starts the script of a statement.
    pub(super) fn start(&self, line: &Line<'a>) -> &Start {
        &self.scripts[line.script].start
    }

    /// Hats of live scripts.
    pub(super) fn hats(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| self.scripts[line.script].is_live && self.is_hat(line))
    }

    /// The statements of a script, its hat left out.
    pub(super) fn body(&self, script: usize) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(move |line| line.script == script && !self.is_hat(line))
    }

    /// Live scripts that receive a message.
    pub(super) fn receivers(&self, message: &str) -> Vec<usize> {
        let wanted = Start::Message(message.to_uppercase());
        let all = self.scripts.iter().enumerate().filter(|(_, script)| script.is_live && script.start == wanted);
        all.map(|(at, _)| at).collect()
    }

    /// Statements below this one in its stack.
    pub(super) fn below(&self, line: &Line<'a>) -> Vec<&Line<'a>> {
        let mut found = Vec::new();
        let mut next = line.statement.block.next;
        while let Some(below) = next.and_then(|id| {
            self.lines.iter().find(|other| other.statement.block.id == id && other.sprite == line.sprite)
        }) {
            next = below.statement.block.next;
            found.push(below);
        }
        found
    }

    /// Whether a statement has a loop around it.
    pub(super) fn is_in_loop(line: &Line<'_>) -> bool {
        let mut above = line.statement.block.parent;
        let mut inner = line.statement.block.id;
        while let Some(block) = above.and_then(|id| line.target.block(id)) {
            if block.next != Some(inner) && LOOPS.contains(&block.opcode) {
                return true;
            }
            (above, inner) = (block.parent, block.id);
        }
        false
    }

    /// Variables of a kind that a target sees: ids with names. `key` is `variables`, `lists` or `broadcasts`.
    pub(super) fn in_scope(&self, target: TargetView<'a>, key: &str) -> Vec<(&'a str, &'a str)> {
        let name = |value: &'a Value| value.get(0).unwrap_or(value).as_str().unwrap_or_default();
        let seen = targets(self.json).filter(|other| other.is_stage() || other.name() == target.name());
        seen.flat_map(|other| other.entries(key).collect::<Vec<_>>()).map(|(id, value)| (id, name(value))).collect()
    }
}

/// Whether others run before the statement below it does.
pub(super) fn is_yield(block: &Block<'_>) -> bool {
    YIELDS.contains(&block.opcode)
}

pub(super) fn is_loop(block: &Block<'_>) -> bool {
    LOOPS.contains(&block.opcode)
}

/// Edits that put a block back besides its own: a reporter each, and a variable that lies on a menu.
const MOST_MORE: usize = 2;

/// Whether a block may be deleted by an operator: it holds no mouth, and is put back by few edits.
pub(super) fn is_small(target: TargetView<'_>, block: &Block<'_>) -> bool {
    let (mut more, mut open) = (0, vec![block.clone()]);
    while let Some(block) = open.pop() {
        if block.comment.is_some() {
            return false;
        }
        for input in block.inputs() {
            match (input.value, input.hidden) {
                (Some(Slot::Block(held)), _) => {
                    let Some(held) = target.block(held).filter(|held| !held.shadow) else { continue };
                    if is_mouth(input.name) {
                        return false;
                    }
                    more += 1;
                    open.push(held);
                }
                (Some(Slot::Primitive(_)), Some(Slot::Block(_))) => more += 1,
                _ => {}
            }
        }
    }
    more <= MOST_MORE
}

/// Ids of variables and lists that scripts write.
pub(super) fn written<'a>(program: &Program<'a>, scripts: &[usize]) -> BTreeSet<&'a str> {
    let lines = program.lines.iter().filter(|line| scripts.contains(&line.script));
    lines
        .filter_map(|line| {
            let block = &line.statement.block;
            block.field("VARIABLE").or_else(|| block.field("LIST"))?.id
        })
        .collect()
}
