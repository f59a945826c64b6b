//! The gap between the modes: what an agent solves by operations on blocks, and can't do with mouse and keyboard. The
//! paper calls it the reasoning-acting gap.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{Table, two};
use crate::benchmarks::tasks::succeeded;
use crate::grade::Proportion;
use crate::model::{ItemId, Mode, TaskRecord};

/// Attempts at each task that count, and how many solved it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Solved(BTreeMap<ItemId, (usize, usize)>);

/// One agent in both modes, over the tasks that it attempted in both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Gap {
    agent: String,
    set: String,
    tasks: usize,
    composite: Proportion,
    primitive: Proportion,
    /// Tasks that were solved at least once in both modes.
    both: usize,
    /// Tasks that were solved in composite mode alone: the agent knew what to do.
    composite_only: usize,
    primitive_only: usize,
    neither: usize,
}

impl Solved {
    pub(super) fn of(records: &[TaskRecord]) -> Self {
        let mut by_item: BTreeMap<ItemId, (usize, usize)> = BTreeMap::new();
        for record in records.iter().filter(|record| record.outcome.counts()) {
            let (made, solved) = by_item.entry(record.item.clone()).or_default();
            *made += 1;
            *solved += usize::from(succeeded(record));
        }
        Self(by_item)
    }

    /// The share of attempts that solved their task, at the tasks that the other has too.
    fn rate(&self, other: &Self) -> Proportion {
        let shared = self.0.iter().filter(|(item, _)| other.0.contains_key(*item));
        Proportion::clustered(shared.flat_map(|(item, (made, solved))| {
            let (item, solved) = (item.as_str(), *solved);
            (0..*made).map(move |at| (item, at < solved))
        }))
    }
}

/// The gaps of agents that have a run in each mode under one name; `runs` has mode, name and set of each.
pub(super) fn gaps(runs: &[(Option<Mode>, &str, &str, &Solved)]) -> Vec<Gap> {
    let of = |wanted: Mode| runs.iter().filter(move |(mode, ..)| *mode == Some(wanted));
    let pairs = of(Mode::Composite).filter_map(|(_, agent, set, composite)| {
        let (.., primitive) = of(Mode::Primitive).find(|(_, name, other, _)| (name, other) == (agent, set))?;
        Some(gap(agent, set, composite, primitive))
    });
    pairs.filter(|gap| gap.tasks > 0).collect()
}

fn gap(agent: &str, set: &str, composite: &Solved, primitive: &Solved) -> Gap {
    let shared: Vec<(bool, bool)> = composite
        .0
        .iter()
        .filter_map(|(item, (_, solved))| Some((*solved > 0, primitive.0.get(item)?.1 > 0)))
        .collect();
    let count = |wanted: (bool, bool)| shared.iter().filter(|found| **found == wanted).count();
    Gap {
        agent: agent.to_owned(),
        set: set.to_owned(),
        tasks: shared.len(),
        composite: composite.rate(primitive),
        primitive: primitive.rate(composite),
        both: count((true, true)),
        composite_only: count((true, false)),
        primitive_only: count((false, true)),
        neither: count((false, false)),
    }
}

pub(super) fn table(gaps: &[Gap]) -> Option<Table> {
    let head = [
        "agent",
        "set",
        "tasks",
        "composite SR",
        "primitive SR",
        "gap",
        "solved in both",
        "composite only",
        "primitive only",
        "neither",
    ];
    let cells = |gap: &Gap| {
        let difference = gap.composite.percent.zip(gap.primitive.percent).map(|(one, other)| one - other);
        let mut cells = vec![gap.agent.clone(), gap.set.clone(), gap.tasks.to_string()];
        cells.extend([two(gap.composite.percent), two(gap.primitive.percent), two(difference)]);
        cells.extend([gap.both, gap.composite_only, gap.primitive_only, gap.neither].map(|n| n.to_string()));
        cells
    };
    let note = "Over the tasks that count in both modes. The gap is in percentage points; a task counts as solved if one of its \
        attempts solved it";
    let rows = gaps.iter().map(cells).collect();
    (!gaps.is_empty()).then(|| Table::new("Tasks: gap between the modes", &head, rows, &[note.to_owned()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(items: &[(&str, usize, usize)]) -> Solved {
        Solved(items.iter().map(|(item, made, solved)| (item.parse().unwrap(), (*made, *solved))).collect())
    }

    #[test]
    fn only_tasks_of_both_modes_are_compared() {
        let blocks = solved(&[("a", 2, 1), ("b", 2, 2), ("c", 2, 0), ("d", 2, 2)]);
        let mouse = solved(&[("a", 2, 0), ("b", 2, 1), ("c", 2, 1)]);
        let runs = [
            (Some(Mode::Composite), "m", "", &blocks),
            (Some(Mode::Primitive), "m", "", &mouse),
            (Some(Mode::Primitive), "other", "", &mouse),
            (Some(Mode::Composite), "alone", "", &blocks),
        ];
        let found = gaps(&runs);
        let [gap] = &found[..] else { panic!("one agent has both modes: {found:?}") };
        assert_eq!((gap.tasks, gap.both, gap.composite_only, gap.primitive_only, gap.neither), (3, 1, 1, 1, 0));
        assert_eq!((gap.composite.percent, gap.composite.n), (Some(50.0), 6));
        let table = table(&found).unwrap();
        assert_eq!(table.rows[0], ["m", "3", "50.00", "33.33", "16.67", "1", "1", "1", "0"]);
    }

    #[test]
    fn without_both_modes_there_is_no_table() {
        assert!(gaps(&[(Some(Mode::Composite), "m", "", &solved(&[("a", 1, 1)]))]).is_empty());
        assert!(table(&[]).is_none());
    }
}
