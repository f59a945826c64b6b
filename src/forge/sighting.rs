//! How a person gets to see a fault with little effort (ScratchEval, section 10.2): the scenario in which a player notices it first, with
//! fewer inputs, shorter holds and no longer waits than it needs. Runs are exact, so that what is left out or cut is not needed. A person
//! is not: the look is put to where the difference has been there for a while, and is for a while more.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::gold::Gold;
use super::plays::{FirstRuns, Part, Plays};
use super::trials::Accepted;
use crate::bugs::BugPictures;
use crate::judge::{PlayError, Played};
use crate::model::{Scenario, Step};
use crate::noticing::says::TAP;
use crate::noticing::{Delta, LATER, Noticed, Watch};

/// Pairs of runs for fewer inputs, and for shorter ones, at most: enough to leave out each of some ten actions and thirty inputs.
const MOST_FEWER: u32 = 64;
const MOST_SHORTER: u32 = 12;
/// Ticks between two inputs that are short enough.
const GAP: u64 = 15;

/// A scenario that a person can play, with what is noticed in it first.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// It ends where the difference is noticed.
    pub scenario: Scenario,
    pub golden: Arc<Played>,
    pub buggy: Arc<Played>,
    /// All that is noticed at that moment, and what is told of it first; never empty.
    pub noticed: Vec<Noticed>,
}

impl Sighting {
    /// What is noticed of two runs of a scenario, if a person can play it up to there: nobody sends a message.
    pub(super) fn of(
        watch: &Watch,
        scenario: &Scenario,
        [golden, buggy]: [&Arc<Played>; 2],
        every: u64,
    ) -> Option<Self> {
        let noticed = watch.noticed([golden.run(), buggy.run()], scenario.length, every);
        let scenario = scenario.until(noticed.first()?.after);
        let is_of_program = |step: &Step| matches!(step, Step::Message { .. } | Step::Backdrop { .. });
        let is_playable = !scenario.steps.iter().any(is_of_program);
        is_playable.then(|| Self { scenario, golden: Arc::clone(golden), buggy: Arc::clone(buggy), noticed })
    }

    /// The one of a fault that takes the fewest inputs, and of these the first; nothing where a player notices nothing.
    pub fn first(gold: &Gold, buggy: &FirstRuns, watch: &Watch, every: u64) -> Option<Self> {
        let all = gold.scenarios.iter().filter_map(|scenario| {
            let both = [gold.first.get(&scenario.id)?, buggy.get(&scenario.id)?];
            Self::of(watch, scenario, both, every)
        });
        all.min_by_key(|sighting| (sighting.scenario.steps.len(), sighting.scenario.length))
    }

    /// Whether a scenario has its inputs up to its moment, and goes on after it.
    pub(super) fn begins(&self, scenario: &Scenario) -> bool {
        let (own, after) = (&self.scenario, self.after());
        scenario.length > after && scenario.answers == own.answers && scenario.until(after).steps == own.steps
    }

    /// Ended ticks after which it is noticed.
    pub const fn after(&self) -> u64 {
        self.scenario.length
    }
}

/// The sighting of an accepted fault with what it takes and no more.
///
/// # Errors
/// When no page holds.
pub async fn shortened(gold: &Gold, accepted: &Accepted, plays: &Plays, every: u64) -> Result<Sighting, PlayError> {
    let best = accepted.sighting.clone();
    let length = gold.scenario(&best.scenario.id).map_or(best.after(), |scenario| scenario.length);
    let watch = Watch::between(&gold.project.json, &accepted.buggy.json);
    let files = [gold.sb3.as_slice(), accepted.sb3.as_slice()];
    let mut search = Shortening { files, watch, length, every, plays, best, left: MOST_FEWER };
    search.fewer().await?;
    search.left = MOST_SHORTER;
    search.shorter().await?;
    search.later().await?;
    Ok(search.best)
}

/// The stage at the moment of the sighting, of both projects; nothing where it can't be drawn, or where both look alike, since what is
/// noticed is heard or on a monitor.
///
/// # Errors
/// When no page holds.
pub async fn drawn((gold, accepted): (&Gold, &Accepted), plays: &Plays) -> Result<Option<BugPictures>, PlayError> {
    let (scenario, after) = (&accepted.sighting.scenario, accepted.sighting.after());
    let mut stages = Vec::new();
    for sb3 in [accepted.sb3.as_slice(), &gold.sb3] {
        match plays.drawn(sb3, scenario, &[after]).await {
            Ok(mut played) => stages.extend(played.pictures.remove(&after).map(|png| STANDARD.encode(png))),
            Err(error) if error.is_of_project() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    let both = <[String; 2]>::try_from(stages).ok();
    Ok(both.filter(|[seen, expected]| seen != expected).map(|[seen, expected]| BugPictures { seen, expected }))
}

struct Shortening<'a> {
    /// Gold and the buggy project.
    files: [&'a [u8]; 2],
    watch: Watch,
    /// Ticks of the whole scenario.
    length: u64,
    every: u64,
    plays: &'a Plays,
    best: Sighting,
    /// Pairs of runs that may be made.
    left: u32,
}

impl Shortening<'_> {
    /// Leaves out inputs, but for the flag that the scenario begins with: every input of an action at once, then single ones.
    async fn fewer(&mut self) -> Result<(), PlayError> {
        let mut actions = Vec::new();
        for action in self.inputs().iter().map(action) {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        self.without(Delta::of(actions), |kept, step| kept.contains(&action(step))).await?;
        let inputs = self.inputs().to_vec();
        self.without(Delta::of(inputs), <[Step]>::contains).await
    }

    /// Leaves out what the search finds; what is kept of it says which inputs are.
    async fn without<T: Clone>(
        &mut self,
        mut search: Delta<T>,
        is_kept: impl Fn(&[T], &Step) -> bool,
    ) -> Result<(), PlayError> {
        while let Some(kept) = search.trial().filter(|_| self.left > 0) {
            let steps = &self.best.scenario.steps;
            let inputs = self.inputs().iter().filter(|step| is_kept(&kept, step));
            let fewer: Vec<Step> = steps[..self.begins()].iter().chain(inputs).cloned().collect();
            // Inputs that would come after the moment at which it is noticed are gone already.
            let is_enough = fewer == *steps || self.does(fewer).await?;
            search.tell(is_enough);
        }
        Ok(())
    }

    /// Steps that the scenario begins with, and that stay: the flag, if it does.
    fn begins(&self) -> usize {
        usize::from(matches!(self.best.scenario.steps.first(), Some(Step::Flag { .. })))
    }

    fn inputs(&self) -> &[Step] {
        &self.best.scenario.steps[self.begins()..]
    }

    /// Makes waits and holds short: all at once, or else one by one.
    async fn shorter(&mut self) -> Result<(), PlayError> {
        let steps = self.best.scenario.steps.clone();
        let (hurried, tapped) = (hurried(&steps), tapped(&steps));
        if self.does_other(hurried_and_tapped(&steps)).await? {
            return Ok(());
        }
        for all in [hurried, tapped] {
            self.does_other(all).await?;
        }
        for at in 1..steps.len() {
            let (gap, half) = (earlier(&self.best.scenario.steps, at, 1), earlier(&self.best.scenario.steps, at, 2));
            if !self.does_other(gap).await? {
                self.does_other(half).await?;
            }
        }
        Ok(())
    }

    /// Puts the look into the middle of the time for which the difference lasts, or so much later that nobody comes too early.
    async fn later(&mut self) -> Result<(), PlayError> {
        let length = (self.best.after() + 2 * LATER).next_multiple_of(self.every).min(self.length);
        let scenario = Scenario { length, ..self.best.scenario.clone() };
        let Some(golden) = self.played(self.files[0], &scenario).await? else { return Ok(()) };
        let Some(buggy) = self.played(self.files[1], &scenario).await? else { return Ok(()) };
        let runs = [golden.run(), buggy.run()];
        let Some(lead) = self.best.noticed.first() else { return Ok(()) };
        let after = lead.middle(runs, length, self.every);
        let noticed = self.best.noticed.iter().filter_map(|one| one.until(after, runs, self.every)).collect();
        self.best = Sighting { scenario: scenario.until(after), golden, buggy, noticed };
        Ok(())
    }

    /// The same for steps that may be those that there are already.
    async fn does_other(&mut self, steps: Vec<Step>) -> Result<bool, PlayError> {
        if self.left == 0 || steps == self.best.scenario.steps {
            return Ok(false);
        }
        self.does(steps).await
    }

    /// Whether a difference is noticed as soon with these inputs, be it another one; they are the best so far then.
    async fn does(&mut self, steps: Vec<Step>) -> Result<bool, PlayError> {
        self.left -= 1;
        // Two looks further, a difference that does not last is told from one that does.
        let length = (self.best.after() + 2 * self.every).min(self.length);
        let scenario = Scenario { steps, length, ..self.best.scenario.clone() };
        let Some(golden) = self.played(self.files[0], &scenario).await? else { return Ok(false) };
        let Some(buggy) = self.played(self.files[1], &scenario).await? else { return Ok(false) };
        let Some(found) = Sighting::of(&self.watch, &scenario, [&golden, &buggy], self.every) else {
            return Ok(false);
        };
        self.best = found;
        Ok(true)
    }

    async fn played(&self, sb3: &[u8], scenario: &Scenario) -> Result<Option<Arc<Played>>, PlayError> {
        match self.plays.play(Part::Shrink, sb3, scenario, 1).await {
            Ok(played) => Ok(Some(played)),
            Err(error) if error.is_of_project() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What a person does in a step, whenever and however long.
fn action(step: &Step) -> (Discriminant<Step>, String) {
    let with: &str = match step {
        Step::Key { key: with, .. } | Step::Click { sprite: with, .. } | Step::Drag { sprite: with, .. } => with,
        _ => "",
    };
    (discriminant(step), with.to_owned())
}

/// The steps with no wait longer than it need be for a person's hand.
fn hurried(steps: &[Step]) -> Vec<Step> {
    (1..steps.len()).fold(steps.to_vec(), |steps, at| earlier(&steps, at, 1))
}

/// The steps with every key let go at once.
fn tapped(steps: &[Step]) -> Vec<Step> {
    let tap = |step: &Step| match step {
        Step::Key { at, key, ticks } => Step::Key { at: *at, key: key.clone(), ticks: TAP.min(*ticks) },
        other => other.clone(),
    };
    steps.iter().map(tap).collect()
}

fn hurried_and_tapped(steps: &[Step]) -> Vec<Step> {
    hurried(&tapped(steps))
}

/// The steps with those from a place on moved earlier, so that the wait before it is as short as can be, or a part of what it is. What
/// came after a key was let go still does.
fn earlier(steps: &[Step], at: usize, part: u64) -> Vec<Step> {
    let Some((before, own)) = at.checked_sub(1).and_then(|before| steps.get(before)).zip(steps.get(at)) else {
        return steps.to_vec();
    };
    let gap = own.at().saturating_sub(before.at());
    let held = if let Step::Key { ticks, .. } = before { *ticks } else { 0 };
    let least = if gap > held { GAP.max(held + 1) } else { GAP };
    let wanted = if part == 1 { least } else { least.max(gap / part) };
    let saved = gap.saturating_sub(wanted);
    let (kept, moved) = steps.split_at(at);
    kept.iter().cloned().chain(moved.iter().map(|step| step.moved_to(step.at() - saved))).collect()
}

#[cfg(test)]
#[path = "sighting_tests.rs"]
mod tests;
