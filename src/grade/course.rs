//! The course of a signal over a run, and whether another run takes the same one a little sooner or later: at each checkpoint it shows what
//! the other shows near in time. Both ways round, so that neither what is new nor what is missing passes.

use serde_json::Value;

use super::signals::event_of;
use super::suite::{checkpoints, number, same, ticks_of};
use crate::model::{Column, TraceRun};

/// What a signal shows at the checkpoints of a run, in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    values: Vec<Value>,
    numbers: Vec<Option<f64>>,
    /// The checkpoints before the signal begins, such as the count of clones before the first: nothing is known of it there.
    begin: usize,
}

impl Course {
    /// A course with these values.
    fn new(values: impl Iterator<Item = Option<Value>>) -> Self {
        let values: Vec<Option<Value>> = values.collect();
        let begin = values.iter().take_while(|value| value.is_none()).count();
        let values: Vec<Value> = values.into_iter().map(Option::unwrap_or_default).collect();
        let numbers = values.iter().map(number).collect();
        Self { values, numbers, begin }
    }

    /// The course that a column says, up to so many ticks, looked at every so many.
    pub fn of_column(column: Option<&Column>, until: u64, every: u64) -> Self {
        Self::new(checkpoints(until, every).map(|after| column?.after(after).cloned()))
    }

    /// The course of a signal, or of the count of an event, up to so many ticks, looked at every so many.
    pub fn of(run: &TraceRun, signal: &str, until: u64, every: u64) -> Self {
        let Some((event, name)) = event_of(signal) else {
            return Self::of_column(run.signals.get(signal), until, every);
        };
        // The whole column is looked through once, not at each checkpoint.
        let ticks: Vec<u64> = ticks_of(run, event, &Value::from(name)).collect();
        Self::new(checkpoints(until, every).map(|after| Some(ticks.partition_point(|tick| *tick < after).into())))
    }

    /// Its values with the numbers of their checkpoints, from 1.
    pub fn shown(&self) -> impl Iterator<Item = (u64, &Value)> {
        (1..).zip(&self.values).skip(self.begin)
    }

    /// Its different values, in the order of their first checkpoints.
    pub fn different(&self) -> Vec<&Value> {
        let mut known: Vec<&Value> = Vec::new();
        for (_, value) in self.shown() {
            if !known.iter().any(|one| same(one, value)) {
                known.push(value);
            }
        }
        known
    }

    /// The numbers of a course that has nothing else.
    pub fn all_numbers(&self) -> Option<Vec<f64>> {
        self.numbers[self.begin..].iter().copied().collect()
    }

    /// Whether another course shows what this one shows, and the other way round, at most so many checkpoints sooner or later. With a
    /// margin, numbers count as shown between the least and the greatest of that time, give or take the margin.
    pub fn is_followed(&self, other: &Self, margin: Option<f64>, shift: u64) -> bool {
        let reach = usize::try_from(shift).unwrap_or(usize::MAX);
        other.is_within(self, margin, reach) && self.is_within(other, margin, reach)
    }

    /// What happens at a single checkpoint may be a matter of chance, and what would be shown after the end is not known.
    fn is_within(&self, other: &Self, margin: Option<f64>, reach: usize) -> bool {
        let mut was_strange = false;
        for at in self.begin..self.values.len().saturating_sub(reach) {
            let is_strange = !self.is_shown(at, other, margin, reach);
            if is_strange && was_strange {
                return false;
            }
            was_strange = is_strange;
        }
        true
    }

    fn is_shown(&self, at: usize, other: &Self, margin: Option<f64>, reach: usize) -> bool {
        let equals = |there: usize| {
            there >= other.begin && other.values.get(there).is_some_and(|shown| same(&self.values[at], shown))
        };
        let (from, to) = (at.saturating_sub(reach), at.saturating_add(reach).min(other.values.len().saturating_sub(1)));
        if equals(at) || (from..=to).any(equals) {
            return true;
        }
        let (Some(margin), Some(own)) = (margin, self.numbers[at]) else { return false };
        let near = other.numbers.get(from..=to).into_iter().flatten().flatten();
        let (least, greatest) = near
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), one| (least.min(*one), greatest.max(*one)));
        own >= least - margin && own <= greatest + margin
    }
}
