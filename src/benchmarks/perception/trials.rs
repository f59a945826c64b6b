//! Asking the questions of a set: what a model is told, and how its answers end.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::item::AnswerForm;
use super::{Item, PerceptionSet, is_right};
use crate::agent::{Asker, Prompt, Question, Said, TemplateError};
use crate::experiment::trials::{Benchmark, Ended, Spoiled, TrialsError};
use crate::model::{TrialCost, TrialOutcome, TrialRecord, sha256_hex};
use crate::prompt;
use crate::store::TrialFolder;

/// What holds for all questions.
const SYSTEM: Prompt = prompt!("perception-system.md");
/// One question with the form of its answer.
const USER: Prompt = prompt!("perception-user.md");

/// The picture in the folder of a trial.
const SEEN: &str = "seen.png";

/// Who answers.
pub enum Answers {
    /// A model or a program.
    Asked(Arc<dyn Asker>),
    /// The truth: what the best possible model would say.
    Oracle,
    /// A coin that this seed throws, for what guessing is worth.
    Coin(u64),
    /// Answers that were given elsewhere, by item: each is an answer, or why there is none.
    Given(BTreeMap<String, Result<String, String>>),
}

/// The questions of a set, answered by someone.
pub struct PerceptionTrials {
    /// The questions.
    pub set: PerceptionSet,
    /// Who answers.
    pub answers: Answers,
}

/// What is recorded of an answered question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The answer as it was given.
    pub response: String,
}

#[async_trait]
impl Benchmark for PerceptionTrials {
    type Detail = Answered;

    async fn attempt(&self, item: &str, attempt: u32, folder: &TrialFolder) -> Result<Ended<Answered>, Spoiled> {
        let wrong = |reason: String| TrialsError::Item { item: item.to_owned(), reason };
        let item = self.set.find(item).map_err(|error| wrong(error.to_string()))?;
        let path = self.set.picture(item);
        let picture = fs::read(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        folder.keep_once(SEEN, &picture)?;
        let said = match &self.answers {
            Answers::Oracle => Said { text: item.ground_truth.clone(), cost: TrialCost::default() },
            Answers::Coin(seed) => Said { text: coin(*seed, item, attempt), cost: TrialCost::default() },
            Answers::Given(answers) => match answers.get(&item.id) {
                Some(Ok(text)) => Said { text: text.clone(), cost: TrialCost::default() },
                Some(Err(error)) => return Ok(unanswered(error.clone(), TrialCost::default())),
                None => return Ok(unanswered("there is no answer".to_owned(), TrialCost::default())),
            },
            Answers::Asked(asker) => {
                let question = question(item, attempt, picture).map_err(|error| wrong(error.to_string()))?;
                folder.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                match asker.ask(&question).await {
                    Ok(said) => said,
                    Err(error) if error.is_final() => return Err(TrialsError::from(error).into()),
                    Err(error) => return Ok(unanswered(error.to_string(), error.cost())),
                }
            }
        };
        folder.keep("answer.txt", said.text.as_bytes())?;
        let outcome = if is_right(item, &said.text) { TrialOutcome::Passed } else { TrialOutcome::Failed };
        Ok(Ended { outcome, error: None, cost: said.cost, detail: Some(Answered { response: said.text }) })
    }

    fn reason(&self, record: &TrialRecord<Answered>) -> Option<String> {
        if record.outcome == TrialOutcome::Passed {
            return None;
        }
        let said = || Some(format!("said {}", record.detail.as_ref()?.response.trim()));
        record.error.clone().or_else(said)
    }

    fn asks(&self) -> bool {
        matches!(self.answers, Answers::Asked(_))
    }
}

/// The end of a trial that nobody answered.
const fn unanswered(error: String, cost: TrialCost) -> Ended<Answered> {
    Ended { outcome: TrialOutcome::CallFailed, error: Some(error), cost, detail: None }
}

/// What is asked. Neither the case nor the truth is part of it.
fn question(item: &Item, attempt: u32, picture: Vec<u8>) -> Result<Question, TemplateError> {
    let (system, user) = prompts(item)?;
    let about = [("benchmark", json!("perception")), ("item", json!(item.id)), ("attempt", json!(attempt))];
    let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Question { system, user, picture: Arc::new(picture), about })
}

/// What a model is told of an item: system and user text.
fn prompts(item: &Item) -> Result<(String, String), TemplateError> {
    let form = match item.tag.form() {
        AnswerForm::YesNo => "yes_no",
        AnswerForm::Exact => "exact",
    };
    Ok((SYSTEM.fill(json!({}))?, USER.fill(json!({"instruction": item.instruction, "form": form}))?))
}

/// Heads or tails; of a text nothing can be guessed.
fn coin(seed: u64, item: &Item, attempt: u32) -> String {
    let thrown = sha256_hex(format!("{seed} {} {attempt}", item.id).as_bytes());
    if thrown.as_bytes()[0].is_multiple_of(2) { "YES".to_owned() } else { "NO".to_owned() }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::super::Tag;
    use super::super::set::{Origin, SetWriter};
    use super::*;
    use crate::experiment::trials::{Manner, run};
    use crate::model::{RUN_FORMAT, TrialRun};
    use crate::store::TrialDir;

    fn item(tag: Tag) -> Item {
        Item {
            id: "7".to_owned(),
            task_type: tag.task_type(),
            tag,
            instruction: "Is there any `hide` block that is visible in the canvas?".to_owned(),
            screenshot: "001.png".to_owned(),
            ground_truth: "secret".to_owned(),
        }
    }

    #[test]
    fn a_model_is_told_the_question_and_the_form_and_no_more() {
        for (tag, form) in [(Tag::ExistenceYesClear, "YES or NO alone"), (Tag::ExactMatchDropdown, "exactly what")] {
            let (system, user) = prompts(&item(tag)).unwrap();
            assert!(user.starts_with("Is there any `hide` block") && user.contains(form), "{user}");
            let all = system + &user;
            assert!(!all.contains("secret") && !all.contains(tag.as_ref()));
        }
    }

    #[test]
    fn the_coin_falls_on_both_sides_and_the_same_way_again() {
        let throws: Vec<String> = (0..20).map(|seed| coin(seed, &item(Tag::ConnectionYes), 1)).collect();
        assert!(throws.contains(&"YES".to_owned()) && throws.contains(&"NO".to_owned()));
        assert_eq!(coin(3, &item(Tag::ConnectionYes), 1), throws[3]);
    }

    #[tokio::test]
    async fn answers_given_elsewhere_are_recorded_and_a_picture_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("set");
        let writer = SetWriter::create(&set, false).unwrap();
        writer.picture("001.png", b"a picture").unwrap();
        let items: Vec<Item> = (0..14).map(|id| Item { id: id.to_string(), ..item(Tag::ConnectionYes) }).collect();
        let names: Vec<String> = items.iter().map(|item| item.id.clone()).collect();
        writer.finish(Origin::Imported, items).unwrap();
        let set = PerceptionSet::read(&set).unwrap();
        let answers = BTreeMap::from([
            ("0".to_owned(), Ok("secret".to_owned())),
            ("1".to_owned(), Ok("other".to_owned())),
            ("2".to_owned(), Err("no credit".to_owned())),
        ]);
        let benchmark = PerceptionTrials { set, answers: Answers::Given(answers) };
        let record = TrialRun {
            format: RUN_FORMAT,
            id: "r".to_owned(),
            started_at: 0.0,
            version: "0".to_owned(),
            benchmark: "perception".to_owned(),
            agent: "answers".to_owned(),
            setting: "answers".to_owned(),
            options: serde_json::Value::Null,
            set: String::new(),
            attempts: 2,
            items: names,
        };
        let dir = TrialDir::create(&folder.path().join("runs"), record).unwrap();
        let manner = Manner { jobs: 3, retry_failed_calls: false };
        // Eleven items without an answer in a row: nobody is asked who could be gone.
        let records = run(&benchmark, &dir, manner, &|_| ()).await.unwrap();
        let ends: Vec<TrialOutcome> = records.iter().step_by(2).take(4).map(|record| record.outcome).collect();
        let silent = TrialOutcome::CallFailed;
        assert_eq!(ends, [TrialOutcome::Passed, TrialOutcome::Failed, silent, silent]);
        assert_eq!(benchmark.reason(&records[2]).as_deref(), Some("said other"));
        assert_eq!(benchmark.reason(&records[4]).as_deref(), Some("no credit"));
        assert_eq!(benchmark.reason(&records[0]), None);
        let seen = dir.path().join(TrialDir::place("7", 2)).join(SEEN);
        assert_eq!(fs::read(&seen).unwrap(), b"a picture");
        assert_eq!(fs::metadata(seen).unwrap().nlink(), 29, "28 trials and the one that they share");
    }
}
