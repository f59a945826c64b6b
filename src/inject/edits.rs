//! Edits as operators make them.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Number;

use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program};
use crate::project::edit::{Adopted, Edit, Literal, NewBlock, Operand};
use crate::project::normalise::{column, new_id};
use crate::project::view::{Block, Input, Slot, TargetView};
use crate::project::walk::is_mouth;

/// What ids of added blocks are salted with: that of the function which names all others decides how they look.
const SALT: &str = "inject";

/// The site of a fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site<'p, 'a> {
    pub(super) program: &'p Program<'a>,
    pub(super) line: &'p Line<'a>,
    pub(super) pattern: Pattern,
}

impl Site<'_, '_> {
    /// A candidate here; `block` is the one that the fault is at.
    pub(super) fn candidate(&self, operator: &'static str, block: &str, variant: &str, patch: Vec<Edit>) -> Candidate {
        Candidate {
            pattern: self.pattern,
            operator,
            sprite_id: self.line.sprite.clone(),
            script: self.program.scripts[self.line.script].root.to_owned(),
            block_id: block.to_owned(),
            statement: self.line.statement.block.id.to_owned(),
            messages: Vec::new(),
            path: self.line.statement.path.clone(),
            variant: variant.to_owned(),
            patch,
        }
    }

    pub(super) fn remove(&self, block: &str) -> Edit {
        Edit::Remove { sprite_id: self.line.sprite.clone(), block_id: block.to_owned(), splice: false }
    }

    pub(super) fn splice(&self, block: &str) -> Edit {
        Edit::Remove { sprite_id: self.line.sprite.clone(), block_id: block.to_owned(), splice: true }
    }

    pub(super) fn modify(&self, block: &str, path: &str, value: Operand) -> Edit {
        let (sprite_id, block_id) = (self.line.sprite.clone(), block.to_owned());
        Edit::Modify { sprite_id, block_id, path: path.to_owned(), value }
    }

    pub(super) fn below(&self, parent: &str, block: NewBlock) -> Edit {
        self.add(Some(parent), None, None, block)
    }

    pub(super) fn inside(&self, parent: &str, input: &str, block: NewBlock) -> Edit {
        self.add(Some(parent), Some(input), None, block)
    }

    /// A new script that begins with this block, in the next free column, and in the file after any script of the target: always after
    /// the site's, or at the end, it would be known by its place.
    pub(super) fn script(&self, block: NewBlock) -> Edit {
        let scripts = self.line.target.scripts();
        let roots = scripts.iter().filter_map(|script| match script {
            Slot::Block(root) => Some(*root),
            Slot::Primitive(_) => None,
        });
        let roots: Vec<&str> = roots.collect();
        let drawn = new_id(SALT, &self.line.sprite, &format!("place of {}", block.id));
        let drawn: usize = drawn.bytes().map(usize::from).sum();
        let root = roots[drawn % roots.len()];
        let (x, y) = column(scripts.len());
        let at = (x.into(), y.into());
        let order = IndexMap::from([(block.id.clone(), self.after_script(root))]);
        let mut edit = self.add(None, None, Some(at), block);
        if let Edit::Add { order: place, .. } = &mut edit {
            *place = order;
        }
        edit
    }

    /// The block that follows a script in the file.
    fn after_script(&self, root: &str) -> Option<String> {
        let (mut open, mut own) = (vec![root], BTreeSet::new());
        while let Some(id) = open.pop() {
            let Some(block) = self.line.target.block(id) else { continue };
            if own.insert(block.id) {
                let held = block.inputs().flat_map(|input| [input.value, input.hidden]).flatten();
                open.extend(held.filter_map(|slot| match slot {
                    Slot::Block(id) => Some(id),
                    Slot::Primitive(_) => None,
                }));
                open.extend(block.next);
            }
        }
        let keys: Vec<&str> = self.line.target.entries("blocks").map(|(id, _)| id).collect();
        let last = keys.iter().rposition(|id| own.contains(id))?;
        keys.get(last + 1).map(|id| (*id).to_owned())
    }

    fn add(&self, parent: Option<&str>, input: Option<&str>, at: Option<(Number, Number)>, block: NewBlock) -> Edit {
        Edit::Add {
            sprite_id: self.line.sprite.clone(),
            parent: parent.map(str::to_owned),
            input: input.map(str::to_owned),
            at,
            next: None,
            block: Box::new(block),
            order: IndexMap::default(),
        }
    }

    /// An id for a block that the fault adds.
    pub(super) fn id(&self, what: &str) -> String {
        new_id(SALT, &self.line.sprite, &format!("{} {what}", self.line.statement.path))
    }

    /// A copy of a block without what lies in its slots, under a new id; `None` where it can't be described.
    pub(super) fn copy(&self, block: &Block<'_>, id: String) -> Option<NewBlock> {
        NewBlock::copy(self.line.target, block, id)
    }
}

/// A block that is there, in a slot or mouth.
pub(super) fn adopted(block: &str) -> Operand {
    Operand::Block(Adopted { block: block.to_owned() })
}

pub(super) fn text(value: &str) -> Operand {
    Operand::Literal(Literal::Text(value.to_owned()))
}

pub(super) fn named((id, name): (&str, &str)) -> Operand {
    Operand::Named(name.to_owned(), id.to_owned())
}

/// A new block without slots or fields but these.
pub(super) fn block(id: String, opcode: &str, inputs: &[(&str, Operand)]) -> NewBlock {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    NewBlock { id, opcode: opcode.to_owned(), inputs, ..NewBlock::default() }
}

/// The number in a slot, if it is written there.
pub(super) fn number(block: &Block<'_>, input: &str) -> Option<f64> {
    match block.input(input)?.value? {
        Slot::Primitive(primitive) if primitive.id.is_none() => {
            primitive.value.trim().parse().ok().filter(|value: &f64| value.is_finite())
        }
        _ => None,
    }
}

/// A number as people write it.
pub(super) fn shown(value: f64) -> String {
    // Sums of decimal fractions have a long tail.
    let rounded = (value * 1e9).round() / 1e9;
    format!("{rounded}")
}

/// Edits that put a block back besides its own.
const MOST_MORE: usize = 2;

/// Whether a block may be deleted by an operator: it holds no mouth, and is put back by few edits.
pub(super) fn is_small(target: TargetView<'_>, block: &Block<'_>) -> bool {
    let holds = |input: Input<'_>| is_mouth(input.name) && matches!(input.value, Some(Slot::Block(_)));
    !block.inputs().any(holds) && has_small_slots(target, block)
}

/// Whether what lies in the slots of a block is put back by few edits: a reporter each, and a variable that lies on a menu. Mouths are not
/// looked at. Comments and reporters of custom blocks' inputs are put back by none.
pub(super) fn has_small_slots(target: TargetView<'_>, block: &Block<'_>) -> bool {
    let (mut more, mut open) = (0, vec![block.clone()]);
    while let Some(block) = open.pop() {
        if block.comment.is_some() || block.opcode.starts_with("argument_") {
            return false;
        }
        for input in block.inputs().filter(|input| !is_mouth(input.name)) {
            match (input.value, input.hidden) {
                (Some(Slot::Block(held)), _) => {
                    let Some(held) = target.block(held).filter(|held| !held.shadow) else { continue };
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
