//! Right or wrong, and how often (contract 8). A question without an answer is an outcome like any other: it stays
//! in the denominator (contract 10.58).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::item::AnswerForm;
use super::{Item, PerceptionError, Tag, TaskType};
use crate::grade::Proportion;

/// What came back for one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The item.
    pub id: String,
    /// The answer as it was given; none if there was none.
    #[serde(default)]
    pub response: Option<String>,
    /// Why there was none.
    #[serde(default)]
    pub error: Option<String>,
}

/// Whether an answer is right: blanks around it don't count; YES and NO in any case, and nothing with them; texts
/// letter by letter.
#[must_use]
pub fn is_right(item: &Item, response: &str) -> bool {
    let given = response.trim();
    match item.tag.form() {
        AnswerForm::YesNo => given.eq_ignore_ascii_case(&item.ground_truth),
        AnswerForm::Exact => given == item.ground_truth,
    }
}

/// The accuracies of one set of answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Over all items.
    pub all: Proportion,
    /// Per ability, in the order of the published table.
    pub task_types: Vec<Group<TaskType>>,
    /// Per case, in the published order.
    pub tags: Vec<Group<Tag>>,
    /// Items that have no answer; they count as wrong.
    pub unanswered: usize,
}

/// The accuracy on items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Group<K> {
    /// The kind.
    pub kind: K,
    /// Right ones of all.
    pub accuracy: Proportion,
}

/// Scores answers. Items that no reply names have no answer.
///
/// # Errors
/// When a reply names no item of the set, or one that another reply named before.
pub fn score(items: &[Item], replies: &[Reply]) -> Result<Score, PerceptionError> {
    let mut by_id: BTreeMap<&str, &Reply> = BTreeMap::new();
    for reply in replies {
        let is_known = items.iter().any(|item| item.id == reply.id);
        if !is_known || by_id.insert(&reply.id, reply).is_some() {
            return Err(PerceptionError::UnknownItem { id: reply.id.clone() });
        }
    }
    let response = |item: &Item| by_id.get(item.id.as_str()).and_then(|reply| reply.response.as_deref());
    let judged: Vec<(&Item, bool)> =
        items.iter().map(|item| (item, response(item).is_some_and(|given| is_right(item, given)))).collect();
    let over = |keep: &dyn Fn(&Item) -> bool| {
        Proportion::over(judged.iter().filter(|(item, _)| keep(item)).map(|(_, right)| *right))
    };
    let tags = Tag::PUBLISHED.map(|(tag, _)| Group { kind: tag, accuracy: over(&|item| item.tag == tag) });
    Ok(Score {
        all: over(&|_| true),
        task_types: TaskType::ALL
            .map(|kind| Group { kind, accuracy: over(&|item| item.task_type == kind) })
            .into_iter()
            .collect(),
        tags: tags.into_iter().filter(|group| group.accuracy.n > 0).collect(),
        unanswered: items.iter().filter(|item| response(item).is_none()).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, tag: Tag, truth: &str) -> Item {
        Item {
            id: id.to_owned(),
            task_type: tag.task_type(),
            tag,
            instruction: String::new(),
            screenshot: String::new(),
            ground_truth: truth.to_owned(),
        }
    }

    fn reply(id: &str, response: Option<&str>) -> Reply {
        Reply { id: id.to_owned(), response: response.map(str::to_owned), error: None }
    }

    #[test]
    fn yes_and_no_count_in_any_case_and_alone() {
        let yes = item("1", Tag::ConnectionYes, "YES");
        for (given, right) in [("YES", true), (" yes\n", true), ("Yes.", false), ("NO", false), ("", false)] {
            assert_eq!(is_right(&yes, given), right, "{given:?}");
        }
    }

    #[test]
    fn texts_count_letter_by_letter() {
        let text = item("1", Tag::ExactMatchDropdown, "up arrow");
        for (given, right) in [("up arrow", true), (" up arrow ", true), ("Up arrow", false), ("up  arrow", false)] {
            assert_eq!(is_right(&text, given), right, "{given:?}");
        }
    }

    #[test]
    fn missing_answers_stay_in_the_denominator() {
        let items = [
            item("1", Tag::ConnectionYes, "YES"),
            item("2", Tag::ConnectionNoHard, "NO"),
            item("3", Tag::ExactMatchNumeric, "-7"),
            item("4", Tag::ExactMatchNumeric, "8"),
        ];
        let replies = [reply("1", Some("yes")), reply("2", None), reply("3", Some("-7"))];
        let score = score(&items, &replies).unwrap();
        assert_eq!((score.all.hits, score.all.n, score.unanswered), (2, 4, 2));
        assert_eq!(score.task_types[0].accuracy.percent, Some(50.0));
        assert_eq!(score.task_types[1].accuracy.percent, None);
        assert_eq!(score.tags.len(), 3);
    }

    #[test]
    fn replies_to_nothing_and_twice_are_refused() {
        let items = [item("1", Tag::ConnectionYes, "YES")];
        assert!(score(&items, &[reply("2", None)]).is_err());
        assert!(score(&items, &[reply("1", None), reply("1", None)]).is_err());
    }
}
