//! The steps of a report as a scenario of the suite: a repair is tried by what the report says to do. Where a scenario begins with the very
//! same steps, it is that one.

use std::sync::Arc;

use super::gold::Gold;
use super::plays::{Part, Plays};
use super::sighting::Sighting;
use super::trials::Accepted;
use crate::judge::console::new_error;
use crate::judge::{PlayError, Played};
use crate::model::Scenario;
use crate::noticing::LATER;

/// What its template is called.
const TEMPLATE: &str = "report";

/// Gold with the steps of the fault's sighting among its scenarios; the fault's suite and runs have them as well, and the sighting names
/// their scenario. Steps that make only one of the two projects complain are left out.
///
/// # Errors
/// When no page holds.
pub(super) async fn with_reported(gold: &Gold, accepted: &mut Accepted, plays: &Plays) -> Result<Gold, PlayError> {
    if let Some(scenario) = beginning(gold, &accepted.sighting) {
        accepted.sighting.scenario.id.clone_from(&scenario.id);
        return Ok(gold.and(None).await);
    }
    let scenario = reported(gold, accepted);
    let Some([golden, buggy]) = played(gold, accepted, &scenario, plays).await? else {
        return Ok(gold.and(None).await);
    };
    accepted.sighting.scenario.id.clone_from(&scenario.id);
    accepted.first.insert(scenario.id.clone(), buggy);
    accepted.suite.scenarios.push(scenario.clone());
    Ok(gold.and(Some((scenario, golden))).await)
}

/// The scenario of gold that a sighting may be seen in.
fn beginning<'a>(gold: &'a Gold, sighting: &Sighting) -> Option<&'a Scenario> {
    gold.scenarios.iter().find(|scenario| sighting.begins(scenario))
}

/// The steps of a sighting, and some seconds after its moment.
fn reported(gold: &Gold, accepted: &Accepted) -> Scenario {
    let (id, sighting) = (format!("s{}", gold.scenarios.len() + 1), &accepted.sighting);
    let length = (sighting.after() + 2 * LATER).next_multiple_of(accepted.suite.every).min(accepted.suite.horizon);
    Scenario { id, template: TEMPLATE.to_owned(), length, ..sighting.scenario.clone() }
}

/// The runs of gold and of the fault; nothing where one of them can't be played, or the fault alone writes an error.
async fn played(
    gold: &Gold,
    accepted: &Accepted,
    scenario: &Scenario,
    plays: &Plays,
) -> Result<Option<[Arc<Played>; 2]>, PlayError> {
    let mut both = Vec::new();
    for sb3 in [&gold.sb3, &accepted.sb3] {
        match plays.play(Part::Shrink, sb3, scenario, 1).await {
            Ok(played) => both.push(played),
            Err(error) if error.is_of_project() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    let both = <[Arc<Played>; 2]>::try_from(both).ok();
    Ok(both.filter(|[golden, buggy]| new_error(&buggy.console, &golden.console).is_none()))
}
