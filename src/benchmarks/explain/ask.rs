//! Asking for an explanation: who answers, and what a model is given. The truth is no part of a question.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::json;

use super::Explanations;
use crate::agent::{Asker, Question};
use crate::benchmarks::repair::{keep_question, pictures, question_files};
use crate::bugs::Instance;
use crate::experiment::{Cell, Given, RunError, Said, free, said, said_elsewhere};
use crate::explain::{Explained, explain_question, from_report};
use crate::mend::{Asked, Sheet};
use crate::project::Project;
use crate::store::AttemptDir;

/// Who explains.
pub enum Answers {
    /// A model or a program.
    Asked(Arc<dyn Asker>),
    /// The truth, as the best possible model would answer.
    Oracle,
    /// Nothing that could be right.
    Nothing,
    /// What the report alone says, without a look at the project.
    Report,
    /// Answers that were given elsewhere, by instance: an answer, or why it is missing.
    Given(Given),
}

impl Explanations {
    /// Asks about one instance, and keeps question and answer.
    pub(super) async fn ask<D>(
        &self,
        (instance, truth): (&Instance, &Explained),
        cell: &Cell<'_, D>,
        (sheet, dir): (Option<&Sheet>, &AttemptDir),
    ) -> Result<Said, RunError> {
        let wrong = |reason: String| RunError::Item { item: cell.item.to_string(), reason };
        let answer = match &self.answers {
            Answers::Oracle => free(told(truth)),
            Answers::Nothing => free(json!({"bug": {}}).to_string()),
            Answers::Report => free(report_alone(instance)),
            Answers::Given(answers) => said_elsewhere(answers, cell.item.as_str()),
            Answers::Asked(asker) => {
                let buggy = Project::read(&instance.buggy).map_err(|error| wrong(error.to_string()))?;
                let asked = Asked { id: &instance.entry.id, buggy: &buggy.json, report: &instance.report, sheet };
                let [system, user] =
                    explain_question(&asked, &self.manner).map_err(|error| wrong(error.to_string()))?;
                let about = [
                    ("benchmark", json!("explain")),
                    ("item", json!(cell.item)),
                    ("attempt", json!(cell.attempt)),
                    ("report", json!(instance.report)),
                ];
                let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                let question = Question {
                    system: system.content,
                    user: user.content,
                    pictures: pictures(sheet),
                    about,
                    files: question_files(&self.bench, cell.item)?,
                    ..Question::default()
                };
                keep_question(&question, dir)?;
                said(asker.ask(&question).await)?
            }
        };
        if let Ok(given) = &answer {
            dir.keep("answer.txt", given.text.as_bytes())?;
        }
        Ok(answer)
    }
}

/// The answer of whoever knows nothing but the report.
pub(super) fn report_alone(instance: &Instance) -> String {
    json!(from_report(&instance.report)).to_string()
}

/// The truth in the form of an answer.
fn told(truth: &Explained) -> String {
    let primary = truth.primary.as_ref().filter(|event| truth.triggers.contains(event));
    let trigger = primary.or_else(|| truth.triggers.first()).map(ToString::to_string).unwrap_or_default();
    let triggers: Vec<String> = truth.triggers.iter().map(ToString::to_string).collect();
    let outcome = truth.outcomes.first();
    let record = truth.record.as_ref();
    let sprites = record.iter().flat_map(|record| record.sprites.iter().filter(|role| role.primary));
    let terms = record.iter().flat_map(|record| record.goal.terms.iter().filter_map(|group| group.first().cloned()));
    let mut narrative = format!("On {trigger}, {} shows: ", truth.mechanism);
    for one in &truth.outcomes {
        let _ = write!(narrative, "{} is {}. ", one.signal, one.deviation);
    }
    json!({
        "summary": {
            "goal": terms.collect::<Vec<_>>().join(" "),
            "sprites": sprites.map(|role| json!({"name": role.name, "role": role.role})).collect::<Vec<_>>(),
            "loop": record.map(|record| record.cycle.clone()).unwrap_or_default(),
        },
        "bug": {
            "trigger": trigger,
            "triggers": triggers,
            "mechanism": truth.mechanism,
            "outcome": {
                "signal": outcome.map(|one| one.signal.clone()).unwrap_or_default(),
                "deviation": outcome.map(|one| one.deviation.to_string()).unwrap_or_default(),
            },
        },
        "narrative": narrative.trim(),
    })
    .to_string()
}
