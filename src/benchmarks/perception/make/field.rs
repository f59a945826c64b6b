//! What fields show: whether it is a given value, and which one it is.

use serde_json::{Value, json};

use super::Tag;
use super::canvas::{Block, Canvas, Field};
use super::question::Question;
use super::reference::references;
use super::sight::{Sight, sight_of};

/// Longer texts are not asked for.
const LONGEST: usize = 24;
/// Blocks whose fields decide how they look, or show what nothing else shows.
const SHAPESHIFTERS: [&str; 2] = ["control_stop", "sensing_of"];

/// Whether a block's fields can be asked for and changed.
pub(super) fn is_plain(opcode: &str) -> bool {
    !SHAPESHIFTERS.contains(&opcode)
}

/// The questions about fields that this canvas answers.
pub(super) fn questions(canvas: &Canvas) -> Vec<Question> {
    let mut all = Vec::new();
    for (at, block) in canvas.in_view() {
        if sight_of(canvas, block) != Sight::Clear || !is_plain(&block.opcode) || holds_reporters(canvas, at) {
            continue;
        }
        for reference in references(canvas, at) {
            for kind in [Kind::Dropdown, Kind::Number, Kind::Text] {
                let fields: Vec<&Field> = block.fields.iter().filter(|field| Kind::of(field) == kind).collect();
                for (place, field) in fields.iter().enumerate() {
                    if can_be_read(field) {
                        let asked =
                            Asked { canvas, block, field, reference: &reference, place: place_of(place, fields.len()) };
                        all.extend(asked.questions());
                    }
                }
            }
        }
    }
    all
}

/// Fields inside a reporter look like fields of the block around it.
fn holds_reporters(canvas: &Canvas, at: usize) -> bool {
    canvas.blocks.iter().any(|block| block.parent == Some(at) && block.up.is_none())
}

/// Whether a reader who copies the field letter by letter can only be right.
fn can_be_read(field: &Field) -> bool {
    let text = &field.text;
    field.whole
        && field.seen.chars().all(|seen| seen == '1')
        && !text.is_empty()
        && text.chars().count() <= LONGEST
        && text.chars().all(|letter| letter.is_ascii_graphic() || letter == ' ')
        && !text.contains("  ")
        && text.trim() == text
        && !text.contains('`')
}

/// The word for one of several fields from left to right.
const fn place_of(place: usize, of: usize) -> &'static str {
    match (place, of) {
        (_, 1) => "",
        (0, _) => "left ",
        (1, 3) => "middle ",
        (1, 2) | (2, 3) => "right ",
        _ => "inner ",
    }
}

/// What a field is called by what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dropdown,
    Number,
    Text,
}

impl Kind {
    fn of(field: &Field) -> Self {
        match (field.dropdown, field.text.parse::<f64>().is_ok()) {
            (true, _) => Self::Dropdown,
            (false, true) => Self::Number,
            (false, false) => Self::Text,
        }
    }

    /// The word before `field`, and what it shows.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Dropdown => ("dropdown", "option"),
            Self::Number => ("numeric", "number"),
            Self::Text => ("text", "text"),
        }
    }
}

/// One field of one block.
struct Asked<'a> {
    canvas: &'a Canvas,
    block: &'a Block,
    field: &'a Field,
    reference: &'a str,
    place: &'static str,
}

impl Asked<'_> {
    fn questions(&self) -> Vec<Question> {
        let text = &self.field.text;
        let (kind, what) = Kind::of(self.field).words();
        let [yes, no, exact] = if self.field.dropdown {
            [Tag::EquivalenceDropdownYes, Tag::EquivalenceDropdownNo, Tag::ExactMatchDropdown]
        } else {
            [Tag::EquivalenceNumericYes, Tag::EquivalenceNumericNo, Tag::ExactMatchNumeric]
        };
        let field = format!("{}{kind} field", self.place);
        let of = self.reference;
        let is = |value: &str| match (self.field.dropdown, value.parse::<f64>().is_ok()) {
            (true, _) => format!("Is the {field} in the {of} set to `{value}`?"),
            (false, true) => format!("Is the {field} in the {of} equal to {value}?"),
            (false, false) => format!("Is the {field} in the {of} equal to `{value}`?"),
        };
        let exact_text = format!("What {what} is shown in the {field} of the {of}?");
        let mut all = vec![
            Question::yes_no(yes, is(text), self.derivation(None)),
            Question { tag: exact, instruction: exact_text, truth: text.clone(), derivation: self.derivation(None) },
        ];
        let others = if self.field.dropdown { self.other_options() } else { self.other_values() };
        all.extend(others.iter().map(|other| Question::yes_no(no, is(other), self.derivation(Some(other)))));
        all
    }

    fn derivation(&self, asked: Option<&str>) -> Value {
        json!({"block": self.block.opcode, "slot": self.field.slot, "holds": self.field.text, "asked": asked})
    }

    /// What else the dropdown offers, up to a handful.
    fn other_options(&self) -> Vec<String> {
        let others = self.field.options.iter().filter(|option| **option != self.field.text && !option.contains('`'));
        others.filter(|option| option.trim() == *option && !option.is_empty()).take(8).cloned().collect()
    }

    /// Values like this one: with another digit or sign, and those of other fields that are seen.
    fn other_values(&self) -> Vec<String> {
        let text = &self.field.text;
        let mut others = Vec::new();
        if text.parse::<f64>().is_ok() {
            others.push(text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned));
            others.push(format!("{text}0"));
            others.push(next_digit(text));
        }
        let seen = self.canvas.in_view().flat_map(|(_, block)| &block.fields).filter(|field| !field.dropdown);
        others.extend(seen.filter(|field| can_be_read(field)).map(|field| field.text.clone()));
        // The same number in another form would be equal for some readers.
        let number = text.parse::<f64>().ok();
        others.retain(|other| {
            other != text && (number.is_none() || other.parse::<f64>().is_ok_and(|value| Some(value) != number))
        });
        others.sort();
        others.dedup();
        others
    }
}

/// The number with its last digit counted up, nine becoming one.
fn next_digit(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if let Some(last) = letters.last_mut()
        && let Some(digit) = last.to_digit(10)
    {
        *last = char::from_digit(digit % 9 + 1, 10).unwrap_or(*last);
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{block, canvas, field};
    use super::*;

    fn asked(fields: Vec<Field>, tag: Tag) -> Vec<(String, String)> {
        let mut block = block("motion_glidesecstoxy", (350.0, 200.0, 450.0, 232.0));
        block.fields = fields;
        let questions = questions(&canvas(vec![block])).into_iter();
        questions
            .filter(|question| question.tag == tag)
            .map(|question| (question.instruction, question.truth))
            .collect()
    }

    #[test]
    fn fields_are_distinguished_by_their_place() {
        let fields = || {
            vec![
                field("SECS", "math_number", "1", &[]),
                field("X", "math_number", "-40", &[]),
                field("Y", "math_number", "7", &[]),
            ]
        };
        let exact = asked(fields(), Tag::ExactMatchNumeric);
        assert_eq!(
            exact[1],
            (
                "What number is shown in the middle numeric field of the `glide secs to x y` block?".to_owned(),
                "-40".to_owned()
            )
        );
        let yes = asked(fields(), Tag::EquivalenceNumericYes);
        assert_eq!(yes[2].0, "Is the right numeric field in the `glide secs to x y` block equal to 7?");
        let no = asked(fields(), Tag::EquivalenceNumericNo);
        assert!(no.iter().all(|(_, truth)| truth == "NO"));
        assert!(!no.iter().any(|(question, _)| question.contains("left") && question.ends_with("equal to 1?")));
    }

    #[test]
    fn dropdowns_are_asked_by_their_options() {
        let fields = || vec![field("KEY", "sensing_keyoptions", "space", &["space", "up arrow"])];
        assert_eq!(asked(fields(), Tag::ExactMatchDropdown)[0].1, "space");
        assert_eq!(
            asked(fields(), Tag::EquivalenceDropdownNo),
            [("Is the dropdown field in the `glide secs to x y` block set to `up arrow`?".to_owned(), "NO".to_owned())]
        );
    }

    #[test]
    fn texts_that_can_t_be_copied_are_not_asked_for() {
        for (text, whole) in [("", true), ("a  b", true), (" a", true), ("caf\u{e9}", true), ("cut", false)] {
            let mut odd = field("X", "text", text, &[]);
            odd.whole = whole;
            assert!(asked(vec![odd], Tag::ExactMatchNumeric).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn wrong_values_are_never_the_same_number() {
        assert_eq!(next_digit("19"), "11");
        let no = asked(vec![field("X", "math_number", "0", &[])], Tag::EquivalenceNumericNo);
        assert_eq!(no.len(), 1, "-0 and 00 are 0: {no:?}");
    }
}
