//! What a gold project can be given, and what is worth watching in it, read from its blocks: keys, clicks, answers, messages, and the
//! signals that its state is in (ScratchEval, sections 2.8 and 4.1).

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::Value;

use crate::project::reach::{Reach, Start, chosen};
use crate::project::view::{Block, Slot, TargetView, targets};

/// The pointer, in menus of what is touched or gone to.
const POINTER: &str = "_mouse_";
/// State signals of a record at most.
const MOST_SIGNALS: usize = 24;
/// Answers that are tried in any project.
const ANSWERS: [&str; 4] = ["7", "abba", "yes", "12"];

/// Inputs of a project, each list without doubles and in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// As Scratch's menus name them; `any` is left out, unless it is the only one, and stands as `a` then.
    pub keys: Vec<String>,
    /// Keys that are asked for within scripts, beside those that hats wait for.
    pub sensed_keys: BTreeSet<String>,
    /// Sprites that notice clicks.
    pub clicked: Vec<String>,
    /// Whether the stage does.
    pub is_stage_clicked: bool,
    /// Whether something follows the pointer, and whether something asks for the button.
    pub follows_pointer: bool,
    pub asks_for_button: bool,
    /// What questions are answered with; empty where none is asked.
    pub answers: Vec<String>,
    /// Messages that somebody waits for.
    pub messages: Vec<String>,
    /// Backdrops that somebody waits for.
    pub backdrops: Vec<String>,
    /// Sprites that can be dragged while the program runs.
    pub draggable: Vec<String>,
    /// Signals that the state of the program is in, the most telling first, and no more than a record has room for.
    pub state_signals: Vec<String>,
    /// All variables and lists that are written and read.
    pub state_variables: Vec<String>,
}

impl Facts {
    /// The facts of a gold project.
    pub fn of(gold: &Value, reach: &Reach) -> Self {
        let mut facts = Self::default();
        for script in reach.live() {
            match &script.start {
                Start::Key(key) => push(&mut facts.keys, key),
                Start::Click(sprite) if sprite == "Stage" => facts.is_stage_clicked = true,
                Start::Click(sprite) => push(&mut facts.clicked, sprite),
                Start::Backdrop(backdrop) => push(&mut facts.backdrops, backdrop),
                _ => {}
            }
        }
        let mut asks = false;
        for target in targets(gold) {
            for block in live_blocks(target, reach) {
                facts.note(target, &block);
                asks |= block.opcode == "sensing_askandwait";
            }
            if target.get("draggable").is_some_and(|value| value == true) {
                push(&mut facts.draggable, target.name());
            }
        }
        facts.messages = messages(gold, reach);
        if asks {
            for answer in ANSWERS {
                push(&mut facts.answers, answer);
            }
        } else {
            facts.answers.clear();
        }
        facts.name_any_key();
        facts.state_variables = variables(gold, reach);
        facts.state_signals = state_signals(gold, reach, &facts);
        facts
    }

    /// All signals that the state is in, however many.
    pub fn state(&self) -> Vec<String> {
        let mut all = self.state_signals.clone();
        self.state_variables.iter().for_each(|signal| push(&mut all, signal));
        all
    }

    /// The same in lower case, as names are compared.
    pub fn state_in_lower_case(&self) -> BTreeSet<String> {
        self.state().iter().map(|signal| signal.to_lowercase()).collect()
    }

    fn note(&mut self, target: TargetView<'_>, block: &Block<'_>) {
        match block.opcode {
            "sensing_keypressed" => {
                if let Some(key) = chosen(target, block, "KEY_OPTION") {
                    push(&mut self.keys, &key);
                    self.sensed_keys.insert(key);
                }
            }
            "sensing_mousedown" => self.asks_for_button = true,
            "sensing_mousex" | "sensing_mousey" => self.follows_pointer = true,
            "sensing_touchingobject" if chosen(target, block, "TOUCHINGOBJECTMENU").as_deref() == Some(POINTER) => {
                self.follows_pointer = true;
                if !target.is_stage() {
                    push(&mut self.clicked, target.name());
                }
            }
            "motion_goto" | "motion_glideto" | "motion_pointtowards" | "sensing_distanceto" => {
                let menu = ["TO", "TOWARDS", "DISTANCETOMENU"].iter().find_map(|menu| chosen(target, block, menu));
                self.follows_pointer |= menu.as_deref() == Some(POINTER);
            }
            "sensing_setdragmode" if block.field("DRAG_MODE").is_some_and(|mode| mode.value == "draggable") => {
                push(&mut self.draggable, target.name());
            }
            "operator_equals" | "operator_gt" | "operator_lt" | "operator_contains" => self.note_answer(target, block),
            _ => {}
        }
    }

    /// What is compared with the answer is worth answering.
    fn note_answer(&mut self, target: TargetView<'_>, block: &Block<'_>) {
        let is_answer = |value: &Slot<'_>| match value {
            Slot::Block(id) => target.block(id).is_some_and(|block| block.opcode == "sensing_answer"),
            Slot::Primitive(_) => false,
        };
        let values: Vec<Slot<'_>> = block.inputs().filter_map(|input| input.value).collect();
        if values.iter().any(is_answer) {
            let literals = values.iter().filter_map(|value| match value {
                Slot::Primitive(primitive) if !primitive.is_reporter() => Some(primitive.value.clone()),
                _ => None,
            });
            literals.for_each(|literal| push(&mut self.answers, &literal));
        }
    }

    /// Where any key will do, one is enough.
    fn name_any_key(&mut self) {
        let had_any = self.keys.iter().any(|key| key == "any");
        self.keys.retain(|key| key != "any");
        if had_any && self.keys.is_empty() {
            self.keys.push("a".to_owned());
        }
    }
}

fn push(all: &mut Vec<String>, one: &str) {
    if !all.iter().any(|known| known == one) {
        all.push(one.to_owned());
    }
}

/// Blocks of a target's scripts that some input reaches.
fn live_blocks<'a>(target: TargetView<'a>, reach: &Reach) -> Vec<Block<'a>> {
    let live = reach.live().filter(|script| script.target == target.sprite_id());
    let ids = live.flat_map(|script| script.blocks.clone());
    ids.filter_map(|id| target.blocks().find(|block| block.id == id)).collect()
}

/// Messages with a live receiver, as the project writes them.
fn messages(gold: &Value, reach: &Reach) -> Vec<String> {
    let heard: BTreeSet<&String> = reach
        .live()
        .filter_map(|script| match &script.start {
            Start::Message(message) => Some(message),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for target in targets(gold) {
        for block in target.blocks().filter(|block| block.opcode == "event_whenbroadcastreceived") {
            if let Some(field) = block.field("BROADCAST_OPTION")
                && heard.contains(&field.value.to_uppercase())
            {
                push(&mut found, &field.value);
            }
        }
    }
    found
}

/// How variables are used in live scripts.
#[derive(Debug, Default)]
struct Use {
    is_written: bool,
    is_read: bool,
    name: String,
}

/// State signals (section 2.8): variables that are written and read, the backdrop, messages with receivers, then visibility, costume,
/// place and clones of sprites whose scripts do something about them.
fn state_signals(gold: &Value, reach: &Reach, facts: &Facts) -> Vec<String> {
    let mut signals: Vec<String> = facts.state_variables.clone();
    let opcodes: BTreeMap<&str, BTreeSet<&str>> = targets(gold)
        .map(|target| (target.sprite_id(), live_blocks(target, reach).iter().map(|block| block.opcode).collect()))
        .collect();
    let all = |opcode: &str| opcodes.values().any(|own| own.iter().any(|known| known.starts_with(opcode)));
    if all("looks_switchbackdrop") || all("looks_nextbackdrop") {
        signals.push("Stage/costume".to_owned());
    }
    signals.extend(facts.messages.iter().map(|message| format!("events/broadcast:{message}")));
    let sprites = |prefixes: &[&str]| -> Vec<&str> {
        let has =
            |own: &BTreeSet<&str>| own.iter().any(|opcode| prefixes.iter().any(|prefix| opcode.starts_with(prefix)));
        let which = opcodes.iter().filter(|(sprite, own)| **sprite != "Stage" && has(own));
        which.map(|(sprite, _)| *sprite).collect()
    };
    for (prefixes, signal) in [
        (&["looks_show", "looks_hide"][..], "visible"),
        (&["looks_switchcostume", "looks_nextcostume"], "costume"),
        (&["motion_"], "x"),
        (&["motion_"], "y"),
    ] {
        signals.extend(sprites(prefixes).iter().map(|sprite| format!("{sprite}/{signal}")));
    }
    let cloned = reach.live().filter_map(|script| match &script.start {
        Start::Clone(sprite) => Some(sprite),
        _ => None,
    });
    for sprite in cloned {
        push(&mut signals, &format!("clones/{sprite}"));
    }
    signals.truncate(MOST_SIGNALS);
    signals
}

/// Signals of variables and lists that live blocks write and read, in the order of the file: ids say nothing of them.
fn variables(gold: &Value, reach: &Reach) -> Vec<String> {
    let mut uses: IndexMap<String, Use> = IndexMap::new();
    for target in targets(gold) {
        for kind in ["variables", "lists"] {
            for (id, value) in target.entries(kind) {
                let name = value.get(0).and_then(Value::as_str).unwrap_or_default();
                let kind = kind.trim_end_matches('s');
                uses.entry(id.to_owned()).or_default().name = format!("{}/{kind}/{name}", target.sprite_id());
            }
        }
    }
    for target in targets(gold) {
        for block in live_blocks(target, reach) {
            let written = block.field("VARIABLE").or_else(|| block.field("LIST")).and_then(|field| field.id);
            let is_statement = block.opcode.starts_with("data_") && !reads_list(block.opcode);
            if let Some(known) = written.and_then(|id| uses.get_mut(id)) {
                known.is_written |= is_statement;
                known.is_read |= !is_statement;
            }
            for input in block.inputs() {
                if let Some(Slot::Primitive(primitive)) = input.value
                    && let Some(known) = primitive.id.and_then(|id| uses.get_mut(id))
                {
                    known.is_read = true;
                }
            }
        }
    }
    uses.into_values().filter(|known| known.is_written && known.is_read).map(|known| known.name).collect()
}

fn reads_list(opcode: &str) -> bool {
    matches!(opcode, "data_itemoflist" | "data_itemnumoflist" | "data_lengthoflist" | "data_listcontainsitem")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A flag script that sets each of thirty variables to itself; their ids are in the opposite order of their names.
    fn project() -> Value {
        let (mut variables, mut blocks) = (json!({}), json!({}));
        blocks["hat"] = json!({"opcode": "event_whenflagclicked", "next": "b0", "parent": null, "inputs": {}, "fields": {},
            "shadow": false, "topLevel": true, "x": 0, "y": 0});
        for at in 0..30 {
            let (name, id) = (format!("v{at}"), format!("id{}", 99 - at));
            let next = if at < 29 { json!(format!("b{}", at + 1)) } else { Value::Null };
            let parent = if at == 0 { "hat".to_owned() } else { format!("b{}", at - 1) };
            blocks[format!("b{at}")] = json!({"opcode": "data_setvariableto", "next": next, "parent": parent, "shadow": false,
                "topLevel": false, "fields": {"VARIABLE": [name, id]}, "inputs": {"VALUE": [3, [12, name, id], [10, ""]]}});
            variables[&id] = json!([name, 0]);
        }
        let stage = json!({"isStage": true, "name": "Stage", "variables": variables, "lists": {}, "broadcasts": {}, "comments": {},
            "blocks": blocks, "costumes": [], "sounds": []});
        json!({"targets": [stage], "monitors": [], "extensions": [], "meta": {}})
    }

    #[test]
    fn the_state_has_every_variable_in_the_order_of_the_file_and_a_record_the_first_of_them() {
        let project = project();
        let facts = Facts::of(&project, &Reach::of(&project));
        let all: Vec<String> = (0..30).map(|at| format!("Stage/variable/v{at}")).collect();
        assert_eq!(facts.state_variables, all);
        assert_eq!(facts.state(), all, "each once");
        assert_eq!(facts.state_signals, all[..MOST_SIGNALS]);
    }
}
