//! Which part of the element list an agent is shown, and what the session remembers of it.

use super::reply::ElementChanges;
use crate::model::Element;
use crate::perceive::{Changes, ElementList, Numbering, table};
use crate::session::{Observed, observation_id};

/// A list as shown and as remembered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listing {
    /// The session remembers all of it.
    pub observed: Observed,
    /// What the agent asked to see.
    pub shown: Shown,
}

/// The part of an observation that is about elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Shown {
    pub elements: Option<Vec<Element>>,
    pub changes: Option<ElementChanges>,
    /// Either of them as text.
    pub table: Option<String>,
    pub count: usize,
}

impl Listing {
    /// A list numbered from 0.
    pub fn full(number: u64, list: ElementList, wanted: impl Fn(&Element) -> bool) -> Self {
        let (elements, points) = list.into_parts();
        let listed: Vec<Element> = elements.iter().filter(|element| wanted(element)).cloned().collect();
        let shown = listed.iter().map(|element| element.index).collect();
        let next = elements.len();
        let (count, text) = (listed.len(), table(&listed));
        Self {
            observed: Observed { number, elements, points, shown, next },
            shown: Shown { elements: Some(listed), changes: None, table: Some(text), count },
        }
    }

    /// A list that carries the numbers of the one before on.
    pub fn changed(before: &Observed, number: u64, list: ElementList, wanted: impl Fn(&Element) -> bool) -> Self {
        let (elements, points) = list.into_parts();
        let numbering = Numbering::carry_over(&before.elements, before.next, &elements);
        let changes = numbering.changes(&before.shown, wanted);
        let mut shown = &before.shown - &numbering.removed;
        shown.extend(changes.added.iter().map(|element| element.index));
        let text = changes.table();
        let Changes { added, changed, removed } = changes;
        let count = added.len() + changed.len() + removed.len();
        let changes = ElementChanges { since: observation_id(before.number), added, changed, removed };
        Self {
            observed: Observed { number, elements: numbering.elements, points, shown, next: numbering.next },
            shown: Shown { elements: None, changes: Some(changes), table: Some(text), count },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ElementType, Rect};
    use crate::perceive::Seen;

    fn list(texts: &[&str]) -> ElementList {
        let seen = |(row, text): (usize, &&str)| Seen {
            kind: ElementType::Buttons,
            text: (*text).to_owned(),
            position: Rect::new(0, 20 * i32::try_from(row).unwrap(), 10, 10),
            point: None,
        };
        ElementList::number(&texts.iter().enumerate().map(seen).collect::<Vec<_>>(), &[])
    }

    #[test]
    fn an_altered_element_that_was_never_shown_is_new_to_the_agent() {
        let first = Listing::full(1, list(&["a", "b"]), |element| element.text == "a");
        assert_eq!((first.shown.count, first.observed.elements.len()), (1, 2));
        let second = Listing::changed(&first.observed, 2, list(&["a", "c"]), |_| true);
        let changes = second.shown.changes.unwrap();
        assert_eq!((changes.since.as_str(), changes.added[0].index, changes.changed.len()), ("o1", 1, 0));
        let third = Listing::changed(&second.observed, 3, list(&["a", "d"]), |_| true);
        let changes = third.shown.changes.unwrap();
        assert_eq!((changes.since.as_str(), changes.changed[0].index, changes.added.len()), ("o2", 1, 0));
    }

    #[test]
    fn an_index_follows_its_element() {
        let first = Listing::full(1, list(&["a", "b"]), |_| true);
        let second = Listing::changed(&first.observed, 2, list(&["new", "a", "b"]), |_| true);
        assert_eq!(second.observed.point(1), list(&["new", "a", "b"]).point(2).ok());
        assert_eq!((second.observed.next, second.shown.changes.unwrap().added[0].index), (3, 2));
    }
}
