//! How well something that flags cases agrees with what they turn out to be: precision and recall, with their counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Proportion;

/// What flags are worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Detection {
    /// Of the flagged cases, those that are as the flag says.
    pub precision: Proportion,
    /// Of the cases that are so, those that are flagged.
    pub recall: Proportion,
}

impl Detection {
    /// From cases: whether each is flagged, and whether it is so.
    pub fn of(cases: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let (mut hits, mut flagged, mut so) = (0, 0, 0);
        for (is_flagged, is_so) in cases {
            hits += u32::from(is_flagged && is_so);
            flagged += u32::from(is_flagged);
            so += u32::from(is_so);
        }
        Self { precision: Proportion::of(hits, flagged), recall: Proportion::of(hits, so) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_of_the_flagged_and_recall_of_those_that_are_so() {
        // Five flagged, of which four are wrong; eight wrong in all; two right ones are not flagged.
        let cases =
            [(true, true); 4].into_iter().chain([(true, false)]).chain([(false, true); 4]).chain([(false, false); 2]);
        let found = Detection::of(cases);
        assert_eq!((found.precision.hits, found.precision.n, found.precision.percent), (4, 5, Some(80.0)));
        assert_eq!((found.recall.hits, found.recall.n, found.recall.percent), (4, 8, Some(50.0)));
        // What flags nothing has a recall, and no precision.
        let silent = Detection::of([(false, true), (false, false)]);
        assert_eq!((silent.precision.percent, silent.recall.percent), (None, Some(0.0)));
    }
}
