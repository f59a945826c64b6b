//! An answer becomes an outcome: what the testbed spoiled is no failure of whoever answered.

use crate::bugs::Instance;
use crate::experiment::{Ended, RunError, Said};
use crate::forge::Plays;
use crate::judge::PlayError;
use crate::mend::{Reference, Repair, Stage, read_answer, score};
use crate::model::{Cost, Outcome};
use crate::store::AttemptDir;

/// Scores an answer.
pub(super) async fn measured(
    (instance, reference): (&Instance, &Reference),
    said: Said,
    plays: &Plays,
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
    Ok(match score(instance, reference, answer.patch, plays).await {
        Ok(repair) => ended(Repair { explanation: answer.explanation, ..repair }, said.cost),
        Err(error) => spoiled(&error, said.cost),
    })
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
