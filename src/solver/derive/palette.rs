//! A fresh block: its slots in counting order, and their initial contents.

use super::tree::{CALL, Tree};
use crate::action::composite::{Catalogue, CatalogueBlock};

/// The palette of one target.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Palette<'a> {
    catalogue: Option<&'a Catalogue>,
}

impl<'a> Palette<'a> {
    pub const fn new(catalogue: Option<&'a Catalogue>) -> Self {
        Self { catalogue }
    }

    fn entry(self, opcode: &str) -> Option<&'a CatalogueBlock> {
        let mut blocks = self.catalogue?.categories.iter().flat_map(|category| &category.blocks);
        blocks.find(|block| block.opcode == opcode)
    }

    /// Names of a block's slots in the order in which what is in them is counted.
    pub fn slots(self, tree: &Tree) -> Vec<String> {
        let known: Vec<String> = match (&tree.procedure, tree.opcode.as_str()) {
            (Some(procedure), CALL) => procedure.argument_names.clone(),
            _ => self
                .entry(&tree.opcode)
                .into_iter()
                .flat_map(|entry| &entry.inputs)
                .map(|input| input.name.clone())
                .collect(),
        };
        // What the palette does not offer, such as blocks of the Stage seen from a sprite: branches come last.
        let mut rest: Vec<String> = tree.slots.keys().filter(|name| !known.contains(name)).cloned().collect();
        rest.sort_by_key(|name| name.starts_with("SUBSTACK"));
        known.into_iter().chain(rest).collect()
    }

    /// What is typed or chosen in a slot of a fresh block; `None` where that depends on the rest of the project.
    pub fn typed(self, tree: &Tree, slot: &str) -> Option<String> {
        if tree.opcode == CALL {
            // The arguments of a call are empty texts (Blockly's argumentdefaults as add_block makes them).
            return Some(String::new());
        }
        let input = self.entry(&tree.opcode)?.inputs.iter().find(|input| input.name == slot)?;
        // A fresh block takes the first message that the project happens to have.
        input.default.clone().filter(|_| input.kind != "event_broadcast_menu")
    }

    /// What a field of a fresh block is set to; `None` for names that the project decides.
    pub fn chosen(self, tree: &Tree, field: &str) -> Option<String> {
        let field = self.entry(&tree.opcode)?.fields.iter().find(|each| each.name == field)?;
        field.default.clone().filter(|_| field.choices.is_some())
    }
}
