//! Right or wrong. A question without an answer is an outcome like any other: it stays in the denominator.

use serde::{Deserialize, Serialize};

use super::item::AnswerForm;
use super::{Item, PerceptionError};
use crate::experiment::{self, Ended, Given, Reply, Said, Stray};
use crate::model::Outcome;

/// What is recorded of an answered question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The answer as it was given.
    pub response: String,
}

/// Whether an answer is right: blanks around it don't count; YES and NO in any case, and nothing with them; texts
/// letter by letter.
pub fn is_right(item: &Item, response: &str) -> bool {
    let given = response.trim();
    match item.tag.form() {
        AnswerForm::YesNo => given.eq_ignore_ascii_case(&item.ground_truth),
        AnswerForm::Exact => given == item.ground_truth,
    }
}

pub(super) fn measured(item: &Item, reply: Said) -> Ended<Option<Answered>> {
    match reply {
        Ok(said) => {
            let outcome = if is_right(item, &said.text) { Outcome::Passed } else { Outcome::Failed };
            Ended { outcome, error: None, cost: said.cost, detail: Some(Answered { response: said.text }) }
        }
        Err((error, cost)) => Ended { outcome: Outcome::CallFailed, error: Some(error), cost, detail: None },
    }
}

/// Replies by their items, each an answer or why it is missing.
///
/// # Errors
/// When a reply names no item of the set, or one that another reply named before.
pub fn given(items: &[Item], replies: Vec<Reply>) -> Result<Given, PerceptionError> {
    experiment::given(|id| items.iter().any(|item| item.id == *id), replies).map_err(|stray| match stray {
        Stray::Unknown(id) => PerceptionError::UnknownItem { id },
        Stray::Twice(id) => PerceptionError::AnsweredTwice { id },
    })
}

#[cfg(test)]
mod tests {
    use super::super::Tag;
    use super::super::tests::{item_of, reply};
    use super::*;

    #[test]
    fn a_second_answer_or_an_unknown_item_is_an_error() {
        use crate::model::Coded as _;
        let items = [item_of("1", Tag::ConnectionYes, "YES")];
        let yes = |id| reply(id, Some("YES"));
        let twice = given(&items, vec![yes("1"), yes("1")]).unwrap_err();
        assert_eq!((twice.code(), twice.to_string().as_str()), ("answered_twice", "item `1` is answered twice"));
        assert_eq!(given(&items, vec![yes("2")]).unwrap_err().code(), "unknown_item");
        assert!(given(&items, vec![reply("1", None)]).unwrap()["1"].is_err());
    }

    #[test]
    fn yes_and_no_count_in_any_case_and_alone() {
        let yes = item_of("1", Tag::ConnectionYes, "YES");
        for (given, right) in [("YES", true), (" yes\n", true), ("Yes.", false), ("NO", false), ("", false)] {
            assert_eq!(is_right(&yes, given), right, "{given:?}");
        }
    }

    #[test]
    fn texts_count_letter_by_letter() {
        let text = item_of("1", Tag::ExactMatchDropdown, "up arrow");
        for (given, right) in [("up arrow", true), (" up arrow ", true), ("Up arrow", false), ("up  arrow", false)] {
            assert_eq!(is_right(&text, given), right, "{given:?}");
        }
    }
}
