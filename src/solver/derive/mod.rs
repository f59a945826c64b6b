//! Derives a solution in composite calls from a task's initial and golden projects.
//!
//! The scripts are compared as trees, the differences are planned into calls on a model of the workspace, and
//! the calls come out as a list that the oracle plays like one written by hand. What calls can't bring about,
//! such as costumes or the first value of a variable, is refused. No editor and no judge is needed.

mod align;
mod count;
mod edit;
mod executor;
mod palette;
mod tree;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

pub use self::count::{Counted, block_types, changed_blocks};
use self::edit::{Begin, Editor};
pub(super) use self::executor::{Executor, Id};
pub(super) use self::palette::Palette;
pub(super) use self::tree::{CALL, Content, DEFINITION, Procedure, Tree};
use self::workspace::Workspace;
use crate::action::composite::Catalogue;
use crate::model::{ActionCall, Blame, Coded};
use crate::project::view::{TargetView, targets};
use crate::project::{Project, loaded, told_apart};

/// Why a solution can't be derived.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeriveError {
    /// No call adds sprites.
    #[error("the golden project has the sprite {0:?}, which the initial project lacks")]
    NewSprite(String),
    /// No call removes sprites.
    #[error("the golden project lacks {0:?}")]
    SpriteGone(String),
    /// Variables and lists start at 0 and empty.
    #[error("{name:?} of {target:?} starts as {value} in the golden project, and calls can't bring that about")]
    FirstValue {
        target: String,
        name: String,
        /// What it holds in the golden project.
        value: String,
    },
    /// Something else than blocks differs.
    #[error("{what} of {target:?} differ, and calls only edit blocks")]
    NotBlocks {
        target: String,
        /// `costumes`, `sounds` or another part of a target.
        what: &'static str,
    },
    #[error("the initial and the golden project have the same blocks")]
    Nothing,
}

impl Coded for DeriveError {
    fn code(&self) -> &str {
        match self {
            Self::NewSprite(_) => "new_sprite",
            Self::SpriteGone(_) => "sprite_gone",
            Self::FirstValue { .. } => "first_value",
            Self::NotBlocks { .. } => "not_blocks",
            Self::Nothing => "nothing_to_do",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Parts of a target that calls can't alter.
const FIXED: [&str; 9] =
    ["costumes", "sounds", "currentCostume", "x", "y", "size", "direction", "visible", "rotationStyle"];

/// The calls that turn the blocks of `initial` into those of `golden`. `palettes` has the block catalogue of each
/// target by its name, so that defaults are known.
///
/// # Errors
/// When the projects differ in more than blocks, new variables and new lists, or not at all.
pub fn derive(
    initial: &Project,
    golden: &Project,
    palettes: &BTreeMap<String, Catalogue>,
) -> Result<Vec<ActionCall>, DeriveError> {
    let palette = |target: &str| Palette::new(palettes.get(target));
    let parts = parts::<Workspace>(initial, golden, palette)?;
    let mut calls = Vec::new();
    let mut open = opened_first(&parts);
    for Part { target, is_stage, names, executor } in &parts {
        let names = names.iter().map(NewName::call);
        // What belongs to all sprites can be made in any of them.
        if *is_stage {
            calls.extend(names.clone());
        }
        if executor.calls.is_empty() && (*is_stage || names.len() == 0) {
            continue;
        }
        if open != Some(target) {
            calls.push(select(target, *is_stage));
            open = Some(target);
        }
        if !is_stage {
            calls.extend(names);
        }
        calls.extend(executor.calls.clone());
    }
    if calls.is_empty() { Err(DeriveError::Nothing) } else { Ok(calls) }
}

/// The edits of one target.
#[derive(Debug)]
pub(super) struct Part<H> {
    pub target: String,
    /// Whether it is the stage.
    pub is_stage: bool,
    /// Variables and lists to be made for it.
    pub names: Vec<NewName>,
    /// The executor of its edits.
    pub executor: H,
}

/// A variable or list to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewName {
    pub name: String,
    pub is_list: bool,
    /// Whether all sprites have it, or only the one that it is made for.
    pub for_all: bool,
}

impl NewName {
    fn call(&self) -> ActionCall {
        let (api, scope) =
            (if self.is_list { "add_list" } else { "add_variable" }, if self.for_all { "all" } else { "sprite" });
        call(api, json!({"name": self.name, "scope": scope}))
    }
}

/// The sprite that the editor opens: the first one of a project.
pub(super) fn opened_first<H>(parts: &[Part<H>]) -> Option<&String> {
    parts.iter().find(|part| !part.is_stage).or(parts.first()).map(|part| &part.target)
}

/// Has the edits of every target of `initial` carried out by an executor of its own.
///
/// # Errors
/// When the projects differ in more than blocks, new variables and new lists.
pub(super) fn parts<'p, H: Executor + Default>(
    initial: &Project,
    golden: &Project,
    palette: impl Fn(&str) -> Palette<'p>,
) -> Result<Vec<Part<H>>, DeriveError> {
    // Whatever calls add, what the initial project has is still there: names are told apart among those of both.
    let (old, new) = (told_apart(&initial.json, &golden.json), told_apart(&golden.json, &initial.json));
    let before: Vec<TargetView<'_>> = targets(&old).collect();
    let after: Vec<TargetView<'_>> = targets(&new).collect();
    let (initial, golden) = (loaded(&initial.json).json, loaded(&golden.json).json);
    let declared = |json, name: &str| targets(json).find(|target| target.name() == name);
    let known: BTreeSet<&str> = before.iter().map(TargetView::name).collect();
    if let Some(new) = after.iter().find(|target| !known.contains(target.name())) {
        return Err(DeriveError::NewSprite(new.name().to_owned()));
    }
    let part = |old: &TargetView<'_>| {
        let new = after.iter().find(|target| target.name() == old.name());
        let new = new.ok_or_else(|| DeriveError::SpriteGone(old.name().to_owned()))?;
        require_same(*old, *new)?;
        let declared = declared(&initial, old.name()).zip(declared(&golden, new.name()));
        let names = declared.map(|(old, new)| new_names(old, new)).transpose()?.unwrap_or_default();
        let executor = edited(*old, *new, palette(old.name()));
        Ok(Part { target: old.name().to_owned(), is_stage: old.is_stage(), names, executor })
    };
    before.iter().map(part).collect()
}

fn require_same(old: TargetView<'_>, new: TargetView<'_>) -> Result<(), DeriveError> {
    match FIXED.into_iter().find(|key| old.get(key) != new.get(key)) {
        Some(what) => Err(DeriveError::NotBlocks { target: old.name().to_owned(), what }),
        None => Ok(()),
    }
}

fn select(target: &str, is_stage: bool) -> ActionCall {
    if is_stage { call("select_stage", json!({})) } else { call("select_sprite", json!({"name": target})) }
}

/// Turns the scripts of a target into those of another, and returns the executor that did it.
fn edited<H: Executor + Default>(old: TargetView<'_>, new: TargetView<'_>, palette: Palette<'_>) -> H {
    let (before, after) = (tree::scripts(old), tree::scripts(new));
    let mut editor = Editor::new(H::default(), palette);
    let present: Vec<_> = before.iter().map(|script| editor.existing(script)).collect();
    let partners = align::partners(&before, &after);
    let is_new = |at: &usize| !partners.contains(&Some(*at));
    let fresh: Vec<usize> = (0..after.len()).filter(is_new).collect();
    // Blocks of the project's own come first: their calls can't be made before them.
    let mut hats = BTreeMap::new();
    for &at in fresh.iter().filter(|at| defines(&after[**at])) {
        hats.insert(at, editor.build(&after[at][0]));
    }
    for (placed, partner) in present.iter().zip(&partners) {
        if let Some(partner) = partner {
            editor.transform(Begin::Script, placed, &after[*partner]);
        }
    }
    for at in fresh {
        match hats.get(&at) {
            Some(hat) => editor.transform(Begin::Below(*hat), &[], &after[at][1..]),
            None => editor.transform(Begin::Script, &[], &after[at]),
        }
    }
    // A definition can go when nothing calls it any more.
    let gone = || present.iter().zip(&before).zip(&partners).filter(|(_, partner)| partner.is_none());
    for with_hats in [false, true] {
        for ((placed, script), _) in gone().filter(|((_, script), _)| defines(script) == with_hats) {
            debug_assert!(!script.is_empty());
            editor.executor.delete(placed[0].id);
        }
    }
    editor.executor
}

fn defines(script: &[Tree]) -> bool {
    script.first().is_some_and(|first| first.opcode == DEFINITION)
}

/// The variables and lists that only the golden project has.
fn new_names(old: TargetView<'_>, new: TargetView<'_>) -> Result<Vec<NewName>, DeriveError> {
    let mut names = Vec::new();
    for (key, is_list) in [("variables", false), ("lists", true)] {
        let known: BTreeMap<(String, usize), &Value> = entries(old, key).collect();
        for ((name, number), value) in entries(new, key) {
            let is_blank = *value == json!(0) || *value == json!("0") || *value == json!([]);
            match known.get(&(name.clone(), number)) {
                Some(before) if *before == value => {}
                // `add_variable` and `add_list` give what has the name already.
                None if number > 1 => {
                    return Err(DeriveError::NotBlocks {
                        target: new.name().to_owned(),
                        what: "variables or lists of one name",
                    });
                }
                None if is_blank => names.push(NewName { name, is_list, for_all: new.is_stage() }),
                _ => {
                    let (target, value) = (new.name().to_owned(), value.to_string());
                    return Err(DeriveError::FirstValue { target, name, value });
                }
            }
        }
    }
    Ok(names)
}

fn call(api: &str, args: Value) -> ActionCall {
    let args = if let Value::Object(args) = args { args } else { serde_json::Map::new() };
    ActionCall::new(api, args)
}

/// Names and first values of a target's variables or lists, each name with its number among those that are the same.
fn entries<'a>(target: TargetView<'a>, key: &'static str) -> impl Iterator<Item = ((String, usize), &'a Value)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    target.entries(key).filter_map(move |(_, entry)| {
        let (name, value) = (entry.get(0)?.as_str()?.to_owned(), entry.get(1)?);
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        Some(((name, *count), value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_blocks_leave_nothing_to_do() {
        let blocks = json!({
            "flag": {"opcode": "event_whenflagclicked", "next": "show", "parent": null, "inputs": {}, "fields": {}, "shadow": false,
                "topLevel": true, "x": 0, "y": 0},
            "show": {"opcode": "looks_show", "next": null, "parent": "flag", "inputs": {}, "fields": {}, "shadow": false, "topLevel": false},
        });
        let target = |name: &str, is_stage: bool, blocks: &Value| {
            json!({"isStage": is_stage, "name": name, "variables": {}, "lists": {}, "broadcasts": {}, "blocks": blocks, "comments": {},
                "costumes": [], "sounds": []})
        };
        let targets = json!([target("Stage", true, &json!({})), target("Moth", false, &blocks)]);
        let project = Project { json: json!({"targets": targets}), assets: BTreeMap::new() };
        let found = derive(&project, &project, &BTreeMap::new());
        assert_eq!(found.unwrap_err().code(), "nothing_to_do");
    }

    /// A stage and a sprite, each with a variable `score`; the sprite sets one of them, and calls a block with two arguments.
    fn of_one_name(field: &Value, arguments: &Value) -> Project {
        let block = |opcode: &str, next: Option<&str>, parent: Option<&str>| json!({"opcode": opcode, "next": next, "parent": parent, "inputs": {}, "fields": {}, "shadow": false, "topLevel": parent.is_none()});
        let (mut set, mut call) =
            (block("data_setvariableto", Some("call"), Some("flag")), block("procedures_call", None, Some("set")));
        set["fields"]["VARIABLE"] = field.clone();
        set["inputs"]["VALUE"] = json!([1, [10, "0"]]);
        call["inputs"] = arguments.clone();
        // A call of an older version of the block: its own ids are in another order than the definition's.
        call["mutation"] = json!({"proccode": "jump %s %s", "argumentids": "[\"b\",\"a\"]"});
        let (mut define, mut prototype) =
            (block("procedures_definition", None, None), block("procedures_prototype", None, Some("define")));
        define["inputs"]["custom_block"] = json!([1, "prototype"]);
        prototype["shadow"] = json!(true);
        prototype["mutation"] =
            json!({"proccode": "jump %s %s", "argumentids": "[\"a\",\"b\"]", "argumentnames": "[\"high\",\"far\"]"});
        let blocks = json!({"flag": block("event_whenflagclicked", Some("set"), None), "set": set, "call": call, "define": define,
            "prototype": prototype});
        let target = |name: &str, is_stage: bool, variables: Value, blocks: Value| {
            json!({"isStage": is_stage, "name": name, "variables": variables, "lists": {}, "broadcasts": {}, "blocks": blocks, "comments": {},
                "costumes": [], "sounds": []})
        };
        let stage = target("Stage", true, json!({"s1": ["score", 0], "s2": ["score", 0]}), json!({}));
        let targets = json!([stage, target("Moth", false, json!({"own": ["score", 0]}), blocks)]);
        Project { json: json!({"targets": targets}), assets: BTreeMap::new() }
    }

    #[test]
    fn of_several_variables_with_one_name_the_one_that_is_meant_is_set() {
        let arguments = json!({"a": [1, [10, "1"]], "b": [1, [10, "2"]]});
        let project = |id: &str| of_one_name(&json!(["score", id]), &arguments);
        for (id, form) in [("s1", "Stage's score"), ("s2", "Stage's score #2")] {
            let calls = derive(&project("own"), &project(id), &BTreeMap::new()).unwrap();
            let [call] = calls.as_slice() else { panic!("{calls:?}") };
            assert_eq!(call.api, "set_block_field");
            assert_eq!(call.args["value"], json!(form));
        }
        // A name that is stale, and an id that nothing has: the machine takes the first of that name on the stage.
        let other = of_one_name(&json!(["old name", "s1"]), &arguments);
        let same = of_one_name(&json!(["score", "gone"]), &arguments);
        assert_eq!(derive(&other, &same, &BTreeMap::new()).unwrap_err().code(), "nothing_to_do");
    }

    #[test]
    fn arguments_go_by_the_ids_of_the_definition() {
        let field = json!(["score", "own"]);
        let before = of_one_name(&field, &json!({"a": [1, [10, "1"]], "b": [1, [10, "2"]]}));
        let after = of_one_name(&field, &json!({"a": [1, [10, "5"]], "b": [1, [10, "2"]]}));
        let calls = derive(&before, &after, &BTreeMap::new()).unwrap();
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].args["fieldName"], json!("high"));
    }

    #[test]
    fn a_second_variable_of_a_name_can_not_be_made() {
        let field = json!(["score", "own"]);
        let after = of_one_name(&field, &json!({}));
        let mut before = after.clone();
        before.json["targets"][0]["variables"].as_object_mut().unwrap().shift_remove("s2");
        assert_eq!(derive(&before, &after, &BTreeMap::new()).unwrap_err().code(), "not_blocks");
    }
}
