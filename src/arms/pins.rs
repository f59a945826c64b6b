//! What all that work on an experiment must have alike: the program, the editor, what runs evaluation scripts, and for each arm all
//! that its scores depend on, task set and prompts included.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::checked::Checked;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::entry;
use scratchbed::judge::{editor, engine};
use scratchbed::ledger::Ledger;
use scratchbed::model::sha256_hex;

/// What this program pins, whatever it works on.
pub fn pins() -> Result<Map<String, Value>, Failure> {
    let pins = json!({"version": env!("CARGO_PKG_VERSION"), "build": build()?, "editor": editor(), "judge": engine()});
    Ok(pins.as_object().cloned().unwrap_or_default())
}

/// Digest of the program that runs. It is a large file, which is read once; who asks meanwhile waits.
pub fn build() -> Result<String, Failure> {
    static BUILD: OnceLock<std::io::Result<String>> = OnceLock::new();
    let read = || Ok(sha256_hex(&std::fs::read(std::env::current_exe()?)?));
    let known = BUILD.get_or_init(read).as_ref();
    known.cloned().map_err(|error| Failure::infrastructure("own_binary_unknown", error))
}

/// Begins to read the program, which takes about a second, while others get ready.
pub fn read_ahead() {
    std::thread::spawn(build);
}

/// In which ways this program differs from the one that an experiment was entered with. What is not pinned there is not compared.
pub fn differences(there: &Value) -> Result<Vec<String>, Failure> {
    let mut here = pins()?;
    here.retain(|name, _| there.get(name).is_some());
    let there: Map<String, Value> = here.keys().map(|name| (name.clone(), there[name].clone())).collect();
    Ok(entry::differences(&there.into(), &here.into()))
}

/// Refuses to work on a ledger with an experiment that is not over and would be measured in another way here. What can't be known
/// without a browser is compared when the first cell of an arm comes.
pub async fn check(ledger: &Ledger, settings: &Settings) -> Result<(), Failure> {
    let mut all = Vec::new();
    for experiment in ledger.wanting().await? {
        let mut found = differences(&ledger.pins(&experiment).await?)?;
        found.extend(arms(ledger, &experiment, settings).await?);
        all.extend(found.into_iter().map(|one| format!("{experiment}: {one}")));
    }
    if all.is_empty() {
        return Ok(());
    }
    let failure = Failure::new(Status::Input, "worker_differs", format!("this worker differs: {}", all.join("; ")));
    Err(failure.hinted(
        "give it the program and the checkout that the experiment was entered with; `experiment run FILE` with these, or \
         `experiment drain` and `archive`, where the experiment is outdated",
    ))
}

/// In which ways the arms of an experiment would be measured differently here.
async fn arms(ledger: &Ledger, experiment: &str, settings: &Settings) -> Result<Vec<String>, Failure> {
    let checked = match Checked::of(&ledger.file(experiment).await?, settings).await {
        Ok(checked) => checked,
        Err(failure) => return Ok(vec![failure.text()]),
    };
    let there = ledger.specs(experiment).await?;
    let mut found = Vec::new();
    for arm in &checked.arms {
        let (Some(record), Some(there)) = (&arm.outline.record, there.get(&arm.label)) else { continue };
        let here = entry::spec(record, arm.caps.tokens);
        found.extend(entry::differences(there, &here).into_iter().map(|one| format!("{}: {one}", arm.label)));
    }
    Ok(found)
}
