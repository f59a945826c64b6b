//! Small edits to the JSON of a target's blocks that keep it well-formed: stacks are healed, the contents of a removed
//! block go with it, and key order is kept.
//!
//! Which change is worth making is not known here.

use serde_json::{Map, Value, json};

use super::rewrite;
use super::stack::{self, Stack};
use crate::project::edit::{drop_lost_comments, remove_tree};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Takes a hat away with all of its script.
    RemoveScript(String),
    /// Takes a statement away with what is in its slots and mouths, and closes the gap.
    RemoveStatement(String),
    /// Takes a reporter out of a slot, which shows its default again.
    Empty {
        block: String,
        input: String,
    },
    /// Makes it another block with the same slots.
    Opcode {
        block: String,
        to: &'static str,
    },
    /// Takes a slot away that the new opcode does not have.
    DropInput {
        block: String,
        input: &'static str,
    },
    /// Puts another inline value into a slot, in the place of the one that is seen.
    Inline {
        block: String,
        input: String,
        value: Value,
    },
    Field {
        block: String,
        field: String,
        value: Value,
    },
    /// Puts `not` around the condition in a slot.
    Negate {
        block: String,
        input: String,
    },
    /// Takes the `not` in a slot away and keeps what is in it.
    Unwrap {
        block: String,
        input: String,
    },
    /// Puts another value, or a variable, into a slot, in the place of a reporter.
    Replace {
        block: String,
        input: String,
        value: Value,
    },
    /// Makes two slots of a block change places.
    Swap {
        block: String,
        inputs: [String; 2],
    },
    /// Puts what is in a slot into a slot of a new reporter, with its id, and this in its place.
    Wrap {
        block: String,
        input: String,
        reporter: (String, Value),
        slot: &'static str,
    },
    /// Puts the first statement of a script under a hat of its own.
    SplitScript {
        hat: String,
    },
    /// Moves all scripts and adds a comment.
    Layout,
    /// Gives the target itself, not a block of it, another property.
    Property {
        key: &'static str,
        value: Value,
    },
    /// Declares a variable of the target: its id and its name.
    Variable {
        id: String,
        name: String,
    },
    /// Puts new statements below one.
    Insert {
        below: String,
        stack: Stack,
    },
    /// Adds a block that lies in a slot of another one.
    AddReporter {
        id: String,
        block: Value,
    },
    AddScript(Stack),
    /// Copies a statement below itself.
    Double(String),
    /// Copies a statement below itself, to be run where a condition holds: a reporter with its id.
    DoubleIf {
        block: String,
        condition: (String, Value),
    },
    /// Moves a statement out of the mouth around it, to below or above what has the mouth.
    MoveOut {
        block: String,
        below: bool,
    },
    /// Puts what is in the first mouth of a statement in its place.
    Open(String),
}

/// Makes one change to a target; false, with nothing changed that matters, if it does not fit.
pub(super) fn apply(target: &mut Value, step: &Step) -> bool {
    if let Step::Variable { id, name } = step {
        let variables = target.get_mut("variables").and_then(Value::as_object_mut);
        return variables.is_some_and(|all| all.insert(id.clone(), json!([name, 0])).is_none());
    }
    if let Step::Property { key, value } = step {
        return target.get_mut(*key).map(|property| *property = value.clone()).is_some();
    }
    if *step == Step::Layout {
        return rewrite::layout(target).is_some();
    }
    let Some(blocks) = target.get_mut("blocks").and_then(Value::as_object_mut) else { return false };
    let done = match step {
        Step::RemoveScript(id) => remove_script(blocks, id),
        Step::RemoveStatement(id) => remove_statement(blocks, id),
        Step::Empty { block, input } => empty(blocks, block, input),
        Step::Opcode { block, to } => set(blocks, block, |found| {
            found.insert("opcode".to_owned(), json!(to));
        }),
        Step::DropInput { block, input } => drop_input(blocks, block, input),
        Step::Inline { block, input, value } => {
            slot(blocks, block, input).and_then(|slot| slot.get_mut(1)).map(|seen| *seen = value.clone())
        }
        Step::Field { block, field, value } => blocks
            .get_mut(block)
            .and_then(|block| block.get_mut("fields")?.get_mut(field))
            .map(|choice| *choice = value.clone()),
        Step::Negate { block, input } => negate(blocks, block, input),
        Step::Unwrap { block, input } => unwrap(blocks, block, input),
        Step::Replace { block, input, value } => replace(blocks, block, input, value),
        Step::Insert { below, stack } => stack::insert(blocks, below, stack),
        Step::AddReporter { id, block } => blocks.insert(id.clone(), block.clone()).is_none().then_some(()),
        Step::AddScript(stack) => stack::add_script(blocks, stack),
        Step::Double(block) => stack::double(blocks, block),
        Step::DoubleIf { block, condition } => stack::double_if(blocks, block, condition),
        Step::MoveOut { block, below } => stack::move_out(blocks, block, *below),
        Step::Open(block) => stack::open(blocks, block).map(|()| remove_tree(blocks, block, false)),
        Step::Swap { block, inputs } => rewrite::swap(blocks, block, inputs),
        Step::Wrap { block, input, reporter, slot } => rewrite::wrap(blocks, block, input, reporter, slot),
        Step::SplitScript { hat } => rewrite::split_script(blocks, hat),
        Step::Variable { .. } | Step::Property { .. } | Step::Layout => None,
    };
    drop_lost_comments(target);
    done.is_some()
}

fn set(blocks: &mut Map<String, Value>, id: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Option<()> {
    blocks.get_mut(id)?.as_object_mut().map(change)
}

fn slot<'a>(blocks: &'a mut Map<String, Value>, id: &str, input: &str) -> Option<&'a mut Vec<Value>> {
    blocks.get_mut(id)?.get_mut("inputs")?.get_mut(input)?.as_array_mut()
}

fn text(blocks: &Map<String, Value>, id: &str, key: &str) -> Option<String> {
    blocks.get(id)?.get(key)?.as_str().map(str::to_owned)
}

/// The block in a slot.
fn seen(blocks: &Map<String, Value>, id: &str, input: &str) -> Option<String> {
    blocks.get(id)?.get("inputs")?.get(input)?.get(1)?.as_str().map(str::to_owned)
}

fn remove_script(blocks: &mut Map<String, Value>, id: &str) -> Option<()> {
    blocks.get(id)?;
    remove_tree(blocks, id, true);
    Some(())
}

fn remove_statement(blocks: &mut Map<String, Value>, id: &str) -> Option<()> {
    let next = text(blocks, id, "next");
    let parent = text(blocks, id, "parent")?;
    remove_tree(blocks, id, false);
    if let Some(next) = &next {
        set(blocks, next, |block| {
            block.insert("parent".to_owned(), json!(parent));
        })?;
    }
    set(blocks, &parent, |above| {
        if above.get("next").and_then(Value::as_str) == Some(id) {
            above.insert("next".to_owned(), json!(next));
        } else if let Some(inputs) = above.get_mut("inputs").and_then(Value::as_object_mut) {
            inputs.retain(|_, input| {
                let here = input.get(1).and_then(Value::as_str) == Some(id);
                if let (true, Some(next)) = (here, &next) {
                    input[1] = json!(next);
                }
                !here || next.is_some()
            });
        }
    })
}

fn empty(blocks: &mut Map<String, Value>, id: &str, input: &str) -> Option<()> {
    let inner = seen(blocks, id, input);
    let slot = slot(blocks, id, input)?;
    let hidden = slot.get(2).filter(|hidden| !hidden.is_null() && Some(*hidden) != slot.get(1)).cloned();
    match hidden {
        Some(hidden) => *slot = vec![json!(1), hidden],
        None => drop_key(blocks, id, input)?,
    }
    if let Some(inner) = inner {
        remove_tree(blocks, &inner, true);
    }
    Some(())
}

/// What was in the slot goes; the default below it stays.
fn replace(blocks: &mut Map<String, Value>, id: &str, input: &str, value: &Value) -> Option<()> {
    let inner = seen(blocks, id, input);
    *slot(blocks, id, input)?.get_mut(1)? = value.clone();
    if let Some(inner) = inner {
        remove_tree(blocks, &inner, true);
    }
    Some(())
}

fn drop_key(blocks: &mut Map<String, Value>, id: &str, input: &str) -> Option<()> {
    blocks.get_mut(id)?.get_mut("inputs")?.as_object_mut()?.shift_remove(input).map(drop)
}

/// A slot with its default and what lies on it.
fn drop_input(blocks: &mut Map<String, Value>, id: &str, input: &str) -> Option<()> {
    let held: Vec<String> =
        slot(blocks, id, input)?.iter().skip(1).filter_map(Value::as_str).map(str::to_owned).collect();
    drop_key(blocks, id, input)?;
    for inner in held {
        remove_tree(blocks, &inner, true);
    }
    Some(())
}

/// The id is made of those around it, so that each build of a mutant is the same.
fn negate(blocks: &mut Map<String, Value>, id: &str, input: &str) -> Option<()> {
    let inner = seen(blocks, id, input)?;
    let mut not = format!("{id}.{input}.not");
    while blocks.contains_key(&not) {
        not.push('\'');
    }
    set(blocks, &inner, |block| {
        block.insert("parent".to_owned(), json!(not));
    })?;
    *slot(blocks, id, input)?.get_mut(1)? = json!(not);
    let block = json!({
        "opcode": "operator_not", "next": null, "parent": id, "inputs": {"OPERAND": [2, inner]}, "fields": {},
        "shadow": false, "topLevel": false
    });
    blocks.insert(not, block);
    Some(())
}

fn unwrap(blocks: &mut Map<String, Value>, id: &str, input: &str) -> Option<()> {
    let not = seen(blocks, id, input)?;
    let inner = seen(blocks, &not, "OPERAND");
    blocks.shift_remove(&not)?;
    let Some(inner) = inner else { return drop_key(blocks, id, input) };
    set(blocks, &inner, |block| {
        block.insert("parent".to_owned(), json!(id));
    })?;
    *slot(blocks, id, input)?.get_mut(1)? = json!(inner);
    Some(())
}
