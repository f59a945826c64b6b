//! Damage to gold outside of the script of a fault: what a repair breaks besides. Blocks are deleted or changed, neighbours exchanged, and
//! values that are reckoned replaced by constants, anywhere in the project. Whether anything of it shows, runs tell.

use serde_json::Value;

use super::misplaced::add;
use super::right_repairs::exchange;
use crate::bugs::Site;
use crate::model::sha256_hex;
use crate::mutants::mutants;
use crate::patches::effects::{Line, Program};
use crate::project::Project;
use crate::project::edit::{Edit, Literal, NewBlock, Operand, apply};
use crate::project::normalise::new_id;
use crate::project::view::Slot;
use crate::project::walk::is_mouth;

/// What reckoned values become.
const CONSTANT: &str = "1";

/// A damaged project.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Damage {
    /// What it is.
    pub(super) name: String,
    pub(super) project: Value,
}

/// At most so many damages of a project, of each kind in turn, in an order that the seed decides.
pub(super) fn foreign_damage(gold: &Project, site: &Site, most: usize, seed: u64) -> Vec<Damage> {
    let program = Program::of(&gold.json);
    let lines: Vec<&Line<'_>> = program
        .lines
        .iter()
        .filter(|line| line.sprite != site.sprite_id || program.scripts[line.script].root != site.script)
        .collect();
    let (swaps, constants) = (swaps(&program, &lines), constants(&lines));
    // Each is a project of its own in memory: of no kind more are made than may be needed where another is missing.
    let each = most.div_ceil(2);
    let edited = [swaps, constants].map(|patches| edited(&gold.json, patches, seed));
    let [swaps, constants] = edited.map(|all| all.take(each).collect::<Vec<_>>());
    in_turn([changes(gold, site, each, seed), swaps, constants], most)
}

/// One of each kind after another, until there are enough.
fn in_turn(kinds: [Vec<Damage>; 3], most: usize) -> Vec<Damage> {
    let mut open = kinds.map(Vec::into_iter);
    let mut found = Vec::new();
    loop {
        let before = found.len();
        found.extend(open.iter_mut().filter_map(Iterator::next));
        if found.len() == before || found.len() >= most {
            found.truncate(most);
            return found;
        }
    }
}

/// Blocks that are deleted, or have another value, choice or opcode.
fn changes(gold: &Project, site: &Site, most: usize, seed: u64) -> Vec<Damage> {
    let script = site.path.split('.').next().unwrap_or_default();
    let own = format!("{script}.");
    // Those of the fault's own script are made as well, and left out.
    let all = mutants(gold, None, 2 * most, seed).mutants.into_iter();
    let elsewhere = all.filter(|one| one.target != site.sprite_id || !one.path.starts_with(&own));
    let damages = elsewhere.map(|one| {
        let project = one.project(gold).json;
        Damage { name: one.id, project }
    });
    damages.take(most).collect()
}

/// A patch with its name.
pub(super) type Named = (String, Vec<Edit>);

/// Neighbours in a stack, exchanged.
fn swaps(program: &Program<'_>, lines: &[&Line<'_>]) -> Vec<Named> {
    let swap = |line: &&Line<'_>| {
        let (upper, lower) = (line.statement.block.id, line.statement.block.next?);
        let patch = exchange(line, lower)?.to_vec();
        Some((format!("swap:{}:{}:{upper} below {lower}", line.sprite, line.statement.path), patch))
    };
    lines.iter().filter(|line| !program.is_hat(line)).filter_map(swap).collect()
}

/// Reporters in slots, replaced by a constant, and counters that are set.
fn constants(lines: &[&Line<'_>]) -> Vec<Named> {
    lines.iter().flat_map(|line| counters(line).into_iter().chain(reckoned(line))).collect()
}

/// A variable that is changed by a value, set to it.
pub(super) fn counters(line: &Line<'_>) -> Option<Named> {
    let block = &line.statement.block;
    if block.opcode != "data_changevariableby" {
        return None;
    }
    let copy = NewBlock::copy(line.target, block, new_id("constant", &line.sprite, block.id))?;
    let set = NewBlock { opcode: "data_setvariableto".to_owned(), ..copy };
    let (sprite_id, block_id) = (line.sprite.clone(), block.id.to_owned());
    let patch = vec![add(&line.sprite, block.id, None, set), Edit::Remove { sprite_id, block_id, splice: false }];
    Some((format!("constant:{}:{}:set for change", line.sprite, line.statement.path), patch))
}

fn reckoned(line: &Line<'_>) -> Vec<Named> {
    let block = &line.statement.block;
    let is_reckoned = |value: &Slot<'_>| match value {
        Slot::Primitive(primitive) => primitive.is_reporter(),
        Slot::Block(held) => line.target.block(held).is_some_and(|held| !held.shadow),
    };
    let inputs = block.inputs().filter(|input| !is_mouth(input.name));
    let inputs = inputs.filter(|input| input.value.as_ref().is_some_and(is_reckoned));
    inputs
        .map(|input| {
            let name = format!("constant:{}:{}:{}", line.sprite, line.statement.path, input.name);
            (name, vec![modify(line, block.id, &format!("inputs/{}", input.name), CONSTANT)])
        })
        .collect()
}

fn modify(line: &Line<'_>, block: &str, path: &str, value: &str) -> Edit {
    let value = Operand::Literal(Literal::Text(value.to_owned()));
    Edit::Modify { sprite_id: line.sprite.clone(), block_id: block.to_owned(), path: path.to_owned(), value }
}

/// Those patches that can be made and change something, in an order that the seed decides.
fn edited(gold: &Value, mut patches: Vec<Named>, seed: u64) -> impl Iterator<Item = Damage> {
    patches.sort_by_cached_key(|(name, _)| sha256_hex(format!("{seed} {name}").as_bytes()));
    patches.into_iter().filter_map(move |(name, patch)| {
        let project = apply(gold, &patch).ok().filter(|project| project != gold)?;
        Some(Damage { name, project })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::super::fakes::block;
    use super::*;

    /// A moth that counts in one script, and says its score in another.
    fn gold() -> Project {
        let score = || json!({"VARIABLE": ["score", "s1"]});
        let key = |key: &str| json!({"KEY_OPTION": [key, null]});
        let none = || json!({});
        let blocks = json!({
            "flag": block("event_whenflagclicked", None, Some("reset"), none(), none()),
            "reset": block("data_setvariableto", Some("flag"), None, json!({"VALUE": [1, [10, "0"]]}), score()),
            "space": block("event_whenkeypressed", None, Some("count"), none(), key("space")),
            "count": block("data_changevariableby", Some("space"), Some("show"), json!({"VALUE": [1, [4, "2"]]}), score()),
            "show": block("looks_show", Some("count"), None, none(), none()),
            "a": block("event_whenkeypressed", None, Some("say"), none(), key("a")),
            "say": block("looks_say", Some("a"), None, json!({"MESSAGE": [3, [12, "score", "s1"], [10, ""]]}), none())
        });
        let look = json!([{"name": "a", "assetId": "0123456789abcdef0123456789abcdef", "dataFormat": "svg"}]);
        let target = |is_stage: bool, name: &str, variables: Value, blocks: Value| {
            json!({"isStage": is_stage, "name": name, "variables": variables, "lists": {}, "broadcasts": {}, "comments": {},
                "blocks": blocks, "costumes": look, "sounds": []})
        };
        let stage = target(true, "Stage", json!({"s1": ["score", 0]}), json!({}));
        let mut json = json!({"targets": [stage, target(false, "Moth", json!({}), blocks)], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}});
        crate::project::edit::canonical(&mut json);
        Project { json, assets: BTreeMap::new() }
    }

    fn site() -> Site {
        let words = |word: &str| word.to_owned();
        Site { sprite_id: words("Moth"), script: words("flag"), block_id: words("reset"), path: words("0.1") }
    }

    #[test]
    fn everything_but_the_faults_own_script_is_damaged_in_several_ways() {
        let gold = gold();
        let found = foreign_damage(&gold, &site(), 30, 1);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        for kind in ["delete:", "swap:Moth:", "constant:Moth:"] {
            assert!(names.iter().any(|name| name.starts_with(kind)), "{kind}: {names:#?}");
        }
        for one in &found {
            let reset = |project: &Value| project["targets"][1]["blocks"]["reset"].clone();
            assert_eq!(reset(&one.project), reset(&gold.json), "{}", one.name);
            assert_ne!(one.project, gold.json);
        }
        let said = found.iter().find(|one| one.name.ends_with("MESSAGE") && one.name.starts_with("constant")).unwrap();
        assert_eq!(said.project["targets"][1]["blocks"]["say"]["inputs"]["MESSAGE"][1][1], json!("1"));
        let set = found.iter().find(|one| one.name.ends_with("set for change")).unwrap();
        let blocks = set.project["targets"][1]["blocks"].as_object().unwrap();
        let below = blocks.values().find(|block| block["parent"] == "space").unwrap();
        assert_eq!((&below["opcode"], &below["inputs"]["VALUE"][1][1]), (&json!("data_setvariableto"), &json!("2")));
        assert_eq!(below["next"], "show");
    }

    #[test]
    fn a_few_are_of_each_kind_and_the_same_each_time() {
        let few =
            || -> Vec<String> { foreign_damage(&gold(), &site(), 3, 1).into_iter().map(|one| one.name).collect() };
        assert_eq!(few(), few());
        assert_eq!(few().len(), 3);
        assert!(few()[1].starts_with("swap") && few()[2].starts_with("constant"), "{:?}", few());
    }
}
