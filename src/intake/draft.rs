//! Drafts a reference record by rules (ScratchEval, section 2.8): what a person then reads, changes and confirms.

use std::collections::BTreeMap;

use serde_json::Value;

use super::hooks::canonical;
use crate::bugs::{Facts, Goal, Hook, RecordStatus, ReferenceRecord, Role};
use crate::project::reach::{Reach, Start, chosen};
use crate::project::view::{target, targets};

/// Version of records.
const FORMAT: u32 = 1;
/// Primary sprites at most.
const PRIMARY: usize = 4;
/// Events and signals of a loop at most.
const LOOP: usize = 6;
/// The largest sprite has at most so many times the live blocks of a primary one.
const SHARE: usize = 5;

/// Drafts the record of a project.
pub(super) fn draft(id: &str, gold: &Value, facts: &Facts, tags: &[String], hooks: Vec<Hook>) -> ReferenceRecord {
    let reach = Reach::of(gold);
    let sprites = roles(gold, &reach, facts);
    ReferenceRecord {
        format: FORMAT,
        project: id.to_owned(),
        status: RecordStatus::Draft,
        by: Vec::new(),
        sha256: None,
        written_by: Vec::new(),
        genre: None,
        tags: tags.to_vec(),
        goal: goal(&sprites, facts, &hooks),
        cycle: cycle(gold, facts, &hooks, &sprites),
        sprites,
        hooks,
        state_signals: facts.state_signals.clone(),
    }
}

/// The sprites with what they are there for, in the order of the file.
fn roles(gold: &Value, reach: &Reach, facts: &Facts) -> Vec<Role> {
    let mut live: BTreeMap<&str, usize> = BTreeMap::new();
    for script in reach.live() {
        *live.entry(script.target.as_str()).or_default() += script.blocks.len();
    }
    let own = |name: &str| live.get(name).copied().unwrap_or_default();
    let names: Vec<&str> = targets(gold).filter(|target| !target.is_stage()).map(|target| target.name()).collect();
    let mut by_size = names.clone();
    by_size.sort_by_key(|name| std::cmp::Reverse(own(name)));
    let largest = by_size.first().map_or(0, |name| own(name));
    let is_large = |name: &str| own(name) > 0 && own(name) * SHARE >= largest;
    let primary: Vec<&str> = by_size.into_iter().take(PRIMARY).filter(|name| is_large(name)).collect();
    let role = |name: &str| Role {
        name: name.to_owned(),
        role: role(gold, name, reach, facts).to_owned(),
        primary: primary.contains(&name),
    };
    names.into_iter().map(role).collect()
}

fn role(gold: &Value, name: &str, reach: &Reach, facts: &Facts) -> &'static str {
    let starts =
        |is_one: &dyn Fn(&Start) -> bool| reach.live().any(|script| script.target == name && is_one(&script.start));
    let own = target(gold, name);
    let has = |opcodes: &[&str]| own.is_some_and(|target| target.blocks().any(|block| opcodes.contains(&block.opcode)));
    if starts(&|start| matches!(start, Start::Key(_)))
        || has(&["sensing_keypressed", "sensing_mousex", "sensing_mousey"])
    {
        "player"
    } else if facts.clicked.iter().any(|clicked| clicked == name) {
        "control"
    } else if starts(&|start| matches!(start, Start::Clone(_))) || has(&["sensing_touchingobject"]) {
        "target"
    } else {
        "actor"
    }
}

/// A sentence of what is used and what counts, with its words.
fn goal(sprites: &[Role], facts: &Facts, hooks: &[Hook]) -> Goal {
    let primary: Vec<&str> = sprites.iter().filter(|role| role.primary).map(|role| role.name.as_str()).collect();
    let inputs: Vec<String> = hooks.iter().skip(1).map(|hook| hook.event.replace([':', '_'], " ")).collect();
    let variables: Vec<&str> = facts
        .state_signals
        .iter()
        .filter_map(|signal| signal.split_once("/variable/").map(|(_, name)| name))
        .take(2)
        .collect();
    let mut text = match (inputs.is_empty(), primary.is_empty()) {
        (true, true) => "Watch what happens after the flag".to_owned(),
        (true, false) => format!("Watch {}", primary.join(", ")),
        (false, true) => format!("Use {}", inputs.join(", ")),
        (false, false) => format!("Use {} to play with {}", inputs.join(", "), primary.join(", ")),
    };
    if !variables.is_empty() {
        let verb = if variables.len() == 1 { "counts" } else { "count" };
        text = format!("{text}; {} {verb}", variables.join(" and "));
    }
    let terms = primary.iter().chain(&variables).map(|name| words(name)).filter(|words| !words.is_empty()).collect();
    Goal { text: text + ".", terms }
}

/// The words of a name that mean something, in lower case.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 2).collect()
}

/// The flag, inputs that were seen to do something, what touches, and what counts.
fn cycle(gold: &Value, facts: &Facts, hooks: &[Hook], sprites: &[Role]) -> Vec<String> {
    let mut all = vec!["green_flag".to_owned()];
    all.extend(hooks.iter().skip(1).filter(|hook| !hook.outcomes.is_empty()).take(2).map(|hook| hook.event.clone()));
    let is_primary = |name: &str| sprites.iter().any(|role| role.primary && role.name == name);
    let touches = targets(gold).filter(|target| is_primary(target.name())).find_map(|target| {
        let mut asked = target.blocks().filter(|block| block.opcode == "sensing_touchingobject");
        let touched = asked
            .find_map(|block| chosen(target, &block, "TOUCHINGOBJECTMENU").filter(|name| !name.starts_with('_')))?;
        Some(format!("touch:{}:{}", canonical(target.name()), canonical(&touched)))
    });
    all.extend(touches);
    let counts = facts.state_signals.iter().find_map(|signal| signal.split_once("/variable/"));
    all.extend(counts.map(|(_, name)| format!("variable:{}", canonical(name))));
    all.truncate(LOOP);
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bugs::{Change, SeenChange};

    #[test]
    fn a_record_is_drafted_from_what_is_there_and_what_was_seen() {
        let hat = |opcode: &str, fields: Value| json!({"opcode": opcode, "next": null, "inputs": {}, "fields": fields, "topLevel": true});
        let project = json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"s": ["score", 0]}, "blocks": {}},
            {"isStage": false, "name": "Big Lantern", "blocks": {
                "k": hat("event_whenkeypressed", json!({"KEY_OPTION": ["right arrow", null]})),
                "t": {"opcode": "sensing_touchingobject", "next": null, "inputs": {"TOUCHINGOBJECTMENU": [1, "m"]}, "fields": {}, "topLevel": true},
                "m": {"opcode": "sensing_touchingobjectmenu", "inputs": {}, "fields": {"TOUCHINGOBJECTMENU": ["Moth", null]}, "shadow": true}
            }},
            {"isStage": false, "name": "Moth", "blocks": {"c": hat("control_start_as_clone", json!({}))}}
        ]});
        let facts = Facts { state_signals: vec!["Stage/variable/score".to_owned()], ..Facts::default() };
        let outcome = SeenChange { signal: "Big Lantern/x".to_owned(), change: Change::Increases };
        let hook =
            |event: &str, outcomes: Vec<SeenChange>| Hook { event: event.to_owned(), sprites: Vec::new(), outcomes };
        let hooks =
            vec![hook("green_flag", Vec::new()), hook("key:right_arrow", vec![outcome]), hook("key:x", Vec::new())];
        let record = draft("lantern", &project, &facts, &["clones".to_owned()], hooks);
        assert_eq!(record.cycle, ["green_flag", "key:right_arrow", "touch:big_lantern:moth", "variable:score"]);
        let roles: Vec<(&str, bool)> = record.sprites.iter().map(|one| (one.role.as_str(), one.primary)).collect();
        // Nothing clones the moth: it has no live block.
        assert_eq!(roles, [("player", true), ("actor", false)]);
        assert_eq!(record.goal.terms, [vec!["big".to_owned(), "lantern".to_owned()], vec!["score".to_owned()]]);
        assert!(record.goal.text.contains("key right arrow") && record.goal.text.ends_with("score counts."));
        assert_eq!(record.status, RecordStatus::Draft);
        let lacks = record.lacks();
        assert_eq!((lacks.len(), record.has_only_names()), (3, true), "genre, goal, hooks: {lacks:?}");
        let mut mine = record.clone();
        mine.goal.terms.push(vec!["catch".to_owned()]);
        assert!(!mine.has_only_names());
        let again: ReferenceRecord = serde_json::from_value(serde_json::to_value(&record).unwrap()).unwrap();
        assert_eq!(again, record);
    }
}
