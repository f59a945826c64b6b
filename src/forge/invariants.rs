//! What of gold's behaviour in one scenario could be guarded: values that have settled, counts of what happened, the values that are shown
//! at all, how far numbers go, and the whole course of what changes. Each is stated so that a program which does the same a little sooner or
//! later keeps it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::grade::course::Course;
use crate::grade::is_behaviour;
use crate::grade::suite::{extremes, number, numbers_until, same, ticks_of, travelled};
use crate::model::{Column, EVENTS, Feature, TraceRun};

/// Ticks that a program which does the same may be sooner or later than gold, as assertions have it for what must be reached.
const SHIFT: u64 = 60;
/// Looks into a plateau beyond the two at its ends are so many ticks apart.
const APART: u64 = 300;
/// Looks at the plateaus of a signal, values of it that must be reached, and counts of a happening, at most.
const MOST_LOOKS: usize = 5;
const MOST_REACHED: usize = 4;
const MOST_COUNTS: usize = 3;
/// From so many values on, a number is on the move rather than one of a few.
const FEW: usize = 12;
/// The part of a number's range or way that is no difference, and the least margin.
const MARGIN: (f64, f64) = (0.1, 1.0);
/// Checkpoints for which a value must last to be missed where it never shows.
const LASTING: usize = 3;
/// A number whose steps between two checkpoints are a larger part of its range jumps: how far it goes depends on when it is looked at.
const STEADY: f64 = 0.25;

/// The part of a margin by which a number must have moved to be written into a course.
const STEP: f64 = 0.25;

/// Gold's run of a scenario under the first seed, and what is worth a look in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) run: &'a TraceRun,
    /// Ticks of the scenario, and between two checkpoints.
    pub(super) length: u64,
    pub(super) every: u64,
    /// Signals of gold's state, in lower case.
    pub(super) state: &'a BTreeSet<String>,
    /// Values of signals, and names of happenings, in any scenario.
    pub(super) values: &'a BTreeMap<String, Vec<Value>>,
    /// Messages that may have another name, in lower case.
    pub(super) silent: &'a BTreeSet<String>,
}

/// All of them, those that say most of a signal first.
pub(super) fn invariants(scene: &Scene<'_>) -> Vec<Feature> {
    let mut found = Vec::new();
    for signal in scene.run.signals.keys().filter(|signal| scene.is_looked_at(signal)) {
        scene.of_signal(signal, &mut found);
    }
    for (event, name) in scene.happenings() {
        scene.of_happening(&event, &name, &mut found);
    }
    found.sort_by_key(rank);
    found
}

/// Where something settles says more than what stays the same all the time, of which there is most.
fn rank(feature: &Feature) -> u8 {
    match feature {
        Feature::Follows { .. } => 0,
        Feature::Equals { .. } | Feature::EventCount { .. } => 1,
        Feature::Reached { .. } | Feature::Event { .. } => 2,
        Feature::Spans { .. } | Feature::Travels { .. } => 3,
        Feature::Only { values, .. } if values.len() > 1 => 4,
        Feature::NeverEvent { .. } => 5,
        _ => 6,
    }
}

impl Scene<'_> {
    /// What people see and hear, and the state of gold; no single clones.
    fn is_looked_at(&self, signal: &str) -> bool {
        let holds = !signal.starts_with(EVENTS) && !signal.contains('#') && !signal.starts_with("program/");
        holds && (is_behaviour(signal) || self.state.contains(&signal.to_lowercase()))
    }

    fn last(&self) -> u64 {
        self.length / self.every * self.every
    }

    fn of_signal(&self, signal: &str, found: &mut Vec<Feature>) {
        let course = Course::of(self.run, signal, self.last(), self.every);
        let shown: Vec<&Value> = course.shown().map(|(_, value)| value).collect();
        let values: Vec<Value> = course.different().into_iter().cloned().collect();
        found.extend(self.course(signal, &course, values.len()));
        let is_number = course.all_numbers().is_some();
        if values.len() > 1 {
            self.settled(signal, &shown, found);
        }
        if is_number && values.len() > FEW {
            self.moving(signal, found);
        } else if !values.is_empty() && values.len() <= FEW {
            self.reached(signal, &shown, &values, found);
            found.push(Feature::Only { signal: signal.to_owned(), values, until: self.last() });
        }
    }

    /// The whole course of a signal that changes, or of the count of an event. None of a text that is another one at most looks: shown a
    /// tick later it would be strange at all of them.
    fn course(&self, signal: &str, course: &Course, different: usize) -> Option<Feature> {
        let margin = course_margin(signal, course, different)?;
        let step = margin.unwrap_or_default() * STEP;
        let mut gold = Column { t: Vec::new(), v: Vec::new() };
        for (after, value) in course.shown().map(|(at, value)| (at * self.every, value)) {
            let near = |last: &Value| matches!((number(last), number(value)), (Some(last), Some(value)) if (last - value).abs() < step);
            if gold.v.last().is_none_or(|last| last != value && !near(last)) {
                gold.t.push(after - 1);
                gold.v.push(value.clone());
            }
        }
        let (shift, until) = (SHIFT.next_multiple_of(self.every), self.last());
        let is_long = until > 2 * shift;
        (is_long && gold.v.len() > 1).then(|| Feature::Follows {
            signal: signal.to_owned(),
            gold,
            margin,
            shift,
            until,
        })
    }

    /// Looks into what stays the same for so long that it is there sooner and later as well.
    fn settled(&self, signal: &str, shown: &[&Value], found: &mut Vec<Feature>) {
        // A column may begin after the first checkpoints.
        let before = self.last() / self.every - shown.len() as u64;
        let mut plateaus: Vec<(usize, usize)> = Vec::new();
        let mut begin = 0;
        for at in 1..=shown.len() {
            if shown.get(at).is_none_or(|value| !same(value, shown[begin])) {
                plateaus.push((begin, at - begin));
                begin = at;
            }
        }
        plateaus.sort_by_key(|(begin, length)| (std::cmp::Reverse(*length), *begin));
        let mut looks = 0;
        for (begin, length) in plateaus {
            let first = (before + begin as u64 + 1) * self.every;
            for after in self.looks(first, first + (length as u64 - 1) * self.every) {
                if looks == MOST_LOOKS {
                    return;
                }
                looks += 1;
                found.push(Feature::Equals { signal: signal.to_owned(), after, value: shown[begin].clone() });
            }
        }
    }

    /// Checkpoints that far from both ends of a plateau, which it shows between these ticks.
    fn looks(&self, first: u64, last: u64) -> Vec<u64> {
        let shift = SHIFT.next_multiple_of(self.every);
        let (from, to) = (first + shift, last.saturating_sub(shift));
        if from > to {
            return Vec::new();
        }
        let step = usize::try_from(APART.next_multiple_of(self.every)).unwrap_or(1);
        let mut looks: Vec<u64> = (from..=to).step_by(step).collect();
        if looks.last() != Some(&to) {
            looks.push(to);
        }
        looks
    }

    /// Values that last and come early enough to be there late as well; the first one is no achievement.
    fn reached(&self, signal: &str, shown: &[&Value], values: &[Value], found: &mut Vec<Feature>) {
        let before = self.last() / self.every - shown.len() as u64;
        let lasts = |value: &Value| shown.windows(LASTING).position(|some| some.iter().all(|one| same(one, value)));
        let each = values.iter().skip(1).filter_map(|value| Some((value, lasts(value)?)));
        let by = each.map(|(value, at)| (value, (before + at as u64 + 1) * self.every + SHIFT));
        let reached = by.filter(|(_, by)| *by <= self.last()).take(MOST_REACHED).map(|(value, by)| Feature::Reached {
            signal: signal.to_owned(),
            value: value.clone(),
            by: by.next_multiple_of(self.every),
        });
        found.extend(reached);
    }

    /// How far a number goes. What gold itself moves in the shift at the end is no difference, nor is that part of the whole way.
    fn moving(&self, signal: &str, found: &mut Vec<Feature>) {
        let until = self.last();
        let Some(numbers) = numbers_until(self.run, signal, until, self.every) else { return };
        let (low, high) = extremes(&numbers);
        if !low.is_finite() || !high.is_finite() {
            return;
        }
        let late = numbers.len().saturating_sub(usize::try_from(SHIFT / self.every).unwrap_or(0) + 1);
        let (least, greatest) = extremes(&numbers[late..]);
        let margin = MARGIN.1.max(MARGIN.0 * (high - low)).max(greatest - least);
        if margin < high - low {
            found.push(Feature::Spans { signal: signal.to_owned(), low, high, margin, until });
        }
        let steps = numbers.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        if steps.fold(0.0, f64::max) > STEADY * (high - low) {
            return;
        }
        let way = travelled(&numbers);
        #[expect(clippy::cast_precision_loss, reason = "scenarios have thousands of ticks at most")]
        let shifted = SHIFT as f64 / until.max(1) as f64;
        let margin = MARGIN.1.max(way * MARGIN.0.max(shifted));
        found.push(Feature::Travels { signal: signal.to_owned(), way, margin, until });
    }

    /// Kinds and names of what happens in any scenario, messages by one spelling.
    fn happenings(&self) -> BTreeSet<(String, String)> {
        let mut found: BTreeMap<(String, String), String> = BTreeMap::new();
        for (signal, values) in self.values {
            let Some(event) = signal.strip_prefix(EVENTS) else { continue };
            for name in values.iter().filter_map(Value::as_str).filter(|name| !name.contains('#')) {
                let is_heard = event == "sound" || is_behaviour(&format!("{signal}:{name}"));
                let is_silent = event == "broadcast" && self.silent.contains(&name.to_lowercase());
                if is_heard && !is_silent {
                    found.entry((event.to_owned(), name.to_lowercase())).or_insert_with(|| name.to_owned());
                }
            }
        }
        found.into_iter().map(|((event, _), name)| (event, name)).collect()
    }

    fn of_happening(&self, event: &str, name: &str, found: &mut Vec<Feature>) {
        let signal = format!("{EVENTS}{event}:{name}");
        let course = Course::of(self.run, &signal, self.last(), self.every);
        found.extend(self.course(&signal, &course, course.different().len()));
        let (event, value) = (event.to_owned(), Value::String(name.to_owned()));
        let ticks: Vec<u64> = ticks_of(self.run, &event, &value).collect();
        let Some(first) = ticks.first() else {
            found.push(Feature::NeverEvent { event, name: value, until: self.last() });
            return;
        };
        let counts = self.counts(&ticks);
        let by = (first + 1 + SHIFT).next_multiple_of(self.every);
        if counts.is_empty() && by <= self.last() {
            found.push(Feature::Event { event, name: value, by, n: 1 });
            return;
        }
        found.extend(counts.into_iter().map(|(after, n)| Feature::EventCount {
            event: event.clone(),
            name: value.clone(),
            after,
            n,
        }));
    }

    /// Where for long enough nothing more happens, the last such time first, with how often it has happened by then.
    fn counts(&self, ticks: &[u64]) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        for (at, tick) in ticks.iter().enumerate().rev() {
            let end = ticks.get(at + 1).copied().unwrap_or_else(|| self.last());
            let after = (tick + 1 + SHIFT).next_multiple_of(self.every);
            if after + SHIFT <= end && found.len() < MOST_COUNTS {
                found.push((after, at as u64 + 1));
                if at + 1 == ticks.len() && self.last() - SHIFT > after {
                    // What happens too often may do so late.
                    found.push(((self.last() - SHIFT) / self.every * self.every, at as u64 + 1));
                }
            }
        }
        found
    }
}

/// The margin of a course: none where it has few values, a part of its range where it is a number on the move. `None` where it has no
/// course that could be kept.
#[expect(clippy::option_option, reason = "no course, and a course without a margin")]
fn course_margin(signal: &str, course: &Course, different: usize) -> Option<Option<f64>> {
    let is_count = signal.starts_with(EVENTS);
    if different <= FEW {
        return Some(is_count.then_some(0.0));
    }
    let (low, high) = extremes(&course.all_numbers()?);
    let margin = MARGIN.1.max(MARGIN.0 * (high - low));
    margin.is_finite().then_some(Some(margin))
}

#[cfg(test)]
#[path = "invariants_tests.rs"]
mod tests;
