//! The project as a model sees it (EcoScratch, section 3, E4): what there is in each target, each script in a line, and of the scripts that
//! matter most all blocks with pointers to copy. How much of it is shown is the plan's.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::hints::Hints;
use super::localise::Suspect;
use crate::forge::says::is_reported;
use crate::json_patch::join;
use crate::notation::program::Program;
use crate::project::Project;
use crate::project::reach::{Reach, Start};
use crate::project::view::{Slot, TargetView, targets};

/// What decides which scripts are shown first.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub hints: &'a Hints,
    /// The inputs that lead to the fault, in words.
    pub trigger: &'a [String],
    /// Statements that traces speak against, the most suspect first; empty where no hint comes from traces.
    pub suspects: &'a [Suspect],
}

/// Points of a script by what speaks for it.
const NAMED_TARGET: u32 = 8;
const WRITES_DIFFERING: u32 = 6;
const NAMED_VALUE: u32 = 4;
const SET_OFF: u32 = 3;
const REACHED: u32 = 2;
/// Suspects that speak for their scripts.
const SUSPECTS: usize = 10;

/// A script as it may be shown.
struct Shown {
    points: u32,
    /// Its place in the project, for ties.
    at: usize,
    text: String,
}

/// The project within so many characters.
pub fn view(project: &Value, wanted: Wanted<'_>, limit: usize) -> String {
    let program = Program::of(&Project { json: project.clone(), assets: std::collections::BTreeMap::new() });
    let mut text = outline(project, &program);
    if text.chars().count() > limit {
        return cut(&text, limit);
    }
    let mut scripts = shown(project, &program, wanted);
    scripts.sort_by_key(|script| (std::cmp::Reverse(script.points), script.at));
    let all = scripts.len();
    let mut whole = 0;
    for script in scripts {
        let left = limit.saturating_sub(text.chars().count());
        let length = script.text.chars().count();
        if length < left {
            text.push('\n');
            text.push_str(&script.text);
            whole += 1;
        } else if whole == 0 && left > 1 {
            // The script that matters most is shown as far as it fits.
            text.push('\n');
            text.push_str(&cut(&script.text, left - 1));
            break;
        }
    }
    if whole < all {
        let _ = write!(text, "\n({} of {all} scripts are not shown.)", all - whole);
    }
    text
}

/// Whole lines of a text up to so many characters.
fn cut(text: &str, limit: usize) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        if kept.chars().count() + line.chars().count() + 1 > limit {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept.trim_end().to_owned()
}

/// A line a target, and one a script.
fn outline(project: &Value, program: &Program) -> String {
    let mut text = String::new();
    for ((at, target), scripts) in targets(project).enumerate().zip(&program.targets) {
        let names = |key: &str| -> Vec<String> {
            target.entries(key).filter_map(|(id, value)| Some(format!("{}={id}", value.get(0)?.as_str()?))).collect()
        };
        let messages: Vec<String> = target
            .entries("broadcasts")
            .map(|(id, name)| format!("{}={id}", name.as_str().unwrap_or_default()))
            .collect();
        let costumes: Vec<&str> = target.items("costumes").iter().filter_map(|one| one["name"].as_str()).collect();
        let _ = write!(text, "/targets/{at} {}", target.sprite_id());
        for (kind, all) in [("variables", names("variables")), ("lists", names("lists")), ("broadcasts", messages)] {
            if !all.is_empty() {
                let _ = write!(text, "; {kind}: {}", all.join(", "));
            }
        }
        let _ = writeln!(text, "; costumes: {}", costumes.join(", "));
        for (slot, script) in target.scripts().into_iter().zip(&scripts.scripts) {
            if let Slot::Block(root) = slot {
                let hat = script.lines().next().unwrap_or_default();
                let _ = writeln!(text, "  {hat} ({} blocks)", own(target, root).count());
            }
        }
    }
    text.trim_end().to_owned()
}

/// The blocks of a script, defaults of slots included, in the order of the file.
fn own<'a>(target: TargetView<'a>, root: &'a str) -> impl Iterator<Item = &'a str> {
    target.entries("blocks").map(|(id, _)| id).filter(move |id| target.root(id) == root)
}

fn shown(project: &Value, program: &Program, wanted: Wanted<'_>) -> Vec<Shown> {
    let reach = Reach::of(project);
    let starts: Vec<Start> = reach.scripts.iter().map(|script| script.start.clone()).collect();
    let reported: Vec<Start> = starts.into_iter().filter(|start| is_reported(start, wanted.trigger)).collect();
    let reached = reach.reached_by(&reported);
    let is_suspect = |target: TargetView<'_>, ids: &BTreeSet<&str>| {
        let mut first = wanted.suspects.iter().take(SUSPECTS);
        first.any(|one| one.target == target.sprite_id() && ids.contains(one.block.as_str()))
    };
    let mut all = Vec::new();
    for ((place, target), texts) in targets(project).enumerate().zip(&program.targets) {
        for (slot, notation) in target.scripts().into_iter().zip(&texts.scripts) {
            let Slot::Block(root) = slot else { continue };
            let ids: BTreeSet<&str> = own(target, root).collect();
            let mut points = 0;
            points += if wanted.hints.targets.iter().any(|name| name == target.sprite_id()) { NAMED_TARGET } else { 0 };
            points += if is_suspect(target, &ids) { WRITES_DIFFERING } else { 0 };
            let names = wanted.hints.values.iter().chain(&wanted.hints.messages);
            points += if names.into_iter().any(|name| notation.contains(name.as_str())) { NAMED_VALUE } else { 0 };
            let script = reach.scripts.iter().position(|one| one.target == target.sprite_id() && one.root == root);
            points += match script {
                Some(at) if reported.contains(&reach.scripts[at].start) => SET_OFF,
                Some(at) if reached.contains(&at) => REACHED,
                _ => 0,
            };
            all.push(Shown { points, at: all.len(), text: excerpt(target, place, root, notation) });
        }
    }
    all
}

/// A script in notation, then a line a block: its pointer, and its JSON without its place.
fn excerpt(target: TargetView<'_>, place: usize, root: &str, notation: &str) -> String {
    let mut text = format!("--- /targets/{place} {}\n{}\n", target.sprite_id(), notation.trim_end());
    for id in own(target, root) {
        let Some(block) = target.get("blocks").and_then(|blocks| blocks.get(id)) else { continue };
        let mut block = block.clone();
        if let Some(members) = block.as_object_mut() {
            members.retain(|name, _| name != "x" && name != "y");
        }
        let pointer = join(&format!("/targets/{place}/blocks"), id);
        let _ = writeln!(text, "{pointer} {block}");
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
