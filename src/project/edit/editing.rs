//! One edit in its target: taking blocks away, and putting new ones in.

use serde_json::{Number, json};

use super::blocks::{Above, Blocks, Place};
use super::error::Refusal;
use super::scope::Scope;
use super::slots::{self, Slot};
use super::{Adopted, Edit, NewBlock, Operand};

/// One edit of one target.
pub(super) struct Editing<'a> {
    pub(super) blocks: Blocks<'a>,
    pub(super) scope: Scope,
    /// Messages to declare: id and name.
    pub(super) declared: Vec<(String, String)>,
}

impl<'a> Editing<'a> {
    pub(super) const fn new(blocks: Blocks<'a>, scope: Scope) -> Self {
        Self { blocks, scope, declared: Vec::new() }
    }

    pub(super) fn remove(&mut self, id: &str, splice: bool) -> Result<(), Refusal> {
        let opcode = self.blocks.opcode(id)?;
        if matches!(&*opcode, "procedures_definition" | "procedures_prototype") {
            return Err(Refusal::unsupported("definitions of custom blocks can't be removed"));
        }
        let (above, next) = (self.blocks.above(id), self.blocks.next(id));
        let inner = if splice { Some(self.inner(id, &opcode)?) } else { None };
        if let Some(inner) = &inner {
            self.blocks.unhang(inner);
        }
        if let Some(next) = &next {
            self.blocks.unhang(next);
        }
        self.blocks.unhang(id);
        self.blocks.remove_tree(id);
        let mut rest = inner.iter().flat_map(|inner| self.blocks.chain(inner, None)).collect::<Vec<_>>();
        if let Some(next) = next {
            if let Some(last) = rest.last() {
                self.blocks.set_next(last, Some(&next));
            }
            rest.push(next);
        }
        if let Some(first) = rest.first() {
            self.blocks.put(first, &above);
        }
        Ok(())
    }

    /// What is in the first mouth of a block, or the first slot with a block.
    fn inner(&self, id: &str, opcode: &str) -> Result<String, Refusal> {
        let entry = slots::entry(opcode)?;
        let is_reporter = matches!(&*entry.shape, "reporter" | "boolean");
        let fits = |slot: &Slot<'_>| matches!(slot, Slot::Mouth) != is_reporter;
        let mut inner =
            slots::slots(entry).filter(|(_, slot)| fits(slot)).filter_map(|(name, _)| self.blocks.seen(id, name));
        inner
            .find(|inner| self.blocks.own(inner).is_ok())
            .ok_or_else(|| Refusal::unsupported(format!("`{id}` holds nothing to splice")))
    }

    pub(super) fn add(&mut self, edit: &Edit) -> Result<(), Refusal> {
        let Edit::Add { parent, input, at, next, block, order, .. } = edit else { return Ok(()) };
        if self.blocks.0.contains_key(&block.id) {
            return Err(Refusal::conflict(format!("there is a block `{}` already", block.id)));
        }
        let entry = slots::entry(&block.opcode)?;
        let is_value = matches!(&*entry.shape, "reporter" | "boolean");
        let above = self.place_of(parent.as_deref(), input.as_deref(), at.as_ref(), is_value)?;
        let below = self.below(&above, next.as_deref(), is_value)?;
        // Nothing is left below a block that takes all that was there into its mouth.
        let below = below.filter(|below| next.is_some() || !adopts(block, below));
        if let Some(below) = &below {
            self.blocks.unhang(below);
        }
        let place = |id: &str, usual: Place| match order.get(id) {
            Some(Some(before)) => Place::Before(before.clone()),
            Some(None) => Place::End,
            None => usual,
        };
        let usual = match &above {
            Above::Below(parent) => Place::After(self.blocks.last_held(parent)),
            Above::In(parent, _) => first_adopted(block).map_or_else(|| Place::After(parent.clone()), Place::Before),
            Above::Top(..) | Above::Parked => Place::End,
        };
        let shell = json!({
            "opcode": block.opcode, "next": null, "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": false
        });
        self.blocks.insert(&block.id, shell, &place(&block.id, usual));
        self.fill_fields(block)?;
        self.fill_slots(block, below.as_deref(), &|id| place(id, Place::After(block.id.clone())))?;
        self.blocks.put(&block.id, &above);
        if let Some(below) = &below {
            if entry.shape == "cap" {
                return Err(Refusal::unsupported(format!("nothing can follow `{}`", block.opcode)));
            }
            self.blocks.set_next(&block.id, Some(below));
        }
        Ok(())
    }

    fn place_of(
        &self,
        parent: Option<&str>,
        input: Option<&str>,
        at: Option<&(Number, Number)>,
        is_value: bool,
    ) -> Result<Above, Refusal> {
        match (parent, input, at) {
            (Some(parent), None, None) if !is_value => {
                self.blocks.own(parent)?;
                Ok(Above::Below(parent.to_owned()))
            }
            (Some(parent), Some(input), None) => {
                let opcode = self.blocks.opcode(parent)?;
                let slot = slots::slot(slots::entry(&opcode)?, &opcode, input)?;
                if matches!(slot, Slot::Mouth) == is_value {
                    return Err(Refusal::unsupported(format!("the block does not fit into `{input}`")));
                }
                Ok(Above::In(parent.to_owned(), input.to_owned()))
            }
            (None, None, Some((x, y))) if !is_value => Ok(Above::Top(json!(x), json!(y))),
            _ => Err(Refusal::unsupported("a block is added below `parent`, in its `input`, or `at` a place")),
        }
    }

    /// What comes below the new block.
    fn below(&self, above: &Above, next: Option<&str>, is_value: bool) -> Result<Option<String>, Refusal> {
        let there = match above {
            Above::Below(parent) => self.blocks.next(parent),
            Above::In(parent, input) if !is_value => self.blocks.seen(parent, input),
            _ => None,
        };
        let Some(next) = next else { return Ok(there) };
        self.blocks.own(next)?;
        if is_value {
            return Err(Refusal::unsupported("nothing follows a reporter"));
        }
        Ok(Some(next.to_owned()))
    }
}

/// A block that a new one takes into its slots.
fn first_adopted(block: &NewBlock) -> Option<String> {
    block.inputs.values().find_map(|input| match input {
        Operand::Block(Adopted { block }) => Some(block.clone()),
        _ => None,
    })
}

/// Whether a new block takes a block that is there into a slot or mouth.
fn adopts(block: &NewBlock, id: &str) -> bool {
    block.inputs.values().any(|input| matches!(input, Operand::Block(Adopted { block }) if block == id))
}
