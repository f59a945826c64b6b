//! The answers that explanations are taught with: trigger, mechanism and outcome as they are in truth, and the summary that the project's record
//! gives. Which instances are taken, and what must not be exported, is `mend`'s business.

use serde_json::{Value, json};

use super::answer::{Bug, Explanation, MOST_TRIGGERS, Named, Seen, Summary, read_explanation};
use super::outcome::{Deviation, Outcome, outcomes};
use super::question::explain_question;
use super::scores::{bug_score, goal_score};
use super::truth::Explained;
use crate::agent::TemplateError;
use crate::bugs::{Instance, ReferenceRecord};
use crate::inject::Pattern;
use crate::mend::{Asked, Manner, MendError, Message, Right, Task, Taught, explanation};

/// Faults are explained.
#[derive(Debug, Clone, Copy)]
pub struct ExplainTask;

impl Task for ExplainTask {
    fn name(&self) -> &'static str {
        "explain"
    }

    fn question(&self, asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError> {
        explain_question(asked, manner)
    }

    fn answer(&self, taught: &Taught<'_>, _: &str) -> Result<Result<Right, String>, MendError> {
        let instance = taught.instance;
        let truth =
            Explained::of(instance).map_err(|source| MendError::Project { id: instance.entry.id.clone(), source })?;
        Ok(right(instance, &truth)
            .map(|answer| Right { answer, summary: truth.record.as_ref().map(|record| record.status) }))
    }
}

/// The answer that is right in all that is scored, or why there is none. A wrong one must not be taught, so it is read and scored as any other.
pub(super) fn right(instance: &Instance, truth: &Explained) -> Result<String, String> {
    let answer = written(&said(instance, truth)?, truth.record.is_some());
    let read = read_explanation(&answer).map_err(|error| error.to_string())?;
    let score = bug_score(&read.bug, truth);
    if !score.is_understood() || score.wrong + score.missed > 0 {
        return Err("no answer in the words of the prompt is right in all".to_owned());
    }
    if goal_score(&read, truth.record.as_ref()).is_some_and(|score| !score.is_right()) {
        return Err(
            "the goal of its record lacks the words that the record asks for, or no sprite is a primary one".to_owned()
        );
    }
    Ok(answer)
}

/// As JSON, with the members in the order of the prompt; without a record there is no summary to learn.
fn written(said: &Explanation, has_record: bool) -> String {
    let mut answer = json!(said);
    if !has_record && let Value::Object(members) = &mut answer {
        members.shift_remove("summary");
    }
    answer.to_string()
}

fn said(instance: &Instance, truth: &Explained) -> Result<Explanation, String> {
    let first = truth.primary.as_ref().filter(|event| truth.triggers.contains(event)).or(truth.triggers.first());
    let trigger = first.map(ToString::to_string).ok_or("nothing triggers it")?;
    let others = truth.triggers.iter().map(ToString::to_string).filter(|other| *other != trigger);
    let triggers = std::iter::once(trigger.clone()).chain(others).take(MOST_TRIGGERS).collect();
    let outcome = told(instance).ok_or("answers have no word for its outcome")?;
    let narrative = format!("On {trigger}: {} {}", explanation(instance), instance.report.symptom);
    let seen = Seen { signal: outcome.signal, deviation: outcome.deviation.to_string() };
    let bug = Bug { trigger, triggers, mechanism: truth.mechanism.clone(), outcome: seen };
    Ok(Explanation { summary: truth.record.as_ref().map(summary).unwrap_or_default(), bug, narrative })
}

/// Of the first assertion that the fault breaks, which is what the report is about. Where several deviations are right, that which the
/// mechanism leads to.
fn told(instance: &Instance) -> Option<Outcome> {
    let suite = &instance.suite;
    let broken = suite.assertions.iter().filter(|one| one.p_buggy <= suite.theta.1);
    let right = broken.map(outcomes).find(|right| !right.is_empty())?;
    let mut outcome = right[0].clone();
    match instance.truth.pattern.parse() {
        Ok(Pattern::MissingInitialization) if Deviation::NotReset.is_compatible(outcome.deviation, &outcome.signal) => {
            outcome.deviation = Deviation::NotReset;
        }
        Ok(Pattern::EventHandlerConflict) if right.iter().any(|one| one.deviation == Deviation::Extra) => {
            outcome.deviation = Deviation::Extra;
        }
        _ => {}
    }
    Some(outcome)
}

/// What the project is, by its record.
fn summary(record: &ReferenceRecord) -> Summary {
    let primary = record.sprites.iter().filter(|role| role.primary);
    Summary {
        goal: record.goal.text.clone(),
        sprites: primary.map(|role| Named { name: role.name.clone(), role: role.role.clone() }).collect(),
        cycle: record.cycle.clone(),
    }
}
