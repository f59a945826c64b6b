//! The scripts of a project as one list of statements, with who writes and reads each variable.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::project::reach::{Reach, Start};
use crate::project::view::{Block, Slot, TargetView, targets};
use crate::project::walk::{Statement, places, scripts};

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
pub struct Line<'a> {
    /// Its place in [`Program::lines`].
    pub at: usize,
    /// The target it is in.
    pub target: TargetView<'a>,
    /// The target's name; the stage is `Stage`.
    pub sprite: String,
    /// Place of its script in [`Program::scripts`].
    pub script: usize,
    /// The statement and its path: target's script, place in the stack, mouths.
    pub statement: Statement<'a>,
    /// Whether it is outside of mouths, before the first loop, wait until, broadcast that waits, or stop.
    pub is_prefix: bool,
}

impl<'a> Line<'a> {
    /// The statements whose mouths it lies in, the innermost first.
    pub fn around(&self) -> Vec<Block<'a>> {
        let (mut below, mut found, mut seen) = (self.statement.block.clone(), Vec::new(), BTreeSet::new());
        while seen.insert(below.id)
            && let Some(above) = self.target.holder(below.id)
        {
            if above.next != Some(below.id) {
                found.push(above.clone());
            }
            below = above;
        }
        found
    }
}

/// Who writes and reads a variable or list, in live scripts: ids of blocks.
#[derive(Debug, Clone, Default)]
pub struct Uses<'a> {
    /// Blocks that change it, other than by showing or hiding its monitor.
    pub writes: Vec<&'a str>,
    /// Blocks in whose slots its value is.
    pub reads: Vec<&'a str>,
}

/// One script with its hat.
#[derive(Debug, Clone)]
pub struct Script<'a> {
    /// Id of its hat.
    pub root: &'a str,
    /// What starts it.
    pub start: Start,
    /// Whether an input can set it off.
    pub is_live: bool,
}

/// A project's scripts that have hats.
#[derive(Debug)]
pub struct Program<'a> {
    /// In the order of the file.
    pub scripts: Vec<Script<'a>>,
    /// Statements with their hats, in the order of the file.
    pub lines: Vec<Line<'a>>,
    /// By ids of variables and lists.
    pub uses: BTreeMap<&'a str, Uses<'a>>,
    /// The project itself.
    pub json: &'a Value,
}

impl<'a> Program<'a> {
    /// The program in a project file.
    pub fn of(json: &'a Value) -> Self {
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
            let at = self.lines.len();
            self.lines.push(Line { at, target, sprite: sprite.to_owned(), script: number, statement, is_prefix });
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
    pub fn live(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| self.scripts[line.script].is_live && !self.is_hat(line))
    }

    /// Whether it is the hat of its script.
    pub fn is_hat(&self, line: &Line<'a>) -> bool {
        line.statement.block.id == self.scripts[line.script].root
    }

    /// What starts the script of a statement.
    pub fn start(&self, line: &Line<'a>) -> &Start {
        &self.scripts[line.script].start
    }

    /// Hats of live scripts.
    pub fn hats(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| self.scripts[line.script].is_live && self.is_hat(line))
    }

    /// The statements of a script, its hat left out.
    pub fn body(&self, script: usize) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(move |line| line.script == script && !self.is_hat(line))
    }

    /// Live scripts that receive a message.
    pub fn receivers(&self, message: &str) -> Vec<usize> {
        let wanted = Start::Message(message.to_uppercase());
        let all = self.scripts.iter().enumerate().filter(|(_, script)| script.is_live && script.start == wanted);
        all.map(|(at, _)| at).collect()
    }

    /// Statements below this one in its stack.
    pub fn below(&self, line: &Line<'a>) -> Vec<&Line<'a>> {
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
    pub fn is_in_loop(line: &Line<'a>) -> bool {
        Self::outermost_loop(line).is_some()
    }

    /// The loop around a statement that no other loop of its script is around.
    fn outermost_loop(line: &Line<'a>) -> Option<&'a str> {
        line.around().into_iter().rfind(|block| LOOPS.contains(&block.opcode)).map(|block| block.id)
    }

    /// Statements that run after this one in its script: those that stand later, and where a loop is around it, all in the loop.
    pub fn later(&self, line: &Line<'a>) -> Vec<&Line<'a>> {
        let around = Self::outermost_loop(line).map(|id| format!("{}.", self.path_of(line.script, id)));
        let comes_back =
            |other: &Line<'_>| around.as_ref().is_some_and(|loop_| other.statement.path.starts_with(loop_));
        self.body(line.script)
            .filter(|other| other.at != line.at && (other.at > line.at || comes_back(other)))
            .collect()
    }

    fn path_of(&self, script: usize, id: &str) -> &str {
        let line = self.body(script).find(|line| line.statement.block.id == id);
        line.map(|line| line.statement.path.as_str()).unwrap_or_default()
    }

    /// Statements, each call of a custom block followed by the statements of its definition.
    pub fn called<'p>(&'p self, lines: impl IntoIterator<Item = &'p Line<'a>>) -> Vec<&'p Line<'a>> {
        let (mut found, mut opened) = (Vec::new(), BTreeSet::new());
        lines.into_iter().for_each(|line| self.call(line, &mut opened, &mut found));
        found
    }

    fn call<'p>(&'p self, line: &'p Line<'a>, opened: &mut BTreeSet<usize>, found: &mut Vec<&'p Line<'a>>) {
        found.push(line);
        let called =
            line.statement.block.attribute("proccode").filter(|_| line.statement.block.opcode == "procedures_call");
        let Some(called) = called else { return };
        let start = Start::Call(line.sprite.clone(), called.to_owned());
        let definition = self.scripts.iter().position(|script| script.start == start);
        if let Some(script) = definition.filter(|script| opened.insert(*script)) {
            self.body(script).for_each(|inner| self.call(inner, opened, found));
        }
    }

    /// Variables of a kind that a target sees: ids with names. `key` is `variables`, `lists` or `broadcasts`.
    pub fn in_scope(&self, target: TargetView<'a>, key: &str) -> Vec<(&'a str, &'a str)> {
        let name = |value: &'a Value| value.get(0).unwrap_or(value).as_str().unwrap_or_default();
        let seen = targets(self.json).filter(|other| other.is_stage() || other.name() == target.name());
        seen.flat_map(|other| other.entries(key).collect::<Vec<_>>()).map(|(id, value)| (id, name(value))).collect()
    }
}

/// Whether others run before the statement below it does.
pub fn is_yield(block: &Block<'_>) -> bool {
    YIELDS.contains(&block.opcode)
}

/// Whether it runs what is in its mouth again and again.
pub fn is_loop(block: &Block<'_>) -> bool {
    LOOPS.contains(&block.opcode)
}

/// The block that is the condition of a statement.
pub fn condition<'a>(line: &Line<'a>) -> Option<Block<'a>> {
    match line.statement.block.input("CONDITION")?.value? {
        Slot::Block(id) => line.target.block(id).filter(|block| !block.shadow),
        Slot::Primitive(_) => None,
    }
}
