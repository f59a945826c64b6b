//! The answers that explanations are taught with: trigger, mechanism and outcome as they are in truth, and the summary that the project's record
//! gives. Which instances are taken, and what must not be exported, is `mend`'s business.

use serde_json::{Value, json};

use super::answer::{Bug, Explanation, MOST_TRIGGERS, Named, Seen, Summary, read_explanation};
use super::outcome::{Deviation, Outcome, named, outcomes};
use super::question::explain_question;
use super::scores::{bug_score, goal_score};
use super::truth::Explained;
use crate::agent::TemplateError;
use crate::bugs::{Instance, ReferenceRecord};
use crate::forge::says;
use crate::inject::Pattern;
use crate::mend::{Asked, Manner, MendError, Message, Right, Task, Taught, explanation};
use crate::model::{Assertion, Feature};

/// Faults are explained.
#[derive(Debug, Clone, Copy)]
pub struct ExplainTask;

impl Task for ExplainTask {
    fn name(&self) -> &'static str {
        "explain"
    }

    fn question(&self, asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError> {
        explain_question(asked, manner)
    }

    fn answer(&self, taught: &Taught<'_>, _: &str) -> Result<Result<Right, String>, MendError> {
        let instance = taught.instance;
        let truth =
            Explained::of(instance).map_err(|source| MendError::Project { id: instance.entry.id.clone(), source })?;
        Ok(right(instance, &truth)
            .map(|answer| Right { answer, summary: truth.record.as_ref().map(ReferenceRecord::standing) }))
    }
}

/// The answer that is right in all that is scored, or why there is none. A wrong one must not be taught, so it is read and scored as any other.
pub(super) fn right(instance: &Instance, truth: &Explained) -> Result<String, String> {
    let answer = written(&said(instance, truth)?, truth.record.is_some());
    let read = read_explanation(&answer).map_err(|error| error.to_string())?;
    let score = bug_score(&read.bug, truth);
    // Of more triggers than count, those that count are all that an answer can have.
    let has_all = score.missed == 0 || score.hits == MOST_TRIGGERS;
    if !(score.is_understood() && score.wrong == 0 && has_all) {
        return Err("no answer in the words of the prompt is right in all".to_owned());
    }
    if goal_score(&read, truth.record.as_ref()).is_some_and(|score| !score.is_right()) {
        return Err(
            "the goal of its record lacks the words that the record asks for, or no sprite is a primary one".to_owned()
        );
    }
    Ok(answer)
}

/// As JSON, with the members in the order of the prompt; without a record there is no summary to learn.
fn written(said: &Explanation, has_record: bool) -> String {
    let mut answer = json!(said);
    if !has_record && let Value::Object(members) = &mut answer {
        members.shift_remove("summary");
    }
    answer.to_string()
}

fn said(instance: &Instance, truth: &Explained) -> Result<Explanation, String> {
    let first = truth.primary.as_ref().filter(|event| truth.triggers.contains(event)).or(truth.triggers.first());
    let trigger = first.map(ToString::to_string).ok_or("nothing triggers it")?;
    let others = truth.triggers.iter().map(ToString::to_string).filter(|other| *other != trigger);
    let triggers = std::iter::once(trigger.clone()).chain(others).take(MOST_TRIGGERS).collect();
    let outcome = told(instance).ok_or("answers have no word for its outcome")?;
    let narrative = format!("On {trigger}: {} {}", explanation(instance), instance.report.symptom);
    let seen = Seen { signal: outcome.signal, deviation: outcome.deviation.to_string() };
    let bug = Bug { trigger, triggers, mechanism: truth.mechanism.clone(), outcome: seen };
    Ok(Explanation { summary: truth.record.as_ref().map(summary).unwrap_or_default(), bug, narrative })
}

/// What a player notices first, which is what the report is about; of a truth that does not say so, the first assertion that the fault
/// breaks. Where several deviations are right, the one that is seen.
fn told(instance: &Instance) -> Option<Outcome> {
    let is_initialization = instance.truth.pattern.parse() == Ok(Pattern::MissingInitialization);
    let reset =
        |outcome: &Outcome| is_initialization && Deviation::NotReset.is_compatible(outcome.deviation, &outcome.signal);
    let noticed = instance.truth.chain.iter().flat_map(|chain| &chain.outcomes).flat_map(named).next();
    if let Some(noticed) = noticed {
        let deviation = if reset(&noticed) { Deviation::NotReset } else { noticed.deviation };
        return Some(Outcome { deviation, ..noticed });
    }
    let suite = &instance.suite;
    let mut broken = suite.assertions.iter().filter(|one| one.p_buggy <= suite.theta.1);
    let (assertion, mut outcome) = broken.find_map(|one| Some((one, outcomes(one).into_iter().next()?)))?;
    if let Feature::EventCount { .. } = assertion.feature {
        let is_missing = is_too_seldom(assertion, instance);
        outcome.deviation = if is_missing { Deviation::Missing } else { Deviation::Extra };
    } else if reset(&outcome) {
        outcome.deviation = Deviation::NotReset;
    }
    Some(outcome)
}

/// Whether the report tells that something happens less often than it should: how often it does is nowhere else.
fn is_too_seldom(assertion: &Assertion, instance: &Instance) -> bool {
    let Feature::EventCount { event, name, after, n } = &assertion.feature else { return false };
    let Some(scenario) = instance.suite.scenarios.iter().find(|one| one.id == assertion.scenario) else { return false };
    let symptom = instance.report.symptom.trim_end_matches('.');
    // When it is seen may be told by a shorter scenario than the suite's.
    (0..*n).any(|count| {
        let fewer = Feature::EventCount { event: event.clone(), name: name.clone(), after: *after, n: count };
        let words = says::expected(&fewer, scenario);
        words.split_once(", ").is_some_and(|(_, what)| symptom.ends_with(&format!(", {what}")))
    })
}

/// What the project is, by its record.
fn summary(record: &ReferenceRecord) -> Summary {
    let primary = record.sprites.iter().filter(|role| role.primary);
    Summary {
        goal: record.goal.text.clone(),
        sprites: primary.map(|role| Named { name: role.name.clone(), role: role.role.clone() }).collect(),
        cycle: record.cycle.clone(),
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;
    use crate::bugs::{
        BugReport, Difficulty, Goal, InstanceEntry, Licence, RecordStatus, Role, Site, Truth, TruthHashes,
    };
    use crate::explain::Event;
    use crate::model::Suite;

    fn word(text: &str) -> String {
        text.to_owned()
    }

    /// An instance of a pattern of whose suite this is asserted; its projects are not read here.
    fn instance(pattern: &str, asserted: &Value) -> Instance {
        let mut asserted = asserted.clone();
        for (member, value) in
            json!({"id": "a1", "scenario": "s1", "p_golden": 1.0, "p_buggy": 0.0, "says": ""}).as_object().unwrap()
        {
            asserted[member] = value.clone();
        }
        let suite = json!({"format": 2, "seeds": [1], "horizon": 300, "every": 10, "theta": [0.9, 0.1], "engine": "", "editor": "",
            "scenarios": [{"id": "s1", "template": "idle", "length": 300, "answers": [], "steps": []}], "assertions": [asserted]});
        let licence = json!({"source": "a test", "publish": true});
        Instance {
            entry: InstanceEntry {
                id: word("one"),
                project: word("one"),
                group: word("one"),
                pattern: word(pattern),
                operator: word("X"),
                difficulty: Difficulty::Easy,
                search: None,
                adequacy: None,
                buggy: String::new(),
                suite: String::new(),
            },
            buggy: Vec::new(),
            golden: Vec::new(),
            report: BugReport { symptom: word("It is 1."), expected: word("It is 0."), reproduce: Vec::new() },
            pictures: None,
            truth: Truth {
                format: 1,
                id: word("one"),
                pattern: word(pattern),
                operator: word("X"),
                difficulty: Difficulty::Easy,
                site: Site { sprite_id: word("Moth"), script: word("s"), block_id: word("b"), path: word("0") },
                forward: Vec::new(),
                inverse: Vec::new(),
                state_signals: Vec::new(),
                drift: None,
                chain: None,
                hashes: TruthHashes { golden: String::new(), buggy: String::new(), engine: String::new() },
            },
            suite: Suite::read(&suite.to_string()).unwrap(),
            licence: serde_json::from_value::<Licence>(licence).unwrap(),
            record: None,
            forge: json!({}),
        }
    }

    /// Its truth, with these triggers, the first of them the primary one.
    fn truth(instance: &Instance, triggers: &[&str]) -> Explained {
        let events: Vec<Event> = triggers.iter().map(|text| Event::parse(text).unwrap()).collect();
        Explained {
            primary: events.first().cloned(),
            triggers: events.iter().cloned().collect(),
            mechanism: instance.truth.pattern.clone(),
            outcomes: instance.suite.assertions.iter().flat_map(outcomes).collect(),
            known: events.into_iter().collect(),
            record: instance.record.clone(),
        }
    }

    fn asserted() -> Vec<Value> {
        let score = "Stage/variable/high score";
        vec![
            json!({"kind": "equals", "signal": score, "after": 90, "value": 0}),
            json!({"kind": "reached", "signal": "Moth/visible", "value": true, "by": 90}),
            json!({"kind": "never", "signal": "Stage/costume", "value": "night", "until": 90}),
            json!({"kind": "event", "event": "broadcast", "name": "game over", "by": 60, "n": 1}),
            json!({"kind": "event_count", "event": "say", "name": "Owl: who", "after": 60, "n": 1}),
            json!({"kind": "at_most", "signal": "clones/Moth", "after": 60, "bound": 3}),
        ]
    }

    #[test]
    fn what_is_taught_is_right_in_all_that_is_scored() {
        for pattern in Pattern::iter().map(|pattern| pattern.to_string()) {
            for asserted in asserted() {
                let instance = instance(&pattern, &asserted);
                let truth = truth(&instance, &["broadcast:game over", "key:right arrow", "click:moth"]);
                let answer =
                    right(&instance, &truth).unwrap_or_else(|reason| panic!("{pattern}, {asserted}: {reason}"));
                let read = read_explanation(&answer).unwrap();
                let score = bug_score(&read.bug, &truth);
                assert!(score.is_understood() && (score.f1() - 1.0).abs() < 1e-12, "{answer}");
                assert_eq!(read.bug.trigger, "broadcast:game_over", "the primary one");
                assert!(read.narrative.contains("a script of Moth. It is 1."), "{answer}");
            }
        }
    }

    #[test]
    fn of_several_right_deviations_the_one_that_is_seen_is_taught() {
        let deviation = |pattern: &str, asserted: &Value, symptom: &str| {
            let mut instance = instance(pattern, asserted);
            symptom.clone_into(&mut instance.report.symptom);
            told(&instance).unwrap().deviation.to_string()
        };
        let [score, said] = [&asserted()[0], &asserted()[4]];
        assert_eq!(deviation("missing_initialization", score, ""), "not_reset");
        assert_eq!(deviation("incorrect_conditional_logic", score, ""), "wrong_value");
        let happened = |count: u64| {
            let feature = Feature::EventCount { event: word("say"), name: json!("Owl: who"), after: 60, n: count };
            format!("{}.", says::expected(&feature, &instance("desynchronization", said).suite.scenarios[0]))
        };
        assert_eq!(deviation("desynchronization", said, &happened(0)), "missing");
        assert_eq!(deviation("desynchronization", said, &happened(3)), "extra");
    }

    fn record(primary: bool) -> ReferenceRecord {
        let role = |name: &str, primary| Role { name: word(name), role: word("player"), primary };
        ReferenceRecord {
            format: 1,
            project: word("lantern"),
            status: RecordStatus::Confirmed,
            by: Vec::new(),
            sha256: None,
            written_by: Vec::new(),
            genre: None,
            tags: Vec::new(),
            goal: Goal {
                text: word("Lead the moth to the lantern"),
                terms: vec![vec![word("lantern")], vec![word("owl")]],
            },
            sprites: vec![role("Moth", primary), role("Tree", false)],
            cycle: vec![word("green_flag"), word("touch:owl:moth"), word("variable:score")],
            hooks: Vec::new(),
            state_signals: Vec::new(),
        }
    }

    #[test]
    fn the_summary_is_that_of_the_record_and_there_is_none_without_one() {
        let mut one = instance("missing_initialization", &asserted()[0]);
        let answer = |one: &Instance| right(one, &truth(one, &["green_flag"]));
        assert!(answer(&one).unwrap().starts_with(r#"{"bug":"#));
        one.record = Some(record(true));
        let text = answer(&one).unwrap();
        assert!(
            text.starts_with(r#"{"summary":{"goal":"Lead the moth to the lantern","sprites":[{"name":"Moth","#),
            "{text}"
        );
        assert!(goal_score(&read_explanation(&text).unwrap(), one.record.as_ref()).unwrap().is_right());
    }

    #[test]
    fn what_could_not_be_right_is_not_taught() {
        let six = ["key:a", "key:b", "key:c", "key:d", "key:e", "key:f"];
        let mut one = instance("missing_initialization", &asserted()[0]);
        let many = read_explanation(&right(&one, &truth(&one, &six)).unwrap()).unwrap();
        assert_eq!(many.bug.triggers, six[..5], "five triggers count");
        let mut odd = truth(&one, &six);
        odd.mechanism = word("other");
        odd.outcomes.clear();
        assert!(right(&one, &odd).unwrap_err().contains("right in all"));
        let nameless = json!({"kind": "equals", "signal": "Moth/volume", "after": 90, "value": 0});
        let other = instance("missing_initialization", &nameless);
        assert!(right(&other, &truth(&other, &six[..1])).unwrap_err().contains("no word"));
        one.record = Some(record(false));
        assert!(right(&one, &truth(&one, &six[..1])).unwrap_err().contains("record"));
    }
}
