//! A question about a picture of the editor, its kind, and the published mix of kinds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::ItemId;

/// One question. All that a model gets of it is the instruction and the picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name, unique in the set.
    pub id: ItemId,
    /// Which ability it asks for.
    pub task_type: TaskType,
    pub tag: Tag,
    pub instruction: String,
    /// File name of the picture in the set's folder of pictures.
    pub screenshot: String,
    /// The right answer: YES, NO, or the very text.
    pub ground_truth: String,
}

/// The three abilities, in the order of the published table 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::AsRefStr, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum TaskType {
    /// Whether blocks are connected.
    Connection,
    /// Whether a block is visible.
    Existence,
    Field,
}

/// The cases of each ability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Tag {
    /// The block is connected to the one above it.
    ConnectionYes,
    /// It lies well apart.
    ConnectionNoEasy,
    /// It lies so that it might be taken for connected.
    ConnectionNoHard,
    /// The block is there and nothing covers it.
    ExistenceYesClear,
    /// It is partly covered, and its visible part identifies it.
    ExistenceYesOccluded,
    /// Something of its category is seen, but nothing that identifies the block; the category is asked for.
    ExistenceYesUnidentifiable,
    /// Neither the block nor one like it is there.
    ExistenceNoAbsent,
    /// It is not there, but one like it is.
    ExistenceNoConfusable,
    /// No block of the category is there, while others are seen that can't be identified.
    ExistenceNoUnidentifiable,
    /// A typed field holds what the question says.
    EquivalenceNumericYes,
    /// It holds something else.
    EquivalenceNumericNo,
    /// A dropdown shows what the question says.
    EquivalenceDropdownYes,
    /// It shows something else.
    EquivalenceDropdownNo,
    /// What a typed field holds.
    ExactMatchNumeric,
    ExactMatchDropdown,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    YesNo,
    /// The very text of the field.
    Exact,
}

impl Tag {
    /// All of them with their share of the 200 published items.
    pub const PUBLISHED: [(Self, u32); 15] = [
        (Self::ConnectionYes, 30),
        (Self::ConnectionNoEasy, 15),
        (Self::ConnectionNoHard, 15),
        (Self::ExistenceYesClear, 15),
        (Self::ExistenceYesOccluded, 15),
        (Self::ExistenceYesUnidentifiable, 10),
        (Self::ExistenceNoAbsent, 15),
        (Self::ExistenceNoConfusable, 15),
        (Self::ExistenceNoUnidentifiable, 10),
        (Self::EquivalenceNumericYes, 8),
        (Self::EquivalenceNumericNo, 7),
        (Self::EquivalenceDropdownYes, 8),
        (Self::EquivalenceDropdownNo, 7),
        (Self::ExactMatchNumeric, 15),
        (Self::ExactMatchDropdown, 15),
    ];

    /// The ability that it belongs to.
    pub const fn task_type(self) -> TaskType {
        match self {
            Self::ConnectionYes | Self::ConnectionNoEasy | Self::ConnectionNoHard => TaskType::Connection,
            Self::ExistenceYesClear
            | Self::ExistenceYesOccluded
            | Self::ExistenceYesUnidentifiable
            | Self::ExistenceNoAbsent
            | Self::ExistenceNoConfusable
            | Self::ExistenceNoUnidentifiable => TaskType::Existence,
            _ => TaskType::Field,
        }
    }

    /// The form of answers to it.
    pub const fn form(self) -> AnswerForm {
        match self {
            Self::ExactMatchNumeric | Self::ExactMatchDropdown => AnswerForm::Exact,
            _ => AnswerForm::YesNo,
        }
    }

    /// The right answer to every question of this case; `None` where it is a text.
    pub const fn truth(self) -> Option<&'static str> {
        match self {
            Self::ExactMatchNumeric | Self::ExactMatchDropdown => None,
            Self::ConnectionYes
            | Self::ExistenceYesClear
            | Self::ExistenceYesOccluded
            | Self::ExistenceYesUnidentifiable
            | Self::EquivalenceNumericYes
            | Self::EquivalenceDropdownYes => Some("YES"),
            _ => Some("NO"),
        }
    }

    /// How many items of each case a set of `n` has: the published mix, the largest remainders rounded up.
    pub fn shares(n: u32) -> Vec<(Self, u32)> {
        let total: u32 = Self::PUBLISHED.iter().map(|(_, share)| share).sum();
        let mut shares: Vec<(Self, u32)> =
            Self::PUBLISHED.iter().map(|(tag, share)| (*tag, share * n / total)).collect();
        let mut by_remainder: Vec<usize> = (0..shares.len()).collect();
        by_remainder.sort_by_key(|&at| std::cmp::Reverse(Self::PUBLISHED[at].1 * n % total));
        let given: u32 = shares.iter().map(|(_, share)| share).sum();
        for &at in by_remainder.iter().take((n - given) as usize) {
            shares[at].1 += 1;
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn two_hundred_items_have_the_published_mix() {
        assert_eq!(Tag::shares(200), Tag::PUBLISHED);
        let of = |kind: TaskType| -> u32 {
            Tag::PUBLISHED.iter().filter(|(tag, _)| tag.task_type() == kind).map(|(_, share)| share).sum()
        };
        assert_eq!(TaskType::iter().map(of).collect::<Vec<_>>(), [60, 80, 60]);
    }

    #[test]
    fn names_are_those_in_files() {
        for (tag, _) in Tag::PUBLISHED {
            assert_eq!(serde_json::to_value(tag).unwrap(), tag.to_string());
            assert_eq!(serde_json::to_value(tag.task_type()).unwrap(), tag.task_type().to_string());
            assert_eq!(tag.truth().is_none(), tag.form() == AnswerForm::Exact);
        }
    }

    proptest! {
        #[test]
        fn shares_add_up(n in 0_u32..2000) {
            prop_assert_eq!(Tag::shares(n).iter().map(|(_, share)| share).sum::<u32>(), n);
        }
    }
}
