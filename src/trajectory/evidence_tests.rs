//! What is told at which leak level, and what feedback says.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::model::{ImageAudit, PlanId, StageRecord, TraceRun, UsageRecord, VerificationRecord};

fn seen() -> Seen {
    let signals =
        json!({"Stage/variable/score": {"t": [0, 48, 300], "v": [0, 3, 4]}, "program/threads": {"t": [48], "v": [2]}});
    let run: TraceRun = serde_json::from_value(json!({"ticks": 300, "signals": signals})).unwrap();
    let (scenario, inputs, hash) = ("s1".to_owned(), vec!["Click the green flag.".to_owned()], String::new());
    Seen { scenario, play: None, length: 300, inputs, run, hash, failed_after: None }
}

fn attempt(layer: Layer) -> RepairAttempt {
    let failures = vec!["the score is 5; wanted: the score is 0".to_owned()];
    let stage = StageRecord {
        outcome: "assertion_failed".to_owned(),
        checked: 9,
        failed: 2,
        failures,
        ..StageRecord::default()
    };
    let verification = match layer {
        Layer::Full => VerificationRecord { precheck: None, full: Some(stage) },
        _ => VerificationRecord { precheck: Some(stage), full: None },
    };
    RepairAttempt {
        a: 0,
        plan: PlanId::T1,
        ops_cap: 8,
        leak: 1,
        layer,
        code: Some("no_such_path".to_owned()),
        detail: Some("operation 1: /targets/9".to_owned()),
        request: None,
        images: ImageAudit::default(),
        response: None,
        usage: UsageRecord::default(),
        patch: None,
        candidate: None,
        verification: Some(verification),
        seconds: BTreeMap::new(),
    }
}

#[test]
fn what_is_above_the_leak_level_is_not_told() {
    let report = CaseReport { symptom: "The score stays.".to_owned(), ..CaseReport::default() };
    let (signals, seen, hints) = (Signals { div_tick: Some(48), ..Signals::default() }, seen(), Hints::default());
    let attempts = [attempt(Layer::Full)];
    let source = Source { report: &report, hints: &hints, signals: &signals, seen: Some(&seen), attempts: &attempts };
    let of = |most| Evidence::of(source, 1000, most);
    let nothing = of(0);
    assert_eq!(
        (nothing.leak, nothing.figures.as_str(), nothing.trace.as_str(), nothing.feedback.as_str()),
        (0, "", "", "")
    );
    assert_eq!(nothing.report, "What is seen: The score stays.");
    let figures = of(1);
    assert!(figures.leak == 1 && figures.figures.contains("tick 48 (1.6 s)") && figures.trace.is_empty());
    assert!(figures.feedback.contains("2 of 9 checks failed") && !figures.feedback.contains("wanted"));
    let observed = of(2);
    assert_eq!((observed.leak, observed.trace.as_str()), (2, "tick 48: Stage/variable/score 3"));
    let all = of(3);
    assert!(all.leak == 3 && all.feedback.contains("wanted: the score is 0"));
    assert!(Evidence::of(source, 0, 3).trace.is_empty());
}

#[test]
fn feedback_names_what_could_not_be_applied_and_a_precheck_tells_no_expected_value() {
    let (words, leak) = feedback(&[attempt(Layer::Application)], 3);
    assert_eq!((words.as_str(), leak), ("Attempt 1 ended at: application no_such_path. operation 1: /targets/9", 0));
    let (words, leak) = feedback(&[attempt(Layer::Precheck)], 3);
    assert!(leak == 1 && !words.contains("wanted"), "{words}");
    assert_eq!(feedback(&[], 3), (String::new(), 0));
    let long = RepairAttempt { detail: Some("x".repeat(2000)), ..attempt(Layer::Schema) };
    assert_eq!(feedback(&[long], 3).0.chars().count(), 800);
}
