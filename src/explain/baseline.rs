//! The baseline of the understanding track: what can be answered from the report alone, by somebody who never looks at the project. It
//! knows the fixed sentences of reports; of other sentences it understands less. Triggers are the inputs that the report lists, the
//! outcome is what its symptom names, and the mechanism is the pattern that such an outcome suggests.

use super::answer::{Bug, Explanation, MOST_TRIGGERS, Seen};
use super::event::Event;
use super::outcome::Deviation;
use crate::bugs::BugReport;
use crate::inject::Pattern;

/// What follows the name of a target in a symptom.
const AFTER_NAME: [&str; 6] = [" is ", " becomes ", " has not ", " differs ", " does not ", " never "];
/// Properties in words, and as answers name them.
const PROPERTIES: [(&str, &str); 7] = [
    ("number of clones of ", "clones"),
    ("copies of ", "clones"),
    ("x position of ", "position"),
    ("y position of ", "position"),
    ("direction of ", "direction"),
    ("size of ", "size"),
    ("costume of ", "costume"),
];
/// What a target does, and the property that this is seen at.
const VERBS: [(&str, &str); 25] = [
    (" has changed its look", "costume"),
    (" has not changed its look", "costume"),
    (" has the wrong look", "costume"),
    (" has moved", "position"),
    (" has not moved", "position"),
    (" is too far ", "position"),
    (" faces the wrong way", "direction"),
    (" is too big", "size"),
    (" is too small", "size"),
    (" is hidden", "visible"),
    (" is never hidden", "visible"),
    (" shows", "visible"),
    (" never shows", "visible"),
    (" appears", "visible"),
    (" disappears", "visible"),
    (" has not appeared", "visible"),
    (" has not disappeared", "visible"),
    (" says ", "says"),
    (" has said", "says"),
    (" has not said", "says"),
    (" does not say", "says"),
    (" thinks ", "says"),
    (" has not thought", "says"),
    (" stops speaking", "says"),
    (" has not stopped speaking", "says"),
];

/// Explains a fault by what its report says.
pub fn from_report(report: &BugReport) -> Explanation {
    let (flag, mut triggers) = (Event::of("green_flag", ""), Vec::new());
    for event in report.reproduce.iter().filter_map(|step| event(step)).filter(|event| *event != flag) {
        if triggers.len() < MOST_TRIGGERS && !triggers.contains(&event) {
            triggers.push(event);
        }
    }
    if triggers.is_empty() {
        triggers.push(flag);
    }
    let triggers: Vec<String> = triggers.iter().map(ToString::to_string).collect();
    let signal = signal(&report.symptom);
    let deviation = deviation(&report.symptom, &signal);
    Explanation {
        bug: Bug {
            trigger: triggers[0].clone(),
            triggers,
            mechanism: mechanism(deviation, &signal, &report.symptom).to_string(),
            outcome: Seen { signal, deviation: deviation.to_string() },
        },
        narrative: report.symptom.clone(),
        ..Explanation::default()
    }
}

/// The input that a step of a report tells, if it names one.
fn event(step: &str) -> Option<Event> {
    let words = step.split_once(": ").map_or(step, |(_, words)| words).trim_end_matches('.');
    let counted = words.rsplit_once(", ").filter(|(_, times)| times.ends_with(" times"));
    let words = counted.map_or(words, |(words, _)| words);
    let quoted = words.split('"').nth(1);
    if let Some(rest) = words.strip_prefix("press the ").or_else(|| words.strip_prefix("hold the ")) {
        return rest.split_once(" key").map(|(key, _)| Event::of("key", key));
    }
    if let Some(clicked) = words.strip_prefix("click ") {
        return Some(match clicked {
            "the green flag" => Event::of("green_flag", ""),
            "the stop sign" => Event::of("stop", ""),
            stage if stage.starts_with("the stage") => Event::of("click", "stage"),
            sprite => Event::of("click", sprite),
        });
    }
    if let Some((sprite, _)) = words.strip_prefix("drag ").and_then(|rest| rest.split_once(" to (")) {
        return Some(Event::of("click", sprite));
    }
    if words.starts_with("move the pointer") {
        return Some(Event::of("mouse", ""));
    }
    let kind = ["the message", "the backdrop"].into_iter().find(|kind| words.contains(kind))?;
    Some(Event::of(if kind == "the message" { "broadcast" } else { "backdrop" }, quoted?))
}

/// The signal that a symptom is about, in the words of answers; empty where it is about none.
fn signal(symptom: &str) -> String {
    let mut quoted = symptom.split('"').skip(1).step_by(2);
    let (first, second) = (quoted.next(), quoted.next());
    if let Some(name) = first.filter(|_| symptom.contains("the message \"") || symptom.contains("The message \"")) {
        return format!("broadcast:{name}");
    }
    let happens = ["the sound \"", "The sound \"", "the question \"", "The question \"", "a sound of ", "no sound of "];
    if happens.iter().any(|what| symptom.contains(what)) {
        return "program".to_owned();
    }
    if let Some((rest, kind)) = PROPERTIES.iter().find_map(|(of, kind)| Some((symptom.split_once(of)?.1, kind))) {
        let end = AFTER_NAME.iter().filter_map(|verb| rest.find(verb)).min().unwrap_or(rest.len());
        return format!("{kind}:{}", rest[..end].trim_end_matches('.'));
    }
    if ["the backdrop", "the background"].iter().any(|what| symptom.to_lowercase().contains(what)) {
        return "backdrop".to_owned();
    }
    let doing = VERBS.iter().filter_map(|(verb, kind)| Some((symptom.find(verb)?, kind)));
    if let Some((at, kind)) = doing.min_by_key(|(at, _)| *at).filter(|(at, _)| !symptom[..*at].contains('"')) {
        let subject = symptom[..at].rsplit(", ").next().unwrap_or_default();
        return format!("{kind}:{subject}");
    }
    let is_list = symptom.contains("the list \"") || second.is_some_and(|value| value.starts_with('['));
    let kind = if is_list { "list" } else { "variable" };
    first.map(|name| format!("{kind}:{name}")).unwrap_or_default()
}

/// How a symptom says that the signal deviates.
fn deviation(symptom: &str, signal: &str) -> Deviation {
    let says = |words: &[&str]| words.iter().any(|words| symptom.contains(words));
    let is_event = signal.starts_with("broadcast:") || signal == "program";
    if says(&[" before the "]) {
        Deviation::TooLate
    } else if says(&[" has not ", " is not there", " not at all", " too few ", " too seldom", "no sound of "]) {
        Deviation::Missing
    } else if says(&[" is the same "]) {
        Deviation::Stuck
    } else if signal.starts_with("clones:") {
        Deviation::Accumulates
    } else if is_event || !says(&[" after "]) {
        Deviation::Extra
    } else {
        Deviation::WrongValue
    }
}

/// The pattern that comes to mind first.
fn mechanism(deviation: Deviation, signal: &str, symptom: &str) -> Pattern {
    match deviation {
        Deviation::Missing => Pattern::UntriggeredEvent,
        Deviation::Extra => Pattern::EventHandlerConflict,
        Deviation::Accumulates => Pattern::CloneManagementError,
        Deviation::Stuck | Deviation::NeverEnds => Pattern::NonTerminatingLoop,
        Deviation::TooEarly | Deviation::TooLate => Pattern::Desynchronization,
        _ if symptom.contains("second green flag") => Pattern::MissingInitialization,
        _ if signal.starts_with("variable:") || signal.starts_with("list:") => Pattern::IncorrectConditionalLogic,
        _ => Pattern::SpriteStateMismatch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(symptom: &str, steps: &[&str]) -> Bug {
        let reproduce = steps.iter().map(|step| (*step).to_owned()).collect();
        from_report(&BugReport { symptom: symptom.to_owned(), expected: String::new(), reproduce }).bug
    }

    #[test]
    fn triggers_are_the_inputs_that_the_report_lists() {
        let steps = [
            "At 0.0 s: click the green flag.",
            "From 1.0 s to 2.0 s: press the right arrow key, 3 times.",
            "At 2.0 s: hold the space key for 1.0 s.",
            "At 3.0 s: click Moth.",
            "At 4.0 s: send the message \"Game Over\".",
            "At 5.0 s: put the mouse button down.",
            "At 6.0 s: look.",
        ];
        let bug = explained("", &steps);
        assert_eq!(bug.triggers, ["key:right_arrow", "key:space", "click:moth", "broadcast:game_over"]);
        assert_eq!(bug.trigger, "key:right_arrow");
        assert_eq!(explained("", &steps[..1]).triggers, ["green_flag"], "the flag where there is nothing else");
    }

    #[test]
    fn the_outcome_is_what_the_symptom_names() {
        for (symptom, signal, deviation, mechanism) in [
            (
                "1.0 s after the second green flag, \"score\" is 1.",
                "variable:score",
                "wrong_value",
                "missing_initialization",
            ),
            (
                "\"High Score\" of Moth has not become 5 2.0 s after the green flag.",
                "variable:High Score",
                "missing",
                "untriggered_event",
            ),
            (
                "1.0 s after the green flag, \"riders\" is \"[3]\".",
                "list:riders",
                "wrong_value",
                "incorrect_conditional_logic",
            ),
            (
                "The message \"win\" has not been sent 2.0 s after the green flag.",
                "broadcast:win",
                "missing",
                "untriggered_event",
            ),
            ("The message \"win\" is sent.", "broadcast:win", "extra", "event_handler_conflict"),
            ("1.0 s after the green flag, Moth is hidden.", "visible:Moth", "wrong_value", "sprite_state_mismatch"),
            (
                "1.0 s after the green flag, the x position of Moth is 5.",
                "position:Moth",
                "wrong_value",
                "sprite_state_mismatch",
            ),
            ("Owl says \"Hoo\".", "says:Owl", "extra", "event_handler_conflict"),
            (
                "9.0 s after the green flag, the number of clones of Moth is 9.",
                "clones:Moth",
                "accumulates",
                "clone_management_error",
            ),
            ("It looks odd.", "", "extra", "event_handler_conflict"),
            ("1.0 s after the green flag, Moth has not moved.", "position:Moth", "missing", "untriggered_event"),
            (
                "0.5 s after you press the a key, Moth is too far up.",
                "position:Moth",
                "wrong_value",
                "sprite_state_mismatch",
            ),
            (
                "1.0 s after the green flag, Moth has the wrong look.",
                "costume:Moth",
                "wrong_value",
                "sprite_state_mismatch",
            ),
            ("1.0 s after the green flag, the background has not changed.", "backdrop", "missing", "untriggered_event"),
            (
                "1.0 s after you click Moth, there are too few copies of Owl.",
                "clones:Owl",
                "missing",
                "untriggered_event",
            ),
            ("1.0 s after you click Moth, a sound of Owl is heard.", "program", "extra", "event_handler_conflict"),
            (
                "1.0 s after the second green flag, the display \"score\" of Moth shows 7.",
                "variable:score",
                "wrong_value",
                "missing_initialization",
            ),
            (
                "1.0 s after the green flag, the list \"riders\" is empty.",
                "list:riders",
                "wrong_value",
                "incorrect_conditional_logic",
            ),
        ] {
            let bug = explained(symptom, &[]);
            let said = (bug.outcome.signal.as_str(), bug.outcome.deviation.as_str(), bug.mechanism.as_str());
            assert_eq!(said, (signal, deviation, mechanism), "{symptom}");
        }
    }
}
