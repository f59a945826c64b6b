//! What is marked in the scripts of the two projects: blocks that the other one has not or has otherwise, and places where it has one more.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::compile::{Gap, Mark, MarkedScript};
use crate::project::Project;
use crate::project::edit::Edit;
use crate::project::view::{TargetView, targets};

/// Scripts with their marks, by target, in the order of the project. `to` leads to the project, `from` away from it.
pub(super) fn marked(project: &Project, to: &[Edit], from: &[Edit]) -> IndexMap<String, Vec<MarkedScript>> {
    let mut found: IndexMap<String, Vec<MarkedScript>> = IndexMap::new();
    for target in targets(&project.json) {
        let name = target.sprite_id();
        let own = |edit: &&Edit| edit.sprite_id() == name;
        let mut scripts: Vec<MarkedScript> = Vec::new();
        let mut known = BTreeSet::new();
        for mark in to.iter().chain(from).filter(own).map(mark) {
            if known.insert((mark.block.clone(), mark.input.clone()))
                && let Some(first) = first_of(target, &mark.block)
            {
                script(&mut scripts, first).marks.push(mark);
            }
        }
        for gap in from.iter().filter(own).filter_map(gap) {
            let anchor = gap.above.as_ref().or(gap.below.as_ref());
            if let Some(first) = anchor.and_then(|block| first_of(target, block)) {
                script(&mut scripts, first).gaps.push(gap);
            }
        }
        if !scripts.is_empty() {
            found.insert(name.to_owned(), scripts);
        }
    }
    found
}

fn script(scripts: &mut Vec<MarkedScript>, first: String) -> &mut MarkedScript {
    let at = scripts.iter().position(|known| known.first == first).unwrap_or_else(|| {
        scripts.push(MarkedScript { first, ..MarkedScript::default() });
        scripts.len() - 1
    });
    &mut scripts[at]
}

/// What an edit removes, adds or changes. A slot that gets something else is marked by itself.
fn mark(edit: &Edit) -> Mark {
    let input = match edit {
        Edit::Modify { path, .. } => path.strip_prefix("inputs/").map(str::to_owned),
        Edit::Remove { .. } | Edit::Add { .. } => None,
    };
    Mark { block: edit.block_id().to_owned(), input }
}

/// Where an edit puts a block that is not there yet.
fn gap(edit: &Edit) -> Option<Gap> {
    match edit {
        Edit::Add { parent, input, next, .. } => {
            Some(Gap { above: parent.clone(), input: input.clone(), below: next.clone() })
        }
        Edit::Remove { .. } | Edit::Modify { .. } => None,
    }
}

/// The first block of the script that a block is in; nothing of a block that is not there.
fn first_of(target: TargetView<'_>, id: &str) -> Option<String> {
    let mut block = target.block(id)?;
    let mut seen = BTreeSet::new();
    while let Some(parent) = block.parent.filter(|_| seen.insert(block.id)) {
        block = target.block(parent)?;
    }
    Some(block.id.to_owned())
}
