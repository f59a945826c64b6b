//! What executes the differences between two projects: the composite calls' model of the workspace, or the mouse.

use super::tree::Tree;

/// A block, by a number that the executor assigns.
pub(in crate::solver) type Id = usize;

/// Carries edits out, or records them.
pub(in crate::solver) trait Executor {
    /// An existing block as a script of its own, with its slots in the order of counting.
    fn place(&mut self, tree: &Tree, slots: Vec<String>) -> Id;
    /// An existing script is connected below a block.
    fn hang_below(&mut self, above: Id, first: Id);
    /// An existing script is in a slot.
    fn hang_in(&mut self, around: Id, slot: &str, first: Id);
    /// Adds a loose block.
    fn add(&mut self, tree: &Tree, slots: Vec<String>) -> Id;
    /// Sets a field or what is typed or chosen in a slot.
    fn set(&mut self, id: Id, field: &str, value: &str);
    /// Connects a block below another; what hung there goes below the moved stack.
    fn connect_below(&mut self, source: Id, target: Id);
    /// Puts a stack or a reporter into a slot; what was in a C-shaped slot goes below the stack.
    fn connect_in(&mut self, source: Id, target: Id, slot: &str, is_stack: bool);
    /// Takes a block and all below it out of where it hangs.
    fn detach(&mut self, id: Id);
    /// Deletes a block with all below it.
    fn delete(&mut self, id: Id);
}
