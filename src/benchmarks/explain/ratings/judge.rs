//! A model that rates: each explanation once, by the rubric. Its ratings are written as they come, so that the same call again asks
//! for what is left alone. An answer that is no rating is noted as such and never guessed at.

use std::collections::BTreeSet;
use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Distribution, JUDGES, Key, LINES, RatingError, Subject, on_scale};
use crate::agent::model::ModelError;
use crate::agent::{AskError, Asker, Question, Response};
use crate::bugs::Bench;
use crate::explain::{read_rating, rubric_digest};
use crate::model::{Cost, ItemId};
use crate::store::{OwnLines, RunDir};

/// So many failed calls in a row, and nobody is there.
const MOST_FAILED: u32 = 5;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub item: ItemId,
    pub attempt: u32,
    /// 1 to 5; none of an answer that could not be read.
    #[serde(default, deserialize_with = "on_scale")]
    pub score: Option<u8>,
    #[serde(default)]
    pub evidence: String,
    /// Why the answer could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// The answer as it was given.
    pub answer: String,
    pub cost: Cost,
}

impl Judgement {
    fn of(key: &Key, said: Response) -> Self {
        let (score, evidence, unreadable) = match read_rating(&said.text) {
            Ok(rated) => (Some(rated.score), rated.evidence, None),
            Err(why) => (None, String::new(), Some(why.to_string())),
        };
        let (item, attempt) = (key.item.clone(), key.attempt);
        Self { item, attempt, score, evidence, unreadable, answer: said.text, cost: said.cost }
    }

    pub(super) fn key(&self) -> Key {
        Key { item: self.item.clone(), attempt: self.attempt }
    }
}

/// How a judge is asked, beside its ratings: who is asked in another way is another judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    pub judge: String,
    /// The rubric and the question, by their digest.
    rubric: String,
    options: Value,
}

/// The ratings of one judge.
#[derive(Debug)]
pub struct Book {
    known: Vec<Judgement>,
    lines: OwnLines,
}

impl Book {
    /// Opens the ratings of a judge that is asked like this.
    ///
    /// # Errors
    /// [`RatingError::JudgedOtherwise`] when it was asked differently before; when the file is in use, can't be read, or the disk
    /// refuses.
    pub fn open(dir: &RunDir, judge: &str, options: &Value) -> Result<Self, RatingError> {
        let name = ItemId::plain(judge);
        let (known, lines) = dir.own_lines::<Judgement>(&format!("{JUDGES}/{name}{LINES}"))?;
        let header = format!("{JUDGES}/{name}.json");
        let asked = Asked { judge: judge.to_owned(), rubric: rubric_digest(), options: options.clone() };
        match dir.kept::<Asked>(&header)? {
            Some(before) if before != asked => {
                let (judge, what) = (judge.to_owned(), difference(&before, &asked));
                return Err(RatingError::JudgedOtherwise { judge, what, file: dir.path().join(header) });
            }
            Some(_) => {}
            None => dir.keep(&header, &asked)?,
        }
        Ok(Self { known, lines })
    }

    /// What it has rated, in the order in which it did.
    pub fn known(&self) -> &[Judgement] {
        &self.known
    }

    /// Those of some explanations that it has not rated.
    pub fn owed<'s>(&self, subjects: &'s [Subject]) -> Vec<&'s Subject> {
        let done: BTreeSet<Key> = self.known.iter().map(Judgement::key).collect();
        subjects.iter().filter(|subject| !done.contains(&subject.key)).collect()
    }

    /// Has it rate what it owes, so many at a time; returns the reasons of calls that failed, which are owed still.
    ///
    /// # Errors
    /// When nothing can be asked, or the disk refuses. What was under way then is waited for, and kept.
    pub async fn rate(
        &mut self,
        asker: &dyn Asker,
        (bench, subjects): (&Bench, &[Subject]),
        jobs: usize,
        on_rated: &(dyn Fn(&Subject, Result<&Judgement, &str>) + Sync),
    ) -> Result<Vec<String>, RatingError> {
        let (stop, mut ended, mut failures) = (AtomicBool::new(false), None, Failures::default());
        let owed = stream::iter(self.owed(subjects)).take_while(|_| ready(!stop.load(Ordering::Relaxed)));
        let mut answers =
            owed.map(|subject| async move { (subject, ask(asker, bench, subject).await) }).buffer_unordered(jobs);
        while let Some((subject, said)) = answers.next().await {
            let noted = match said {
                Ok(Ok(said)) => {
                    failures.in_a_row = 0;
                    self.note(Judgement::of(&subject.key, said), |one| on_rated(subject, Ok(one)))
                }
                Ok(Err(reason)) => {
                    on_rated(subject, Err(&reason));
                    failures.note(reason)
                }
                Err(error) => Err(self.told(error, subjects)),
            };
            if let Err(error) = noted {
                stop.store(true, Ordering::Relaxed);
                ended.get_or_insert(error);
            }
        }
        ended.map_or(Ok(failures.reasons), Err)
    }

    /// Why no more is asked; of a budget that is spent, how far it went.
    fn told(&self, error: RatingError, subjects: &[Subject]) -> RatingError {
        match error {
            RatingError::Agent(AskError::Model { source: ModelError::BudgetExhausted(reason), .. }) => {
                let (done, all) = (subjects.len() - self.owed(subjects).len(), subjects.len());
                RatingError::BudgetExhausted { reason, done, all }
            }
            error => error,
        }
    }

    fn note(&mut self, judgement: Judgement, then: impl FnOnce(&Judgement)) -> Result<(), RatingError> {
        self.lines.append(&judgement)?;
        then(&judgement);
        self.known.push(judgement);
        Ok(())
    }

    /// How its scores of these explanations are spread, and how many of its answers could not be read.
    pub fn figures(&self, subjects: &[Subject]) -> (Distribution, usize) {
        let keys: BTreeSet<&Key> = subjects.iter().map(|subject| &subject.key).collect();
        let own: Vec<&Judgement> = self.known.iter().filter(|one| keys.contains(&one.key())).collect();
        let unreadable = own.iter().filter(|one| one.score.is_none()).count();
        (Distribution::of(own.iter().filter_map(|one| one.score)), unreadable)
    }
}

/// Calls without an answer.
#[derive(Default)]
struct Failures {
    reasons: Vec<String>,
    in_a_row: u32,
}

impl Failures {
    /// Refuses to go on after too many in a row.
    fn note(&mut self, reason: String) -> Result<(), RatingError> {
        self.in_a_row += 1;
        if self.in_a_row >= MOST_FAILED {
            return Err(RatingError::NoAnswers { count: self.in_a_row, last: reason });
        }
        self.reasons.push(reason);
        Ok(())
    }
}

/// Asks about one explanation; the inner error is a call that failed and may be tried again.
async fn ask(asker: &dyn Asker, bench: &Bench, subject: &Subject) -> Result<Result<Response, String>, RatingError> {
    let [system, user] = subject.question(bench)?;
    let about = [
        ("benchmark", json!("explain-judge")),
        ("item", json!(subject.key.item)),
        ("attempt", json!(subject.key.attempt)),
    ];
    let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let question = Question { system: system.content, user: user.content, about, ..Question::default() };
    match asker.ask(&question).await {
        Ok(said) => Ok(Ok(said)),
        Err(error) if AskError::is_final(&error) => Err(error.into()),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// What two ways of asking differ in, in words.
fn difference(before: &Asked, now: &Asked) -> String {
    if before.judge != now.judge {
        return format!("it was `{}` then", before.judge.escape_debug());
    }
    if before.rubric != now.rubric {
        return "the rubric was another one".to_owned();
    }
    let names =
        before.options.as_object().into_iter().chain(now.options.as_object()).flat_map(|options| options.keys());
    let names: BTreeSet<&str> =
        names.filter(|name| before.options[*name] != now.options[*name]).map(String::as_str).collect();
    let told = |name: &str| format!("{name} was {}, now {}", before.options[name], now.options[name]);
    names.into_iter().map(told).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{run, subject};
    use super::*;

    fn said(text: &str) -> Response {
        Response::whole(text.to_owned(), Cost { calls: 1, ..Cost::default() })
    }

    #[test]
    fn ratings_are_kept_and_what_is_unreadable_is_not_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        let subjects = ["a", "b", "c"].map(|name| subject(name, 1, "message_race"));
        let options = json!({"temperature": 0.0});
        let mut book = Book::open(&dir, "ju/dge:1", &options).unwrap();
        for (at, text) in [(0, r#"{"score": 4, "evidence": "all"}"#), (1, "about four")] {
            book.note(Judgement::of(&subjects[at].key, said(text)), |_| ()).unwrap();
        }
        drop(book);
        let book = Book::open(&dir, "ju/dge:1", &options).unwrap();
        assert_eq!(book.owed(&subjects), [&subjects[2]]);
        let (spread, unreadable) = book.figures(&subjects);
        assert_eq!((spread.counts, spread.mean, unreadable), ([0, 0, 0, 1, 0], Some(4.0), 1));
        assert_eq!(book.figures(&subjects[1..]).0.n, 0);
        assert_eq!(book.known()[1].answer, "about four");
        assert!(dir.path().join("judges/ju_dge_1.jsonl").is_file());
    }

    #[test]
    fn too_many_failures_in_a_row_end_it() {
        let mut failures = Failures::default();
        for _ in 1..MOST_FAILED {
            failures.note("busy".to_owned()).unwrap();
        }
        let error = failures.note("gone".to_owned()).unwrap_err();
        assert!(error.to_string().contains("5 calls in a row have failed, the last one with: gone"), "{error}");
    }

    #[test]
    fn who_is_asked_in_another_way_is_another_judge() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        Book::open(&dir, "judge", &json!({"temperature": 0.0, "model": "m"})).unwrap();
        let error = Book::open(&dir, "judge", &json!({"temperature": 1.0, "model": "m"})).unwrap_err();
        assert!(error.to_string().contains("temperature was 0.0, now 1.0"), "{error}");
        Book::open(&dir, "other judge", &json!({})).unwrap();
        let error = Book::open(&dir, "other/judge", &json!({})).unwrap_err();
        assert!(error.to_string().contains("it was `other judge` then"), "{error}");
    }
}
