//! Faults that tell no benchmark anything, although a suite rejects them: those that a linter finds without a run, that no player notices,
//! and that are another thing than their pattern says.

use std::collections::BTreeSet;

use serde_json::Value;

use super::gold::Gold;
use super::plays::FirstRuns;
use super::sighting::Sighting;
use super::trials::Discard;
use crate::inject::{Candidate, Pattern};
use crate::model::TraceRun;
use crate::noticing::{Watch, mislabelled};
use crate::patches::lint::{Code, lint};

/// Why a linter finds a fault: it complains of the buggy project and not of gold. What a pattern is by its definition is none of it.
pub fn linted(gold: &Value, buggy: &Value, pattern: Pattern) -> Option<String> {
    let found = |json: &Value| -> BTreeSet<(Code, String)> {
        lint(json).into_iter().map(|finding| (finding.code, finding.message)).collect()
    };
    let known = found(gold);
    let is_defined = |code: Code| Some(code) == definition(pattern);
    let new = found(buggy).into_iter().find(|one| !known.contains(one) && !is_defined(one.0));
    new.map(|(code, message)| format!("a linter finds it: {code}: {message}"))
}

/// The finding that every fault of a pattern may give.
const fn definition(pattern: Pattern) -> Option<Code> {
    match pattern {
        Pattern::MissingInitialization => Some(Code::MissingInitialization),
        Pattern::UntriggeredEvent => Some(Code::MessageNeverSent),
        Pattern::CloneManagementError => Some(Code::MissingCloneInitialization),
        _ => None,
    }
}

/// How a player gets to see a fault, given the buggy project's runs under the first seed, or why it is not taken.
pub fn sighted(
    gold: &Gold,
    buggy: &Value,
    candidate: &Candidate,
    first: &FirstRuns,
    every: u64,
) -> Result<Sighting, (Discard, String)> {
    let watch = Watch::between(&gold.project.json, buggy);
    let unseen = || (Discard::Unseen, "a player notices no difference in what can be played".to_owned());
    let sighting = Sighting::first(gold, first, &watch, every).ok_or_else(unseen)?;
    let both = gold.first.iter().filter_map(|(scenario, golden)| Some([golden.run(), first.get(scenario)?.run()]));
    let runs: Vec<[&TraceRun; 2]> = both.collect();
    match mislabelled(candidate, &runs, &sighting.noticed) {
        Some(why) => Err((Discard::Mislabelled, why.to_owned())),
        None => Ok(sighting),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fakes::block;
    use super::*;

    /// The stage sends one message, and a script waits for another one.
    fn project(sent: &str, heard: &str) -> Value {
        let stage = json!({"isStage": true, "name": "Stage", "variables": {}, "lists": {}, "comments": {}, "costumes": [], "sounds": [],
        "broadcasts": {"m1": "start", "m2": "start2"}, "blocks": {
            "flag": block("event_whenflagclicked", None, Some("send"), json!({}), json!({})),
            "send": block("event_broadcast", Some("flag"), None, json!({"BROADCAST_INPUT": [1, [11, sent, if sent == "start" { "m1" } else { "m2" }]]}), json!({})),
            "heard": block("event_whenbroadcastreceived", None, Some("next"), json!({}), json!({"BROADCAST_OPTION": [heard, if heard == "start" { "m1" } else { "m2" }]})),
            "next": block("looks_nextbackdrop", Some("heard"), None, json!({}), json!({})),
        }});
        json!({"targets": [stage], "monitors": [], "extensions": [], "meta": {}})
    }

    #[test]
    fn an_orphan_message_is_what_any_linter_finds_and_gold_s_own_oddities_are_not() {
        let gold = project("start", "start");
        let told = linted(&gold, &project("start2", "start"), Pattern::UntriggeredEvent).unwrap();
        assert!(told.contains("message_never_received") && told.contains("START2"), "{told}");
        assert!(linted(&gold, &project("start", "start2"), Pattern::UntriggeredEvent).is_some());
        let odd = project("start2", "start");
        assert_eq!(linted(&odd, &odd, Pattern::UntriggeredEvent), None);
        assert_eq!(linted(&gold, &gold, Pattern::Desynchronization), None);
    }
}
