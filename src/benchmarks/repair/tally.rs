//! The attempts of a run that count, with what tables group them by; for both tracks.

use strum::IntoEnumIterator as _;

use super::Item;
use crate::bugs::Difficulty;
use crate::grade::{LeftOut, left_out};
use crate::inject::Pattern;
use crate::model::AttemptRecord;

/// An attempt that counts; nothing is known of one without an answer.
pub struct Judged<'a, D> {
    pub item: &'a Item,
    pub detail: Option<&'a D>,
}

/// All of a run.
pub struct Tally<'a, D> {
    pub judged: Vec<Judged<'a, D>>,
    /// Attempts that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Instances none of whose attempts counts.
    pub missing: usize,
}

impl<'a, D> Tally<'a, D> {
    /// Sorts the attempts at these instances.
    pub fn of(items: &'a [Item], records: &'a [AttemptRecord<Option<D>>]) -> Self {
        let (counted, others): (Vec<_>, Vec<_>) = records.iter().partition(|record| record.outcome.counts());
        let of = |record: &AttemptRecord<_>| items.iter().find(|item| item.id == record.item);
        let judged = counted
            .iter()
            .filter_map(|record| Some(Judged { item: of(record)?, detail: record.detail.as_ref() }))
            .collect();
        let missing = items.iter().filter(|item| counted.iter().all(|record| record.item != item.id)).count();
        Self { judged, left_out: left_out(others.iter().map(|record| record.outcome.name())), missing }
    }

    /// What was answered.
    pub fn details(&self) -> impl Iterator<Item = &'a D> {
        self.judged.iter().filter_map(|one| one.detail)
    }

    /// Attempts without an answer.
    pub fn unanswered(&self) -> usize {
        self.judged.iter().filter(|one| one.detail.is_none()).count()
    }

    /// The figures of all, of each pattern and of each difficulty that occurs.
    pub fn groups<G>(&self, group: impl Fn(&str, &[&Judged<'a, D>]) -> G) -> (G, Vec<G>, Vec<G>) {
        let kept = |name: String, is: &dyn Fn(&Item) -> bool| {
            let own: Vec<&Judged<'a, D>> = self.judged.iter().filter(|one| is(one.item)).collect();
            (!own.is_empty()).then(|| group(&name, &own))
        };
        let patterns = Pattern::iter().map(|pattern| pattern.to_string());
        let patterns = patterns.filter_map(|name| kept(name.clone(), &|item| item.pattern == name)).collect();
        let difficulties = Difficulty::iter();
        let difficulties =
            difficulties.filter_map(|one| kept(one.to_string(), &|item| item.difficulty == one)).collect();
        (group("all", &self.judged.iter().collect::<Vec<_>>()), patterns, difficulties)
    }
}
