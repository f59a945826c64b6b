//! `scratchbed bugs pack`: instances as debug tasks, each with calls that mend it, which were tried in the editor.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::bugs::{Bench, Instance};
use scratchbed::certify::solution;
use scratchbed::forge::{JUDGE, Part, Plays, Solved, SuiteRuns, pack};
use scratchbed::judge::{Judges, PlayError};
use scratchbed::model::{Blame, Coded as _, pluralise};
use scratchbed::project::Project;
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::solver::{Counted, changed_blocks};
use scratchbed::taskset::{EvaluationSources, SourceFile, player, with_helpers};

/// Runs of gold at a time, at most: opening another page is worth it where there is another instance.
const LANES: usize = 3;
/// Sessions are ended by the command itself, long before this.
const IDLE: Duration = Duration::from_secs(3600);

/// Writes the pack. Instances that block calls can't mend are left out, and told.
pub async fn packed(bench: &Bench, folder: &Path, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let judge = SourceFile { name: "bug-judge.js".to_owned(), source: JUDGE.to_owned() };
    let judge = with_helpers(&settings.root, judge)?;
    let player = player(&settings.root)?;
    let fleet = browsers::start(settings, 1).await?;
    let golden = Golden { judges: Judges::new(fleet.clone(), LANES.min(bench.entries().len())), player };
    let sessions = Sessions::new(fleet, SessionOptions { limit: 1, idle: IDLE });
    let solved = solved(bench, &sessions, &golden).await;
    golden.judges.close().await;
    sessions.shutdown().await;
    let (all, left_out) = solved?;
    pack(bench.name(), &all, &judge, folder)?;
    for (id, why) in &left_out {
        out.say(format!("{id} is left out: {why}"));
    }
    out.say(format!("{} in {}", pluralise(all.len(), "task"), folder.display()));
    out.say(format!("certify them with `scratchbed check --pack {}`", folder.display()));
    let left_out: Vec<_> = left_out.into_iter().map(|(id, why)| json!({"instance": id, "why": why})).collect();
    out.answer(&json!({"pack": folder, "tasks": all.len(), "left_out": left_out}));
    Ok(Status::of(left_out.is_empty()))
}

/// What plays gold.
struct Golden {
    judges: Judges,
    player: EvaluationSources,
}

impl Golden {
    /// The errors that gold writes to the console, in all that a score compares with.
    async fn errors(&self, instance: &Instance) -> Result<BTreeSet<String>, PlayError> {
        let plays = Plays::of_suite(self.judges.clone(), self.player.clone(), &instance.suite);
        Ok(SuiteRuns::whole(&instance.golden, &instance.suite, &plays, Part::Repair).await?.errors())
    }
}

/// The instances with calls that mend them, and names of those that calls can't mend, with the reason.
async fn solved(
    bench: &Bench,
    sessions: &Sessions,
    golden: &Golden,
) -> Result<(Vec<Solved>, Vec<(String, String)>), Failure> {
    let progress = bar("repairs", bench.entries().len() as u64);
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    for (entry, number) in bench.entries().iter().zip(1..) {
        sessions.fleet().keep_spare(usize::from(number < bench.entries().len()));
        let instance = bench.instance(&entry.id)?;
        match solution(sessions, &instance.buggy, &instance.golden).await {
            Ok(oracle) => match golden.errors(&instance).await {
                Ok(errors) => all.push(Solved { changed_blocks: changed(&instance)?, errors, instance, oracle }),
                Err(error) if error.is_of_project() => left_out.push((entry.id.clone(), error.to_string())),
                Err(error) => return Err(error.into()),
            },
            Err(error) if error.blame() == Blame::Testbed => return Err(error.into()),
            Err(error) => left_out.push((entry.id.clone(), error.to_string())),
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok((all, left_out))
}

/// Blocks by which an instance differs from gold.
fn changed(instance: &Instance) -> Result<u32, Failure> {
    let (buggy, golden) = (Project::read(&instance.buggy)?, Project::read(&instance.golden)?);
    Ok(u32::try_from(changed_blocks(&buggy, &golden, Counted::All)).unwrap_or(u32::MAX))
}
