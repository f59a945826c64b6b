//! The acting half of an attempt: a session is opened, the agent plays in it, and the project is exported.

use std::collections::BTreeMap;
use std::time::Instant;

use super::Tasks;
use super::blame::{exported, is_ours};
use super::items::{Attempter, Job};
use super::log::AttemptLog;
use super::memory::Remembered;
use super::play::{Noted, Played, play};
use super::testbed::TestbedError;
use crate::agent::model::ModelRole;
use crate::agent::{Agent, Share, Tally};
use crate::experiment::RunError;
use crate::model::{Cost, Ending, KeptPictures, with_causes};
use crate::store::{AttemptDir, SESSION};

/// How the acting went, and what was made.
pub(super) struct Acted {
    pub(super) played: Played,
    /// `None` when there is nothing to judge.
    pub(super) project: Option<Vec<u8>>,
    /// Whether the project itself is why it can't be had.
    pub(super) is_refused: bool,
    pub(super) tally: Option<Tally>,
    /// What the agent needed; its seconds go from opening the session to the last action, or to the end of learning.
    pub(super) cost: Cost,
    /// The same by the roles of several models.
    pub(super) roles: BTreeMap<String, Cost>,
    /// What later attempts know of this one, if agents have a memory.
    pub(super) memory: Option<Remembered>,
    /// Calls that were refused, for programs that call by themselves.
    pub(super) refusals: Option<u32>,
    /// Whether there was a session for the agent to act in.
    pub(super) had_session: bool,
}

impl Acted {
    /// Nothing was made, and nothing else is known.
    pub(super) const fn of(played: Played, cost: Cost) -> Self {
        let roles = BTreeMap::new();
        Self {
            played,
            project: None,
            is_refused: false,
            tally: None,
            cost,
            roles,
            memory: None,
            refusals: None,
            had_session: false,
        }
    }
}

impl Tasks {
    /// Lets an agent act, and logs its calls and what its model was asked. `attempt` counts from 1.
    ///
    /// # Errors
    /// When the folder can't be written, or the run's budget is spent. All other trouble is in the result.
    pub(super) async fn act(&self, job: &Job, attempt: u32, dir: &AttemptDir) -> Result<Acted, RunError> {
        match &job.attempter {
            Attempter::Agent(make) => self.ask(job, make(attempt), attempt, dir).await,
            Attempter::Program(outside) => outside.act(job, (self.mode, self.limits), attempt, dir).await,
        }
    }

    /// Asks an agent for one decision after another.
    async fn ask(
        &self,
        job: &Job,
        mut agent: Box<dyn Agent>,
        attempt: u32,
        dir: &AttemptDir,
    ) -> Result<Acted, RunError> {
        let started = Instant::now();
        let mut log = AttemptLog::begin(dir, self.pictures != KeptPictures::None)?;
        let mut session = match self.testbed.open(&job.task, agent.observing(), &dir.path().join(SESSION)).await {
            Ok(session) => session,
            Err(error) => {
                let played = Played::unopened(error.code(), &error);
                let cost = Cost { seconds: started.elapsed().as_secs_f64(), ..Cost::default() };
                return Ok(Acted { tally: agent.tally(), ..Acted::of(played, cost) });
            }
        };
        if let Some(memory) = &self.memory {
            agent.recall(memory.before(attempt));
        }
        let mut on_note = |noted: Noted| log.note(noted);
        let task = &job.task.task;
        let played = play(session.as_mut(), agent.as_mut(), task, self.mode, self.limits, &mut on_note).await;
        let spent = agent.spent();
        if let Some(reason) = spent.exhausted {
            session.close().await;
            log.end()?;
            return Err(RunError::spent(reason));
        }
        let result = exported(session.as_mut()).await;
        session.close().await;
        let cost = Cost { seconds: started.elapsed().as_secs_f64(), ..spent.usage.cost(spent.calls) };
        for note in agent.take_notes() {
            dir.keep_json(note.name, &note.value)?;
        }
        let learned = (agent.take_memory(), log.not_learned());
        let memory = self.memory.as_ref().map(|memory| memory.keep(attempt, learned, dir)).transpose()?;
        log.end()?;
        let of_role = |(role, share): (&ModelRole, &Share)| (role.to_string(), share.usage.cost(share.calls));
        let roles = spent.roles.iter().map(of_role).collect();
        Ok(Acted { tally: agent.tally(), cost, roles, memory, ..acted(played, result) })
    }
}

/// How the acting went, with the result of the export.
pub(super) fn acted(mut played: Played, exported: Result<Vec<u8>, TestbedError>) -> Acted {
    let (project, is_refused) = match exported {
        Ok(sb3) => (Some(sb3), false),
        Err(error) => {
            let is_refused = error.is_the_projects();
            if !is_refused && is_ours(error.code()) {
                played.ending = Ending::InfraError;
                played.code.get_or_insert_with(|| error.code().to_owned());
            } else if !is_refused || played.ending == Ending::InfraError {
                played.ending = Ending::Crashed;
            }
            played.error.get_or_insert_with(|| with_causes(&error));
            (None, is_refused)
        }
    };
    Acted { project, is_refused, had_session: true, ..Acted::of(played, Cost::default()) }
}
