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
mod tests {
    use serde_json::json;

    use super::super::fakes::block;
    use super::*;

    /// A stage that counts in a gate of its second script.
    fn gold() -> Value {
        let score = || json!({"VARIABLE": ["score", "s1"]});
        let none = || json!({});
        let blocks = json!({
            "flag": block("event_whenflagclicked", None, Some("count"), none(), none()),
            "count": block("data_changevariableby", Some("flag"), None, json!({"VALUE": [1, [4, "2"]]}), score()),
            "click": block("event_whenstageclicked", None, Some("gate"), none(), none()),
            "gate": block("control_if", Some("click"), None, json!({"CONDITION": [2, "down"], "SUBSTACK": [2, "more"]}), none()),
            "down": block("sensing_mousedown", Some("gate"), None, none(), none()),
            "more": block("data_changevariableby", Some("gate"), None, json!({"VALUE": [1, [4, "1"]]}), score())
        });
        let mut json = json!({"targets": [{"isStage": true, "name": "Stage", "variables": {"s1": ["score", 0]}, "lists": {}, "broadcasts": {},
            "comments": {}, "blocks": blocks, "costumes": [], "sounds": []}], "monitors": [], "extensions": [], "meta": {}});
        crate::project::edit::canonical(&mut json);
        json
    }

    fn site() -> Site {
        let words = |word: &str| word.to_owned();
        Site { sprite_id: words("Stage"), script: words("click"), block_id: words("more"), path: words("1.1") }
    }

    #[test]
    fn gates_are_removed_with_what_they_hold_left() {
        let [(name, json)] = gates_removed(&gold(), &site()).try_into().unwrap();
        assert!(name.starts_with("control_if of Stage"), "{name}");
        let blocks = &json["targets"][0]["blocks"];
        assert_eq!((&blocks["click"]["next"], blocks.get("gate")), (&json!("more"), None));
    }

    #[test]
    fn counters_near_the_fault_are_set_first() {
        let found = constants_for_counters(&gold(), &site());
        let values: Vec<&Value> = found
            .iter()
            .filter_map(|(_, json)| {
                let mut blocks = json["targets"][0]["blocks"].as_object()?.values();
                blocks.find(|block| block["opcode"] == "data_setvariableto").map(|set| &set["inputs"]["VALUE"][1][1])
            })
            .collect();
        assert_eq!(values, [&json!("1"), &json!("2")]);
    }

    #[test]
    fn rows_have_all_kinds_and_say_what_rejected_them() {
        use FixOutcome::{Accepted, BreaksGuard, Equivalent, Rejected};
        let made = |kind, outcome| Made { instance: "moth".to_owned(), kind, name: String::new(), outcome };
        let all = [
            made(Kind::RightOtherwise, Accepted),
            made(Kind::RightWithDamage, BreaksGuard),
            made(Kind::RightWithDamage, Rejected),
            made(Kind::RightWithDamage, Accepted),
            made(Kind::RightWithDamage, Equivalent),
        ];
        let rows = kind_rows(&all);
        assert_eq!(rows.len(), Kind::iter().count());
        assert_eq!((rows[0].is_right, rows[0].tried, rows[0].accepted), (true, 1, 1));
        let row = rows.iter().find(|row| row.kind == Kind::RightWithDamage).unwrap();
        assert_eq!((row.tried, row.accepted, row.by_assertions, row.by_guards, row.equivalent), (4, 1, 1, 1, 1));
        assert!(rows[1..].iter().all(|row| !row.is_right));
    }
}
