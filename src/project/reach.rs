//! Static reach: which scripts an input can set off, directly or through messages, clones, backdrops and custom blocks, and over how
//! many such steps (ScratchEval, section 2.4). What a script really does when it runs is not known here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::view::{Block, Slot, TargetView, targets};

/// What starts a script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    GreenFlag,
    /// A key, or `any`.
    Key(String),
    /// A click on this target; the stage is `Stage`.
    Click(String),
    Backdrop(String),
    /// A message, in capitals, as the virtual machine compares it.
    Message(String),
    /// A clone of this sprite begins.
    Clone(String),
    /// A call of this custom block in this target.
    Call(String, String),
    /// The timer, loudness, a touch, or what an extension senses: the hat's opcode.
    Sensed(String),
}

impl Start {
    /// Whether it comes from outside of the program.
    const fn is_input(&self) -> bool {
        !matches!(self, Self::Message(_) | Self::Clone(_) | Self::Call(..))
    }
}

/// A script with what starts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Script {
    /// Its target's name; the stage is `Stage`.
    pub target: String,
    /// Id of its hat.
    pub root: String,
    pub start: Start,
    /// Ids of its blocks, those in slots and mouths included, defaults of slots not.
    pub blocks: Vec<String>,
    /// Steps from the nearest input that can set it off, 0 for one that an input starts; `None` where none can.
    pub hops: Option<u32>,
}

/// The scripts of a project that have hats, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reach {
    pub scripts: Vec<Script>,
    /// What each of them can start.
    #[serde(skip)]
    sets: Vec<Sets>,
}

/// What a script can start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Sets {
    starts: BTreeSet<Start>,
    /// Names are made while it runs: all of the kind are meant.
    any_message: bool,
    any_clone: bool,
    any_backdrop: bool,
}

impl Reach {
    /// The reach in a project file.
    pub fn of(project: &Value) -> Self {
        let (mut scripts, mut sets) = (Vec::new(), Vec::new());
        for target in targets(project) {
            for slot in target.scripts() {
                let Slot::Block(root) = slot else { continue };
                let Some(start) = target.block(root).and_then(|hat| start(target, &hat)) else { continue };
                let blocks = blocks_in_order(target, root);
                sets.push(sets_off(target, &blocks));
                let blocks = blocks.iter().map(|block| block.id.to_owned()).collect();
                scripts.push(Script {
                    target: target.sprite_id().to_owned(),
                    root: root.to_owned(),
                    start,
                    blocks,
                    hops: None,
                });
            }
        }
        let mut reach = Self { scripts, sets };
        let hops = reach.hops(Start::is_input);
        for (script, hops) in reach.scripts.iter_mut().zip(hops) {
            script.hops = hops;
        }
        reach
    }

    /// Places of the scripts that one of these can set off, directly or through others.
    pub fn reached_by(&self, starts: &[Start]) -> BTreeSet<usize> {
        let hops = self.hops(|start| starts.contains(start)).into_iter().enumerate();
        hops.filter(|(_, hops)| hops.is_some()).map(|(at, _)| at).collect()
    }

    /// Steps to each script from those with a first start, breadth first.
    fn hops(&self, is_first: impl Fn(&Start) -> bool) -> Vec<Option<u32>> {
        let mut by_start: BTreeMap<&Start, Vec<usize>> = BTreeMap::new();
        let mut hops = vec![None; self.scripts.len()];
        let mut open: VecDeque<usize> = VecDeque::new();
        for (at, script) in self.scripts.iter().enumerate() {
            by_start.entry(&script.start).or_default().push(at);
            if is_first(&script.start) {
                hops[at] = Some(0);
                open.push_back(at);
            }
        }
        while let Some(at) = open.pop_front() {
            let started =
                by_start.iter().filter(|(start, _)| self.sets[at].has(start)).flat_map(|(_, scripts)| scripts);
            for next in started {
                if hops[*next].is_none() {
                    hops[*next] = hops[at].map(|hops: u32| hops + 1);
                    open.push_back(*next);
                }
            }
        }
        hops
    }

    /// The scripts that some input can set off.
    pub fn live(&self) -> impl Iterator<Item = &Script> {
        self.scripts.iter().filter(|script| script.hops.is_some())
    }
}

impl Sets {
    fn has(&self, start: &Start) -> bool {
        self.starts.contains(start)
            || match start {
                Start::Message(_) => self.any_message,
                Start::Clone(_) => self.any_clone,
                Start::Backdrop(_) => self.any_backdrop,
                _ => false,
            }
    }
}

/// What a hat waits for; `None` for blocks that are no hats.
fn start(target: TargetView<'_>, hat: &Block<'_>) -> Option<Start> {
    let field = |name: &str| hat.field(name).map(|field| field.value).unwrap_or_default();
    Some(match hat.opcode {
        "event_whenflagclicked" => Start::GreenFlag,
        "event_whenkeypressed" => Start::Key(field("KEY_OPTION")),
        "event_whenthisspriteclicked" | "event_whenstageclicked" => Start::Click(target.sprite_id().to_owned()),
        "event_whenbackdropswitchesto" => Start::Backdrop(field("BACKDROP")),
        "event_whenbroadcastreceived" => Start::Message(field("BROADCAST_OPTION").to_uppercase()),
        "control_start_as_clone" => Start::Clone(target.sprite_id().to_owned()),
        "procedures_definition" => {
            let Some(Slot::Block(prototype)) = hat.input("custom_block")?.value else { return None };
            Start::Call(target.sprite_id().to_owned(), target.block(prototype)?.attribute("proccode")?.to_owned())
        }
        opcode => {
            let is_hat = Catalogue::pinned().blocks.get(opcode).is_some_and(|entry| entry.shape == "hat");
            return is_hat.then(|| Start::Sensed(opcode.to_owned()));
        }
    })
}

/// The blocks of a script in the order in which they are read: a block, what is in its slots and mouths, and what is below it. Defaults of slots are left
/// out.
pub(super) fn blocks_in_order<'a>(target: TargetView<'a>, root: &'a str) -> Vec<Block<'a>> {
    let (mut open, mut seen, mut found) = (vec![root], BTreeSet::new(), Vec::new());
    while let Some(id) = open.pop() {
        let Some(block) = target.block(id).filter(|block| !block.shadow && seen.insert(block.id)) else { continue };
        open.extend(block.next);
        let mut held: Vec<(&str, &str)> = block
            .inputs()
            .filter_map(|input| match input.value {
                Some(Slot::Block(id)) => Some((input.name, id)),
                _ => None,
            })
            .collect();
        // The order of slots in a file is chance.
        held.sort_unstable();
        open.extend(held.into_iter().rev().map(|(_, id)| id));
        found.push(block);
    }
    found
}

/// What these blocks can start.
fn sets_off(target: TargetView<'_>, blocks: &[Block<'_>]) -> Sets {
    let mut sets = Sets::default();
    for block in blocks {
        if let Some(start) = set_off(target, block) {
            sets.starts.insert(start);
            continue;
        }
        match block.opcode {
            "event_broadcast" | "event_broadcastandwait" => sets.any_message = true,
            "control_create_clone_of" => sets.any_clone = true,
            "looks_switchbackdropto" | "looks_switchbackdroptoandwait" | "looks_nextbackdrop" => {
                sets.any_backdrop = true;
            }
            _ => {}
        }
    }
    sets
}

/// What a statement starts, where it says which; `None` also for names that are made while it runs.
pub fn set_off(target: TargetView<'_>, block: &Block<'_>) -> Option<Start> {
    match block.opcode {
        "event_broadcast" | "event_broadcastandwait" => {
            chosen(target, block, "BROADCAST_INPUT").map(|name| Start::Message(name.to_uppercase()))
        }
        "control_create_clone_of" => chosen(target, block, "CLONE_OPTION")
            .map(|sprite| Start::Clone(if sprite == "_myself_" { target.sprite_id().to_owned() } else { sprite })),
        "looks_switchbackdropto" | "looks_switchbackdroptoandwait" => {
            let known = chosen(target, block, "BACKDROP").filter(|name| !name.contains(" backdrop"));
            known.map(Start::Backdrop)
        }
        "procedures_call" => {
            let called = block.attribute("proccode").unwrap_or_default().to_owned();
            Some(Start::Call(target.sprite_id().to_owned(), called))
        }
        _ => None,
    }
}

/// What is chosen in a slot; `None` where a reporter decides.
pub fn chosen(target: TargetView<'_>, block: &Block<'_>, input: &str) -> Option<String> {
    match block.input(input)?.value? {
        Slot::Primitive(primitive) => (!primitive.is_reporter()).then_some(primitive.value),
        Slot::Block(id) => {
            let menu = target.block(id).filter(|menu| menu.shadow)?;
            menu.fields().next().map(|field| field.value)
        }
    }
}

#[cfg(test)]
#[expect(clippy::needless_pass_by_value, reason = "calls read better")]
mod tests {
    use serde_json::json;

    use super::*;

    fn hat(opcode: &str, next: Option<&str>, fields: Value) -> Value {
        json!({"opcode": opcode, "next": next, "parent": null, "inputs": {}, "fields": fields, "shadow": false, "topLevel": true})
    }

    fn block(opcode: &str, parent: &str, next: Option<&str>, inputs: Value) -> Value {
        json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": {}, "shadow": false, "topLevel": false})
    }

    fn message(name: &str) -> Value {
        json!({"BROADCAST_INPUT": [1, [11, name, "id"]]})
    }

    fn heard(name: &str) -> Value {
        json!({"BROADCAST_OPTION": [name, "id"]})
    }

    fn hops(stage: Value, sprite: Value) -> Vec<(String, Option<u32>)> {
        let project = json!({"targets": [
            {"isStage": true, "name": "Stage", "blocks": stage},
            {"isStage": false, "name": "Owl", "blocks": sprite}
        ]});
        Reach::of(&project).scripts.into_iter().map(|script| (script.root, script.hops)).collect()
    }

    #[test]
    fn scripts_are_reached_through_messages_clones_and_calls() {
        let stage = json!({
            "flag": hat("event_whenflagclicked", Some("send"), json!({})),
            "send": block("event_broadcast", "flag", None, message("Go")),
            "lost": hat("event_whenbroadcastreceived", None, heard("never")),
            "nohat": block("looks_show", "x", None, json!({}))
        });
        let mut call = block("procedures_call", "go", None, json!({}));
        call["mutation"] = json!({"proccode": "jump %s"});
        let mut definition = hat("procedures_definition", Some("clone"), json!({}));
        definition["inputs"] = json!({"custom_block": [1, "prototype"]});
        let sprite = json!({
            "go": hat("event_whenbroadcastreceived", Some("call"), heard("GO")),
            "call": call,
            "definition": definition,
            "prototype": {"opcode": "procedures_prototype", "shadow": true, "mutation": {"proccode": "jump %s"}},
            "clone": block("control_create_clone_of", "definition", None, json!({"CLONE_OPTION": [1, "menu"]})),
            "menu": {"opcode": "control_create_clone_of_menu", "shadow": true, "fields": {"CLONE_OPTION": ["_myself_", null]}},
            "born": hat("control_start_as_clone", None, json!({})),
            "key": hat("event_whenkeypressed", None, json!({"KEY_OPTION": ["space", null]}))
        });
        let found = hops(stage, sprite);
        let of = |root: &str| found.iter().find(|(id, _)| id == root).unwrap().1;
        assert_eq!([of("flag"), of("go"), of("definition"), of("born")], [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!([of("lost"), of("key")], [None, Some(0)]);
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn a_name_that_is_made_while_it_runs_may_be_any() {
        let stage = json!({
            "flag": hat("event_whenflagclicked", Some("send"), json!({})),
            "send": block("event_broadcastandwait", "flag", Some("next"), json!({"BROADCAST_INPUT": [3, [12, "v", "v0"], [11, "a", "b"]]})),
            "next": block("looks_nextbackdrop", "send", None, json!({})),
            "one": hat("event_whenbroadcastreceived", None, heard("one")),
            "two": hat("event_whenbroadcastreceived", None, heard("two"))
        });
        assert_eq!(
            hops(stage, json!({})).iter().map(|(_, hops)| *hops).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(1)]
        );
    }
}
