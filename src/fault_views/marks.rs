//! What is marked in the scripts of the two projects: blocks that the other one has not or has otherwise, and places where it has one more.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::compile::{Gap, Mark, MarkedScript};
use crate::project::Project;
use crate::project::edit::{Anchor, At, Edit, EditSet, NormalEdit};
use crate::project::view::{TargetView, targets};

/// Scripts with their marks, by target, in the order of the project. `to` leads to the project, `from` away from it.
pub(super) fn marked(project: &Project, to: &[Edit], from: &[Edit]) -> IndexMap<String, Vec<MarkedScript>> {
    let marks = to.iter().chain(from).map(|edit| (edit.sprite_id(), mark(edit)));
    let gaps = from.iter().filter_map(|edit| Some((edit.sprite_id(), gap(edit)?)));
    grouped(project, &marks.collect::<Vec<_>>(), &gaps.collect::<Vec<_>>())
}

/// The same by the normalised edits that lead from the project to another one.
pub(crate) fn marked_by(project: &Project, edits: &EditSet) -> IndexMap<String, Vec<MarkedScript>> {
    let (mut marks, mut gaps) = (Vec::new(), Vec::new());
    for edit in edits.iter() {
        match edit {
            NormalEdit::Remove { sprite_id, block_id } => {
                marks.push((sprite_id.as_str(), Mark { block: block_id.clone(), input: None }));
            }
            NormalEdit::Modify { sprite_id, block_id, path, .. } => {
                let input = path.strip_prefix("inputs/").map(str::to_owned);
                marks.push((sprite_id.as_str(), Mark { block: block_id.clone(), input }));
            }
            NormalEdit::Add { sprite_id, anchor, .. } => {
                gaps.extend(gap_at(anchor).map(|gap| (sprite_id.as_str(), gap)));
            }
        }
    }
    grouped(project, &marks, &gaps)
}

/// Where a new block hangs; nothing of one in another new block, or of a script of its own.
fn gap_at(anchor: &Anchor) -> Option<Gap> {
    let (above, input, below) = match &anchor.at {
        _ if !anchor.through.is_empty() => return None,
        At::After(id) => (Some(id.clone()), None, None),
        At::In(id, input) => (Some(id.clone()), Some(input.clone()), None),
        At::Start(id) => (None, None, Some(id.clone()?)),
    };
    Some(Gap { above, input, below })
}

fn grouped(project: &Project, marks: &[(&str, Mark)], gaps: &[(&str, Gap)]) -> IndexMap<String, Vec<MarkedScript>> {
    let mut found: IndexMap<String, Vec<MarkedScript>> = IndexMap::new();
    for target in targets(&project.json) {
        let name = target.sprite_id();
        let mut scripts: Vec<MarkedScript> = Vec::new();
        let mut known = BTreeSet::new();
        for (_, mark) in marks.iter().filter(|(sprite, _)| *sprite == name) {
            if known.insert((mark.block.clone(), mark.input.clone()))
                && let Some(first) = first_of(target, &mark.block)
            {
                script(&mut scripts, first).marks.push(mark.clone());
            }
        }
        for (_, gap) in gaps.iter().filter(|(sprite, _)| *sprite == name) {
            let anchor = gap.above.as_ref().or(gap.below.as_ref());
            if let Some(first) = anchor.and_then(|block| first_of(target, block)) {
                let gaps = &mut script(&mut scripts, first).gaps;
                if !gaps.contains(gap) {
                    gaps.push(gap.clone());
                }
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
    while seen.insert(block.id)
        && let Some(holder) = target.holder(block.id)
    {
        block = holder;
    }
    Some(block.id.to_owned())
}
