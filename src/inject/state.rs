//! Pattern 6, sprite state mismatch: the wrong picture, an invisible sprite, a wrong direction.

use super::edits::{Site, is_small, text};
use super::{Candidate, Pattern};
use crate::patches::effects::{Program, is_yield};
use crate::project::reach::chosen;
use crate::project::view::{TargetView, targets};

/// Statements about what a sprite or the stage looks like.
const STATE: [&str; 9] = [
    "looks_switchcostumeto",
    "looks_nextcostume",
    "looks_switchbackdropto",
    "looks_switchbackdroptoandwait",
    "looks_nextbackdrop",
    "looks_show",
    "looks_hide",
    "motion_pointindirection",
    "motion_setrotationstyle",
];
/// Other pictures at one place.
const VARIANTS: usize = 3;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live().filter(|line| STATE.contains(&line.statement.block.opcode)) {
        let site = Site { program, line, pattern: Pattern::SpriteStateMismatch };
        let block = &line.statement.block;
        if is_small(line.target, block) {
            found.push(site.candidate("SS.remove", block.id, "", vec![site.remove(block.id)]));
        }
        for (input, other) in pictures(&site) {
            let patch = vec![site.modify(block.id, &format!("inputs/{input}"), text(&other))];
            found.push(site.candidate("SS.swap", block.id, &other, patch));
        }
        let below = program.below(line).into_iter().find(|below| is_yield(&below.statement.block));
        if let Some(below) = below.filter(|_| is_small(line.target, block))
            && let Some(copy) = site.copy(block, site.id("moved"))
        {
            let patch = vec![site.remove(block.id), site.below(below.statement.block.id, copy)];
            found.push(site.candidate("SS.move", block.id, "", patch));
        }
    }
}

/// Other costumes or backdrops than the one that is chosen.
fn pictures(site: &Site<'_, '_>) -> Vec<(&'static str, String)> {
    let (input, target) = match site.line.statement.block.opcode {
        "looks_switchcostumeto" => ("COSTUME", Some(site.line.target)),
        "looks_switchbackdropto" | "looks_switchbackdroptoandwait" => {
            ("BACKDROP", targets(site.program.json).find(TargetView::is_stage))
        }
        _ => return Vec::new(),
    };
    let Some(chosen) = chosen(site.line.target, &site.line.statement.block, input) else { return Vec::new() };
    let names =
        target.into_iter().flat_map(|target| target.items("costumes")).filter_map(|costume| costume["name"].as_str());
    names.filter(|name| *name != chosen).take(VARIANTS).map(|name| (input, name.to_owned())).collect()
}
