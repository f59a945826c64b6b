//! Differences between two projects: variables and lists, and blocks, per target and script.
//!
//! Ids do not help here, because the editor and our builds assign new ones. A block is compared by its line of
//! notation, and the scripts of a target are paired by how many lines they share.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::numbered;
use crate::{Script, TextTarget, from_project};
use scratchbed_project::{Project, beside};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetDiff {
    pub target: String,
    /// Variables and lists that only the second project has.
    pub added_names: Vec<String>,
    /// Variables and lists that only the first project has.
    pub removed_names: Vec<String>,
    pub scripts: Vec<ScriptDiff>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptDiff {
    /// Its number in the first project, from 0; none for a new script.
    pub before: Option<usize>,
    /// Its number in the second project, from 0; none for a script that is gone.
    pub after: Option<usize>,
    /// All its lines in order, each with what happened to it.
    pub lines: Vec<(Change, String)>,
}

/// What happened to a line of notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is in both projects.
    Kept,
    /// Only the first project has it.
    Removed,
    /// Only the second project has it.
    Added,
}

impl Change {
    /// How the line is marked in a listing of changes; none for a line that stays.
    pub const fn sign(self) -> Option<char> {
        match self {
            Self::Kept => None,
            Self::Removed => Some('-'),
            Self::Added => Some('+'),
        }
    }
}

impl ScriptDiff {
    /// Lines that were added or removed, `else` and `end` apart, which are part of another block.
    pub fn changed_blocks(&self) -> usize {
        let is_block = |line: &str| !matches!(line.trim(), "end" | "else" | "}");
        self.lines.iter().filter(|(change, line)| *change != Change::Kept && is_block(line)).count()
    }
}

/// The differences between two projects; targets without any are left out.
pub fn diff(before: &Project, after: &Project) -> Vec<TargetDiff> {
    // What a script writes for a variable depends on what else is declared: each version is written among the names of both.
    let written = |one: &Project, other: &Project| {
        from_project(&Project { json: beside(&one.json, &other.json), assets: BTreeMap::new() }).document.targets
    };
    let lines = |targets: Vec<TextTarget>| targets.into_iter().map(|target| target.scripts).collect::<Vec<_>>();
    let scripts = (lines(written(before, after)), lines(written(after, before)));
    let with = |one: &Project, scripts: Vec<Vec<Script>>| -> Vec<TextTarget> {
        let targets = from_project(one).document.targets.into_iter().zip(scripts);
        targets.map(|(target, scripts)| TextTarget { scripts, ..target }).collect()
    };
    let (before, after) = (with(before, scripts.0), with(after, scripts.1));
    let names: Vec<&str> = before.iter().map(|target| target.name.as_str()).collect();
    let new = after.iter().filter(|target| !names.contains(&target.name.as_str()));
    let pairs = before.iter().map(|old| (Some(old), after.iter().find(|target| target.name == old.name)));
    let all = pairs.chain(new.map(|new| (None, Some(new))));
    all.map(|(old, new)| target_diff(old, new)).filter(|diff| !diff.is_empty()).collect()
}

impl TargetDiff {
    const fn is_empty(&self) -> bool {
        self.added_names.is_empty() && self.removed_names.is_empty() && self.scripts.is_empty()
    }
}

fn target_diff(old: Option<&TextTarget>, new: Option<&TextTarget>) -> TargetDiff {
    let (before, after) = (declared(old), declared(new));
    TargetDiff {
        target: old.or(new).map(|target| target.name.clone()).unwrap_or_default(),
        added_names: after.difference(&before).map(|(name, _)| name.clone()).collect(),
        removed_names: before.difference(&after).map(|(name, _)| name.clone()).collect(),
        scripts: script_diffs(&lines_of(old), &lines_of(new)),
    }
}

/// What a target declares, and whether it is a list.
fn declared(target: Option<&TextTarget>) -> BTreeSet<(String, bool)> {
    let variables =
        target.iter().flat_map(|target| &target.variables).map(|one| (numbered(&one.name, one.number), false));
    let lists = target.iter().flat_map(|target| &target.lists).map(|one| (numbered(&one.name, one.number), true));
    variables.chain(lists).collect()
}

fn lines_of(target: Option<&TextTarget>) -> Vec<Vec<String>> {
    let scripts = target.into_iter().flat_map(|target| &target.scripts);
    scripts.map(|script| script.text.lines().map(str::to_owned).collect()).collect()
}

/// Pairs scripts, those that share most first, and lists those that differ.
pub fn script_diffs(before: &[Vec<String>], after: &[Vec<String>]) -> Vec<ScriptDiff> {
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (i, old) in before.iter().enumerate() {
        for (j, new) in after.iter().enumerate() {
            let shared = common(old, new)[0][0];
            if shared > 0 {
                pairs.push((shared, i, j));
            }
        }
    }
    // Equal scores keep the order of the file.
    pairs.sort_by_key(|(shared, i, j)| (std::cmp::Reverse(*shared), *i, *j));
    let mut partner: Vec<Option<usize>> = vec![None; before.len()];
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (_, i, j) in pairs {
        if partner[i].is_none() && taken.insert(j) {
            partner[i] = Some(j);
        }
    }
    let gone_or_kept = partner.iter().enumerate().map(|(i, j)| (Some(i), *j));
    let new = (0..after.len()).filter(|j| !taken.contains(j)).map(|j| (None, Some(j)));
    gone_or_kept
        .chain(new)
        .map(|(i, j)| {
            let empty = Vec::new();
            let old = i.and_then(|i| before.get(i)).unwrap_or(&empty);
            let new = j.and_then(|j| after.get(j)).unwrap_or(&empty);
            ScriptDiff { before: i, after: j, lines: line_diff(old, new) }
        })
        .filter(|diff| diff.lines.iter().any(|(change, _)| *change != Change::Kept))
        .collect()
}

/// Lengths of the longest common subsequences of all tails.
fn common(old: &[String], new: &[String]) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i][j] = if old[i] == new[j] { table[i + 1][j + 1] + 1 } else { table[i + 1][j].max(table[i][j + 1]) };
        }
    }
    table
}

fn line_diff(old: &[String], new: &[String]) -> Vec<(Change, String)> {
    let table = common(old, new);
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((Change::Kept, old[i].clone()));
            i += 1;
            j += 1;
        } else if j == new.len() || (i < old.len() && table[i + 1][j] >= table[i][j + 1]) {
            lines.push((Change::Removed, old[i].clone()));
            i += 1;
        } else {
            lines.push((Change::Added, new[j].clone()));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
