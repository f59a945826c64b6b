//! What an accepted fault gets before it is an instance: a report of how a player sees it soonest, a suite that wrong repairs do not pass
//! and that has the report's steps, guards, and the word of a text search.

use super::budget::Budget;
use super::gold::Gold;
use super::guards::{Sifted, guarded};
use super::harden::hardened;
use super::outcome::Step;
use super::plays::Plays;
use super::report::report;
use super::reported::with_reported;
use super::rules::Rules;
use super::sighting::{drawn, shortened};
use super::text_search::is_found;
use super::trials::Accepted;
use super::verdict::GoldenRuns;
use crate::bugs::{BugPictures, BugReport};
use crate::judge::PlayError;

/// An accepted fault with all that belongs to an instance.
pub(super) struct Finished {
    /// Gold, with the report's steps among its scenarios.
    pub(super) gold: Gold,
    pub(super) accepted: Accepted,
    pub(super) report: BugReport,
    pub(super) pictures: Option<BugPictures>,
    /// Whether a text search repairs it.
    pub(super) search: bool,
    /// What became of possible guards; by the letter of the paper there are none.
    pub(super) sifted: Option<Sifted>,
    /// The share of damage elsewhere that its suite rejects, once that is measured.
    pub(super) adequacy: Option<f64>,
}

/// Finishes an accepted fault; `None` of one that a text search repairs, unless it may be.
///
/// # Errors
/// When no page holds.
pub(super) async fn finished(
    gold: &Gold,
    mut accepted: Accepted,
    (plays, budget): (&Plays, Budget),
    (rules, may_be_trivial): (&Rules, bool),
    told: &(dyn Fn(Step) + Sync),
) -> Result<Option<Finished>, PlayError> {
    told(Step::Shrinking);
    let shortest = shortened(gold, &accepted, plays, rules.every).await?;
    let soonest = std::mem::replace(&mut accepted.sighting, shortest);
    let gold = if rules.literal { gold.and(None).await } else { with_reported(gold, &mut accepted, plays).await? };
    if rules.harden {
        told(Step::Hardening);
        accepted.suite = hardened(&gold, &accepted, (plays, budget), (rules, &soonest)).await?;
    }
    let mut sifted = None;
    if !rules.literal {
        told(Step::Guarding);
        let (guards, counted) = guarded(&gold, &accepted, plays, rules).await?;
        (accepted.suite.guards, sifted) = (guards, Some(counted));
    }
    let report = report(&accepted.sighting);
    told(Step::Searching);
    let golden_runs = GoldenRuns::of(&gold.sb3, gold.first.clone());
    let golden = (&gold.project.json, &golden_runs);
    let search = is_found(&accepted.buggy, golden, &report, &accepted.suite, plays).await?;
    if search && !may_be_trivial {
        return Ok(None);
    }
    let pictures = drawn((&gold, &accepted), plays).await?;
    Ok(Some(Finished { gold, accepted, report, pictures, search, sifted, adequacy: None }))
}
