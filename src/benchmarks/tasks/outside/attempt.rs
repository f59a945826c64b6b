//! One attempt of a program: it gets a session, a pass for it and the addresses, and is ended when the attempt is over.

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::Instant;

use super::super::ask::{Acted, acted};
use super::super::blame::exported;
use super::super::items::Job;
use super::super::play::Played;
use super::super::testbed::{LocalSession, TaskSession as _};
use super::Outside;
use super::kept::{keep_calls, keep_files, keep_output, keep_refusals, usage_in};
use super::watch::{Over, Watched};
use crate::agent::{AgentError, FreeProgram, Program};
use crate::experiment::RunError;
use crate::model::codes::voids;
use crate::model::{
    CallRecord, Cost, Ending, ErrorBody, LimitOverrides, Mode, ReportedUsage, StepLimits, Task, unix_seconds,
};
use crate::session::{AttemptLimits, IssuedPass};
use crate::store::{AttemptDir, SESSION, StoreError};

/// What an attempt may take.
#[derive(Clone, Copy)]
struct Bounds {
    steps: u32,
    wall: Duration,
}

/// The folders of a program; they are deleted with this value.
struct Folders {
    /// Its working folder and home.
    home: TempDir,
    /// Where its output is caught; not the program's.
    caught: TempDir,
}

/// What is there while a program acts.
struct Attempt<'a> {
    outside: &'a Outside,
    task: &'a Task,
    number: u32,
    mode: Mode,
    bounds: Bounds,
    pass: &'a IssuedPass,
    folders: &'a Folders,
    deadline: Instant,
}

impl Bounds {
    fn of(task: &Task, mode: Mode, limits: LimitOverrides) -> Self {
        Self {
            steps: limits.max_steps.unwrap_or_else(|| task.limits.steps.of(mode)),
            wall: Duration::from_secs(limits.wall_s.unwrap_or(task.limits.wall_s).into()),
        }
    }

    /// The same for a session. Its pass leaves one mode alone.
    fn of_session(self) -> AttemptLimits {
        let steps = StepLimits { composite: self.steps, primitive: self.steps };
        AttemptLimits { steps: Some(steps), wall: Some(self.wall) }
    }
}

impl Folders {
    fn make(program: &Program) -> std::io::Result<Self> {
        let folders = Self { home: tempfile::tempdir()?, caught: tempfile::tempdir()? };
        std::fs::create_dir(folders.out())?;
        if let Some(user) = program.user() {
            user.give(&folders.out())?;
        }
        Ok(folders)
    }

    /// The folder whose files are kept.
    fn out(&self) -> PathBuf {
        self.home.path().join("out")
    }
}

impl Outside {
    /// Has the program attempt a task. `number` counts attempts from 1.
    ///
    /// # Errors
    /// When the attempt's folder can't be written. All other trouble is in the result.
    pub(in super::super) async fn act(
        &self,
        job: &Job,
        (mode, limits): (Mode, LimitOverrides),
        number: u32,
        dir: &AttemptDir,
    ) -> Result<Acted, RunError> {
        let started = Instant::now();
        let (task, pass) = (&job.task.task, self.door.passes.issue(mode));
        let bounds = Bounds::of(task, mode, limits);
        let log = dir.path().join(SESSION);
        let opened = self.door.testbed.open_for(&job.task, bounds.of_session(), pass.pass.owner(), &log).await;
        let mut session = match opened {
            Ok(session) => session,
            Err(error) => return Ok(Acted::unopened(error.code(), &error, started.elapsed())),
        };
        pass.pass.opens(session.handle().id());
        let deadline = Instant::now() + bounds.wall;
        let folders = match Folders::make(&self.program) {
            Ok(folders) => folders,
            Err(error) => {
                Box::new(session).close().await;
                return Ok(Acted::unopened("folder_not_made", &error, started.elapsed()));
            }
        };
        let attempt = Attempt { outside: self, task, number, mode, bounds, pass: &pass, folders: &folders, deadline };
        let mut played = attempt.play(&session).await;
        pass.end();
        // What the program has sent and not waited for is no part of the attempt any more.
        session.handle().refuse_waiting().await;
        let (usage, standing) = (session.handle().usage(), session.handle().attempt());
        played.steps = standing.map_or(0, |attempt| attempt.steps);
        let has_ended_itself = standing.is_some_and(|attempt| attempt.ended.is_some());
        let project = exported(&mut session).await;
        // The log is complete when the session is closed.
        Box::new(session).close().await;
        let refusals = attempt.keep(&mut played, has_ended_itself, dir)?;
        let usage = usage.or_else(|| usage_in(&folders.out()));
        let seconds = started.elapsed().as_secs_f64();
        let cost = usage.map_or(Cost { seconds, ..Cost::default() }, |usage: ReportedUsage| usage.cost(seconds));
        Ok(Acted { cost, refusals: Some(refusals), ..acted(played, project) })
    }
}

impl Attempt<'_> {
    /// Starts the program and waits until the attempt is over.
    async fn play(&self, session: &LocalSession) -> Played {
        let failed = |what: String| {
            let error = AgentError::Failed(what).to_string();
            played(Ending::AgentError, Some(error))
        };
        let (home, caught) = (self.folders.home.path(), self.folders.caught.path());
        let program = self.program(session.handle().id());
        let mut running = match FreeProgram::start(&program, home, caught).await {
            Ok(running) => running,
            Err(error) => return failed(format!("`{}` can't be started: {error}", program.command())),
        };
        let watched = Watched { handle: session.handle(), pass: &self.pass.pass, deadline: self.deadline };
        let over = watched.over(&mut running).await;
        let last = running.end().await;
        match over {
            Ok(Over::Ended(ending)) => played(ending, None),
            // One that ends without a word is done, as far as it is concerned.
            Ok(Over::Exited(status)) if status.success() => played(Ending::Done, None),
            Ok(Over::Exited(status)) => failed(format!("the program ended ({status}): {last}")),
            Err(error) => failed(format!("how the program ended is not known: {error}")),
        }
    }

    /// The program with what it is told.
    fn program(&self, session: &str) -> Program {
        let Outside { door, program, .. } = self.outside;
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        let variables = [
            ("SCRATCHBED_URL", door.url.clone()),
            ("SCRATCHBED_MCP_URL", self.outside.mcp_url(self.mode)),
            ("SCRATCHBED_SESSION", session.to_owned()),
            ("SCRATCHBED_TOKEN", self.pass.token.clone()),
            ("SCRATCHBED_MODE", self.mode.to_string()),
            ("SCRATCHBED_TASK", self.task.id.to_string()),
            ("SCRATCHBED_INSTRUCTION", self.task.instruction.clone()),
            ("SCRATCHBED_STEPS", self.bounds.steps.to_string()),
            ("SCRATCHBED_DEADLINE", format!("{:.0}", unix_seconds() + left)),
            ("SCRATCHBED_SEED", self.outside.seed_of(self.task.id.as_str(), self.number).to_string()),
            ("SCRATCHBED_OUT", self.folders.out().display().to_string()),
        ];
        variables.iter().fold(program.clone(), |program, (name, value)| program.with(name, value))
    }

    /// Code and description of the first error that voids the attempt, if the program has met one.
    fn voiding(&self, calls: &[CallRecord]) -> Option<(String, String)> {
        let told = |error: &ErrorBody| (error.code.clone(), format!("{}: {}", error.code, error.message));
        let refused = || self.pass.pass.voided_by().map(|code| (code.clone(), code));
        voiding(calls).map(told).or_else(refused)
    }

    /// Writes down what there is of the attempt, and returns how many calls were refused. What the testbed shows to be its
    /// own doing voids it, unless the agent went on until it said that it was done or gave up.
    fn keep(&self, played: &mut Played, has_ended_itself: bool, dir: &AttemptDir) -> Result<u32, StoreError> {
        let calls = keep_calls(dir)?;
        if !has_ended_itself && let Some((code, error)) = self.voiding(&calls) {
            *played = Played { ending: Ending::InfraError, error: Some(error), code: Some(code), ..played.clone() };
        }
        let (refusals, count) = self.pass.pass.refusals();
        keep_refusals(dir, &refusals)?;
        keep_output(dir, self.folders.caught.path())?;
        let left_out = keep_files(dir, &self.folders.out())?;
        if left_out > 0 {
            tracing::warn!(left_out, "files of the program are not kept: they are too large or too many");
        }
        Ok(count)
    }
}

/// How a program's attempt went; its steps are counted elsewhere.
const fn played(ending: Ending, error: Option<String>) -> Played {
    Played { ending, steps: 0, error, code: None }
}

/// The first error among the answers that voids an attempt.
fn voiding(calls: &[CallRecord]) -> Option<&ErrorBody> {
    calls.iter().filter_map(|call| call.reply.error.as_ref()).find(|error| voids(&error.code))
}

impl Acted {
    /// Nothing could be begun, for a reason of the testbed's with this code.
    fn unopened(code: &str, error: &dyn std::error::Error, after: Duration) -> Self {
        let cost = Cost { seconds: after.as_secs_f64(), ..Cost::default() };
        Self::of(Played::unopened(code, error), cost)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::codes::CODES;

    /// A call that was answered so, as a session's log has it.
    fn answered(code: &str) -> CallRecord {
        let timing = json!({"action_ms": 0.0, "settle_ms": 0.0, "settle": "skipped"});
        let reply = json!({"success": false, "executed_action": {"api": "a"}, "data": {}, "timing": timing,
            "error": {"code": code, "message": "m", "infrastructure": true}});
        serde_json::from_value(json!({"step": 1, "at_s": 0.0, "call": {"api": "a"}, "reply": reply})).unwrap()
    }

    #[test]
    fn a_failed_action_voids_an_attempt_by_its_code_as_any_other_answer() {
        for code in CODES.iter().flat_map(|(_, codes)| *codes) {
            let found = voiding(&[answered("unknown_index"), answered(code.code)]).map(|error| error.code.clone());
            assert_eq!(found, code.voids.then(|| code.code.to_owned()), "{code:?}");
        }
    }
}
