//! The right explanation of a fault is what was noted when it was forged, whatever its report lists; of a fault without that it is derived.
//! Public files have the pictures of the stage, if it was drawn. No browser.

use scratchbed::bugs::{Bench, BugPictures, CANARY, CausalChain, ChainOutcome};
use scratchbed::explain::{Event, Explained, bug_score, from_report};
use serde_json::Value;

use crate::support::forged::{bench, instance, report};

fn events(texts: &[&str]) -> Vec<Event> {
    let mut events: Vec<Event> = texts.iter().map(|text| Event::parse(text).unwrap()).collect();
    events.sort();
    events
}

fn chain() -> CausalChain {
    CausalChain {
        primary: Some("green_flag".to_owned()),
        triggers: vec!["green_flag".to_owned(), "key:a".to_owned()],
        outcomes: vec![ChainOutcome {
            signal: "Moth/bubble".to_owned(),
            deviations: vec!["wrong_value".to_owned(), "stuck".to_owned()],
        }],
    }
}

#[test]
fn whoever_copies_the_inputs_of_a_report_has_not_found_what_triggers_the_fault() {
    let without = instance("one", "one", Some("MIT"), report());
    let derived = Explained::of(&without).unwrap();
    let copied = from_report(&without.report).bug;
    assert!(bug_score(&copied, &derived).trigger, "derived from the report, as before: {derived:?}");

    let mut one = without;
    one.truth.chain = Some(chain());
    let noted = Explained::of(&one).unwrap();
    assert_eq!(noted.triggers.iter().cloned().collect::<Vec<_>>(), events(&["green_flag", "key:a"]));
    assert_eq!(noted.primary, Event::parse("green_flag"));
    assert!(!bug_score(&copied, &noted).trigger, "the report lists the space key");
    let outcomes: Vec<String> = noted.outcomes.iter().map(|outcome| outcome.signal.clone()).collect();
    assert!(
        outcomes.contains(&"says:moth".to_owned()) && outcomes.contains(&"variable:score".to_owned()),
        "{outcomes:?}"
    );
    one.report.reproduce.clear();
    assert_eq!(Explained::of(&one).unwrap(), noted, "the report is not looked at");
}

#[test]
fn pictures_and_chain_are_read_as_they_were_written_and_pictures_alone_are_public() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    let mut one = instance("one", "one", Some("MIT"), report());
    one.truth.chain = Some(chain());
    one.pictures = Some(BugPictures { seen: "AA==".to_owned(), expected: "AQ==".to_owned() });
    let two = instance("two", "two", Some("MIT"), report());
    bench(&folder, &[one.clone(), two]);
    let written = Bench::open(&folder).unwrap();
    let read = written.instance("one").unwrap();
    assert_eq!((&read.truth, &read.pictures), (&one.truth, &one.pictures));
    let names = |id: &str| written.public_files(id).unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("one"), ["buggy.sb3", "report.json", "licence.json", "pictures.json"]);
    assert_eq!(names("two"), ["buggy.sb3", "report.json", "licence.json"]);
    let (_, content) = written.public_files("one").unwrap().pop().unwrap();
    let public: Value = serde_json::from_slice(&content).unwrap();
    assert_eq!((&public["canary"], &public["seen"]), (&CANARY.into(), &"AA==".into()));
    let truth = std::fs::read_to_string(folder.join("truth/one/truth.json")).unwrap();
    assert!(
        !truth.contains("max_edits") && !truth.contains("protected"),
        "nothing is noted that nobody checks: {truth}"
    );
}
