//! Asking the questions of a set: who answers, and what a model is given.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use serde_json::json;

use super::item::AnswerForm;
use super::{Item, Questions};
use crate::agent::{AskError, Asker, Prompt, Question, Response, TemplateError};
use crate::experiment::RunError;
use crate::model::{Cost, sha256_hex};
use crate::prompt;
use crate::store::AttemptDir;

/// What holds for all questions.
const SYSTEM: Prompt = prompt!("perception-system.md");
/// One question with the form of its answer.
const USER: Prompt = prompt!("perception-user.md");

/// The picture in the folder of an attempt.
pub(super) const SEEN: &str = "seen.png";

pub enum Answers {
    /// A model or a program.
    Asked(Arc<dyn Asker>),
    /// The truth, as the best possible model would answer.
    Oracle,
    /// Random guesses from this seed, as a baseline.
    Random(u64),
    /// Answers that were given elsewhere, by item: an answer, or why it is missing.
    Given(BTreeMap<String, Result<String, String>>),
}

/// An answer, or why it is missing and what that cost.
pub(super) type Reply = Result<Response, (String, Cost)>;

impl Questions {
    /// Asks one question, and keeps prompt, picture and answer.
    pub(super) async fn ask(&self, item: &Item, attempt: u32, dir: &AttemptDir) -> Result<Reply, RunError> {
        let wrong = |reason: String| RunError::Item { item: item.id.to_string(), reason };
        let path = self.set.picture(item);
        let picture = fs::read(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        dir.keep_once(SEEN, &picture)?;
        let free = |text: String| Ok(Response { text, cost: Cost::default() });
        let reply = match &self.answers {
            Answers::Oracle => free(item.ground_truth.clone()),
            Answers::Random(seed) => free(guess(*seed, item, attempt)),
            Answers::Given(answers) => match answers.get(item.id.as_str()) {
                Some(Ok(text)) => free(text.clone()),
                Some(Err(error)) => Err((error.clone(), Cost::default())),
                None => Err(("there is no answer".to_owned(), Cost::default())),
            },
            Answers::Asked(asker) => {
                let question = question(item, attempt, picture).map_err(|error| wrong(error.to_string()))?;
                dir.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                asked(asker.ask(&question).await)?
            }
        };
        if let Ok(said) = &reply {
            dir.keep("answer.txt", said.text.as_bytes())?;
        }
        Ok(reply)
    }
}

/// What a model or program said; an error ends the run if no question can be asked like this.
fn asked(result: Result<Response, AskError>) -> Result<Reply, RunError> {
    match result {
        Ok(said) => Ok(Ok(said)),
        Err(error) if error.is_final() => Err(error.into()),
        Err(error) => Ok(Err((error.to_string(), error.cost()))),
    }
}

/// The prompt. Neither the case nor the truth is part of it.
fn question(item: &Item, attempt: u32, picture: Vec<u8>) -> Result<Question, TemplateError> {
    let (system, user) = prompts(item)?;
    let about = [("benchmark", json!("perception")), ("item", json!(item.id)), ("attempt", json!(attempt))];
    let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Question { system, user, picture: Arc::new(picture), about })
}

/// The system and user text for an item.
fn prompts(item: &Item) -> Result<(String, String), TemplateError> {
    let form = match item.tag.form() {
        AnswerForm::YesNo => "yes_no",
        AnswerForm::Exact => "exact",
    };
    Ok((SYSTEM.fill(json!({}))?, USER.fill(json!({"instruction": item.instruction, "form": form}))?))
}

/// YES or NO at random; a text can't be guessed.
fn guess(seed: u64, item: &Item, attempt: u32) -> String {
    let thrown = sha256_hex(format!("{seed} {} {attempt}", item.id).as_bytes());
    if thrown.as_bytes()[0].is_multiple_of(2) { "YES".to_owned() } else { "NO".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::Tag;
    use super::super::tests::item;
    use super::*;

    #[test]
    fn a_prompt_has_the_question_and_the_form_and_no_more() {
        for (tag, form) in [(Tag::ExistenceYesClear, "YES or NO alone"), (Tag::ExactMatchDropdown, "exactly what")] {
            let (system, user) = prompts(&item(tag)).unwrap();
            assert!(user.starts_with("Is there any `hide` block") && user.contains(form), "{user}");
            let all = system + &user;
            assert!(!all.contains("secret") && !all.contains(tag.as_ref()));
        }
    }

    #[test]
    fn guesses_take_both_values_and_a_seed_repeats_them() {
        let guesses: Vec<String> = (0..20).map(|seed| guess(seed, &item(Tag::ConnectionYes), 1)).collect();
        assert!(guesses.contains(&"YES".to_owned()) && guesses.contains(&"NO".to_owned()));
        assert_eq!(guess(3, &item(Tag::ConnectionYes), 1), guesses[3]);
    }
}
