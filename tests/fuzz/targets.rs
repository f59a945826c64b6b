//! What must hold for any input at all: no panic, no endless work, and what was read can be written and read again.
//!
//! The fuzzer calls these (`make fuzz`), and the tests do with what it has found worth keeping (`fuzz_corpus`).

use std::collections::BTreeMap;

use scratchbed::agent::read_drag;
use scratchbed::judge::decode_report;
use scratchbed::notation::{from_project, parse, render};
use scratchbed::project::{Fingerprint, Limits, Project, validate};
use scratchbed::store::StoredLog;
use scratchbed::taskset::Contract;

/// A target by name.
pub type Target = fn(&[u8]);

/// All of them.
pub const TARGETS: [(&str, Target); 6] = [
    ("archive", archive),
    ("validator", validator),
    ("notation", notation),
    ("event_log", event_log),
    ("drag_answer", drag_answer),
    ("report", report),
];

/// An .sb3 file. The bounds are a fraction of the usual ones, so that the fuzzer reaches them.
pub fn archive(data: &[u8]) {
    let limits = Limits { entry_bytes: 1 << 20, total_bytes: 4 << 20, ..Limits::default() };
    let Ok(project) = Project::read_within(data, limits) else { return };
    let written = project.write().expect("what was read can be written");
    let again = Project::read(&written).expect("what we wrote can be read");
    assert_eq!(again.json, project.json);
    assert_eq!(again.assets, project.assets);
    let _ = project.check();
}

/// project.json.
pub fn validator(data: &[u8]) {
    let Some(project) = std::str::from_utf8(data).ok().and_then(|json| Project::from_json(json, BTreeMap::new()).ok())
    else {
        return;
    };
    if project.check().is_err() {
        return;
    }
    let _ = validate(&project);
    let fingerprint = Fingerprint::of(&project);
    assert!(fingerprint.changed(&fingerprint).is_empty());
    // A checked project can be shown as text, whatever is in it.
    let _ = render(&from_project(&project).document);
}

/// A project text.
pub fn notation(data: &[u8]) {
    let Some(document) = std::str::from_utf8(data).ok().and_then(|text| parse(text).ok()) else { return };
    let text = render(&document);
    let again = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // Documents know the numbers of their lines, so it is the texts that are compared.
    assert_eq!(render(&again), text);
}

/// The lines of a session's log.
pub fn event_log(data: &[u8]) {
    let (events, faults) = StoredLog::read_lines(data);
    assert!(events.len() <= data.split(|byte| *byte == b'\n').count());
    // Only a log that was written by the testbed is free of faults, and no fuzzer writes its chain.
    assert!(!faults.is_empty() || !events.is_empty());
}

/// What a model said about a drag.
pub fn drag_answer(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for elements in [false, true] {
        let _ = read_drag(text, elements);
    }
}

/// What an evaluation script returned.
pub fn report(data: &[u8]) {
    let Ok(value) = serde_json::from_slice(data) else { return };
    let ours = decode_report(&value, Contract::Scratchbed);
    let theirs = decode_report(&value, Contract::ScratchWorld);
    if let Ok(ours) = ours {
        let theirs = theirs.expect("the stricter contract took it");
        assert_eq!((ours.passed_tests, ours.total_tests), (theirs.passed_tests, theirs.total_tests));
        assert!(!ours.success || ours.passed_tests == ours.total_tests);
    }
}
