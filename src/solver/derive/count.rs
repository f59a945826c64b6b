//! Counts the blocks of a project, and those that a solution changes.

use std::collections::BTreeMap;

use super::align::{align, partners, similarity};
use super::tree::{Content, Tree, scripts};
use crate::project::view::{TargetView, targets};
use crate::project::{Project, told_apart};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// All of them. A block that is replaced by another counts once, and so does one that is moved.
    All,
    /// Those that do something by themselves: hats and statements. Reporters are part of the block that they lie in,
    /// and change it if they are changed.
    Statements,
}

/// How blocks differ between the two projects.
#[derive(Debug)]
struct Count {
    counted: Counted,
    removed: usize,
    added: usize,
    altered: usize,
}

/// Blocks that have to be added, taken away, moved or altered to get from `initial` to `golden`.
pub fn changed_blocks(initial: &Project, golden: &Project, counted: Counted) -> usize {
    let (initial, golden) = (told_apart(&initial.json, &golden.json), told_apart(&golden.json, &initial.json));
    let before: BTreeMap<&str, TargetView<'_>> = targets(&initial).map(|target| (target.name(), target)).collect();
    let of_target = |target: TargetView<'_>| {
        let old = before.get(target.name()).map(|old| scripts(*old)).unwrap_or_default();
        let mut count = Count { counted, removed: 0, added: 0, altered: 0 };
        count.scripts(&old, &scripts(target));
        count.removed.max(count.added) + count.altered
    };
    targets(&golden).map(of_target).sum()
}

/// How many blocks of each opcode a project's scripts have; default values in slots are not blocks.
pub fn block_types(project: &Project) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for script in targets(&project.json).flat_map(scripts) {
        for tree in &script {
            tally(tree, &mut found);
        }
    }
    found
}

fn tally(tree: &Tree, found: &mut BTreeMap<String, usize>) {
    *found.entry(tree.opcode.clone()).or_default() += 1;
    for content in tree.slots.values() {
        match content {
            Content::Stack(stack) => {
                for tree in stack {
                    tally(tree, found);
                }
            }
            Content::Reporter { block, .. } => tally(block, found),
            Content::Typed(_) => {}
        }
    }
}

impl Count {
    fn scripts(&mut self, old: &[Vec<Tree>], new: &[Vec<Tree>]) {
        let partners = partners(old, new);
        for (script, partner) in old.iter().zip(&partners) {
            match partner {
                Some(partner) => self.stack(script, &new[*partner]),
                None => self.removed += self.size(script),
            }
        }
        let fresh = new.iter().enumerate().filter(|(number, _)| !partners.contains(&Some(*number)));
        self.added += fresh.map(|(_, script)| self.size(script)).sum::<usize>();
    }

    fn stack(&mut self, old: &[Tree], new: &[Tree]) {
        let pairs = align(old, new).0;
        let gone = old.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|(kept, _)| kept == at));
        let fresh = new.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|(_, kept)| kept == at));
        self.removed += gone.map(|(_, tree)| self.blocks(tree)).sum::<usize>();
        self.added += fresh.map(|(_, tree)| self.blocks(tree)).sum::<usize>();
        for (before, after) in pairs {
            self.pair(&old[before], &new[after]);
        }
    }

    fn pair(&mut self, old: &Tree, new: &Tree) {
        let mut altered = old.fields != new.fields;
        let names = old.slots.keys().chain(new.slots.keys().filter(|name| !old.slots.contains_key(*name)));
        for name in names {
            match (old.slots.get(name), new.slots.get(name)) {
                (Some(Content::Stack(old)), Some(Content::Stack(new))) => self.stack(old, new),
                (Some(Content::Stack(stack)), _) => self.removed += self.size(stack),
                (_, Some(Content::Stack(stack))) => self.added += self.size(stack),
                (old, new) if self.counted == Counted::Statements => altered |= old != new,
                (Some(Content::Reporter { block: old, .. }), Some(Content::Reporter { block: new, .. }))
                    if similarity(old, new) > 0 =>
                {
                    self.pair(old, new);
                }
                (Some(Content::Typed(old)), Some(Content::Typed(new))) => altered |= old != new,
                (old, new) => {
                    self.removed += old.map_or(0, |content| self.held(content));
                    self.added += new.map_or(0, |content| self.held(content));
                }
            }
        }
        self.altered += usize::from(altered);
    }

    fn size(&self, stack: &[Tree]) -> usize {
        stack.iter().map(|tree| self.blocks(tree)).sum()
    }

    fn blocks(&self, tree: &Tree) -> usize {
        1 + tree.slots.values().map(|content| self.held(content)).sum::<usize>()
    }

    fn held(&self, content: &Content) -> usize {
        match content {
            Content::Stack(stack) => self.size(stack),
            Content::Reporter { block, .. } if self.counted == Counted::All => self.blocks(block),
            Content::Reporter { .. } | Content::Typed(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A project whose sprite has these blocks: id, opcode, next, inputs.
    fn project(blocks: &[(&str, &str, Option<&str>, serde_json::Value)]) -> Project {
        let mut object = serde_json::Map::new();
        for (number, (id, opcode, next, inputs)) in blocks.iter().enumerate() {
            let parent = number.checked_sub(1).map(|before| blocks[before].0);
            let block = json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": {},
                "shadow": false, "topLevel": parent.is_none(), "x": 0, "y": 0});
            object.insert((*id).to_owned(), block);
        }
        let json = json!({"targets": [{"name": "Bee", "isStage": false, "blocks": object}]});
        Project::from_json(&json.to_string(), BTreeMap::new()).unwrap()
    }

    #[test]
    fn what_is_added_altered_replaced_and_moved_counts_once_each() {
        let steps = |n: u32| json!({"STEPS": [1, [4, n.to_string()]]});
        let hat = ("a", "event_whenflagclicked", Some("b"), json!({}));
        let one = project(&[hat.clone(), ("b", "motion_movesteps", None, steps(10))]);
        let all = |one: &Project, other: &Project| changed_blocks(one, other, Counted::All);
        assert_eq!(all(&one, &one), 0);
        let altered = project(&[hat.clone(), ("b", "motion_movesteps", None, steps(20))]);
        assert_eq!(all(&one, &altered), 1);
        let longer = project(&[
            hat.clone(),
            ("b", "motion_movesteps", Some("c"), steps(10)),
            ("c", "looks_show", None, json!({})),
        ]);
        assert_eq!((all(&one, &longer), all(&longer, &one)), (1, 1));
        let replaced = project(&[hat.clone(), ("b", "looks_hide", None, json!({}))]);
        assert_eq!(all(&one, &replaced), 1);
        let swapped =
            project(&[hat, ("b", "looks_show", Some("c"), json!({})), ("c", "motion_movesteps", None, steps(10))]);
        assert_eq!(all(&longer, &swapped), 1, "a moved block");
        assert_eq!(block_types(&longer).len(), 3);
    }

    #[test]
    fn reporters_count_for_the_block_that_they_lie_in_where_only_statements_count() {
        let hat = ("a", "event_whenflagclicked", Some("b"), json!({}));
        let plain = project(&[hat.clone(), ("b", "motion_movesteps", None, json!({"STEPS": [1, [4, "10"]]}))]);
        let reporter = json!({"STEPS": [3, "c", [4, "10"]]});
        let drawn =
            project(&[hat, ("b", "motion_movesteps", None, reporter), ("c", "motion_direction", None, json!({}))]);
        let both = |one, other| [Counted::All, Counted::Statements].map(|counted| changed_blocks(one, other, counted));
        assert_eq!(both(&plain, &drawn), [1, 1]);
        let empty = project(&[]);
        assert_eq!(both(&empty, &drawn), [3, 2]);
    }
}
