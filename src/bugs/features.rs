//! What a project has, counted: the features by which projects are taken into a benchmark or not (ScratchEval, section 2.3).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::project::catalogue::Catalogue;
use crate::project::reach::{Reach, Start, chosen};
use crate::project::view::{Block, Slot, TargetView, targets};

/// Blocks that draw random numbers: the list in `page/js/judge/lib/second-vm.js`, and a test compares the two.
pub const RANDOM_BLOCKS: [&str; 10] = [
    "operator_random",
    "motion_goto",
    "motion_glideto",
    "motion_pointtowards",
    "looks_switchbackdropto",
    "looks_switchbackdroptoandwait",
    "data_deleteoflist",
    "data_insertatlist",
    "data_replaceitemoflist",
    "data_itemoflist",
];

/// Counts over `project.json`. Blocks are those that no slot has as its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Targets but the stage.
    pub sprites: u32,
    /// First blocks of scripts that are hats, on the stage too.
    pub scripts: u32,
    /// Broadcasts, those that wait among them.
    pub sends: u32,
    pub sends_wait: u32,
    /// Hats that wait for a message.
    pub receives: u32,
    /// Definitions of custom blocks.
    pub custom_blocks: u32,
    /// Calls of custom blocks.
    pub calls: u32,
    pub blocks: u32,
    /// Blocks of scripts that some input reaches.
    pub live_blocks: u32,
    /// The deepest nesting of mouths.
    pub depth: u32,
    /// Blocks about clones.
    pub clones: u32,
    /// Variables for all sprites, and for one.
    pub variables: [u32; 2],
    /// Lists, likewise.
    pub lists: [u32; 2],
    /// Events with at least two scripts.
    pub concurrency: u32,
    /// Ordered pairs of targets of which one acts on the other: it sends what the other receives, writes a variable for all sprites
    /// that the other reads, clones it, or asks for a property of it.
    pub coupling: u32,
    /// Blocks that draw random numbers.
    pub random: u32,
    /// Sensing blocks by opcode.
    pub sensing: BTreeMap<String, u32>,
    /// Costumes and sounds.
    pub assets: u32,
}

/// What a target gives to others, or takes.
#[derive(Debug, Default)]
struct Ties {
    sends: BTreeSet<String>,
    receives: BTreeSet<String>,
    writes: BTreeSet<String>,
    reads: BTreeSet<String>,
    acts_on: BTreeSet<String>,
}

impl Features {
    /// The features of a project file.
    pub fn of(project: &Value) -> Self {
        let reach = Reach::of(project);
        let mut features = Self {
            scripts: number(reach.scripts.len()),
            live_blocks: number(reach.live().map(|script| script.blocks.len()).sum()),
            concurrency: concurrency(&reach),
            ..Self::default()
        };
        let mut ties: BTreeMap<String, Ties> = BTreeMap::new();
        let globals: BTreeSet<&str> = targets(project)
            .filter(TargetView::is_stage)
            .flat_map(|stage| stage.entries("variables"))
            .map(|(id, _)| id)
            .collect();
        for target in targets(project) {
            features.count_target(target);
            let tie = ties.entry(target.sprite_id().to_owned()).or_default();
            for block in target.blocks().filter(|block| !block.shadow) {
                features.count_block(&block);
                tie.note(target, &block, &globals);
            }
        }
        features.coupling = coupling(&ties);
        features
    }

    /// Broadcasts and their receivers together.
    pub const fn broadcast_uses(&self) -> u32 {
        self.sends + self.receives
    }

    /// The share of blocks that no input reaches, from 0 to 1.
    pub fn dead_share(&self) -> f64 {
        if self.blocks == 0 { 0.0 } else { 1.0 - f64::from(self.live_blocks) / f64::from(self.blocks) }
    }

    fn count_target(&mut self, target: TargetView<'_>) {
        let is_own = usize::from(!target.is_stage());
        self.sprites += u32::from(!target.is_stage());
        self.variables[is_own] += number(target.entries("variables").count());
        self.lists[is_own] += number(target.entries("lists").count());
        self.assets += number(target.items("costumes").len() + target.items("sounds").len());
        for slot in target.scripts() {
            if let Slot::Block(root) = slot {
                self.depth = self.depth.max(depth(target, root));
            }
        }
    }

    fn count_block(&mut self, block: &Block<'_>) {
        self.blocks += 1;
        match block.opcode {
            "event_broadcast" => self.sends += 1,
            "event_broadcastandwait" => {
                self.sends += 1;
                self.sends_wait += 1;
            }
            "event_whenbroadcastreceived" => self.receives += 1,
            "procedures_definition" if block.input("custom_block").is_some() => self.custom_blocks += 1,
            "procedures_call" => self.calls += 1,
            "control_create_clone_of" | "control_start_as_clone" | "control_delete_this_clone" => self.clones += 1,
            _ => {}
        }
        self.random += u32::from(RANDOM_BLOCKS.contains(&block.opcode));
        if block.opcode.starts_with("sensing_") {
            *self.sensing.entry(block.opcode.to_owned()).or_default() += 1;
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Events by their hats, names compared without case.
fn concurrency(reach: &Reach) -> u32 {
    let mut scripts: BTreeMap<String, u32> = BTreeMap::new();
    for script in reach.scripts.iter().filter(|script| !matches!(script.start, Start::Call(..))) {
        *scripts.entry(format!("{:?}", script.start).to_lowercase()).or_default() += 1;
    }
    number(scripts.values().filter(|count| **count > 1).count())
}

/// How many mouths lie in one another at most, in a script.
fn depth(target: TargetView<'_>, root: &str) -> u32 {
    let (mut open, mut seen, mut deepest) = (vec![(root.to_owned(), 0)], BTreeSet::new(), 0);
    while let Some((id, depth)) = open.pop() {
        let Some(block) = target.block(&id).filter(|block| seen.insert(block.id)) else { continue };
        deepest = deepest.max(depth);
        open.extend(block.next.map(|next| (next.to_owned(), depth)));
        for input in block.inputs().filter(|input| input.name.starts_with("SUBSTACK")) {
            if let Some(Slot::Block(first)) = input.value {
                open.push((first.to_owned(), depth + 1));
            }
        }
    }
    deepest
}

impl Ties {
    fn note(&mut self, target: TargetView<'_>, block: &Block<'_>, globals: &BTreeSet<&str>) {
        match block.opcode {
            "event_broadcast" | "event_broadcastandwait" => {
                self.sends.extend(chosen(target, block, "BROADCAST_INPUT").map(|name| name.to_uppercase()));
            }
            "event_whenbroadcastreceived" => {
                self.receives.extend(block.field("BROADCAST_OPTION").map(|field| field.value.to_uppercase()));
            }
            "data_setvariableto" | "data_changevariableby" => {
                let id = block.field("VARIABLE").and_then(|field| field.id).filter(|id| globals.contains(id));
                self.writes.extend(id.map(str::to_owned));
            }
            "control_create_clone_of" => self.acts_on.extend(chosen(target, block, "CLONE_OPTION")),
            "sensing_of" => self.acts_on.extend(chosen(target, block, "OBJECT").map(|of| stage_or(&of))),
            _ => {}
        }
        for input in block.inputs() {
            if let Some(Slot::Primitive(primitive)) = input.value {
                self.reads
                    .extend(primitive.id.filter(|id| primitive.kind == 12 && globals.contains(id)).map(str::to_owned));
            }
        }
    }
}

fn stage_or(name: &str) -> String {
    if name == "_stage_" { "Stage".to_owned() } else { name.to_owned() }
}

fn coupling(ties: &BTreeMap<String, Ties>) -> u32 {
    let is_tied = |from: &Ties, name: &String, to: &Ties| {
        !from.sends.is_disjoint(&to.receives) || !from.writes.is_disjoint(&to.reads) || from.acts_on.contains(name)
    };
    let pairs = ties
        .iter()
        .flat_map(|(from, tie)| ties.iter().filter(move |(to, other)| *to != from && is_tied(tie, to, other)));
    number(pairs.count())
}

/// Whether a project uses an extension that needs neither a network nor hardware, or none.
pub fn is_self_contained(project: &Value) -> bool {
    let listed = project["extensions"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let known = |opcode: &str| {
        Catalogue::pinned().blocks.contains_key(opcode)
            || opcode.starts_with("procedures_")
            || opcode.starts_with("argument_")
    };
    let blocks = targets(project).flat_map(|target| target.blocks().map(|block| block.opcode).collect::<Vec<_>>());
    listed.into_iter().all(|extension| matches!(extension, "pen" | "music"))
        && blocks.into_iter().all(|opcode| known(opcode) && !opcode.starts_with("translate_"))
}

#[cfg(test)]
#[path = "../project/edit/fixture.rs"]
mod fixture;

#[cfg(test)]
use crate::project::edit::canonical;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_feature_is_counted_by_its_formula() {
        let project = fixture::project();
        let found = Features::of(&project);
        assert_eq!((found.sprites, found.scripts, found.sends, found.sends_wait, found.receives), (1, 3, 2, 1, 1));
        assert_eq!((found.broadcast_uses(), found.custom_blocks, found.calls), (3, 0, 0));
        // The menu of a costume is no block.
        assert_eq!((found.blocks, found.live_blocks, found.depth), (20, 20, 2));
        assert!(found.dead_share().abs() < f64::EPSILON);
        assert_eq!((found.variables, found.lists, found.clones), ([2, 0], [0, 0], 0));
        // The stage starts the moth; the moth changes a variable that nobody reads.
        assert_eq!((found.coupling, found.random, found.concurrency), (1, 1, 0));
        assert_eq!(found.sensing, BTreeMap::from([("sensing_mousedown".to_owned(), 1)]));
        assert!(is_self_contained(&project));
    }

    #[test]
    fn random_blocks_are_those_of_the_second_virtual_machine() {
        let script = include_str!("../page/js/judge/lib/second-vm.js");
        let list = script.split_once("const RANDOM_BLOCKS = [").unwrap().1.split_once("];").unwrap().0;
        let named: Vec<&str> = list.split('\'').skip(1).step_by(2).collect();
        assert_eq!(named, RANDOM_BLOCKS);
    }

    #[test]
    fn what_nothing_starts_is_dead_and_events_with_two_scripts_are_concurrent() {
        let mut project = fixture::project();
        let blocks = project["targets"][1]["blocks"].as_object_mut().unwrap();
        blocks.insert("lost".to_owned(), json!({"opcode": "looks_hide", "next": null, "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": true}));
        let again = blocks["click"].clone();
        blocks.insert("click2".to_owned(), json!({"opcode": again["opcode"], "next": null, "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": true}));
        let found = Features::of(&project);
        assert_eq!((found.scripts, found.blocks, found.live_blocks, found.concurrency), (4, 22, 21, 1));
        assert!((found.dead_share() - 1.0 / 22.0).abs() < 1e-12);
        project["extensions"] = json!(["pen", "translate"]);
        assert!(!is_self_contained(&project));
    }
}
