//! What the validators of repairs are worth: how often a repair that they flag is one that the suite rejects.

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::adequacy::{Adequacy, Fix, FixOutcome};
use crate::grade::Detection;
use crate::patches::lint::{Code, Group};

/// How a code, or a group of codes, agrees with the suites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Validator {
    /// `barrier`, `binding`, or the code.
    pub name: String,
    /// Of the repairs that it flags, those that the suite rejects; and of those that the suite rejects, those that it flags.
    #[serde(flatten)]
    pub detection: Detection,
}

/// Reckons it over all repairs that were tried, the two groups first. Wrong ones that no scenario can tell from gold are left out.
pub fn validators(all: &[Adequacy]) -> Vec<Validator> {
    let tried = || all.iter().flat_map(|one| one.wrong.iter().chain(&one.right));
    let counted = || tried().filter(|fix| fix.outcome != FixOutcome::Equivalent);
    let of = |name: String, flags: &dyn Fn(&Fix) -> bool| {
        let cases = counted().map(|fix| (flags(fix), fix.outcome.is_rejected()));
        Validator { name, detection: Detection::of(cases) }
    };
    let groups = [Group::Barrier, Group::Binding]
        .into_iter()
        .map(|group| of(group.to_string(), &|fix: &Fix| fix.codes.iter().any(|code| code.group() == group)));
    groups.chain(Code::iter().map(|code| of(code.to_string(), &|fix: &Fix| fix.codes.contains(&code)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(outcome: FixOutcome, codes: &[Code]) -> Fix {
        Fix { name: String::new(), outcome, codes: codes.iter().copied().collect() }
    }

    #[test]
    fn flags_are_right_where_the_suite_rejects() {
        use Code::{BarrierSubstituted, DelayGuess, OrphanMessage};
        use FixOutcome::{Accepted, Equivalent, Rejected};
        let wrong = vec![
            fix(Rejected, &[BarrierSubstituted, DelayGuess]),
            fix(Rejected, &[BarrierSubstituted]),
            fix(Rejected, &[]),
            fix(FixOutcome::BreaksGuard, &[OrphanMessage]),
            fix(Accepted, &[DelayGuess]),
            fix(Equivalent, &[BarrierSubstituted]),
        ];
        let right = vec![fix(Accepted, &[BarrierSubstituted]), fix(Accepted, &[]), fix(Rejected, &[])];
        let found = validators(&[Adequacy {
            id: "one".to_owned(),
            wrong,
            right,
            damage: Vec::new(),
            score: 0.8,
            damage_score: 1.0,
        }]);
        let of = |name: &str| {
            let one = found.iter().find(|one| one.name == name).unwrap().detection;
            (one.precision.hits, one.precision.n, one.recall.n)
        };
        // Rejected are four wrong ones and a right one; the equivalent one is no case.
        assert_eq!(of("barrier"), (2, 4, 5));
        assert_eq!(of("barrier_substituted"), (2, 3, 5));
        assert_eq!(of("delay_guess"), (1, 2, 5));
        assert_eq!(of("binding"), (1, 1, 5));
        assert_eq!(of("dead_code"), (0, 0, 5));
        assert_eq!(found[0].detection.precision.percent, Some(50.0));
        assert_eq!(found[0].detection.recall.percent, Some(40.0));
    }
}
