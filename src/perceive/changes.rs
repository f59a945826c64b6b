//! Changes between two observations: an element that is still there keeps its number, so that an agent can keep its
//! list and needs only the difference.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write as _;
use std::hash::Hash;

use super::list::row;
use crate::model::{Element, ElementType, Rect};

/// A list with the numbers that its elements had before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbering {
    /// All elements that are there now, in the order of the new list.
    pub elements: Vec<Element>,
    /// Numbers of those that look different or stand elsewhere than before.
    pub altered: BTreeSet<usize>,
    /// Numbers of those that were there before and are not any more.
    pub removed: BTreeSet<usize>,
    /// The first number that no element has had.
    pub next: usize,
}

/// The difference as an agent gets it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Elements that the agent has not been shown.
    pub added: Vec<Element>,
    /// Elements that it knows by these numbers, as they are now.
    pub changed: Vec<Element>,
    /// Numbers that stand for nothing any more.
    pub removed: Vec<usize>,
}

impl Numbering {
    /// Gives the elements of a new list the numbers they had in the old one; those that were not there get
    /// numbers from `next` up, which no element had before.
    ///
    /// An element is taken for the same if all about it is the same; else if it says the same elsewhere; else if
    /// only its state is another; else if something of its kind stood at the same place.
    pub fn carry_over(before: &[Element], next: usize, now: &[Element]) -> Self {
        let mut found: Vec<Option<usize>> = vec![None; now.len()];
        let mut left: BTreeSet<usize> = (0..before.len()).collect();
        pair(before, now, &mut left, &mut found, |one| (one.kind, one.text.clone(), Some(one.position)));
        let unaltered = found.clone();
        pair(before, now, &mut left, &mut found, |one| (one.kind, one.text.clone(), None::<Rect>));
        pair(before, now, &mut left, &mut found, |one| (one.kind, name(&one.text).to_owned(), None::<Rect>));
        pair(before, now, &mut left, &mut found, corner);
        let mut numbering =
            Self { next, removed: left.iter().map(|row| before[*row].index).collect(), ..Self::default() };
        for ((element, found), unaltered) in now.iter().zip(found).zip(unaltered) {
            let index = found.map_or(numbering.next, |row| before[row].index);
            if found.is_none() {
                numbering.next += 1;
            } else if unaltered.is_none() {
                numbering.altered.insert(index);
            }
            numbering.elements.push(Element { index, ..element.clone() });
        }
        numbering
    }

    /// The difference for an agent that was shown the elements of these numbers and wants to see those that `wanted`
    /// picks.
    pub fn changes(&self, shown: &BTreeSet<usize>, wanted: impl Fn(&Element) -> bool) -> Changes {
        let mut changes =
            Changes { removed: self.removed.intersection(shown).copied().collect(), ..Changes::default() };
        for element in self.elements.iter().filter(|element| wanted(element)) {
            if !shown.contains(&element.index) {
                changes.added.push(element.clone());
            } else if self.altered.contains(&element.index) {
                changes.changed.push(element.clone());
            }
        }
        changes
    }
}

impl Changes {
    /// The difference as text: rows as in the table, behind `+` for new, `~` for changed and `-` for gone.
    pub fn table(&self) -> String {
        let mut table = String::from("change    index    type    text    position");
        for (sign, elements) in [('+', &self.added), ('~', &self.changed)] {
            for element in elements {
                // Writing to a String can't fail.
                let _ = write!(table, "\n{sign}    {}", row(element));
            }
        }
        for index in &self.removed {
            let _ = write!(table, "\n-    {index}");
        }
        table
    }
}

/// A text without the state that the list writes behind it.
fn name(text: &str) -> &str {
    [" (selected)", " (disabled)"].iter().fold(text, |text, state| text.strip_suffix(state).unwrap_or(text))
}

const fn corner(one: &Element) -> (ElementType, i32, i32) {
    (one.kind, one.position.x, one.position.y)
}

/// Pairs what is left of the old list with what is not yet found of the new one by equal keys, in order.
fn pair<K: Hash + Eq>(
    before: &[Element],
    now: &[Element],
    left: &mut BTreeSet<usize>,
    found: &mut [Option<usize>],
    key: impl Fn(&Element) -> K,
) {
    let mut rows: HashMap<K, VecDeque<usize>> = HashMap::new();
    for row in left.iter() {
        rows.entry(key(&before[*row])).or_default().push_back(*row);
    }
    for (element, found) in now.iter().zip(found).filter(|(_, found)| found.is_none()) {
        *found = rows.get_mut(&key(element)).and_then(VecDeque::pop_front);
        if let Some(row) = found {
            left.remove(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn element(index: usize, text: &str, x: i32, y: i32) -> Element {
        Element { index, kind: ElementType::Buttons, text: text.to_owned(), position: Rect::new(x, y, 20, 10) }
    }

    #[test]
    fn remaining_elements_keep_their_numbers_and_new_ones_get_their_own() {
        let before =
            [element(0, "OK", 0, 0), element(1, "Cancel", 30, 0), element(2, "10", 60, 0), element(3, "x", 90, 0)];
        let now =
            [element(0, "new", 200, 0), element(1, "OK", 0, 0), element(2, "Cancel", 30, 50), element(3, "42", 60, 0)];
        let numbering = Numbering::carry_over(&before, 4, &now);
        let numbers: Vec<usize> = numbering.elements.iter().map(|element| element.index).collect();
        assert_eq!(numbers, [4, 0, 1, 2]);
        assert_eq!((numbering.altered, numbering.removed, numbering.next), ([1, 2].into(), [3].into(), 5));
    }

    #[test]
    fn an_agent_gets_what_it_was_not_shown_and_nothing_else() {
        let before = [element(0, "a", 0, 0), element(1, "b", 0, 50), element(2, "c", 0, 90)];
        let now = [element(0, "a", 0, 0), element(1, "b", 9, 50)];
        let numbering = Numbering::carry_over(&before, 3, &now);
        let all = numbering.changes(&[0, 1, 2].into(), |_| true);
        assert_eq!(
            all.table(),
            "change    index    type    text    position\n~    1    buttons    b    (9, 50) 20x10\n-    2"
        );
        let other = numbering.changes(&[1].into(), |element| element.text == "a");
        assert_eq!(
            other.table(),
            "change    index    type    text    position\n+    0    buttons    a    (0, 0) 20x10"
        );
    }

    #[test]
    fn a_tab_stays_the_same_when_it_is_selected() {
        let before = [element(0, "Code (selected)", 0, 50), element(1, "Costumes", 90, 60)];
        let now = [element(0, "Code", 0, 58), element(1, "Costumes (selected)", 87, 53)];
        let numbering = Numbering::carry_over(&before, 2, &now);
        assert_eq!((numbering.altered, numbering.next), ([0, 1].into(), 2));
    }

    fn list() -> impl Strategy<Value = Vec<Element>> {
        prop::collection::vec(("[ab]", 0..3, 0..3), 0..12).prop_map(|rows| {
            let numbered = rows.into_iter().enumerate();
            numbered.map(|(index, (text, x, y))| element(index, &text, x * 40, y * 20)).collect()
        })
    }

    proptest! {
        #[test]
        fn numbers_are_unique_and_differences_rebuild_the_list(before in list(), now in list()) {
            let numbering = Numbering::carry_over(&before, before.len(), &now);
            let numbers: BTreeSet<usize> = numbering.elements.iter().map(|element| element.index).collect();
            prop_assert_eq!(numbers.len(), now.len());
            let changes = numbering.changes(&(0..before.len()).collect(), |_| true);
            let mut known: std::collections::BTreeMap<usize, Element> =
                before.iter().map(|element| (element.index, element.clone())).collect();
            for index in &changes.removed {
                prop_assert!(known.remove(index).is_some());
            }
            for element in changes.changed.iter().chain(&changes.added) {
                known.insert(element.index, element.clone());
            }
            let mut expected = numbering.elements.clone();
            expected.sort_by_key(|element| element.index);
            prop_assert_eq!(known.into_values().collect::<Vec<_>>(), expected);
        }
    }
}
