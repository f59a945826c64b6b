//! The worked examples of sections 6.3 and 6.4.

use super::answer::{Bug, Explanation, Named, Seen, Summary};
use super::*;
use crate::bugs::{Goal, RecordStatus, ReferenceRecord, Role};

fn events(texts: &[&str]) -> std::collections::BTreeSet<Event> {
    texts.iter().map(|text| Event::parse(text).unwrap()).collect()
}

fn truth(triggers: &[&str]) -> Explained {
    Explained {
        primary: None,
        triggers: events(triggers),
        mechanism: "missing_initialization".to_owned(),
        outcomes: [Outcome { signal: "variable:score".to_owned(), deviation: Deviation::WrongValue }].into(),
        known: events(triggers),
        record: None,
    }
}

fn said(triggers: &[&str]) -> Bug {
    let triggers: Vec<String> = triggers.iter().map(|text| (*text).to_owned()).collect();
    Bug { trigger: triggers.first().cloned().unwrap_or_default(), triggers, ..Bug::default() }
}

#[test]
fn triggers_are_counted_over_all_answers_and_one_by_one() {
    let scores = [
        bug_score(&said(&["key:a"]), &truth(&["key:a", "key:b"])),
        bug_score(&said(&["key:c", "key:x"]), &truth(&["key:c"])),
        bug_score(&said(&["key:y"]), &truth(&["key:d"])),
    ];
    let sum = |of: fn(&BugScore) -> usize| scores.iter().map(of).sum::<usize>();
    let (hits, wrong, missed) = (sum(|one| one.hits), sum(|one| one.wrong), sum(|one| one.missed));
    assert_eq!((hits, wrong, missed), (2, 2, 2));
    assert!((f1(hits, wrong, missed) - 0.5).abs() < 1e-12);
    let own: Vec<f64> = scores.iter().map(BugScore::f1).collect();
    assert!((own[0] - 2.0 / 3.0).abs() < 1e-12 && (own[1] - 2.0 / 3.0).abs() < 1e-12 && own[2].abs() < 1e-12);
    assert!(BugScore::of_nothing(&truth(&["key:a", "key:b"])).f1().abs() < 1e-12);
}

/// A truth of more triggers than an answer may have asks for no more than that.
#[test]
fn whoever_names_as_many_right_triggers_as_are_read_lacks_none() {
    let all = ["key:a", "key:b", "key:c", "key:d", "key:e", "key:f", "click:moth"];
    let truth = truth(&all);
    for answer in [&all[..], &all[..5], &all[2..]] {
        let score = bug_score(&said(answer), &truth);
        assert_eq!((score.hits, score.wrong, score.missed), (MOST_TRIGGERS, 0, 0), "{answer:?}");
        assert!((score.f1() - 1.0).abs() < 1e-12);
    }
    let few = bug_score(&said(&["key:a", "key:x"]), &truth);
    assert_eq!((few.hits, few.wrong, few.missed), (1, 1, 4));
    assert_eq!(BugScore::of_nothing(&truth).missed, MOST_TRIGGERS);
}

#[test]
fn trigger_f1_agrees_with_scikit_learn() {
    let fixtures = include_str!("../../tests/fixtures/statistics/agreement.json");
    let fixtures: serde_json::Value = serde_json::from_str(fixtures).unwrap();
    for fixture in fixtures["f1"].as_array().unwrap() {
        let pairs: Vec<(Vec<String>, Vec<String>)> = serde_json::from_value(fixture["pairs"].clone()).unwrap();
        let (mut hits, mut wrong, mut missed) = (0, 0, 0);
        for (gold, said) in pairs {
            let keys = |labels: Vec<String>| labels.into_iter().map(|label| format!("key:{label}")).collect::<Vec<_>>();
            let (gold, said) = (keys(gold), keys(said));
            let [gold, said] = [&gold, &said].map(|keys| keys.iter().map(String::as_str).collect::<Vec<_>>());
            let score = bug_score(&super::tests::said(&said), &truth(&gold));
            (hits, wrong, missed) = (hits + score.hits, wrong + score.wrong, missed + score.missed);
        }
        assert!((f1(hits, wrong, missed) - fixture["micro"].as_f64().unwrap()).abs() < 1e-9);
    }
}

#[test]
fn all_three_make_a_fault_understood() {
    let truth = truth(&["broadcast:game_over"]);
    let seen = |signal: &str, deviation: &str| Seen { signal: signal.to_owned(), deviation: deviation.to_owned() };
    let bug = Bug {
        mechanism: "Missing Initialization".to_owned(),
        outcome: seen("variable:Score", "not reset"),
        ..said(&["When I receive Game Over"])
    };
    assert!(bug_score(&bug, &truth).is_understood());
    for other in [
        Bug { mechanism: "desynchronization".to_owned(), ..bug.clone() },
        Bug { trigger: "green_flag".to_owned(), ..bug.clone() },
        Bug { outcome: seen("variable:score", "missing"), ..bug.clone() },
        Bug { outcome: seen("variable:score", "odd"), ..bug.clone() },
    ] {
        assert!(!bug_score(&other, &truth).is_understood(), "{other:?}");
    }
    let many: Vec<String> = (0..9).map(|number| format!("key:{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(bug_score(&said(&many), &truth).wrong, MOST_TRIGGERS);
}

#[test]
fn a_summary_names_the_sprites_the_loop_and_the_goal() {
    let role = |name: &str, primary| Role { name: name.to_owned(), role: "player".to_owned(), primary };
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut record = ReferenceRecord {
        format: 1,
        project: "lantern".to_owned(),
        status: RecordStatus::Confirmed,
        by: Vec::new(),
        sha256: None,
        written_by: Vec::new(),
        genre: None,
        tags: Vec::new(),
        goal: Goal {
            text: String::new(),
            terms: vec![texts(&["light", "lantern"]), texts(&["moths"]), texts(&["owl"])],
        },
        sprites: vec![role("Lantern", true), role("Moth", true), role("Owl", true), role("Tree", false)],
        cycle: texts(&["green_flag", "key:right_arrow", "touch:lantern:moth"]),
        hooks: Vec::new(),
        state_signals: Vec::new(),
    };
    let named = |names: &[&str]| -> Vec<Named> {
        names.iter().map(|name| Named { name: (*name).to_owned(), role: String::new() }).collect()
    };
    let mut answer = Explanation {
        summary: Summary {
            goal: "Move to the light".to_owned(),
            sprites: named(&["lantern", "Moth", "Tree"]),
            cycle: texts(&["flag", "press right"]),
        },
        ..Explanation::default()
    };
    let score = goal_score(&answer, Some(&record)).unwrap();
    assert_eq!((score.sprites, score.cycle, score.goal, score.is_right()), (true, true, false, false), "1 of 3 terms");
    answer.summary.goal = "Catching a moth with the lantern".to_owned();
    assert!(goal_score(&answer, Some(&record)).unwrap().is_right(), "moth and moths have one stem");
    answer.summary.sprites = named(&["Lantern", "Moth", "Tree", "Sun", "Hill"]);
    assert!(!goal_score(&answer, Some(&record)).unwrap().sprites, "most of those named are not primary");
    let of_a_player = goal_score(&answer, Some(&record));
    record.status = RecordStatus::Written;
    assert_eq!(goal_score(&answer, Some(&record)), of_a_player, "one that nobody has confirmed by playing counts, too");
    record.status = RecordStatus::Draft;
    assert_eq!(goal_score(&answer, Some(&record)), None);
}

#[test]
fn explanations_and_ratings_are_found_in_prose() {
    let text =
        r#"It is this: {"bug": {"trigger": "key:a", "mechanism": "desynchronization"}, "certainty": 1} I think."#;
    let read = read_explanation(text).unwrap();
    assert_eq!((read.bug.trigger.as_str(), read.summary.goal.as_str()), ("key:a", ""));
    assert_eq!(read_explanation("no idea {}").unwrap_err(), Unexplained::Nothing);
    let two = format!("{text} or {}", r#"{"bug": {"trigger": "key:b"}}"#);
    assert_eq!(read_explanation(&two).unwrap_err(), Unexplained::Several(2));
    assert!(matches!(read_explanation(r#"{"bug": {"trigger": 3}}"#), Err(Unexplained::Shape(_))));
    assert_eq!(read_rating(r#"So {"score": 4, "evidence": "all three"}"#).unwrap().score, 4);
    assert_eq!(read_rating(r#"{"score": 7}"#), Err(RubricError::Range(7)));
    assert_eq!(read_rating("four"), Err(RubricError::Nothing));
}

#[test]
fn people_and_models_rate_on_one_scale_and_read_the_same() {
    let levels = rubric();
    assert_eq!(levels.iter().map(|level| level.score).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(levels[4].means.starts_with("fully right"));
    let bug = Bug {
        outcome: Seen { signal: "variable:score".to_owned(), deviation: "not_reset".to_owned() },
        ..said(&["key:a", "key:b"])
    };
    let mut explanation = Explanation { bug, ..Explanation::default() };
    let words = explanation_in_words(&explanation);
    assert_eq!(words, "Trigger: key:a (also key:b)\nMechanism: (nothing)\nOutcome: variable:score not_reset");
    " Nobody resets it.\n".clone_into(&mut explanation.narrative);
    assert_eq!(explanation_in_words(&explanation), "Nobody resets it.");
}
