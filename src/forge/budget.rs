//! What a project may cost in the forge. It is reckoned in ticks that are asked for and in counted work, never in time: the same project
//! is given up at the same trial on any machine, however loaded.

use super::gold::Gold;
use super::plays::Plays;
use super::rules::Rules;

/// Blocks that run in the time that a light tick takes with its share of loading: two cores play 1,200 of these a second
/// ([`Rules::budget`]), and a block takes 50 nanoseconds.
const BLOCKS: u64 = 33_000;

/// The ticks that a project may still cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// What all runs had cost when the project was begun.
    begun: u64,
    most: u64,
}

impl Budget {
    /// The budget of a project that is begun now: that of the rules for each instance that it may have.
    pub fn of(rules: &Rules, plays: &Plays) -> Self {
        Self::begun(rules, plays.asked())
    }

    fn begun(rules: &Rules, begun: u64) -> Self {
        Self { begun, most: rules.budget.saturating_mul(rules.per_project as u64) }
    }

    /// The same for a project that was played: the more work its ticks have, the fewer of them it may cost.
    pub fn priced(self, gold: &Gold) -> Self {
        let runs = || gold.first.values();
        let ticks: u64 = runs().map(|played| played.run().ticks).sum();
        let work: u64 = runs().map(|played| played.work).sum();
        self.at_work(work / ticks.max(1))
    }

    fn at_work(self, tick_work: u64) -> Self {
        Self { most: self.most.saturating_mul(BLOCKS) / BLOCKS.saturating_add(tick_work), ..self }
    }

    /// The whole budget once more, from now on.
    pub fn renewed(self, plays: &Plays) -> Self {
        Self { begun: plays.asked(), ..self }
    }

    /// The same where the last so many ticks that were asked for do not count.
    pub const fn without(self, ticks: u64) -> Self {
        Self { begun: self.begun.saturating_add(ticks), ..self }
    }

    /// Whether nothing more is begun for this project.
    pub fn is_spent(self, plays: &Plays) -> bool {
        self.is_spent_at(plays.asked())
    }

    const fn is_spent_at(self, asked: u64) -> bool {
        asked.saturating_sub(self.begun) >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_of_one_project_and_grows_with_its_instances() {
        let rules = Rules { budget: 100, ..Rules::default() };
        let budget = Budget::begun(&rules, 5000);
        assert!(!budget.is_spent_at(5000) && !budget.is_spent_at(5099), "what others cost counts for nothing");
        assert!(budget.is_spent_at(5100));
        let more = Budget::begun(&Rules { per_project: 3, ..rules }, 5000);
        assert!(!more.is_spent_at(5299) && more.is_spent_at(5300));
    }

    #[test]
    fn what_is_measured_is_not_counted() {
        let budget = Budget::begun(&Rules { budget: 100, ..Rules::default() }, 0);
        let later = budget.without(7000);
        assert!(!later.is_spent_at(7099) && later.is_spent_at(7100) && budget.is_spent_at(7099));
    }

    #[test]
    fn ticks_with_more_work_are_fewer() {
        let budget = Budget::begun(&Rules { budget: 100, ..Rules::default() }, 0);
        let heavy = budget.at_work(BLOCKS);
        assert!(!heavy.is_spent_at(49) && heavy.is_spent_at(50), "each takes twice the time of a light one");
        assert_eq!(budget.at_work(0), budget);
    }
}
