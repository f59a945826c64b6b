//! An explanation against the truth. One that can't be read explains nothing, and stays in the denominator.

use serde::{Deserialize, Serialize};

use crate::bugs::{RecordStatus, ReferenceRecord};
use crate::experiment::{Ended, Said};
use crate::explain::{BugScore, Explanation, GoalScore, bug_score, goal_score, read_explanation};
use crate::judge::PlayError;
use crate::model::{Cost, Outcome};

/// What is recorded of an explanation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// What was said, as it was read.
    pub said: Explanation,
    /// Why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    pub bug: BugScore,
    /// Absent where the project has no record that a person wrote or confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalScore>,
    /// Who stands for the project's record. Absent where it has none, and in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordStatus>,
}

/// The testbed's fault: nobody was asked.
pub(super) fn spoiled(error: &PlayError) -> Ended<Option<Explained>> {
    let (outcome, error) = (Outcome::InfraError, Some(error.to_string()));
    Ended { outcome, error, cost: Cost::default(), detail: None }
}

/// Scores what was said: passed with trigger, mechanism and outcome right.
pub(super) fn measured(said: Said, truth: &crate::explain::Explained) -> Ended<Option<Explained>> {
    let said = match said {
        Ok(said) => said,
        Err((error, cost)) => return Ended { outcome: Outcome::CallFailed, error: Some(error), cost, detail: None },
    };
    let record = truth.record.as_ref().map(ReferenceRecord::standing);
    let (outcome, detail) = match read_explanation(&said.text) {
        Ok(read) => {
            let bug = bug_score(&read.bug, truth);
            let goal = goal_score(&read, truth.record.as_ref());
            let outcome = if bug.is_understood() { Outcome::Passed } else { Outcome::Failed };
            (outcome, Explained { said: read, unreadable: None, bug, goal, record })
        }
        Err(why) => {
            let said = Explanation::default();
            let goal = goal_score(&said, truth.record.as_ref());
            let bug = BugScore::of_nothing(truth);
            (Outcome::Unreadable, Explained { said, unreadable: Some(why.to_string()), bug, goal, record })
        }
    };
    Ended { outcome, error: None, cost: said.cost, detail: Some(detail) }
}
