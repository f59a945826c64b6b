//! Fixed sentences in a player's words: what is seen or heard, and what should be. They describe what shows: names of costumes, backdrops and
//! sounds, places in numbers, and variables without a monitor are not among it (ScratchEval, section 3.6).

use serde_json::Value;

use super::deed::counted;
use super::noticed::{Noticed, Sense};
use super::says;
use crate::grade::signals::value;
use crate::grade::suite::{number, same};
use crate::model::{EVENTS, Scenario, Step, TraceRun};

/// Ticks in which a display that keeps changing does so at least [`CHANGES`] times: a second.
const READING: u64 = 30;
const CHANGES: usize = 3;

/// What a player sees or hears of a difference, and what should be seen or heard instead, without the moment.
pub fn told(noticed: &Noticed, [golden, buggy]: [&TraceRun; 2]) -> [String; 2] {
    let (signal, after) = (noticed.signal.as_str(), noticed.after);
    let shown = |run: &TraceRun| value(run, signal, after).unwrap_or_default();
    let [wanted, seen] = [golden, buggy].map(shown);
    let (owner, rest) = signal.split_once('/').unwrap_or(("", signal));
    let has_changed = [golden, buggy].map(|run| has_changed(run, noticed));
    match noticed.sense {
        Sense::Speech | Sense::Visibility => [seen, wanted].map(|value| says::state(signal, &value)),
        Sense::Costume => changed(owner, ["changed its look", "the wrong look", "another look"], has_changed),
        Sense::Backdrop => changed("the background", ["changed", "the wrong look", "another look"], has_changed),
        Sense::Place => place(owner, [golden, buggy], after, has_changed),
        Sense::Direction => ["the wrong way", "another way"].map(|way| format!("{owner} faces {way}")),
        Sense::Size => compared(&seen, &wanted, [["too big", "smaller"], ["too small", "bigger"]])
            .map(|size| format!("{owner} is {size}")),
        Sense::Effect => ["wrong", "another one"].map(|how| format!("the shade of {owner} is {how}")),
        Sense::Clones => copies(&seen, &wanted).map(|number| format!("there are {number} copies of {rest}")),
        Sense::Question => [seen, wanted].map(|count| counted("question", &name(signal), plain(&count))),
        Sense::Sound => sound(signal, [&seen, &wanted]),
        Sense::Monitor => match [golden, buggy].map(|run| keeps_changing(run, signal, after)) {
            [false, true] => [display(owner, rest) + " keeps changing", monitor(owner, rest, &wanted)],
            [true, false] => [monitor(owner, rest, &seen), display(owner, rest) + " keeps changing"],
            _ => [seen, wanted].map(|value| monitor(owner, rest, &value)),
        },
    }
}

/// Whether a signal is another one than at the beginning; of a place, whether any of its two is.
fn has_changed(run: &TraceRun, noticed: &Noticed) -> bool {
    let owner = noticed.signal.split('/').next().unwrap_or_default();
    let signals = if noticed.sense == Sense::Place {
        vec![format!("{owner}/x"), format!("{owner}/y")]
    } else {
        vec![noticed.signal.clone()]
    };
    signals.iter().any(|signal| {
        let first = run.signals.get(signal).and_then(|column| column.v.first());
        let now = value(run, signal, noticed.after);
        first.zip(now.as_ref()).is_some_and(|(first, now)| !same(first, now))
    })
}

/// That something has changed or not, or that it is wrong where both have.
fn changed(who: &str, [done, wrong, other]: [&str; 3], [golden, buggy]: [bool; 2]) -> [String; 2] {
    match (golden, buggy) {
        (true, false) => [format!("{who} has not {done}"), format!("{who} has {done}")],
        (false, true) => [format!("{who} has {done}"), format!("{who} has not {done}")],
        _ => [format!("{who} has {wrong}"), format!("{who} has {other}")],
    }
}

/// Where a sprite is, as a direction from where it should be.
fn place(sprite: &str, [golden, buggy]: [&TraceRun; 2], after: u64, has_changed: [bool; 2]) -> [String; 2] {
    if has_changed[0] != has_changed[1] {
        return changed(sprite, ["moved", "", ""], has_changed);
    }
    let at = |run: &TraceRun, axis: &str| value(run, &format!("{sprite}/{axis}"), after).as_ref().and_then(number);
    let apart = |axis: &str| Some(at(buggy, axis)? - at(golden, axis)?);
    let (x, y) = (apart("x").unwrap_or_default(), apart("y").unwrap_or_default());
    let [too_far, further] = match (x.abs() >= y.abs(), x > 0.0, y > 0.0) {
        (true, true, _) => ["to the right", "to the left"],
        (true, false, _) => ["to the left", "to the right"],
        (false, _, true) => ["up", "down"],
        (false, _, false) => ["down", "up"],
    };
    [format!("{sprite} is too far {too_far}"), format!("{sprite} is further {further}")]
}

/// The words for more than wanted, or for less.
fn compared<'a>(seen: &Value, wanted: &Value, [more, less]: [[&'a str; 2]; 2]) -> [&'a str; 2] {
    if number(seen).unwrap_or_default() > number(wanted).unwrap_or_default() { more } else { less }
}

/// How many copies there are and should be.
fn copies(seen: &Value, wanted: &Value) -> [&'static str; 2] {
    let is_none = |count: &Value| number(count).unwrap_or_default() <= 0.0;
    match (is_none(seen), is_none(wanted)) {
        (true, _) => ["no", "some"],
        (_, true) => ["still some", "no"],
        _ => compared(seen, wanted, [["too many", "fewer"], ["too few", "more"]]),
    }
}

fn sound(signal: &str, [seen, wanted]: [&Value; 2]) -> [String; 2] {
    let name = name(signal);
    let sprite = name.as_str().and_then(|name| name.split_once(": ")).map(|(sprite, _)| sprite).unwrap_or_default();
    let of = |how: &str| format!("a sound of {sprite} is {how}");
    let none = || format!("no sound of {sprite} is heard");
    match (plain(seen), plain(wanted)) {
        (0, _) => [none(), of("heard")],
        (_, 0) => [of("heard"), none()],
        (seen, wanted) if seen > wanted => [of("heard too often"), of("heard less often")],
        _ => [of("heard too seldom"), of("heard more often")],
    }
}

/// Whether a display changes faster than anyone reads it: what it shows at a moment says nothing then, and is another value on a machine
/// that gets further in a tick.
fn keeps_changing(run: &TraceRun, signal: &str, after: u64) -> bool {
    let Some(column) = run.signals.get(signal) else { return false };
    let ended = |ticks: u64| column.t.partition_point(|tick| *tick < ticks);
    ended(after) - ended(after.saturating_sub(READING)) >= CHANGES
}

/// A display or a list, by its name.
fn display(owner: &str, what: &str) -> String {
    let (kind, name) = what.split_once('/').unwrap_or(("variable", what));
    let whose = if owner == "Stage" { String::new() } else { format!(" of {owner}") };
    let thing = if kind == "list" { "list" } else { "display" };
    format!("the {thing} \"{name}\"{whose}")
}

/// The name of what happens.
fn name(signal: &str) -> Value {
    let event = signal.strip_prefix(EVENTS).and_then(|event| event.split_once(':'));
    event.map(|(_, name)| name).unwrap_or_default().into()
}

fn plain(count: &Value) -> u64 {
    count.as_u64().unwrap_or_default()
}

/// What a monitor shows.
fn monitor(owner: &str, what: &str, value: &Value) -> String {
    let shows = display(owner, what);
    if !what.starts_with("list/") {
        return format!("{shows} shows {}", says::shown(value));
    }
    let text = value.as_str().unwrap_or_default();
    let how = match serde_json::from_str::<Vec<Value>>(text) {
        Ok(entries) if entries.is_empty() => "is empty".to_owned(),
        Ok(entries) => {
            let entries: Vec<String> = entries.iter().map(says::shown).collect();
            format!("shows {}", entries.join(", "))
        }
        // Of a long list, the trace has how many entries there are, and a digest.
        Err(_) => format!("has {} entries", text.split(' ').next().unwrap_or_default()),
    };
    format!("{shows} {how}")
}

/// The moment in words: since the last input that a player has made.
pub fn moment(scenario: &Scenario, after: u64) -> String {
    match scenario.steps.iter().rfind(|step| step.at() < after) {
        None | Some(Step::Flag { .. }) => says::moment(scenario, after),
        Some(step) => {
            let (since, action) = (says::clock(after - step.at()), says::action(step));
            // Its time runs from where it begins.
            let begin = if says::is_held(step) { "begin to " } else { "" };
            format!("{since} after you {begin}{action}")
        }
    }
}

#[cfg(test)]
#[path = "player_words_tests.rs"]
mod tests;
