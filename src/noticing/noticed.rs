//! What a player notices: where two runs of the same inputs first look or sound different. Only what the stage shows counts, and sounds:
//! no variable without a monitor, no sprite that is hidden, no step of a pixel, nothing that is over at the next look.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::grade::signals::value;
use crate::grade::suite::{number, same};
use crate::model::{EVENTS, TraceRun};
use crate::patches::effects::Influence;
use crate::project::view::{TargetView, targets};

/// Steps, percent or points of an effect that two sprites may be apart and look the same.
const NEAR: f64 = 5.0;
/// Degrees that two sprites may be turned and look the same.
const NEAR_TURN: f64 = 10.0;

/// What is noticed of a signal. Of what is noticed at one moment, the first in this order is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sense {
    Speech,
    Costume,
    Visibility,
    Place,
    Direction,
    Size,
    Effect,
    Backdrop,
    Question,
    Clones,
    Sound,
    /// A variable or list that the stage shows.
    Monitor,
}

/// A difference that a player notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noticed {
    pub sense: Sense,
    /// The signal of the traces, such as `Moth/visible` or `events/sound:Moth: pop`.
    pub signal: String,
    /// Ended ticks after which it is noticed.
    pub after: u64,
}

/// Ticks after a difference up to which it is looked at (two seconds): a person does not look at the very moment.
pub const LATER: u64 = 60;

impl Noticed {
    /// The looks from its moment on at which two runs still differ in it, every so many ticks up to a length; its moment is the first one.
    fn lasts<'a>(&'a self, runs: [&'a TraceRun; 2], length: u64, every: u64) -> impl Iterator<Item = u64> + use<'a> {
        let looks =
            (0..).map(move |number| self.after + number * every.max(1)).take_while(move |after| *after <= length);
        looks.take_while(move |after| is_noticed((self.sense, &self.signal), runs, *after))
    }

    /// The look in the middle of the time for which it lasts, at most [`LATER`] ticks after its moment: it is there for those who look a
    /// little early or late.
    pub fn middle(&self, runs: [&TraceRun; 2], length: u64, every: u64) -> u64 {
        let looks: Vec<u64> = self.lasts(runs, length, every).collect();
        let middle = looks.len().saturating_sub(1) / 2;
        looks.into_iter().take(middle + 1).rfind(|after| *after <= self.after + LATER).unwrap_or(self.after)
    }

    /// The same difference at a later look, if it lasts until then.
    pub fn until(&self, after: u64, runs: [&TraceRun; 2], every: u64) -> Option<Self> {
        let last = self.lasts(runs, after, every).last();
        (last == Some(after)).then(|| Self { after, ..self.clone() })
    }
}

/// What can be noticed of a gold project and of one with a fault.
#[derive(Debug)]
pub struct Watch {
    /// Signals of variables and lists that have a monitor.
    monitors: BTreeSet<String>,
    /// What the fault can change by what the program says: the rest differs by its timing alone.
    influence: Influence,
}

impl Watch {
    /// Watches for differences between two projects.
    pub fn between(gold: &Value, other: &Value) -> Self {
        let monitors = [gold, other].into_iter().flat_map(monitors).collect();
        Self { monitors, influence: Influence::between(gold, other) }
    }

    /// What is noticed first, all of one moment; nothing where a player notices no difference. Runs are looked at every so many ticks
    /// up to a length.
    pub fn noticed(&self, [golden, other]: [&TraceRun; 2], length: u64, every: u64) -> Vec<Noticed> {
        let (every, signals) = (every.max(1), self.signals([golden, other]));
        let differs =
            |(sense, signal): &&(Sense, String), after: u64| is_noticed((*sense, signal), [golden, other], after);
        for after in (1..=length / every).map(|number| number * every) {
            let stays = |one: &&(Sense, String)| after + every > length || differs(one, after + every);
            let found = signals.iter().filter(|one| differs(one, after) && stays(one));
            let found: Vec<Noticed> =
                found.map(|(sense, signal)| Noticed { sense: *sense, signal: signal.clone(), after }).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The signals of two runs that can be noticed.
    fn signals(&self, runs: [&TraceRun; 2]) -> BTreeSet<(Sense, String)> {
        let mut found = BTreeSet::new();
        for (signal, column) in runs.into_iter().flat_map(|run| &run.signals) {
            let names: Vec<String> = if signal.starts_with(EVENTS) {
                column.v.iter().filter_map(Value::as_str).map(|name| format!("{signal}:{name}")).collect()
            } else {
                vec![signal.clone()]
            };
            let noticed = names.into_iter().filter(|name| self.influence.reaches(name));
            found.extend(noticed.filter_map(|name| Some((self.sense(&name)?, name))));
        }
        found
    }

    fn sense(&self, signal: &str) -> Option<Sense> {
        if let Some(event) = signal.strip_prefix(EVENTS) {
            return match event.split(':').next() {
                Some("sound") => Some(Sense::Sound),
                Some("question") => Some(Sense::Question),
                _ => None,
            };
        }
        // Clones are followed one by one as `Moth#1`, in other traces than these.
        let (target, what) = signal.split_once('/').filter(|(target, _)| !target.contains('#'))?;
        match what {
            _ if target == "clones" => Some(Sense::Clones),
            _ if self.monitors.contains(signal) => Some(Sense::Monitor),
            "bubble" => Some(Sense::Speech),
            "costume" if target == "Stage" => Some(Sense::Backdrop),
            "costume" => Some(Sense::Costume),
            "visible" => Some(Sense::Visibility),
            "x" | "y" => Some(Sense::Place),
            "direction" => Some(Sense::Direction),
            "size" => Some(Sense::Size),
            _ => what.starts_with("effect/").then_some(Sense::Effect),
        }
    }
}

/// The signals of a project's variables and lists that the stage shows: those whose monitor is there, and those that a block shows.
pub fn monitors(project: &Value) -> BTreeSet<String> {
    let signal = |owner: &str, kind: &str, name: &str| format!("{owner}/{kind}/{name}");
    let is_shown = |monitor: &&Value| monitor["visible"] == true;
    let there = project["monitors"].as_array().into_iter().flatten().filter(is_shown).filter_map(|monitor| {
        let (kind, param) = match monitor["opcode"].as_str()? {
            "data_variable" => ("variable", "VARIABLE"),
            "data_listcontents" => ("list", "LIST"),
            _ => return None,
        };
        let owner = monitor["spriteName"].as_str().unwrap_or("Stage");
        Some(signal(owner, kind, monitor["params"][param].as_str()?))
    });
    let mut found: BTreeSet<String> = there.collect();
    for target in targets(project) {
        for block in target.blocks() {
            let (kind, field) = match block.opcode {
                "data_showvariable" => ("variable", "VARIABLE"),
                "data_showlist" => ("list", "LIST"),
                _ => continue,
            };
            if let Some(field) = block.field(field) {
                let owner = owner(target, kind, field.id.unwrap_or_default());
                found.insert(signal(owner, kind, &field.value));
            }
        }
    }
    found
}

/// The target that a variable or list of this id belongs to, as a block of this target names it.
fn owner<'a>(target: TargetView<'a>, kind: &str, id: &str) -> &'a str {
    let is_own = target.entries(&format!("{kind}s")).any(|(own, _)| own == id);
    if is_own { target.sprite_id() } else { "Stage" }
}

/// Whether a player notices that two runs differ in a signal after so many ticks.
fn is_noticed((sense, signal): (Sense, &str), [golden, other]: [&TraceRun; 2], after: u64) -> bool {
    // Clones are counted from the first one on.
    let nothing = || if sense == Sense::Clones { Value::from(0) } else { Value::Null };
    let [one, two] = [golden, other].map(|run| value(run, signal, after).unwrap_or_else(nothing));
    if same(&one, &two) {
        return false;
    }
    let owner = signal.split('/').next().unwrap_or_default();
    let property = |run: &TraceRun, name: &str| value(run, &format!("{owner}/{name}"), after);
    let shows = |run: &TraceRun| owner == "Stage" || property(run, "visible") != Some(Value::Bool(false));
    if sense.is_of_shown() && !(shows(golden) && shows(other)) {
        return false;
    }
    let apart = match (number(&one), number(&two)) {
        (Some(one), Some(two)) => (one - two).abs(),
        _ => f64::INFINITY,
    };
    match sense {
        Sense::Place | Sense::Size | Sense::Effect => apart >= NEAR,
        Sense::Direction => match property(golden, "rotation_style").as_ref().and_then(Value::as_str) {
            Some("don't rotate") => false,
            Some("left-right") => is_left(&one) != is_left(&two),
            _ => apart.min((360.0 - apart).abs()) >= NEAR_TURN,
        },
        _ => true,
    }
}

/// Whether a direction is one to the left.
fn is_left(direction: &Value) -> bool {
    number(direction).is_some_and(|degrees| degrees < 0.0)
}

impl Sense {
    /// Whether it is noticed of sprites that show alone.
    const fn is_of_shown(self) -> bool {
        matches!(self, Self::Speech | Self::Costume | Self::Place | Self::Direction | Self::Size | Self::Effect)
    }
}

#[cfg(test)]
#[path = "noticed_tests.rs"]
mod tests;
