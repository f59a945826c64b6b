//! Matches the blocks of the initial project with those of the golden one.

use super::tree::{Content, Tree};

/// The similarity of two blocks: 0 when one can't be edited into the other.
pub(super) fn similarity(old: &Tree, new: &Tree) -> usize {
    let same_kind = old.opcode == new.opcode && old.procedure == new.procedure;
    if !same_kind {
        return 0;
    }
    let fields = old.fields.iter().filter(|(name, value)| new.fields.get(*name) == Some(*value)).count();
    let slots = old.slots.iter().filter_map(|(name, content)| Some(shared(content, new.slots.get(name)?)));
    2 + fields + slots.sum::<usize>()
}

fn shared(old: &Content, new: &Content) -> usize {
    match (old, new) {
        (Content::Stack(old), Content::Stack(new)) => align(old, new).1,
        (Content::Reporter { block: old, .. }, Content::Reporter { block: new, .. }) => similarity(old, new),
        (Content::Typed(old), Content::Typed(new)) => usize::from(old == new),
        _ => 0,
    }
}

/// Pairs of positions, in order on both sides, that have most in common, and how much that is.
pub(super) fn align(old: &[Tree], new: &[Tree]) -> (Vec<(usize, usize)>, usize) {
    let like: Vec<Vec<usize>> =
        old.iter().map(|one| new.iter().map(|other| similarity(one, other)).collect()).collect();
    // best[i][j] is what the tails from i and j can have in common.
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let paired = if like[i][j] > 0 { like[i][j] + best[i + 1][j + 1] } else { 0 };
            best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if like[i][j] > 0 && best[i][j] == like[i][j] + best[i + 1][j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (pairs, best[0][0])
}

/// For each old script the new one that it becomes, most alike first; equal pairs keep the order of the project.
pub(super) fn partners(old: &[Vec<Tree>], new: &[Vec<Tree>]) -> Vec<Option<usize>> {
    let mut pairs = Vec::new();
    for (i, before) in old.iter().enumerate() {
        for (j, after) in new.iter().enumerate() {
            let alike = align(before, after).1;
            if alike > 0 {
                pairs.push((std::cmp::Reverse(alike), i.abs_diff(j), i, j));
            }
        }
    }
    pairs.sort_unstable();
    let (mut partner, mut taken) = (vec![None; old.len()], vec![false; new.len()]);
    for (_, _, i, j) in pairs {
        if partner[i].is_none() && !taken[j] {
            partner[i] = Some(j);
            taken[j] = true;
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn block(opcode: &str, value: &str) -> Tree {
        Tree {
            opcode: opcode.into(),
            fields: BTreeMap::new(),
            slots: BTreeMap::from([("STEPS".into(), Content::Typed(value.into()))]),
            procedure: None,
        }
    }

    #[test]
    fn blocks_of_one_kind_are_paired_by_what_is_in_them() {
        let old = [block("move", "1"), block("turn", "2"), block("move", "3")];
        let new = [block("move", "3"), block("wait", "1")];
        assert_eq!(align(&old, &new), (vec![(2, 0)], 3));
        assert_eq!(align(&old, &old), (vec![(0, 0), (1, 1), (2, 2)], 9));
    }

    #[test]
    fn scripts_are_paired_once() {
        let script = |value: &str| vec![block("flag", ""), block("move", value)];
        let (one, two) = (script("1"), script("2"));
        assert_eq!(partners(&[one.clone(), two.clone()], &[two, one.clone()]), [Some(1), Some(0)]);
        assert_eq!(partners(&[one.clone(), one.clone()], &[one]), [Some(0), None]);
    }
}
