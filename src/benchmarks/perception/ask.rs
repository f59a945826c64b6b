//! Asking the questions of a set: who answers, and what a model is given.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::item::AnswerForm;
use super::{Item, Questions};
use crate::agent::{Asker, Question, QuestionPrompts, TemplateError, Templates, Wording, WordingError};
use crate::experiment::{Given, RunError, Said, free, said, said_elsewhere};
use crate::model::sha256_hex;
use crate::prompt;
use crate::store::AttemptDir;

/// Ours: says what counts as visible and as connected.
const OURS: Templates = Templates { system: prompt!("perception-system.md"), user: prompt!("perception-user.md") };
/// The published layout.
const PAPER: Templates =
    Templates { system: prompt!("perception-paper-system.md"), user: prompt!("perception-paper-user.md") };
/// What the user's own templates are called by.
const BENCHMARK: &str = "perception";

/// The picture in the folder of an attempt.
pub(super) const SEEN: &str = "seen.png";

/// The prompts of a layout, with the user's templates `perception-system.md` and `perception-user.md` of a folder in place of
/// ours.
///
/// # Errors
/// When the folder has neither, one can't be read, or has a place that there is no value for.
pub fn prompts(wording: Wording, own: Option<&Path>) -> Result<QuestionPrompts, WordingError> {
    let templates = match wording {
        Wording::Scratchbed => OURS,
        Wording::Paper => PAPER,
    };
    let prompts = QuestionPrompts::bundled(wording, templates);
    let Some(folder) = own else { return Ok(prompts) };
    let prompts = prompts.laid_over(folder, BENCHMARK)?;
    for form in [AnswerForm::YesNo, AnswerForm::Exact] {
        texts(&prompts, "", form)?;
    }
    Ok(prompts)
}

pub enum Answers {
    /// A model or a program.
    Asked { asker: Arc<dyn Asker>, prompts: QuestionPrompts },
    /// The truth, as the best possible model would answer.
    Oracle,
    /// Random guesses from this seed, as a baseline.
    Random(u64),
    /// Answers that were given elsewhere, by item: an answer, or why it is missing.
    Given(Given),
}

impl Questions {
    /// Asks one question, and keeps prompt, picture and answer.
    pub(super) async fn ask(&self, item: &Item, attempt: u32, dir: &AttemptDir) -> Result<Said, RunError> {
        let wrong = |reason: String| RunError::Item { item: item.id.to_string(), reason };
        let path = self.set.picture(item);
        let picture = fs::read(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        dir.keep_once(SEEN, &picture)?;
        let reply = match &self.answers {
            Answers::Oracle => free(item.ground_truth.clone()),
            Answers::Random(seed) => free(guess(*seed, item, attempt)),
            Answers::Given(answers) => said_elsewhere(answers, item.id.as_str()),
            Answers::Asked { asker, prompts } => {
                let question = question(prompts, item, attempt, picture).map_err(|error| wrong(error.to_string()))?;
                dir.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                said(asker.ask(&question).await)?
            }
        };
        if let Ok(said) = &reply {
            dir.keep("answer.txt", said.text.as_bytes())?;
        }
        Ok(reply)
    }
}

/// The prompt. Neither the case nor the truth is part of it.
fn question(prompts: &QuestionPrompts, item: &Item, attempt: u32, picture: Vec<u8>) -> Result<Question, TemplateError> {
    let (system, user) = texts(prompts, &item.instruction, item.tag.form())?;
    let about = [("benchmark", json!("perception")), ("item", json!(item.id)), ("attempt", json!(attempt))];
    let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Question { system, user, pictures: vec![Arc::new(picture)], about, ..Question::default() })
}

/// The system part and the user part.
fn texts(prompts: &QuestionPrompts, instruction: &str, form: AnswerForm) -> Result<(String, String), TemplateError> {
    let form = match form {
        AnswerForm::YesNo => "yes_no",
        AnswerForm::Exact => "exact",
    };
    prompts.fill(&json!({"instruction": instruction, "form": form}))
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
        for (wording, tag, form) in [
            (Wording::Scratchbed, Tag::ExistenceYesClear, "YES or NO alone"),
            (Wording::Scratchbed, Tag::ExactMatchDropdown, "exactly what"),
            (Wording::Paper, Tag::ExistenceYesClear, "YES or NO only"),
            (Wording::Paper, Tag::ExactMatchDropdown, "exact value only"),
        ] {
            let prompts = prompts(wording, None).unwrap();
            let asked = question(&prompts, &item(tag), 1, Vec::new()).unwrap();
            assert!(asked.user.starts_with("Is there any `hide` block") && asked.user.contains(form), "{}", asked.user);
            let all = asked.system + &asked.user;
            assert!(!all.contains("secret") && !all.contains(tag.as_ref()));
            // The published prompt does not say when a block is visible or connected.
            assert_eq!(all.contains("directly connected only if"), wording == Wording::Scratchbed, "{all}");
        }
    }

    #[test]
    fn guesses_take_both_values_and_a_seed_repeats_them() {
        let guesses: Vec<String> = (0..20).map(|seed| guess(seed, &item(Tag::ConnectionYes), 1)).collect();
        assert!(guesses.contains(&"YES".to_owned()) && guesses.contains(&"NO".to_owned()));
        assert_eq!(guess(3, &item(Tag::ConnectionYes), 1), guesses[3]);
    }
}
