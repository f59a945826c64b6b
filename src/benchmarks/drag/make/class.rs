//! Classes of scenes, and how many of each a set has.

use std::collections::BTreeMap;

use crate::benchmarks::drag::Kind;

/// What a scene's drag is like; in the order in which scenes are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Class {
    Below,
    Above,
    Between,
    Mouth,
    /// The second mouth.
    #[strum(to_string = "second mouth")]
    Else,
    /// Slots, by the default block that they show.
    #[strum(to_string = "number slot")]
    Number,
    #[strum(to_string = "text slot")]
    Text,
    #[strum(to_string = "condition slot")]
    Condition,
    #[strum(to_string = "dropdown slot")]
    Dropdown,
    /// A slot with a block in it that gives way.
    #[strum(to_string = "occupied slot")]
    Occupied,
    /// A C-block that takes blocks into its mouth.
    Around,
}

/// A class, and whether the drag begins in the palette.
pub(super) type Group = (Class, bool);

/// Shares of the direct connections; a third of each begins in the palette.
const DIRECT: [(Class, f64, f64); 3] =
    [(Class::Below, 1.0, 0.35), (Class::Above, 1.0, 0.35), (Class::Between, 1.0, 0.35)];
/// Shares of the insertions, and of those that begin in the palette among each.
const INSERTIONS: [(Class, f64, f64); 8] = [
    (Class::Mouth, 0.28, 0.25),
    (Class::Else, 0.08, 0.25),
    (Class::Number, 0.17, 0.25),
    (Class::Text, 0.13, 0.25),
    (Class::Condition, 0.13, 0.25),
    (Class::Dropdown, 0.09, 1.0),
    (Class::Occupied, 0.06, 1.0),
    (Class::Around, 0.06, 1.0),
];

impl Class {
    /// Whether it is a direct connection, and no insertion.
    pub(super) const fn is_direct(self) -> bool {
        matches!(self, Self::Below | Self::Above | Self::Between)
    }

    /// The class of a mouth or slot by its input and default block; `None` for colours, which take no block.
    pub(super) fn of_slot(kind: Kind, input: &str, boolean: bool, shadow: Option<&str>) -> Option<Self> {
        Some(match (kind, input, shadow) {
            (Kind::Atop, "SUBSTACK", _) => Self::Mouth,
            (Kind::Atop, "SUBSTACK2", _) => Self::Else,
            _ if boolean => Self::Condition,
            (_, "SUBSTACK", None) => Self::Mouth,
            (_, "SUBSTACK2", None) => Self::Else,
            (_, _, Some("text")) => Self::Text,
            (_, _, Some("colour_picker") | None) => return None,
            (_, _, Some(number)) if number.starts_with("math_") => Self::Number,
            (_, _, Some(_)) => Self::Dropdown,
        })
    }
}

/// How many scenes of each group are still wanted.
#[derive(Debug, Clone)]
pub(super) struct Quotas {
    wanted: BTreeMap<Group, usize>,
    made: BTreeMap<Group, usize>,
}

impl Quotas {
    /// For `n` scenes, half of them direct connections.
    pub(super) fn of(n: usize) -> Self {
        let mut wanted = BTreeMap::new();
        for (shares, count) in [(DIRECT.as_slice(), n / 2), (INSERTIONS.as_slice(), n - n / 2)] {
            for ((class, _, palette), own) in shares.iter().zip(split(shares, count)) {
                let from_palette = portion(own, *palette);
                wanted.insert((*class, true), from_palette);
                wanted.insert((*class, false), own - from_palette);
            }
        }
        Self { wanted, made: BTreeMap::new() }
    }

    /// How many scenes are still wanted in all.
    pub(super) fn missing(&self) -> usize {
        self.wanted.keys().map(|group| self.lacks(*group)).sum()
    }

    /// How many of a group are.
    pub(super) fn lacks(&self, group: Group) -> usize {
        let count = |counts: &BTreeMap<Group, usize>| counts.get(&group).copied().unwrap_or_default();
        count(&self.wanted).saturating_sub(count(&self.made))
    }

    /// Groups that lack scenes, the one first that lacks the largest part of its share.
    pub(super) fn by_need(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = self.wanted.keys().copied().filter(|group| self.lacks(*group) > 0).collect();
        // Integers, so that the order is the same everywhere.
        groups.sort_by_key(|group| {
            let wanted = self.wanted.get(group).copied().unwrap_or(1).max(1);
            (usize::MAX - self.lacks(*group) * 1000 / wanted, *group)
        });
        groups
    }

    /// One more of a group was made.
    pub(super) fn count(&mut self, group: Group) {
        *self.made.entry(group).or_default() += 1;
    }

    /// No more scenes can be found for the groups that lack them: others of their half make up for it, first those
    /// of the same class. Returns false if none is left.
    pub(super) fn give_up(&mut self, closed: &mut Vec<Group>) -> bool {
        let empty = self.by_need();
        closed.extend(&empty);
        let mut moved = false;
        for group in empty {
            let lacks = self.lacks(group);
            let heirs = self.wanted.keys().filter(|other| !closed.contains(other));
            let heirs = heirs.filter(|other| other.0.is_direct() == group.0.is_direct());
            let heir = heirs.min_by_key(|other| (other.0 != group.0, other.1 != group.1, **other)).copied();
            if let Some(heir) = heir {
                *self.wanted.entry(group).or_default() -= lacks;
                *self.wanted.entry(heir).or_default() += lacks;
                moved = true;
            }
        }
        moved
    }

    /// How many of each class were made.
    pub(super) fn made(&self) -> BTreeMap<&'static str, usize> {
        let mut made = BTreeMap::new();
        for ((class, _), count) in &self.made {
            *made.entry(class.into()).or_default() += count;
        }
        made
    }
}

/// A part of a number, to the nearest whole.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of scenes are small"
)]
fn portion(of: usize, share: f64) -> usize {
    (of as f64 * share).round() as usize
}

/// Whole numbers by share that add up to `count`: what rounding leaves over or takes too much goes to the first.
fn split(shares: &[(Class, f64, f64)], count: usize) -> Vec<usize> {
    let total: f64 = shares.iter().map(|(_, share, _)| share).sum();
    let mut parts: Vec<usize> = shares.iter().map(|(_, share, _)| portion(count, share / total)).collect();
    let others: usize = parts.iter().skip(1).sum();
    if let Some(first) = parts.first_mut() {
        *first = count.saturating_sub(others);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_are_direct_connections_and_enough_begin_in_the_palette() {
        for n in [60, 600] {
            let quotas = Quotas::of(n);
            let sum = |want: &dyn Fn(&Group) -> bool| -> usize {
                quotas.wanted.iter().filter(|(group, _)| want(group)).map(|(_, count)| count).sum()
            };
            assert_eq!(sum(&|_| true), n);
            assert_eq!(sum(&|group| group.0.is_direct()), n / 2);
            assert_eq!(sum(&|group| group.0 == Class::Above), n / 6);
            assert!(sum(&|group| group.1) * 10 >= n * 3, "palette");
        }
    }

    #[test]
    fn what_can_t_be_found_is_made_up_for_in_the_same_half() {
        let mut quotas = Quotas::of(60);
        while let Some(group) = quotas.by_need().into_iter().find(|group| group.0 != Class::Else) {
            quotas.count(group);
        }
        let mut closed = Vec::new();
        let missing = quotas.missing();
        assert!(missing > 0 && quotas.give_up(&mut closed));
        assert_eq!(quotas.missing(), missing);
        assert!(quotas.by_need().iter().all(|group| !group.0.is_direct() && group.0 != Class::Else));
    }

    #[test]
    fn slots_have_classes() {
        let class = |input, boolean, shadow| Class::of_slot(Kind::Into, input, boolean, shadow);
        assert_eq!(class("SUBSTACK2", false, None), Some(Class::Else));
        assert_eq!(class("STEPS", false, Some("math_number")), Some(Class::Number));
        assert_eq!(class("CONDITION", true, None), Some(Class::Condition));
        assert_eq!(class("COSTUME", false, Some("looks_costume")), Some(Class::Dropdown));
        assert_eq!(class("COLOR", false, Some("colour_picker")), None);
    }
}
