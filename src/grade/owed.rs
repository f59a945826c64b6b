//! Attempts that a table lacks: owed ones are still to be made, dead ones were tried too often.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{ItemId, Outcome};

/// An attempt is dead after so many tries that the testbed or the judge broke: a run makes as many unless it is told
/// otherwise.
pub const MOST_BROKEN: u32 = 3;

/// How many attempts a run lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lacking {
    /// Attempts that have no try that counts, and may be made (`--resume`).
    pub owed: usize,
    /// Attempts that the testbed or the judge broke three times or more.
    pub dead: usize,
}

impl Lacking {
    /// Whether every attempt counts.
    pub const fn is_none(self) -> bool {
        self.owed == 0 && self.dead == 0
    }
}

/// What is lacking of so many attempts at each of these items; `tries` are all that were recorded, with the number of the
/// attempt.
pub fn lacking<'a>(
    (items, attempts): (&'a [ItemId], u32),
    tries: impl IntoIterator<Item = (&'a ItemId, u32, Outcome)>,
) -> Lacking {
    let mut found: BTreeMap<(&ItemId, u32), (bool, u32)> = BTreeMap::new();
    for (item, attempt, outcome) in tries {
        let (counts, broken) = found.entry((item, attempt)).or_default();
        *counts |= outcome.counts();
        *broken += u32::from(matches!(outcome, Outcome::InfraError | Outcome::JudgeError));
    }
    let mut lacking = Lacking::default();
    for key in items.iter().flat_map(|item| (1..=attempts).map(move |attempt| (item, attempt))) {
        match found.get(&key) {
            Some((true, _)) => {}
            Some((false, broken)) if *broken >= MOST_BROKEN => lacking.dead += 1,
            _ => lacking.owed += 1,
        }
    }
    lacking
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_made_is_owed_and_what_broke_too_often_is_dead() {
        use Outcome::{InfraError, JudgeError, Passed, ProviderError};
        let items: Vec<ItemId> = ["a", "b", "c"].map(|item| item.parse().unwrap()).into();
        let [a, b, c] = [0, 1, 2].map(|at| &items[at]);
        let tries = [
            (a, 1, InfraError),
            (a, 1, Passed),
            (a, 2, InfraError),
            (a, 2, JudgeError),
            (a, 2, InfraError),
            (b, 1, ProviderError),
            (b, 1, ProviderError),
            (b, 1, ProviderError),
            (c, 1, Passed),
            (c, 3, Passed),
        ];
        // Of a the second attempt is dead; b owes both, c the second.
        assert_eq!(lacking((&items, 2), tries), Lacking { owed: 3, dead: 1 });
        assert!(lacking((&items[2..], 1), tries).is_none());
    }
}
