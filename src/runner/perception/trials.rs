//! Asking the questions of a set: what a model is told, and how its answers end.

use std::fs;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::item::AnswerForm;
use super::{Item, PerceptionSet, is_right};
use crate::agent::{Asker, Prompt, Question, Said, TemplateError};
use crate::model::{TrialCost, TrialOutcome, sha256_hex};
use crate::prompt;
use crate::runner::trials::{Benchmark, Ended, Spoiled, TrialsError};
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
        folder.keep(SEEN, &picture)?;
        let said = match &self.answers {
            Answers::Oracle => Said { text: item.ground_truth.clone(), cost: TrialCost::default() },
            Answers::Coin(seed) => Said { text: coin(*seed, item, attempt), cost: TrialCost::default() },
            Answers::Asked(asker) => {
                let question = question(item, attempt, picture).map_err(|error| wrong(error.to_string()))?;
                folder.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                match asker.ask(&question).await {
                    Ok(said) => said,
                    Err(error) if error.is_final() => return Err(TrialsError::from(error).into()),
                    Err(error) => {
                        let (cost, error) = (error.cost(), Some(error.to_string()));
                        return Ok(Ended { outcome: TrialOutcome::CallFailed, error, cost, detail: None });
                    }
                }
            }
        };
        folder.keep("answer.txt", said.text.as_bytes())?;
        let outcome = if is_right(item, &said.text) { TrialOutcome::Passed } else { TrialOutcome::Failed };
        Ok(Ended { outcome, error: None, cost: said.cost, detail: Some(Answered { response: said.text }) })
    }
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
    use super::super::Tag;
    use super::*;

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
            assert!(!all.contains("secret") && !all.contains(tag.name()));
        }
    }

    #[test]
    fn the_coin_falls_on_both_sides_and_the_same_way_again() {
        let throws: Vec<String> = (0..20).map(|seed| coin(seed, &item(Tag::ConnectionYes), 1)).collect();
        assert!(throws.contains(&"YES".to_owned()) && throws.contains(&"NO".to_owned()));
        assert_eq!(coin(3, &item(Tag::ConnectionYes), 1), throws[3]);
    }
}
