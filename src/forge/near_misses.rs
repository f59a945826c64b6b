//! Wrong repairs that look like the right one (ScratchEval, section 10.3): another value, a delay in place of a barrier, the symptom taken
//! away with what should happen. Those for
//! which one must know the program are in `misplaced`.

use serde_json::{Number, Value};

use super::misplaced::{add, misplaced};
use crate::project::edit::{Adopted, Edit, Literal, NewBlock, Operand, apply};
use crate::project::reach::chosen;
use crate::project::view::{Block, Slot, TargetView, target, targets};
use crate::project::walk::is_mouth;

/// Waits that stand in for something that should be waited for, in seconds.
const DELAYS: [&str; 3] = ["0.1", "0.5", "1"];

/// Blocks that a condition is looked for above.
const DEEPEST: usize = 16;

/// A repair of a buggy project.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// What it is.
    pub name: String,
    pub patch: Vec<Edit>,
    /// The buggy project after it.
    pub project: Value,
}

impl Repair {
    /// One that can be made.
    pub fn of(name: String, patch: Vec<Edit>, buggy: &Value) -> Option<Self> {
        let project = apply(buggy, &patch).ok()?;
        Some(Self { name, patch, project })
    }
}

/// Wrong repairs of a buggy project. What mends the place in another way comes before other values.
pub fn near_misses(buggy: &Value, inverse: &[Edit]) -> Vec<Repair> {
    let away = inverse.iter().flat_map(|edit| {
        let others = uncloned(buggy, edit).into_iter().chain(always(buggy, edit)).chain(opposite(buggy, edit));
        taken_away(edit).into_iter().chain(others)
    });
    let mut found: Vec<Repair> = away.filter_map(|(name, patch)| Repair::of(name, patch, buggy)).collect();
    found.extend(misplaced(buggy, inverse));
    for (at, edit) in inverse.iter().enumerate() {
        for (name, other) in variants(edit) {
            let mut patch = inverse.to_vec();
            patch.splice(at..=at, other);
            found.extend(Repair::of(name, patch, buggy));
        }
    }
    found
}

/// The fault's block, or what a lost gate held, taken away: the symptom is gone, and what should happen as well.
fn taken_away(edit: &Edit) -> Vec<(String, Vec<Edit>)> {
    let remove = |sprite_id: &str, block_id: &str| {
        vec![Edit::Remove { sprite_id: sprite_id.to_owned(), block_id: block_id.to_owned(), splice: false }]
    };
    match edit {
        Edit::Modify { sprite_id, block_id, .. } => vec![("taken away".to_owned(), remove(sprite_id, block_id))],
        Edit::Add { sprite_id, block, .. } => {
            let held = block.inputs.iter().filter(|(input, _)| is_mouth(input));
            let adopted = held.filter_map(|(_, value)| match value {
                Operand::Block(Adopted { block }) => Some(block),
                _ => None,
            });
            adopted.map(|held| ("what it holds taken away".to_owned(), remove(sprite_id, held))).collect()
        }
        Edit::Remove { .. } => Vec::new(),
    }
}

/// Where clones are not deleted: none is made.
fn uncloned(buggy: &Value, edit: &Edit) -> Option<(String, Vec<Edit>)> {
    let Edit::Add { sprite_id, block, .. } = edit else { return None };
    if block.opcode != "control_delete_this_clone" {
        return None;
    }
    let makes = |target: TargetView<'_>| -> Vec<Edit> {
        let is_own = |block: &Block<'_>| match chosen(target, block, "CLONE_OPTION").as_deref() {
            Some("_myself_") => target.sprite_id() == sprite_id,
            made => made == Some(sprite_id),
        };
        let makers = target.blocks().filter(|block| block.opcode == "control_create_clone_of" && is_own(block));
        let remove = |maker: Block<'_>| Edit::Remove {
            sprite_id: target.sprite_id().to_owned(),
            block_id: maker.id.to_owned(),
            splice: false,
        };
        makers.map(remove).collect()
    };
    let patch: Vec<Edit> = targets(buggy).flat_map(makes).collect();
    (!patch.is_empty()).then(|| ("no clone is made".to_owned(), patch))
}

/// Where a condition is wrong: there is none, and its branch is always taken.
fn always(buggy: &Value, edit: &Edit) -> Option<(String, Vec<Edit>)> {
    let Edit::Modify { sprite_id, block_id, .. } = edit else { return None };
    let target = target(buggy, sprite_id)?;
    let mut block = target.block(block_id)?;
    for _ in 0..DEEPEST {
        let parent = target.holder(block.id)?;
        let is_in = |input: &str| parent.input(input).is_some_and(|held| held.value == Some(Slot::Block(block.id)));
        if matches!(parent.opcode, "control_if" | "control_if_else") && is_in("CONDITION") {
            let (sprite_id, block_id) = (sprite_id.clone(), parent.id.to_owned());
            return Some(("its branch always".to_owned(), vec![Edit::Remove { sprite_id, block_id, splice: true }]));
        }
        block = parent;
    }
    None
}

/// Where a sprite should show or hide: the block that does the opposite taken away.
fn opposite(buggy: &Value, edit: &Edit) -> Option<(String, Vec<Edit>)> {
    let Edit::Add { sprite_id, block, .. } = edit else { return None };
    let other = match block.opcode.as_str() {
        "looks_show" => "looks_hide",
        "looks_hide" => "looks_show",
        _ => return None,
    };
    let found = target(buggy, sprite_id)?.blocks().find(|block| block.opcode == other)?;
    let (sprite_id, block_id) = (sprite_id.clone(), found.id.to_owned());
    Some((format!("{other} taken away"), vec![Edit::Remove { sprite_id, block_id, splice: false }]))
}

/// What could stand in an edit's place.
fn variants(edit: &Edit) -> Vec<(String, Vec<Edit>)> {
    match edit {
        Edit::Modify { value: Operand::Literal(Literal::Text(to)), sprite_id, block_id, path } => {
            if path == "opcode" && to == "event_broadcastandwait" {
                return DELAYS
                    .iter()
                    .map(|delay| (format!("wait {delay} s below"), vec![waits(sprite_id, block_id, delay)]))
                    .collect();
            }
            others(to)
                .into_iter()
                .map(|(name, value)| {
                    let value = Operand::Literal(Literal::Text(value));
                    let (sprite_id, block_id, path) = (sprite_id.clone(), block_id.clone(), path.clone());
                    (name, vec![Edit::Modify { sprite_id, block_id, path, value }])
                })
                .collect()
        }
        Edit::Add { block, .. } => added(edit, block),
        _ => Vec::new(),
    }
}

/// The same block with another value in one of its slots, or another block that ends something.
fn added(edit: &Edit, block: &NewBlock) -> Vec<(String, Vec<Edit>)> {
    let with = |changed: NewBlock| {
        let mut edit = edit.clone();
        if let Edit::Add { block, .. } = &mut edit {
            **block = changed;
        }
        vec![edit]
    };
    let mut found = Vec::new();
    for (input, value) in &block.inputs {
        let Operand::Literal(literal) = value else { continue };
        let text = literal.json().as_str().map_or_else(|| literal.json().to_string(), str::to_owned);
        for (name, other) in others(&text) {
            let mut changed = block.clone();
            changed.inputs.insert(input.clone(), Operand::Literal(Literal::Text(other)));
            found.push((format!("{input} {name}"), with(changed)));
        }
    }
    if block.opcode == "control_delete_this_clone" {
        let option = ("STOP_OPTION".to_owned(), Operand::Literal(Literal::Text("this script".to_owned())));
        let stop =
            NewBlock { opcode: "control_stop".to_owned(), fields: [option].into_iter().collect(), ..block.clone() };
        found.push(("stop this script".to_owned(), with(stop)));
    }
    found
}

/// Numbers beside a number.
fn others(text: &str) -> Vec<(String, String)> {
    let Some(number) = text.trim().parse::<f64>().ok().filter(|number| number.is_finite()) else { return Vec::new() };
    let shown = |value: f64| Number::from_f64(value).map(|number| number.to_string()).unwrap_or_default();
    let whole = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { shown(value) };
    [number + 1.0, number - 1.0, number * 2.0]
        .into_iter()
        .filter(|other| (other - number).abs() > f64::EPSILON)
        .map(|other| (format!("{} for {text}", whole(other)), whole(other)))
        .collect()
}

/// A wait below a block.
pub(super) fn waits(sprite_id: &str, parent: &str, seconds: &str) -> Edit {
    let duration = ("DURATION".to_owned(), Operand::Literal(Literal::Text(seconds.to_owned())));
    let block = NewBlock {
        id: crate::project::normalise::new_id("near miss", sprite_id, parent),
        opcode: "control_wait".to_owned(),
        inputs: [duration].into_iter().collect(),
        ..NewBlock::default()
    };
    add(sprite_id, parent, None, block)
}
