//! Programs that are asked about faults whose truth is on the same machine: what keeps them from it, and what is said where nothing does.

use std::path::Path;

use serde_json::{Value, json};

use super::signs::progress;
use crate::flags::agents::AgentName;
use crate::flags::failure::Failure;
use crate::flags::isolation::{self, IsolationArgs};
use crate::flags::settings::Settings;

/// Refuses a program whose user can read the truth, before anything is asked, and warns of one that nothing keeps from it. `bench` is the
/// folder of the instances, absent where bundled tasks are the cases; `run` that of a run that goes on.
pub async fn check_isolation(
    (agent, isolation): (AgentName, &IsolationArgs),
    bench: Option<&Path>,
    run: Option<&Path>,
    settings: &Settings,
) -> Result<(), Failure> {
    if agent != AgentName::Command {
        return Ok(());
    }
    if let Some(user) = isolation.user_of_questions()? {
        isolation::prepare(settings)?;
        return isolation::check_faults(&user, bench, run, settings).await;
    }
    if !isolation.is_given() {
        progress(
            "warning: the program runs as the user of this command, who can read the truth of these faults; give \
             --agent-user NAME, or --isolation none, which the record then shows",
        );
    }
    Ok(())
}

/// What records say of an agent, with its isolation where the user said something of it: earlier runs have none, and can be resumed.
pub fn with_isolation(mut agent: Value, isolation: &IsolationArgs) -> Value {
    if let (Some(said), Some(members)) = (isolation.recorded(), agent.as_object_mut()) {
        members.insert("isolation".to_owned(), json!(said));
    }
    agent
}
