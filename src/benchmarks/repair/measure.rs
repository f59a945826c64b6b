//! An answer becomes an outcome: what the testbed spoiled is no failure of whoever answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Repairs;
use super::ask::Said;
use crate::bugs::Instance;
use crate::experiment::{Ended, RunError};
use crate::judge::PlayError;
use crate::mend::{Reference, Repair, Stage, read_answer, score};
use crate::model::{Cost, Outcome};
use crate::store::AttemptDir;

/// What came back for one instance, elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The instance.
    pub id: String,
    /// The answer as it was given, if there was one.
    #[serde(default)]
    pub response: Option<String>,
    #[serde(default)]
    pub error: Option<String>,
}

/// Replies by their instances, each an answer or why it is missing. An instance that is named twice, or is none of `known`, is an error:
/// its name.
///
/// # Errors
/// The name.
pub fn given(known: &[&str], replies: Vec<Reply>) -> Result<BTreeMap<String, Result<String, String>>, String> {
    let mut by_id = BTreeMap::new();
    for Reply { id, response, error } in replies {
        if !known.contains(&id.as_str()) || by_id.contains_key(&id) {
            return Err(id);
        }
        by_id.insert(id, response.ok_or_else(|| error.unwrap_or_else(|| "there is no answer".to_owned())));
    }
    Ok(by_id)
}

impl Repairs {
    /// Scores an answer.
    pub(super) async fn measured(
        &self,
        (instance, reference): (&Instance, &Reference),
        said: Said,
        dir: &AttemptDir,
    ) -> Result<Ended<Option<Repair>>, RunError> {
        let said = match said {
            Ok(said) => said,
            Err((error, cost)) => {
                return Ok(Ended { outcome: Outcome::CallFailed, error: Some(error), cost, detail: None });
            }
        };
        let answer = match read_answer(&said.text) {
            Ok(answer) => answer,
            Err(why) => {
                let repair = Repair::stopped(Stage::Unreadable, why.to_string(), Vec::new(), &instance.suite);
                return Ok(ended(repair, said.cost));
            }
        };
        dir.keep_json("patch.json", &answer.patch)?;
        Ok(match score(instance, reference, answer.patch, &self.plays).await {
            Ok(repair) => ended(Repair { explanation: answer.explanation, ..repair }, said.cost),
            Err(error) => spoiled(&error, said.cost),
        })
    }
}

fn ended(repair: Repair, cost: Cost) -> Ended<Option<Repair>> {
    let outcome = match repair.stage {
        Stage::Passed => Outcome::Passed,
        Stage::Unreadable => Outcome::Unreadable,
        _ => Outcome::Failed,
    };
    Ended { outcome, error: None, cost, detail: Some(repair) }
}

/// The testbed's fault: gold was played when it was forged, and a page that is lost says nothing of a patch.
pub(super) fn spoiled(error: &PlayError, cost: Cost) -> Ended<Option<Repair>> {
    Ended { outcome: Outcome::InfraError, error: Some(error.to_string()), cost, detail: None }
}
