//! Patches of the kinds that people write where they mean to repair, or to get past a suite: right in another way; wrong where no assertion
//! looks; right with damage elsewhere; the gate taken away that does not let through; a constant in place of a counter. What a suite makes
//! of each kind says more of it than a share over all.

use serde::Serialize;
use serde_json::Value;
use strum::IntoEnumIterator as _;

use super::adequacy::FixOutcome;
use super::foreign::{Damage, counters, foreign_damage};
use super::near_misses::{Repair, near_misses};
use super::plays::Plays;
use super::right_repairs::right_repairs;
use super::suite_trial::SuiteTrial;
use crate::bugs::{Instance, Site};
use crate::judge::PlayError;
use crate::mutants::benign;
use crate::patches::effects::{Line, Program};
use crate::project::Project;
use crate::project::edit::{Edit, apply};

/// Patches of a kind that are tried on an instance, at most.
const MOST_OF_KIND: usize = 6;
/// Near misses that are tried for those of which no assertion takes notice.
const MOST_NEAR: usize = 12;
/// Rewrites of gold among those that are right in another way.
const MOST_REWRITES: usize = 3;
/// What lets through only under a condition, and whether it holds what it lets through.
const GATES: [(&str, bool); 5] = [
    ("control_if", true),
    ("control_if_else", true),
    ("control_repeat_until", true),
    ("control_while", true),
    ("control_wait_until", false),
];

/// A kind of patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::Display, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// A repair that looks otherwise than the true one: a suite must accept it.
    RightOtherwise,
    /// Near the true repair, wrong, and no assertion notices.
    WrongUnasserted,
    /// The true repair, and damage in another script.
    RightWithDamage,
    /// What does not let through is taken away, and what it should hold back comes as well.
    GateRemoved,
    /// The true repair, with a constant in place of what is counted or reckoned.
    ConstantForCounter,
}

impl Kind {
    /// Whether a suite should accept it.
    pub const fn is_right(self) -> bool {
        matches!(self, Self::RightOtherwise)
    }
}

/// A patch that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Made {
    pub instance: String,
    pub kind: Kind,
    /// What it does.
    pub name: String,
    pub outcome: FixOutcome,
}

/// What suites make of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KindRow {
    pub kind: Kind,
    /// Whether they should accept it.
    pub is_right: bool,
    pub tried: usize,
    pub accepted: usize,
    /// Rejected by an assertion, and by guards alone.
    pub by_assertions: usize,
    pub by_guards: usize,
    /// Of wrong ones, those in which nobody would notice a difference to gold.
    pub equivalent: usize,
}

/// Counts patches by kind, all kinds in their order.
pub fn kind_rows(all: &[Made]) -> Vec<KindRow> {
    let of = |kind: Kind| {
        let own = || all.iter().filter(move |made| made.kind == kind);
        let count = |outcome: FixOutcome| own().filter(|made| made.outcome == outcome).count();
        KindRow {
            kind,
            is_right: kind.is_right(),
            tried: own().count(),
            accepted: count(FixOutcome::Accepted),
            by_assertions: count(FixOutcome::Rejected),
            by_guards: count(FixOutcome::BreaksGuard),
            equivalent: count(FixOutcome::Equivalent),
        }
    };
    Kind::iter().map(of).collect()
}

/// Tries patches of all kinds on an instance's suite. Damage is chosen by the seed.
///
/// # Errors
/// When no page holds, or gold can't be played.
pub async fn kinds(instance: &Instance, plays: &Plays, seed: u64) -> Result<Vec<Made>, PlayError> {
    let trial = SuiteTrial::of(instance, plays).await?;
    let mut found = Vec::new();
    for (kind, name, json) in patches(&trial.golden, &trial.buggy.json, instance, seed) {
        let project = Project { json, assets: trial.golden.assets.clone() };
        if project.check().is_err() {
            continue;
        }
        let outcome = if kind.is_right() { trial.verdict(&project).await? } else { trial.outcome(&project).await? };
        // What an assertion notices is of another kind.
        if kind != Kind::WrongUnasserted || outcome != FixOutcome::Rejected {
            found.push(Made { instance: instance.entry.id.clone(), kind, name, outcome });
        }
    }
    Ok(found)
}

/// A patched project, with its kind and what was done.
type Patched = (Kind, String, Value);

fn patches(golden: &Project, buggy: &Value, instance: &Instance, seed: u64) -> Vec<Patched> {
    let (inverse, site, gold) = (&instance.truth.inverse, &instance.truth.site, &golden.json);
    let rewrites = benign(golden, golden, "", MOST_REWRITES, seed).mutants.into_iter();
    let rewrites = rewrites.map(|one| {
        let json = one.project(golden).json;
        (one.id, json)
    });
    let repaired = |all: Vec<Repair>| all.into_iter().map(|repair| (repair.name, repair.project));
    let damage = foreign_damage(golden, site, MOST_OF_KIND, seed).into_iter();
    let kinds: [(Kind, Vec<(String, Value)>); 5] = [
        (Kind::RightOtherwise, repaired(right_repairs(buggy, gold, inverse, site)).chain(rewrites).collect()),
        (Kind::WrongUnasserted, repaired(near_misses(buggy, inverse)).collect()),
        (Kind::RightWithDamage, damage.map(|Damage { name, project }| (name, project)).collect()),
        (Kind::GateRemoved, gates_removed(buggy, site)),
        (Kind::ConstantForCounter, constants_for_counters(gold, site)),
    ];
    let is_other = |json: &Value| json != gold && json != buggy;
    let all = kinds.into_iter().flat_map(|(kind, all)| {
        let most = if kind == Kind::WrongUnasserted { MOST_NEAR } else { MOST_OF_KIND };
        let all = all.into_iter().filter(|(_, json)| is_other(json)).take(most);
        all.map(|(name, json)| (kind, name, json)).collect::<Vec<Patched>>()
    });
    all.collect()
}

/// Lines of the fault's script first, then all others.
fn nearest<'p, 'a>(program: &'p Program<'a>, site: &Site) -> Vec<&'p Line<'a>> {
    let is_own = |line: &&Line<'a>| line.sprite == site.sprite_id && program.scripts[line.script].root == site.script;
    let (own, others): (Vec<&Line<'a>>, Vec<&Line<'a>>) = program.lines.iter().partition(is_own);
    own.into_iter().chain(others).collect()
}

/// Gates of the buggy project that are taken away, with what they hold left in place.
fn gates_removed(buggy: &Value, site: &Site) -> Vec<(String, Value)> {
    let program = Program::of(buggy);
    let removed = nearest(&program, site).into_iter().filter_map(|line| {
        let (id, opcode) = (line.statement.block.id, line.statement.block.opcode);
        let (_, splice) = GATES.iter().find(|(gate, _)| *gate == opcode)?;
        let edit = Edit::Remove { sprite_id: line.sprite.clone(), block_id: id.to_owned(), splice: *splice };
        let json = apply(buggy, &[edit]).ok()?;
        Some((format!("{opcode} of {} at {} removed", line.sprite, line.statement.path), json))
    });
    removed.take(MOST_OF_KIND).collect()
}

/// Counters of gold that are set in place of changed.
fn constants_for_counters(gold: &Value, site: &Site) -> Vec<(String, Value)> {
    let program = Program::of(gold);
    let counted = nearest(&program, site).into_iter().filter_map(counters);
    counted.filter_map(|(name, patch)| Some((name, apply(gold, &patch).ok()?))).take(MOST_OF_KIND).collect()
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
