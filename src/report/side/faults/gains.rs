//! Understanding with the gains of fixes in one view, as table 2 of the paper has it: how many instances a run of repairs mends that the
//! first one did not, such as one that was given an explanation over one that was not, or a tuned model over the model it was.

use super::super::table::{NONE, Table, two};
use super::{Faults, Row};
use crate::benchmarks::{explain, repair};

/// What changed between two runs over the same instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gains {
    /// Failed before, and repaired now.
    gained: usize,
    /// The other way round.
    lost: usize,
    /// Instances that count in both.
    n: usize,
}

impl Gains {
    /// Nothing of runs of different benchmarks.
    fn of(base: &Row<repair::Score>, row: &Row<repair::Score>) -> Option<Self> {
        if base.set != row.set || base.run == row.run {
            return None;
        }
        let both = row.passed.iter().filter_map(|(item, now)| Some((*base.passed.get(item)?, *now)));
        Some(both.fold(Self { gained: 0, lost: 0, n: 0 }, |so_far, (before, now)| Self {
            gained: so_far.gained + usize::from(!before && now),
            lost: so_far.lost + usize::from(before && !now),
            n: so_far.n + 1,
        }))
    }
}

impl Faults {
    /// The table; nothing without a run of explanations and two of repairs.
    pub(super) fn gains(&self) -> Option<Table> {
        let (base, later) = self.repairs.split_first()?;
        if later.is_empty() || self.explanations.is_empty() {
            return None;
        }
        let mut agents: Vec<Vec<String>> = Vec::new();
        let named = self.explanations.iter().map(Row::names).chain(self.repairs.iter().map(Row::names));
        for names in named {
            if !agents.contains(&names) {
                agents.push(names);
            }
        }
        let row = |names: Vec<String>| {
            let explained = self.explanations.iter().find(|row| row.names() == names);
            let repaired = self.repairs.iter().find(|row| row.names() == names);
            let cells = understanding(explained).into_iter().chain(fixes(base, repaired));
            names.into_iter().chain(cells).collect()
        };
        let head =
            ["agent", "setting", "G-Acc %", "U-Acc %", "T-F1", "M-Acc %", "repaired %", "fix gains", "lost", "of"];
        let note = format!(
            "Fix gains: instances that {}, the first run of repairs, did not repair and this one does; lost: the other way round; of those \
             whose first attempts count in both",
            base.title()
        );
        Some(Table::new("Understanding and fix gains", &head, agents.into_iter().map(row).collect(), &[note]))
    }
}

fn understanding(row: Option<&Row<explain::Score>>) -> [String; 4] {
    let Some(row) = row else { return [NONE; 4].map(str::to_owned) };
    let all = &row.score.all;
    [two(all.goal.percent), two(all.understood.percent), two(all.trigger_f1), two(all.mechanism.percent)]
}

fn fixes(base: &Row<repair::Score>, row: Option<&Row<repair::Score>>) -> [String; 4] {
    let Some(row) = row else { return [NONE; 4].map(str::to_owned) };
    let repaired = two(row.score.all.repaired.percent);
    match Gains::of(base, row) {
        Some(Gains { gained, lost, n }) => [repaired, gained.to_string(), lost.to_string(), n.to_string()],
        None => [repaired.as_str(), NONE, NONE, NONE].map(str::to_owned),
    }
}
