//! The numbered element list: fusion of both inputs, the paper's table, and what an index stands for.

use super::{Seen, Word, fuse, runs};
use crate::model::{Element, ElementType, Point, Rect};

/// The element list of one observation. Actions name its rows by index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElementList {
    elements: Vec<Element>,
    /// Where each row is clicked, beside the rows because agents are shown boxes only.
    points: Vec<Point>,
}

/// An index that stands for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no element {index}: the last observation lists {count} (0 to {last})", last = count.saturating_sub(1))]
pub struct IndexError {
    pub index: u64,
    /// How many rows the list has.
    pub count: usize,
}

impl ElementList {
    /// Numbers what the page reports, in its order, and then the recognised texts that it does not explain,
    /// in reading order (appendix Q).
    pub fn fuse(seen: &[Seen], words: &[Word]) -> Self {
        Self::number(seen, &fuse::unexplained(seen, words))
    }

    /// Numbers what the page reports and then all recognised texts, duplicates included.
    pub fn number(seen: &[Seen], words: &[Word]) -> Self {
        let read = runs::join(words).into_iter().map(|word| Seen {
            kind: ElementType::Text,
            text: word.text,
            position: word.position,
            point: None,
        });
        let mut list = Self::default();
        for Seen { kind, text, position, point } in seen.iter().cloned().chain(read) {
            list.points.push(point.unwrap_or_else(|| position.center()));
            list.elements.push(Element { index: list.elements.len(), kind, text, position });
        }
        list
    }

    /// The rows, by index.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The rows and, for each, where a click on it goes.
    pub fn into_parts(self) -> (Vec<Element>, Vec<Point>) {
        (self.elements, self.points)
    }

    /// Where a click on a row goes: the middle of its box, or, when something else is on top there, a
    /// place where the row itself is hit.
    ///
    /// # Errors
    /// [`IndexError`] when the list has no such row.
    pub fn point(&self, index: u64) -> Result<Point, IndexError> {
        let row = usize::try_from(index).ok().and_then(|row| self.points.get(row));
        row.copied().ok_or(IndexError { index, count: self.points.len() })
    }

    /// The list as the paper's text table.
    pub fn table(&self) -> String {
        table(&self.elements)
    }
}

/// Elements as the paper's text table: `index    type    text    position`, one row a line,
/// positions as `(x, y) WxH`.
pub fn table<'a>(elements: impl IntoIterator<Item = &'a Element>) -> String {
    let mut table = String::from("index    type    text    position");
    for element in elements {
        table.push('\n');
        table.push_str(&row(element));
    }
    table
}

/// One row of the table.
pub(super) fn row(element: &Element) -> String {
    let Element { index, kind, text, position } = element;
    let text = one_line(text);
    let Rect { x, y, width, height } = position;
    format!("{index}    {kind}    {text}    ({x}, {y}) {width}x{height}")
}

/// A text on one line, without the one pair of quotes that the published table takes off.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    bare.map(str::to_owned).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(kind: ElementType, text: &str, position: Rect) -> Seen {
        Seen { kind, text: text.to_owned(), position, point: None }
    }

    #[test]
    fn the_table_is_the_papers() {
        let title = seen(
            ElementType::Inputs,
            "value: Scratch Project placeholder: Project title...",
            Rect::new(412, 8, 184, 33),
        );
        let hat = seen(ElementType::Blocks, "event_whenflagclicked on canvas", Rect::new(310, 81, 99, 52));
        let quoted = seen(ElementType::Text, "\"two\nlines\"", Rect::new(1, 2, 3, 4));
        let list = ElementList::fuse(&[title, hat, quoted], &[]);
        let expected = [
            "index    type    text    position",
            "0    inputs    value: Scratch Project placeholder: Project title...    (412, 8) 184x33",
            "1    blocks    event_whenflagclicked on canvas    (310, 81) 99x52",
            "2    text    two lines    (1, 2) 3x4",
        ];
        assert_eq!(list.table(), expected.join("\n"));
    }

    #[test]
    fn an_index_is_the_middle_of_the_box_unless_something_is_on_top_there() {
        let plain = seen(ElementType::Buttons, "OK", Rect::new(10, 20, 5, 7));
        let covered = Seen { point: Some(Point::new(11.0, 21.0)), ..plain.clone() };
        let list = ElementList::fuse(&[plain, covered], &[]);
        assert_eq!(list.point(0), Ok(Point::new(12.0, 23.0)));
        assert_eq!(list.point(1), Ok(Point::new(11.0, 21.0)));
        assert_eq!(list.point(2), Err(IndexError { index: 2, count: 2 }));
    }

    fn rect() -> impl Strategy<Value = Rect> {
        (0..200, 0..100, 1..80, 1..40).prop_map(|(x, y, width, height)| Rect::new(x, y, width, height))
    }

    fn seen_any() -> impl Strategy<Value = Seen> {
        let kinds = prop::sample::select(vec![
            ElementType::Canvas,
            ElementType::Inputs,
            ElementType::Blocks,
            ElementType::Buttons,
            ElementType::Dialogs,
            ElementType::Text,
        ]);
        let texts = prop::sample::select(vec!["looks_say", "looks_say on canvas: say Hello!"]);
        (kinds, texts, rect()).prop_map(|(kind, text, position)| seen(kind, text, position))
    }

    fn words() -> impl Strategy<Value = Vec<Word>> {
        prop::collection::vec(("[a-c]{1,3}", rect()).prop_map(|(text, position)| Word { text, position }), 0..12)
    }

    proptest! {
        #[test]
        fn numbers_do_not_depend_on_the_order_of_the_words(
            page in prop::collection::vec(seen_any(), 0..8),
            (given, shuffled) in words().prop_flat_map(|w| (Just(w.clone()), Just(w).prop_shuffle())),
        ) {
            prop_assert_eq!(ElementList::fuse(&page, &given), ElementList::fuse(&page, &shuffled));
        }

        #[test]
        fn what_the_page_reports_keeps_its_order_and_comes_first(page in prop::collection::vec(seen_any(), 0..8), read in words()) {
            let list = ElementList::fuse(&page, &read);
            for (row, (element, given)) in list.elements().iter().zip(&page).enumerate() {
                prop_assert_eq!(element.index, row);
                prop_assert_eq!((&element.kind, &element.text, &element.position), (&given.kind, &given.text, &given.position));
            }
            prop_assert!(list.elements()[page.len()..].iter().all(|element| element.kind == ElementType::Text));
        }

        #[test]
        fn no_word_survives_inside_an_element_that_drops_words(page in prop::collection::vec(seen_any(), 0..8), read in words()) {
            for word in fuse::unexplained(&page, &read) {
                prop_assert!(!page.iter().any(|one| fuse::drops(one) && one.position.contains(&word.position)));
            }
        }

        #[test]
        fn every_unexplained_word_is_in_the_list(page in prop::collection::vec(seen_any(), 0..8), read in words()) {
            let list = ElementList::fuse(&page, &read);
            for word in fuse::unexplained(&page, &read) {
                let found = list.elements()[page.len()..].iter().any(|e| e.position.contains(&word.position) && e.text.contains(&word.text));
                prop_assert!(found, "{:?}", word);
            }
        }
    }
}
