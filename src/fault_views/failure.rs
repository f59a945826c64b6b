//! What a failed repair looks like: the first assertion that its project fails, and both stages where its run parts from gold's. Verdicts
//! are not made here; the suite has spoken before.

use std::collections::BTreeMap;

use serde::Serialize;

use super::film::{Film, drawn, film};
use super::players::Players;
use crate::forge::says;
use crate::grade::suite::holds;
use crate::judge::{PlayError, Played};
use crate::model::{Assertion, Scenario, Suite};

/// The failure of a patched project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Failure {
    /// What is seen, and what should be.
    seen: String,
    expected: String,
    seed: u64,
    film: Film,
}

/// The first assertion that a patched project fails, with its pictures; nothing where all hold now, or the project no longer runs. At
/// most the suite is played once, and one scenario twice more.
///
/// # Errors
/// When no page holds.
pub(super) async fn failure(
    suite: &Suite,
    [gold, patched]: [&[u8]; 2],
    players: Players<'_>,
) -> Result<Option<Failure>, PlayError> {
    let suite = &suite.decided();
    let made = async {
        for seed in &suite.seeds {
            let players = Players { seed: *seed, ..players };
            if let Some((assertion, scenario)) = first_failing(suite, patched, players).await? {
                return filmed((assertion, scenario), [gold, patched], players).await;
            }
        }
        Ok(None)
    };
    match made.await {
        Err(error) if error.is_of_project() => Ok(None),
        other => other,
    }
}

/// Of the suite's order, under one seed.
async fn first_failing<'a>(
    suite: &'a Suite,
    patched: &[u8],
    players: Players<'_>,
) -> Result<Option<(&'a Assertion, &'a Scenario)>, PlayError> {
    let mut runs: BTreeMap<&str, Played> = BTreeMap::new();
    for assertion in &suite.assertions {
        let Some(scenario) = suite.scenarios.iter().find(|one| one.id == assertion.scenario) else { continue };
        if !runs.contains_key(scenario.id.as_str()) {
            runs.insert(&scenario.id, players.play(patched, scenario, &[]).await?);
        }
        if !holds(&assertion.feature, runs[scenario.id.as_str()].run(), suite.every) {
            return Ok(Some((assertion, scenario)));
        }
    }
    Ok(None)
}

async fn filmed(
    (assertion, scenario): (&Assertion, &Scenario),
    both: [&[u8]; 2],
    players: Players<'_>,
) -> Result<Option<Failure>, PlayError> {
    let [gold, patched] = players.both(both, scenario, &drawn(scenario, assertion, players.every)).await?;
    Ok(Some(Failure {
        seen: says::seen(&assertion.feature, scenario, patched.run()),
        expected: says::expected(&assertion.feature, scenario),
        seed: players.seed,
        film: film(scenario, assertion, players.every, [&gold, &patched]).small(),
    }))
}
