//! Fixed sentences for people: what should be seen, what is seen instead, and which inputs lead there. They name nothing of the program's
//! blocks (ScratchEval, section 3.6).

use serde_json::Value;

use super::deed::{counted, deed};
use crate::grade::signals::event_of;
use crate::grade::suite::{count, number};
use crate::model::{Feature, Scenario, Step, TraceRun};
use crate::project::reach::Start;

/// Ticks of a second.
const SECOND: f64 = 30.0;
/// Ticks for which a key is down at most where it is pressed, and not held.
pub const TAP: u64 = 3;

/// What should be seen.
pub fn expected(feature: &Feature, scenario: &Scenario) -> String {
    let when = |ticks: u64| moment(scenario, ticks);
    match feature {
        Feature::Equals { signal, after, value } => format!("{}, {}", when(*after), words(signal, value).is),
        Feature::EventCount { event, name, after, n } => {
            format!("{}, {}", when(*after), counted(event, name, *n))
        }
        Feature::Event { event, name, by, n: 1 } => {
            format!("{} at the latest {}", deed(event, name).now, when(*by))
        }
        Feature::Event { event, name, by, n } => {
            format!("{} {} at the latest {}", deed(event, name).now, times(*n), when(*by))
        }
        Feature::Reached { signal, value, by } => {
            format!("{} at the latest {}", words(signal, value).becomes, when(*by))
        }
        Feature::Never { signal, value, until } => {
            format!("until {}, {}", when(*until), words(signal, value).never)
        }
        Feature::NeverEvent { event, name, until } => {
            format!("until {}, {}", when(*until), deed(event, name).not_now)
        }
        Feature::Changed { signal, from, to, same: false } => {
            format!("{} is not the same {} as {}", thing(signal), when(*from), when(*to))
        }
        Feature::Changed { signal, from, to, same: true } => {
            format!("{} is the same {} and {}", thing(signal), when(*from), when(*to))
        }
        Feature::AtMost { signal, after, bound } => format!("{}, {} is at most {bound}", when(*after), thing(signal)),
        Feature::AtLeast { signal, after, bound } => format!("{}, {} is at least {bound}", when(*after), thing(signal)),
        Feature::Before { event, first, second } => {
            format!("{} before {}", deed(event, first).now, deed(event, second).now)
        }
        Feature::Only { signal, values, until } => match values.as_slice() {
            [value] => format!("until {}, {} all the time", when(*until), words(signal, value).is),
            values => {
                let all: Vec<String> = values.iter().map(shown).collect();
                format!("until {}, {} is one of {}", when(*until), thing(signal), all.join(", "))
            }
        },
        Feature::Spans { signal, low, high, until, .. } => {
            format!("until {}, {} goes from about {low} to about {high}", when(*until), thing(signal))
        }
        Feature::Travels { signal, way, until, .. } => {
            format!("until {}, {} changes by about {way} in all", when(*until), thing(signal))
        }
        Feature::Follows { signal, shift, until, .. } => {
            format!(
                "until {}, {} is as in the right game, give or take {}",
                when(*until),
                followed(signal),
                clock(*shift)
            )
        }
    }
}

/// What is seen instead in a run of the buggy project.
pub fn seen(feature: &Feature, scenario: &Scenario, run: &TraceRun) -> String {
    let value = |signal: &str, after: u64| run.signals.get(signal).and_then(|column| column.after(after)).cloned();
    let when = |ticks: u64| moment(scenario, ticks);
    match feature {
        Feature::Equals { signal, after, .. }
        | Feature::AtMost { signal, after, .. }
        | Feature::AtLeast { signal, after, .. } => match value(signal, *after) {
            Some(value) => format!("{}, {}", when(*after), words(signal, &value).is),
            None => format!("{}, {} is not there", when(*after), thing(signal)),
        },
        Feature::Event { event, name, by, .. } => format!("{} {}", deed(event, name).not_done, when(*by)),
        Feature::EventCount { event, name, after, .. } => {
            let count = count(run, event, name, *after);
            format!("{}, {}", when(*after), counted(event, name, count))
        }
        Feature::Reached { signal, value, by } => {
            format!("{} {}", words(signal, value).not_yet, when(*by))
        }
        Feature::Never { signal, value, .. } => words(signal, value).becomes,
        Feature::NeverEvent { event, name, .. } => deed(event, name).now,
        Feature::Changed { signal, from, to, same } => {
            let how = if *same { "differs" } else { "is the same" };
            format!("{} {how} {} and {}", thing(signal), when(*from), when(*to))
        }
        Feature::Before { event, first, second } => {
            format!("{} before {}", deed(event, first).not_now, deed(event, second).now)
        }
        Feature::Only { signal, .. } => format!("{} is something else", thing(signal)),
        Feature::Spans { signal, .. } => format!("{} goes somewhere else", thing(signal)),
        Feature::Travels { signal, .. } => format!("{} changes by another amount", thing(signal)),
        Feature::Follows { signal, .. } => format!("{} takes another course", followed(signal)),
    }
}

/// The inputs until then, in words.
pub fn reproduce(scenario: &Scenario, until: u64) -> Vec<String> {
    let steps = scenario.steps.iter().filter(|step| step.at() < until);
    let mut said: Vec<(String, u64, u64, usize)> = Vec::new();
    for step in steps {
        let words = action(step);
        match said.last_mut() {
            Some((known, _, last, count)) if *known == words => (*last, *count) = (step.at(), *count + 1),
            _ => said.push((words, step.at(), step.at(), 1)),
        }
    }
    let mut lines: Vec<String> = said
        .into_iter()
        .map(|(words, first, last, count)| match count {
            1 => format!("at {}: {words}.", clock(first)),
            _ => format!("from {:.1} s to {:.1} s: {words}, {count} times.", seconds(first), seconds(last)),
        })
        .collect();
    lines.push(format!("at {}: look.", clock(until)));
    lines
}

/// Whether it is a key that is held down.
pub(super) const fn is_held(step: &Step) -> bool {
    matches!(step, Step::Key { ticks, .. } if *ticks > TAP)
}

/// An input as it is told to whoever makes it.
pub(super) fn action(step: &Step) -> String {
    match step {
        Step::Flag { .. } => "click the green flag".to_owned(),
        Step::Stop { .. } => "click the stop sign".to_owned(),
        Step::Key { key, ticks, .. } if is_held(step) => format!("hold the {key} key for {:.1} s", seconds(*ticks)),
        Step::Key { key, .. } => format!("press the {key} key"),
        Step::Mouse { x, y, .. } => format!("move the pointer to ({x}, {y})"),
        Step::Button { down: true, .. } => "put the mouse button down".to_owned(),
        Step::Button { .. } => "let the mouse button go".to_owned(),
        Step::Click { sprite, .. } => format!("click {sprite}"),
        Step::ClickStage { .. } => "click the stage beside all sprites".to_owned(),
        Step::Drag { sprite, to: (x, y), .. } => format!("drag {sprite} to ({x}, {y})"),
        Step::Message { message, .. } => format!("send the message \"{message}\""),
        Step::Backdrop { backdrop, .. } => format!("start what waits for the backdrop \"{backdrop}\""),
    }
}

/// Whether the steps of a report set this off from outside.
pub fn is_reported(start: &Start, steps: &[String]) -> bool {
    let says = |words: &str| steps.iter().any(|step| step.to_uppercase().contains(&words.to_uppercase()));
    match start {
        Start::GreenFlag => says("click the green flag"),
        Start::Key(key) if key == "any" => says(" key"),
        Start::Key(key) => says(&format!("the {key} key")),
        // Where the button goes down, anything may lie.
        Start::Click(target) if target == "Stage" => says("click the stage") || says("mouse button down"),
        Start::Click(sprite) => {
            says(&format!("click {sprite}")) || says(&format!("drag {sprite}")) || says("mouse button down")
        }
        Start::Backdrop(backdrop) => says(&format!("the backdrop \"{backdrop}\"")),
        Start::Message(message) => says(&format!("the message \"{message}\"")),
        Start::Clone(_) | Start::Call(..) | Start::Sensed(_) => false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "runs have thousands of ticks at most")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / SECOND
}

/// So many ticks in seconds.
pub(super) fn clock(ticks: u64) -> String {
    format!("{:.1} s", seconds(ticks))
}

/// A moment, counted from the last flag before it.
pub(super) fn moment(scenario: &Scenario, ticks: u64) -> String {
    let flags: Vec<u64> = scenario
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Flag { at } if *at < ticks => Some(*at),
            _ => None,
        })
        .collect();
    let Some(last) = flags.last() else { return format!("{:.1} s after the start", seconds(ticks)) };
    let which = if flags.len() > 1 { "second green flag" } else { "green flag" };
    format!("{:.1} s after the {which}", seconds(ticks - last))
}

/// That a signal has a value.
pub(super) fn state(signal: &str, value: &Value) -> String {
    words(signal, value).is
}

/// Sentences about a signal and a value of it.
struct Words {
    is: String,
    becomes: String,
    not_yet: String,
    never: String,
}

/// What is seen and said has verbs of its own.
fn words(signal: &str, value: &Value) -> Words {
    let of = |whose: &str, verbs: [&str; 4]| {
        let [is, becomes, not_yet, never] = verbs.map(|verb| format!("{whose} {verb}"));
        Words { is, becomes, not_yet, never }
    };
    let plain = || {
        let how = shown(value);
        let verbs = ["is", "becomes", "has not become", "is never"].map(|verb| format!("{verb} {how}"));
        of(&thing(signal), verbs.each_ref().map(String::as_str))
    };
    let Some((sprite, what)) = signal.split_once('/') else { return plain() };
    match (what, value) {
        ("visible", Value::Bool(true)) => of(sprite, ["shows", "appears", "has not appeared", "never shows"]),
        ("visible", Value::Bool(false)) => {
            of(sprite, ["is hidden", "disappears", "has not disappeared", "is never hidden"])
        }
        ("bubble", Value::Null) => {
            of(sprite, ["says nothing", "stops speaking", "has not stopped speaking", "never stops speaking"])
        }
        ("bubble", Value::String(text)) => {
            let (verbs, words) = bubble(text);
            let [now, done] = verbs;
            let says = format!("{now}s \"{words}\"");
            of(sprite, [&says, &says, &format!("has not {done} \"{words}\""), &format!("never {says}")])
        }
        _ => plain(),
    }
}

/// A bubble's verb, as it is and was done, and its words.
fn bubble(text: &str) -> ([&'static str; 2], &str) {
    match text.split_once(": ") {
        Some(("think", words)) => (["think", "thought"], words),
        Some(("say", words)) => (["say", "said"], words),
        _ => (["say", "said"], text),
    }
}

/// How often, in words.
pub fn times(n: u64) -> String {
    match n {
        0 => "not at all".to_owned(),
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}

/// A signal in words.
pub fn thing(signal: &str) -> String {
    let (owner, rest) = signal.split_once('/').unwrap_or(("", signal));
    let of = |what: &str| {
        if owner == "Stage" { format!("the {what} of the stage") } else { format!("the {what} of {owner}") }
    };
    if owner == "clones" {
        return format!("the number of clones of {rest}");
    }
    match rest.split_once('/') {
        Some(("variable" | "list", name)) if owner == "Stage" => format!("\"{name}\""),
        Some(("variable" | "list", name)) => format!("\"{name}\" of {owner}"),
        Some(("effect", name)) => of(&format!("{name} effect")),
        _ => match rest {
            "costume" if owner == "Stage" => "the backdrop".to_owned(),
            "bubble" => format!("what {owner} says"),
            "visible" => format!("whether {owner} shows"),
            "x" | "y" => of(&format!("{rest} position")),
            other => of(other),
        },
    }
}

/// A signal, or the count of an event, in words.
fn followed(signal: &str) -> String {
    match event_of(signal) {
        Some((event, name)) => format!("how often {} comes", happening(event, &Value::from(name))),
        None => thing(signal),
    }
}

/// Something that happens, in words.
pub fn happening(event: &str, name: &Value) -> String {
    let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    match event {
        "broadcast" => format!("the message \"{name}\""),
        "sound" => format!("the sound \"{name}\""),
        "question" => format!("the question \"{name}\""),
        _ => format!("the words \"{name}\""),
    }
}

/// A value in words.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        // Programs keep numbers as texts, too; nobody sees a difference.
        Value::String(text) if number(value).is_none() => format!("\"{text}\""),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
