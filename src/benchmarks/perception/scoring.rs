//! Right or wrong, and how often. A question without an answer is an outcome like any other: it stays
//! in the denominator.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use super::item::AnswerForm;
use super::{Answered, Item, PerceptionError, Tag, TaskType};
use crate::grade::{LeftOut, Proportion, has_trial_file, left_out};
use crate::model::{TrialOutcome, TrialRecord};

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
    /// What is known of all questions that are answered by YES or NO; absent where there are none.
    pub yes_no: Option<YesNo>,
    /// Per ability, in the order of the published table.
    pub task_types: Vec<Group<TaskType>>,
    /// Per case, in the published order.
    pub tags: Vec<Group<Tag>>,
    /// Items that have no answer and count as wrong.
    pub unanswered: usize,
    /// Those that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Items none of whose trials counts.
    pub missing: usize,
}

/// Answers to questions of YES or NO: whoever says YES to all of them is half right and knows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct YesNo {
    /// Answers that were YES, of all.
    pub said_yes: Proportion,
    /// Answers to which YES was the truth, of all.
    pub truly_yes: Proportion,
    /// Answers that were neither YES nor NO, and those that did not come.
    pub neither: usize,
    /// Balanced accuracy in percent: the mean of the accuracies where the truth is YES and where it is NO. What does not
    /// look at the picture has 50 or less. Absent where one of the two does not occur.
    pub balanced: Option<f64>,
}

/// Why an item without an answer is not counted by the reference.
const NO_ANSWER: &str = "no_answer";

/// The accuracy on items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Group<K> {
    /// The kind.
    pub kind: K,
    /// Right ones of all.
    pub accuracy: Proportion,
    /// What is known of its questions of YES or NO; absent where there are none.
    pub yes_no: Option<YesNo>,
    /// Items of the kind none of whose trials counts.
    pub missing: usize,
}

/// An answer that counts.
struct Judged<'a> {
    item: &'a Item,
    response: Option<&'a str>,
    right: bool,
}

impl Judged<'_> {
    /// YES or NO, where the answer is one of them.
    fn said(&self) -> Option<bool> {
        let given = self.response?.trim();
        let is = |word: &str| given.eq_ignore_ascii_case(word);
        if is(YES) { Some(true) } else { is(NO).then_some(false) }
    }

    fn is_truly_yes(&self) -> bool {
        self.item.ground_truth.eq_ignore_ascii_case(YES)
    }
}

/// What is said for yes, in any case.
const YES: &str = "YES";
/// What is said for no.
const NO: &str = "NO";

/// Scores answers. Items that no reply names have no answer.
///
/// # Errors
/// When a reply names no item of the set, or one that another reply named before.
pub fn score(items: &[Item], replies: &[Reply]) -> Result<Score, PerceptionError> {
    let answers = matched(items, replies)?;
    Ok(tally(answers.into_iter(), Vec::new(), &[]))
}

/// The same as the reference reckons it: items without an answer have no result file there, and do not count.
///
/// # Errors
/// As [`score`].
pub fn reference_score(items: &[Item], replies: &[Reply]) -> Result<Score, PerceptionError> {
    let answers = matched(items, replies)?;
    let missing = answers.iter().filter(|(_, response)| response.is_none()).map(|_| NO_ANSWER);
    let left_out = left_out(missing);
    let lost: Vec<&Item> = answers.iter().filter(|(_, response)| response.is_none()).map(|(item, _)| *item).collect();
    Ok(tally(answers.into_iter().filter(|(_, response)| response.is_some()), left_out, &lost))
}

/// Each item with its answer.
fn matched<'a>(items: &'a [Item], replies: &'a [Reply]) -> Result<Vec<(&'a Item, Option<&'a str>)>, PerceptionError> {
    let mut by_id: BTreeMap<&str, &Reply> = BTreeMap::new();
    for reply in replies {
        if items.iter().all(|item| item.id != reply.id) {
            return Err(PerceptionError::UnknownItem { id: reply.id.clone() });
        }
        if by_id.insert(&reply.id, reply).is_some() {
            return Err(PerceptionError::AnsweredTwice { id: reply.id.clone() });
        }
    }
    let response = |item: &Item| by_id.get(item.id.as_str()).and_then(|reply| reply.response.as_deref());
    Ok(items.iter().map(|item| (item, response(item))).collect())
}

/// Scores the trials of a run, each for itself. Those that the testbed spoiled say nothing and are left out.
#[must_use]
pub fn score_trials(items: &[Item], records: &[TrialRecord<Answered>]) -> Score {
    score_of(items, records, TrialOutcome::counts)
}

/// The same as the reference reckons it: a model that gave no answer leaves no result file, and does not count.
#[must_use]
pub fn reference_score_trials(items: &[Item], records: &[TrialRecord<Answered>]) -> Score {
    score_of(items, records, has_trial_file)
}

fn score_of(items: &[Item], records: &[TrialRecord<Answered>], counts: fn(TrialOutcome) -> bool) -> Score {
    let of = |record: &TrialRecord<Answered>| items.iter().find(|item| item.id == record.item);
    let (counted, others): (Vec<_>, Vec<_>) = records.iter().partition(|record| counts(record.outcome));
    let left_out = left_out(others.iter().map(|record| record.outcome.name()));
    let has_counted = |item: &Item| counted.iter().any(|record| record.item == item.id);
    let lost: BTreeMap<&str, &Item> = others
        .iter()
        .filter_map(|record| of(record))
        .filter(|item| !has_counted(item))
        .map(|item| (item.id.as_str(), item))
        .collect();
    let lost: Vec<&Item> = lost.into_values().collect();
    let answers = counted
        .into_iter()
        .filter_map(|record| Some((of(record)?, record.detail.as_ref().map(|answered| answered.response.as_str()))));
    tally(answers, left_out, &lost)
}

/// The accuracies of these answers; of the items that are `lost` no answer counts.
fn tally<'a>(
    answers: impl Iterator<Item = (&'a Item, Option<&'a str>)>,
    left_out: Vec<LeftOut>,
    lost: &[&Item],
) -> Score {
    let judged: Vec<Judged<'_>> = answers
        .map(|(item, response)| {
            let right = response.is_some_and(|given| is_right(item, given));
            Judged { item, response, right }
        })
        .collect();
    let types = TaskType::iter().map(|kind| group(kind, &judged, lost, &|item| item.task_type == kind));
    let tags = Tag::PUBLISHED.map(|(tag, _)| group(tag, &judged, lost, &|item| item.tag == tag));
    let all = group((), &judged, lost, &|_| true);
    Score {
        all: all.accuracy,
        yes_no: all.yes_no,
        task_types: types.collect(),
        tags: tags.into_iter().filter(|group| group.accuracy.n > 0 || group.missing > 0).collect(),
        unanswered: judged.iter().filter(|one| one.response.is_none()).count(),
        left_out,
        missing: all.missing,
    }
}

/// The figures of the items that are kept.
fn group<K>(kind: K, judged: &[Judged<'_>], lost: &[&Item], keep: &dyn Fn(&Item) -> bool) -> Group<K> {
    let kept = || judged.iter().filter(|one| keep(one.item));
    Group {
        kind,
        accuracy: Proportion::clustered(kept().map(|one| (&one.item.id, one.right))),
        yes_no: yes_no(&kept().filter(|one| one.item.tag.form() == AnswerForm::YesNo).collect::<Vec<_>>()),
        missing: lost.iter().filter(|item| keep(item)).count(),
    }
}

/// What is known of answers to questions of YES or NO; `None` of no answers.
fn yes_no(answers: &[&Judged<'_>]) -> Option<YesNo> {
    let answers = || answers.iter().copied();
    let share = |is: &dyn Fn(&Judged<'_>) -> bool| Proportion::clustered(answers().map(|one| (&one.item.id, is(one))));
    let right_where = |truth: bool| {
        Proportion::clustered(answers().filter(|one| one.is_truly_yes() == truth).map(|one| (&one.item.id, one.right)))
            .percent
    };
    let said_yes = share(&|one| one.said() == Some(true));
    (said_yes.n > 0).then(|| YesNo {
        said_yes,
        truly_yes: share(&|one| one.is_truly_yes()),
        neither: answers().filter(|one| one.said().is_none()).count(),
        balanced: right_where(true).zip(right_where(false)).map(|(yes, no)| f64::midpoint(yes, no)),
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
    fn who_answers_twice_or_what_is_not_there_is_told_so() {
        let items = [item("1", Tag::ConnectionYes, "YES")];
        let given = |id| reply(id, Some("YES"));
        let twice = score(&items, &[given("1"), given("1")]).unwrap_err();
        assert_eq!((twice.code(), twice.to_string().as_str()), ("answered_twice", "item `1` is answered twice"));
        assert_eq!(score(&items, &[given("2")]).unwrap_err().code(), "unknown_item");
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
        let reference = reference_score(&items, &replies).unwrap();
        assert_eq!((reference.all.hits, reference.all.n, reference.unanswered), (2, 2, 0));
        assert_eq!(reference.left_out, [LeftOut { why: "no_answer", count: 2 }]);
        assert_eq!((reference.tags.len(), reference.missing, score.missing), (3, 2, 0));
    }

    #[test]
    fn who_always_says_yes_is_half_right_and_told_so() {
        let items = [
            item("1", Tag::ConnectionYes, "YES"),
            item("2", Tag::ConnectionYes, "YES"),
            item("3", Tag::ConnectionYes, "YES"),
            item("4", Tag::ConnectionNoHard, "NO"),
            item("5", Tag::ExactMatchNumeric, "8"),
        ];
        let all_yes: Vec<Reply> = items.iter().map(|item| reply(&item.id, Some(" yes"))).collect();
        let score = score(&items, &all_yes).unwrap();
        let connection = score.task_types.iter().find(|group| group.kind == TaskType::Connection).unwrap();
        assert_eq!(connection.accuracy.percent, Some(75.0));
        let told = connection.yes_no.unwrap();
        let shares = (told.said_yes.percent, told.truly_yes.percent, told.balanced, told.neither);
        assert_eq!(shares, (Some(100.0), Some(75.0), Some(50.0), 0));
        assert_eq!(score.yes_no.unwrap().said_yes.n, 4, "of numbers nobody says YES");
        let numeric = score.tags.iter().find(|group| group.kind == Tag::ExactMatchNumeric).unwrap();
        assert_eq!(numeric.yes_no, None);
        let yes = score.tags.iter().find(|group| group.kind == Tag::ConnectionYes).unwrap();
        assert_eq!(yes.yes_no.unwrap().balanced, None, "there is no NO among them");
        // Neither yes nor no, and no answer: wrong, and in the denominator.
        let odd = [reply("1", Some("YES")), reply("2", Some("perhaps")), reply("4", Some("no"))];
        let told = super::score(&items, &odd).unwrap().yes_no.unwrap();
        assert_eq!((told.neither, told.said_yes.hits, told.said_yes.n), (2, 1, 4));
        assert!((told.balanced.unwrap() - 100.0 * (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn trials_count_unless_the_testbed_spoiled_them() {
        use crate::model::{RUN_FORMAT, TrialCost};
        let record = |attempt, outcome, response: Option<&str>| TrialRecord {
            format: RUN_FORMAT,
            item: "1".to_owned(),
            attempt,
            outcome,
            error: None,
            cost: TrialCost::default(),
            detail: response.map(|response| Answered { response: response.to_owned() }),
        };
        let records = [
            record(1, TrialOutcome::Passed, Some("YES")),
            record(2, TrialOutcome::CallFailed, None),
            record(3, TrialOutcome::InfraError, None),
        ];
        let score = score_trials(&[item("1", Tag::ConnectionYes, "YES")], &records);
        assert_eq!((score.all.hits, score.all.n, score.unanswered), (1, 2, 1));
        assert_eq!(score.left_out, [LeftOut { why: "infra_error", count: 1 }]);
        let reference = reference_score_trials(&[item("1", Tag::ConnectionYes, "YES")], &records);
        assert_eq!((reference.all.hits, reference.all.n, reference.unanswered), (1, 1, 0));
        assert_eq!((score.missing, reference.missing), (0, 0));
        let spoiled = score_trials(&[item("1", Tag::ConnectionYes, "YES")], &records[2..]);
        assert_eq!((spoiled.all.n, spoiled.missing, spoiled.tags.len()), (0, 1, 1));
        let lost = |why| LeftOut { why, count: 1 };
        assert_eq!(reference.left_out, [lost("call_failed"), lost("infra_error")]);
    }

    #[test]
    fn replies_to_nothing_and_twice_are_refused() {
        let items = [item("1", Tag::ConnectionYes, "YES")];
        assert!(score(&items, &[reply("2", None)]).is_err());
        assert!(score(&items, &[reply("1", None), reply("1", None)]).is_err());
    }
}
