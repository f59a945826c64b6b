//! A repair by text search: the baseline that shows whether a report gives its repair away. No model is asked, and nothing is understood.
//!
//! The symptom says which value is seen, and what is expected which one should be: a slot or field of the buggy project that holds the
//! wrong value is given the right one. Of several, the first of these: blocks that set the variable of the report; others that have it in
//! a field; those with the variable in another of their slots, as in a comparison; all others. Among equals, sprites that the report names
//! come before others, and then the order of the file decides. A variable that nothing sets is set at the green flag.

use serde_json::Value;

use super::adequacy::FixOutcome;
use super::check::same_bytes;
use super::misplaced::add;
use super::plays::{FirstRuns, Plays};
use super::verdict::{GoldenRuns, verdict};
use crate::bugs::{BugReport, Instance};
use crate::judge::PlayError;
use crate::model::Suite;
use crate::project::edit::{Edit, Literal, NewBlock, Operand, apply};
use crate::project::normalise::new_id;
use crate::project::view::{Block, Slot, TargetView, targets};
use crate::project::{Project, ProjectError};

/// Verbs before a value, the longer of a kind first.
const VERBS: [&str; 7] = [" is at most ", " is at least ", " is ", " becomes ", " shows ", " says ", " thinks "];
/// What follows a verb and is no value.
const NO_VALUES: [&str; 13] = [
    "not", "never", "the", "hidden", "nothing", "too", "further", "bigger", "smaller", "wrong", "another", "empty",
    "heard",
];
/// Primitives of messages: their text is a name, and changing it alone binds nothing.
const MESSAGE: u64 = 11;

/// What a report says of a value.
#[derive(Debug, PartialEq, Eq)]
struct Claim<'a> {
    /// The variable or list, if it is one.
    name: Option<&'a str>,
    value: &'a str,
}

/// The patch that the search comes to: one edit, or none where the report names no two values or nothing holds the wrong one.
pub fn text_search(buggy: &Value, report: &BugReport) -> Vec<Edit> {
    let claims = claim(&report.symptom).zip(claim(&report.expected));
    let Some((seen, wanted)) = claims.filter(|(seen, wanted)| !is_same(seen.value, wanted.value)) else {
        return Vec::new();
    };
    let first = seen.name.and_then(|name| first_value(buggy, name, wanted.value)).map(|edit| vec![edit]);
    if let Some(patch) = first.filter(|patch| apply(buggy, patch).is_ok()) {
        return patch;
    }
    let words = [&report.symptom, &report.expected].map(|text| text.to_lowercase()).join(" ");
    let mut found = Vec::new();
    for target in targets(buggy) {
        let is_named = words.contains(&target.name().to_lowercase());
        for block in target.blocks().filter(|block| !block.shadow) {
            let rank = rank(&block, seen.name);
            let places = places(target, &block).into_iter().filter(|(_, value)| is_same(value, seen.value));
            found.extend(places.map(|(path, _)| ((rank, !is_named), edit(target, &block, path, wanted.value))));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    let mut patches = found.into_iter().map(|(_, edit)| vec![edit]);
    patches.find(|patch| apply(buggy, patch).is_ok()).unwrap_or_default()
}

/// Whether the search repairs a buggy project: all assertions hold under every seed, and all guards, and nothing complains that does not in
/// gold.
///
/// # Errors
/// When no page holds, or gold can't be played.
pub(super) async fn is_found(
    buggy: &Project,
    (golden, golden_runs): (&Value, &GoldenRuns<'_>),
    report: &BugReport,
    suite: &Suite,
    plays: &Plays,
) -> Result<bool, PlayError> {
    let patch = text_search(&buggy.json, report);
    let Some(json) = apply(&buggy.json, &patch).ok().filter(|_| !patch.is_empty()) else { return Ok(false) };
    if same_bytes(&json, golden) {
        return Ok(true);
    }
    let project = Project { json, assets: buggy.assets.clone() };
    Ok(verdict(&project, golden_runs, suite, plays).await? == FixOutcome::Accepted)
}

/// The same of an instance of a benchmark.
///
/// # Errors
/// When a project of the instance can't be read, gold can't be played, or no page holds.
pub async fn is_repaired_by_search(instance: &Instance, plays: &Plays) -> Result<bool, PlayError> {
    let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
    let buggy = Project::read(&instance.buggy).map_err(broke)?;
    let golden = Project::read(&instance.golden).map_err(broke)?;
    let golden_runs = GoldenRuns::of(&instance.golden, FirstRuns::new());
    is_found(&buggy, (&golden.json, &golden_runs), &instance.report, &instance.suite, plays).await
}

/// What a sentence says of a value. Verbs within quotes are no verbs.
fn claim(sentence: &str) -> Option<Claim<'_>> {
    let plain = without_quoted(sentence);
    let verbs = VERBS.iter().filter_map(|verb| Some((plain.find(verb)?, *verb)));
    // Of verbs at one place, the longer one is the first.
    let (at, verb) = verbs.min_by_key(|(at, _)| *at)?;
    let (before, after) = (&sentence[..at], &sentence[at + verb.len()..]);
    let value = match after.strip_prefix('"') {
        Some(text) => text.split('"').next()?,
        None => after.split_whitespace().next()?.trim_end_matches([',', '.']),
    };
    let is_value = after.starts_with('"') || !NO_VALUES.contains(&value);
    let name = before.rsplit('"').nth(1);
    (is_value && !value.is_empty()).then_some(Claim { name, value })
}

/// The text with all that is between quotes blotted out, byte for byte.
fn without_quoted(text: &str) -> String {
    let mut is_quoted = false;
    let blotted = text.chars().map(|letter| {
        if letter == '"' {
            is_quoted = !is_quoted;
            return "\"".to_owned();
        }
        if is_quoted { "_".repeat(letter.len_utf8()) } else { letter.to_string() }
    });
    blotted.collect()
}

/// Whether Scratch takes two values for equal.
fn is_same(one: &str, other: &str) -> bool {
    match (one.trim().parse::<f64>(), other.trim().parse::<f64>()) {
        (Ok(one), Ok(other)) => (one - other).abs() < f64::EPSILON,
        _ => one.to_lowercase() == other.to_lowercase(),
    }
}

/// A variable that nothing sets, set to a value below a green flag: in the target that it belongs to, or else where it can be reached.
fn first_value(buggy: &Value, name: &str, value: &str) -> Option<Edit> {
    let all: Vec<TargetView<'_>> = targets(buggy).collect();
    let sets =
        |block: &Block<'_>| block.opcode == "data_setvariableto" && block.fields().any(|field| field.value == name);
    if all.iter().any(|target| target.blocks().any(|block| sets(&block))) {
        return None;
    }
    let (owner, id) = all.iter().find_map(|target| {
        let (id, _) = target.entries("variables").find(|(_, entry)| entry[0] == name)?;
        Some((target, id))
    })?;
    let is_flag = |block: &Block<'_>| block.opcode == "event_whenflagclicked" && block.top_level;
    let mut reaching = std::iter::once(owner).chain(all.iter().filter(|_| owner.is_stage()));
    let (sprite, flag) = reaching.find_map(|target| Some((target.sprite_id(), target.blocks().find(is_flag)?.id)))?;
    let mut set =
        NewBlock { id: new_id("search", sprite, flag), opcode: "data_setvariableto".to_owned(), ..NewBlock::default() };
    set.fields.insert("VARIABLE".to_owned(), Operand::Named(name.to_owned(), id.to_owned()));
    set.inputs.insert("VALUE".to_owned(), Operand::Literal(Literal::Text(value.to_owned())));
    Some(add(sprite, flag, None, set))
}

/// How near a block is to the variable of a report; less is nearer.
fn rank(block: &Block<'_>, name: Option<&str>) -> u8 {
    let Some(name) = name else { return 3 };
    let has_field = block.fields().any(|field| field.id.is_some() && field.value == name);
    let reads = |value: Option<Slot<'_>>| matches!(value, Some(Slot::Primitive(primitive)) if primitive.is_reporter() && primitive.value == name);
    match (has_field, block.opcode) {
        (true, "data_setvariableto") => 0,
        (true, _) => 1,
        (false, _) if block.inputs().any(|input| reads(input.value)) => 2,
        (false, _) => 3,
    }
}

/// The slots and fields of a block that hold a plain value, with the value.
fn places(target: TargetView<'_>, block: &Block<'_>) -> Vec<(String, String)> {
    let slots = block.inputs().filter_map(|input| {
        let value = match input.value? {
            Slot::Primitive(primitive) if primitive.is_reporter() || primitive.kind == MESSAGE => return None,
            Slot::Primitive(primitive) => primitive.value,
            Slot::Block(held) => target.block(held).filter(|held| held.shadow)?.fields().next()?.value,
        };
        Some((format!("inputs/{}", input.name), value))
    });
    let fields = block.fields().filter(|field| field.id.is_none());
    slots.chain(fields.map(|field| (format!("fields/{}", field.name), field.value))).collect()
}

fn edit(target: TargetView<'_>, block: &Block<'_>, path: String, value: &str) -> Edit {
    let value = Operand::Literal(Literal::Text(value.to_owned()));
    Edit::Modify { sprite_id: target.sprite_id().to_owned(), block_id: block.id.to_owned(), path, value }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fakes::block;
    use super::*;

    fn report(symptom: &str, expected: &str) -> BugReport {
        BugReport { symptom: symptom.to_owned(), expected: expected.to_owned(), reproduce: Vec::new() }
    }

    /// A literal that is wrong in `reset`, beside others of the same value.
    fn project(wrong: &str) -> Value {
        let score = || json!({"VARIABLE": ["score", "s1"]});
        let none = || json!({});
        json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"s1": ["score", 0]}, "lists": {}, "broadcasts": {}, "blocks": {
                "flag": block("event_whenflagclicked", None, Some("wait"), none(), none()),
                "wait": block("control_wait", Some("flag"), Some("more"), json!({"DURATION": [1, [5, wrong]]}), none()),
                "more": block("data_changevariableby", Some("wait"), Some("reset"), json!({"VALUE": [1, [4, wrong]]}), score()),
                "reset": block("data_setvariableto", Some("more"), None, json!({"VALUE": [1, [10, wrong]]}), score()),
            }},
        ], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}})
    }

    #[test]
    fn a_report_that_prints_both_values_of_a_literal_is_repaired_by_searching_for_it() {
        let (symptom, expected) =
            ("1.0 s after the green flag, \"score\" is 7.", "1.0 s after the green flag, \"score\" is 0.");
        let patch = text_search(&project("7"), &report(symptom, expected));
        assert_eq!(
            json!(patch),
            json!([{"op": "modify", "sprite_id": "Stage", "block_id": "reset", "path": "inputs/VALUE", "value": "0"}]),
            "what sets the variable comes before what changes it and before a wait"
        );
        let nameless =
            report("1.0 s after the green flag, the size of Moth is 7.", "1.0 s after it, the size of Moth is 0.");
        assert_eq!(text_search(&project("7"), &nameless)[0].block_id(), "wait", "the first one in the file");
        assert_eq!(text_search(&project("3"), &report(symptom, expected)), [], "nothing holds the wrong value");
    }

    #[test]
    fn a_variable_that_nothing_sets_is_set_at_the_flag() {
        let (symptom, expected) =
            ("At once, the display \"score\" shows 0.", "At once, the display \"score\" shows 4.");
        let mut project = project("0");
        assert_eq!(text_search(&project, &report(symptom, expected))[0].block_id(), "reset", "it is set");
        let blocks = project["targets"][0]["blocks"].as_object_mut().unwrap();
        blocks.remove("reset");
        blocks["more"]["next"] = Value::Null;
        let patch = text_search(&project, &report(symptom, expected));
        let repaired = apply(&project, &patch).unwrap();
        let set = repaired["targets"][0]["blocks"]["flag"]["next"].as_str().unwrap();
        let set = &repaired["targets"][0]["blocks"][set];
        assert_eq!((&set["fields"]["VARIABLE"], &set["next"]), (&json!(["score", "s1"]), &json!("wait")));
        assert_eq!(set["inputs"]["VALUE"][1][1], "4");
    }

    #[test]
    fn a_report_that_describes_gives_the_search_nothing() {
        for (symptom, expected) in [
            ("The lamp stays dark.", "The lamp is lit."),
            ("\"score\" has not become 7 2.0 s after the green flag.", "\"score\" becomes 7 at the latest."),
            ("Moth is hidden.", "Moth shows."),
            ("\"score\" is the same 1.0 s and 2.0 s after the green flag.", "\"score\" is not the same."),
            ("The message \"7\" has not been sent.", "The message \"7\" is sent."),
            ("Moth is too far up.", "Moth is further down."),
            ("Moth has not changed its look.", "Moth has changed its look."),
            ("A sound of Moth is heard too often.", "A sound of Moth is heard less often."),
            ("There are too many copies of Moth.", "There are fewer copies of Moth."),
            ("", ""),
        ] {
            assert_eq!(text_search(&project("7"), &report(symptom, expected)), [], "{symptom}");
        }
    }

    #[test]
    fn verbs_in_quotes_are_no_verbs() {
        let said = claim("2.0 s after the green flag, \"what is it\" of Moth is \"this is 1\".");
        assert_eq!(said, Some(Claim { name: Some("what is it"), value: "this is 1" }));
        assert_eq!(claim("After it, \"score\" is at most 2.5."), Some(Claim { name: Some("score"), value: "2.5" }));
        let shown = claim("1.0 s after you click Moth, the display \"score\" of Moth shows 7.");
        assert_eq!(shown, Some(Claim { name: Some("score"), value: "7" }));
        assert_eq!(claim("Owl says \"Good night\"."), Some(Claim { name: None, value: "Good night" }));
    }
}
