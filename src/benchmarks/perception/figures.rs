//! How often answers were right. A question without an answer is an outcome like any other: it stays in the denominator.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::item::AnswerForm;
use super::measure::is_right;
use super::{Answered, Item, Tag, TaskType};
use crate::grade::{Count, LeftOut, Proportion, has_result_file, left_out};
use crate::model::{AttemptRecord, Outcome};

/// The file of a run that has its questions, which figures need.
pub const ITEMS: &str = "items.json";

type Record = AttemptRecord<Option<Answered>>;

/// The accuracies of one set of answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Over all items.
    pub all: Proportion,
    /// The figures of all YES/NO questions; absent without such questions.
    pub yes_no: Option<YesNo>,
    /// Per ability, in the order of the published table.
    pub task_types: Vec<Group<TaskType>>,
    /// Per case, in the published order.
    pub tags: Vec<Group<Tag>>,
    /// Items that have no answer and count as wrong.
    pub unanswered: usize,
    /// Items that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Items none of whose trials counts.
    pub missing: usize,
}

/// Answers to YES/NO questions: a model that always answers YES is half right and knows nothing.
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

/// The accuracy on items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Group<K> {
    pub kind: K,
    /// Right ones of all.
    pub accuracy: Proportion,
    /// The figures of its YES/NO questions; absent without such questions.
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
    fn yes_or_no(&self) -> Option<bool> {
        let given = self.response?.trim();
        let is = |word: &str| given.eq_ignore_ascii_case(word);
        if is(YES) { Some(true) } else { is(NO).then_some(false) }
    }

    fn is_truly_yes(&self) -> bool {
        self.item.ground_truth.eq_ignore_ascii_case(YES)
    }
}

/// The answer for yes, in any case.
const YES: &str = "YES";
/// The answer for no.
const NO: &str = "NO";

/// Scores the attempts of a run, each for itself. Those that the testbed spoiled are left out; for the
/// reference a model that gave no answer leaves no result file, and does not count either.
pub fn score(items: &[Item], records: &[Record], count: Count) -> Score {
    match count {
        Count::Ours => score_of(items, records, Outcome::counts),
        Count::Reference => score_of(items, records, has_result_file),
    }
}

fn score_of(items: &[Item], records: &[Record], counts: fn(Outcome) -> bool) -> Score {
    let of = |record: &Record| items.iter().find(|item| item.id == record.item);
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

/// The figures of answers to YES/NO questions; `None` without answers.
fn yes_no(answers: &[&Judged<'_>]) -> Option<YesNo> {
    let answers = || answers.iter().copied();
    let share = |is: &dyn Fn(&Judged<'_>) -> bool| Proportion::clustered(answers().map(|one| (&one.item.id, is(one))));
    let right_where = |truth: bool| {
        Proportion::clustered(answers().filter(|one| one.is_truly_yes() == truth).map(|one| (&one.item.id, one.right)))
            .percent
    };
    let said_yes = share(&|one| one.yes_or_no() == Some(true));
    (said_yes.n > 0).then(|| YesNo {
        said_yes,
        truly_yes: share(&|one| one.is_truly_yes()),
        neither: answers().filter(|one| one.yes_or_no().is_none()).count(),
        balanced: right_where(true).zip(right_where(false)).map(|(yes, no)| f64::midpoint(yes, no)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::item_of as item;
    use super::*;
    use crate::model::{Cost, RUN_FORMAT};

    fn record(id: &str, attempt: u32, outcome: Outcome, response: Option<&str>) -> Record {
        let detail = response.map(|response| Answered { response: response.to_owned() });
        let (format, item, cost) = (RUN_FORMAT, id.parse().unwrap(), Cost::default());
        AttemptRecord { format, item, attempt, retry: 0, outcome, error: None, cost, detail }
    }

    /// A record for each item, whether there is an answer to it or not.
    fn records(items: &[Item], answers: &[(&str, &str)]) -> Vec<Record> {
        let answer = |item: &Item| answers.iter().find(|(id, _)| item.id == **id).map(|(_, answer)| *answer);
        let of = |item: &Item| match answer(item) {
            Some(answer) if is_right(item, answer) => record(item.id.as_str(), 1, Outcome::Passed, Some(answer)),
            Some(answer) => record(item.id.as_str(), 1, Outcome::Failed, Some(answer)),
            None => record(item.id.as_str(), 1, Outcome::CallFailed, None),
        };
        items.iter().map(of).collect()
    }

    #[test]
    fn missing_answers_stay_in_the_denominator() {
        let items = [
            item("1", Tag::ConnectionYes, "YES"),
            item("2", Tag::ConnectionNoHard, "NO"),
            item("3", Tag::ExactMatchNumeric, "-7"),
            item("4", Tag::ExactMatchNumeric, "8"),
        ];
        let records = records(&items, &[("1", "yes"), ("3", "-7")]);
        let ours = score(&items, &records, Count::Ours);
        assert_eq!((ours.all.hits, ours.all.n, ours.unanswered), (2, 4, 2));
        assert_eq!(ours.task_types[0].accuracy.percent, Some(50.0));
        assert_eq!(ours.task_types[1].accuracy.percent, None);
        assert_eq!(ours.tags.len(), 3);
        let reference = score(&items, &records, Count::Reference);
        assert_eq!((reference.all.hits, reference.all.n, reference.unanswered), (2, 2, 0));
        assert_eq!(reference.left_out, [LeftOut { why: "call_failed", count: 2 }]);
        assert_eq!((reference.tags.len(), reference.missing, ours.missing), (3, 2, 0));
    }

    #[test]
    fn always_answering_yes_is_half_right_and_is_reported() {
        let items = [
            item("1", Tag::ConnectionYes, "YES"),
            item("2", Tag::ConnectionYes, "YES"),
            item("3", Tag::ConnectionYes, "YES"),
            item("4", Tag::ConnectionNoHard, "NO"),
            item("5", Tag::ExactMatchNumeric, "8"),
        ];
        let all_yes = records(&items, &["1", "2", "3", "4", "5"].map(|id| (id, " yes")));
        let ours = score(&items, &all_yes, Count::Ours);
        let connection = ours.task_types.iter().find(|group| group.kind == TaskType::Connection).unwrap();
        assert_eq!(connection.accuracy.percent, Some(75.0));
        let counts = connection.yes_no.unwrap();
        let shares = (counts.said_yes.percent, counts.truly_yes.percent, counts.balanced, counts.neither);
        assert_eq!(shares, (Some(100.0), Some(75.0), Some(50.0), 0));
        assert_eq!(ours.yes_no.unwrap().said_yes.n, 4, "of numbers no one says YES");
        let numeric = ours.tags.iter().find(|group| group.kind == Tag::ExactMatchNumeric).unwrap();
        assert_eq!(numeric.yes_no, None);
        let yes = ours.tags.iter().find(|group| group.kind == Tag::ConnectionYes).unwrap();
        assert_eq!(yes.yes_no.unwrap().balanced, None, "there is no NO among them");
        // Neither yes nor no, and no answer: wrong, and in the denominator.
        let odd = records(&items, &[("1", "YES"), ("2", "perhaps"), ("4", "no")]);
        let counts = score(&items, &odd, Count::Ours).yes_no.unwrap();
        assert_eq!((counts.neither, counts.said_yes.hits, counts.said_yes.n), (2, 1, 4));
        assert!((counts.balanced.unwrap() - 100.0 * (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn attempts_count_unless_the_testbed_spoiled_them() {
        let records = [
            record("1", 1, Outcome::Passed, Some("YES")),
            record("1", 2, Outcome::CallFailed, None),
            record("1", 3, Outcome::InfraError, None),
        ];
        let items = [item("1", Tag::ConnectionYes, "YES")];
        let ours = score(&items, &records, Count::Ours);
        assert_eq!((ours.all.hits, ours.all.n, ours.unanswered), (1, 2, 1));
        assert_eq!(ours.left_out, [LeftOut { why: "infra_error", count: 1 }]);
        let reference = score(&items, &records, Count::Reference);
        assert_eq!((reference.all.hits, reference.all.n, reference.unanswered), (1, 1, 0));
        assert_eq!((ours.missing, reference.missing), (0, 0));
        let spoiled = score(&items, &records[2..], Count::Ours);
        assert_eq!((spoiled.all.n, spoiled.missing, spoiled.tags.len()), (0, 1, 1));
        let lost = |why| LeftOut { why, count: 1 };
        assert_eq!(reference.left_out, [lost("call_failed"), lost("infra_error")]);
    }
}
