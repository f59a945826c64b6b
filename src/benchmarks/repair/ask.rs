//! Asking for a repair: who answers, and what a model is given. Neither gold nor truth nor suite is part of a question.

use std::sync::Arc;

use serde_json::json;

use super::Repairs;
use crate::agent::{Asker, Question, QuestionFile};
use crate::bugs::{BUGGY, Bench, BugsError, Instance};
use crate::experiment::{Given, RunError, Said, free, said, said_elsewhere};
use crate::forge::text_search;
use crate::mend::{Asked, Sheet, question};
use crate::model::ItemId;
use crate::project::Project;
use crate::store::{AttemptDir, StoreError};

pub use crate::mend::Manner;

/// Who mends.
pub enum Answers {
    /// A model or a program.
    Asked(Arc<dyn Asker>),
    /// The inverse patch, as the best possible model would answer.
    Oracle,
    /// No edit at all.
    Nothing,
    /// One operator by chance from this seed, near what the report names.
    Mutate(u64),
    /// The report's wrong value is searched for, and the expected one written.
    Search,
    /// Answers that were given elsewhere, by instance: an answer, or why it is missing.
    Given(Given),
}

impl Repairs {
    /// Asks about one instance, and keeps question and answer.
    pub(super) async fn ask(
        &self,
        instance: &Instance,
        item: &ItemId,
        attempt: u32,
        (sheet, dir): (Option<&Sheet>, &AttemptDir),
    ) -> Result<Said, RunError> {
        let patch = |patch| free(json!({"patch": patch}).to_string());
        let answer = match &self.answers {
            Answers::Oracle => patch(json!(instance.truth.inverse)),
            Answers::Nothing => patch(json!([])),
            Answers::Mutate(seed) => {
                let buggy = buggy(instance, item)?;
                // Another attempt is another throw.
                let seed = seed.wrapping_mul(1000).wrapping_add(u64::from(attempt));
                patch(json!(crate::mend::mutated(&buggy.json, &instance.report, seed)))
            }
            Answers::Search => {
                let buggy = buggy(instance, item)?;
                patch(json!(text_search(&buggy.json, &instance.report)))
            }
            Answers::Given(answers) => said_elsewhere(answers, item.as_str()),
            Answers::Asked(asker) => {
                let question = self.question((instance, sheet), item, attempt)?;
                keep_question(&question, dir)?;
                said(asker.ask(&question).await)?
            }
        };
        if let Ok(given) = &answer {
            dir.keep("answer.txt", given.text.as_bytes())?;
        }
        Ok(answer)
    }

    fn question(
        &self,
        (instance, sheet): (&Instance, Option<&Sheet>),
        item: &ItemId,
        attempt: u32,
    ) -> Result<Question, RunError> {
        let wrong = |reason: String| RunError::Item { item: item.to_string(), reason };
        let buggy = buggy(instance, item)?;
        let asked = Asked { buggy: &buggy.json, report: &instance.report, id: &instance.entry.id, sheet };
        let [system, user] = question(&asked, &self.manner).map_err(|error| wrong(error.to_string()))?;
        let about = [
            ("benchmark", json!("repair")),
            ("item", json!(item)),
            ("attempt", json!(attempt)),
            ("report", json!(instance.report)),
        ];
        let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Question {
            system: system.content,
            user: user.content,
            pictures: pictures(sheet),
            about,
            files: question_files(&self.bench, item)?,
            ..Question::default()
        })
    }
}

/// The pictures of a question.
pub(in crate::benchmarks) fn pictures(sheet: Option<&Sheet>) -> Vec<Arc<Vec<u8>>> {
    sheet.into_iter().flat_map(|sheet| &sheet.pngs).map(|png| Arc::new(png.clone())).collect()
}

/// The public files of an instance, as a program finds them in its folder. The benchmark's own folder is never named to it: the truth is
/// beside them there.
pub(in crate::benchmarks) fn question_files(bench: &Bench, item: &ItemId) -> Result<Vec<QuestionFile>, RunError> {
    let wrong = |error: BugsError| RunError::Item { item: item.to_string(), reason: error.to_string() };
    let files = bench.public_files(item.as_str()).map_err(wrong)?.into_iter();
    let member = |name: &str| (name == BUGGY).then_some("project");
    Ok(files.map(|(name, content)| QuestionFile { name, content, member: member(name) }).collect())
}

/// Keeps what was asked, with its picture. Several are the project's own costumes, which the benchmark has.
pub(in crate::benchmarks) fn keep_question(question: &Question, dir: &AttemptDir) -> Result<(), StoreError> {
    if let [picture] = question.pictures.as_slice() {
        dir.keep("asked.png", picture.as_slice())?;
    }
    dir.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))
}

fn buggy(instance: &Instance, item: &ItemId) -> Result<Project, RunError> {
    let wrong = |reason: String| RunError::Item { item: item.to_string(), reason };
    Project::read(&instance.buggy).map_err(|error| wrong(error.to_string()))
}
