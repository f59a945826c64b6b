//! Which blocks of two versions of a target are where they were. New blocks around old ones and gone ones do not count: what is put into
//! a loop that is laid around it stays in place.

use std::collections::{BTreeMap, BTreeSet};

use crate::view::{Block, Slot, TargetView};

/// Blocks of a target that are no shadows, with how they hang together.
pub(super) struct Side<'a> {
    pub(super) target: TargetView<'a>,
    pub(super) blocks: BTreeMap<&'a str, Block<'a>>,
    /// Ids in the order of the file.
    order: Vec<&'a str>,
}

/// A slot or mouth of an old block.
type Place<'a> = (&'a str, &'a str);

impl<'a> Side<'a> {
    pub(super) fn of(target: TargetView<'a>) -> Self {
        let own: Vec<Block<'a>> = target.blocks().filter(|block| !block.shadow).collect();
        let order = own.iter().map(|block| block.id).collect();
        Self { target, blocks: own.into_iter().map(|block| (block.id, block)).collect(), order }
    }

    /// The block in a slot, or the first in a mouth.
    pub(super) fn held(&self, slot: Option<&Slot<'a>>) -> Option<&Block<'a>> {
        match slot? {
            Slot::Block(id) => self.blocks.get(id),
            Slot::Primitive(_) => None,
        }
    }

    /// A block and those below it.
    pub(super) fn chain(&self, first: &Block<'a>) -> Vec<&Block<'a>> {
        let mut found: Vec<&Block<'a>> = Vec::new();
        let mut next = self.blocks.get(first.id);
        while let Some(block) = next.filter(|block| found.iter().all(|known| known.id != block.id)) {
            found.push(block);
            next = block.next.and_then(|id| self.blocks.get(id));
        }
        found
    }

    /// Kept blocks of a stack; others are replaced by those that they hold.
    fn kept(&self, first: &Block<'a>, kept: &BTreeSet<&str>) -> Vec<&'a str> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        // What is opened last is looked at first.
        let mut open: Vec<&Block<'a>> = self.chain(first).into_iter().rev().collect();
        while let Some(block) = open.pop() {
            if !seen.insert(block.id) {
                continue;
            }
            if kept.contains(block.id) {
                found.push(block.id);
                continue;
            }
            let mut inputs: Vec<_> = block.inputs().collect();
            inputs.sort_by_key(|input| std::cmp::Reverse(input.name));
            for input in inputs {
                if let Some(held) = self.held(input.value.as_ref()) {
                    open.extend(self.chain(held).into_iter().rev());
                }
            }
        }
        found
    }

    /// What is in the slots and mouths of kept blocks.
    fn places(&self, kept: &BTreeSet<&str>) -> BTreeMap<Place<'a>, Vec<&'a str>> {
        let mut places = BTreeMap::new();
        for block in self.blocks.values().filter(|block| kept.contains(block.id)) {
            for input in block.inputs() {
                if let Some(held) = self.held(input.value.as_ref()) {
                    places.insert((block.id, input.name), self.kept(held, kept));
                }
            }
        }
        places
    }

    /// The kept blocks of each script, in the order of the file.
    fn scripts(&self, kept: &BTreeSet<&str>) -> Vec<Vec<&'a str>> {
        let roots = self.order.iter().filter_map(|id| self.blocks.get(id)).filter(|block| block.top_level);
        roots.map(|root| self.kept(root, kept)).filter(|script| !script.is_empty()).collect()
    }
}

/// The ids of blocks that both sides have at the same place.
pub(super) fn in_place<'a>(from: &Side<'a>, to: &Side<'a>) -> BTreeSet<&'a str> {
    let kept: BTreeSet<&str> = from.blocks.keys().copied().filter(|id| to.blocks.contains_key(id)).collect();
    let mut in_place = BTreeSet::new();
    let after = to.places(&kept);
    for (place, before) in from.places(&kept) {
        if let Some(now) = after.get(&place) {
            in_place.extend(common(&before, now));
        }
    }
    in_place.extend(in_scripts(&from.scripts(&kept), &to.scripts(&kept)));
    in_place
}

/// Blocks that stayed in their script. Scripts are matched by the most blocks that they share: a first block may be new or gone.
fn in_scripts<'a>(before: &[Vec<&'a str>], now: &[Vec<&'a str>]) -> Vec<&'a str> {
    let mut at = BTreeMap::new();
    for (place, script) in now.iter().enumerate() {
        at.extend(script.iter().map(|id| (*id, place)));
    }
    let mut pairs = Vec::new();
    for (one, script) in before.iter().enumerate() {
        let others: BTreeSet<usize> = script.iter().filter_map(|id| at.get(id).copied()).collect();
        for other in others {
            let shared = common(script, &now[other]);
            // The order of scripts in the new file may be due to the order of edits, and tells nothing.
            pairs.push((std::cmp::Reverse(shared.len()), one, now[other][0], other, shared));
        }
    }
    pairs.sort();
    let (mut left, mut right, mut found) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (_, one, _, other, shared) in pairs {
        if !left.contains(&one) && !right.contains(&other) {
            left.insert(one);
            right.insert(other);
            found.extend(shared);
        }
    }
    found
}

/// A longest common subsequence.
fn common<'a>(one: &[&'a str], other: &[&'a str]) -> Vec<&'a str> {
    if one == other {
        return one.to_vec();
    }
    let width = other.len() + 1;
    let mut longest = vec![0_usize; (one.len() + 1) * width];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            longest[i * width + j] = if one[i] == other[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < one.len() && j < other.len() {
        if one[i] == other[j] {
            found.push(one[i]);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}
