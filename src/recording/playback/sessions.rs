//! Sessions that outside agents created for a task: living ones, those with stored logs, and the last ones that only
//! memory has. Shown as the attempts of one run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::summary::Summary;
use super::view::AttemptView;
use super::{NamedAttempt, Playback};
use crate::model::{Event, Verdict};
use crate::session::{AttemptSession, SessionLog, Sessions};
use crate::store::{SessionDir, SessionDirs, StoreError};

/// The name of the run that they are shown as; runs of agents of our own have dates in their names.
pub const SESSIONS: &str = "sessions";
/// The newest kept ones that are listed; older ones are found by name.
const LISTED: usize = 200;
/// Most verdicts on sessions that are not stored.
const VERDICTS: usize = 64;

/// Finds them. Clones share what was read before.
#[derive(Debug, Clone)]
pub struct SessionAttempts {
    sessions: Sessions,
    /// Summaries of kept sessions, with the length of the log that they were read from.
    read: Arc<Mutex<HashMap<PathBuf, (u64, Summary)>>>,
    /// Verdicts on those of memory.
    verdicts: Arc<Mutex<HashMap<String, Verdict>>>,
}

impl SessionAttempts {
    pub fn new(sessions: Sessions) -> Self {
        Self { sessions, read: Arc::default(), verdicts: Arc::default() }
    }

    /// Whether what ended is kept, across restarts too.
    pub fn are_kept(&self) -> bool {
        self.sessions.logs_below().is_some()
    }

    /// All of them, newest first.
    pub async fn list(&self) -> Vec<NamedAttempt> {
        let here = self.sessions.attempts().await;
        let mut found = Vec::new();
        for one in here.iter().filter(|one| !one.log.is_kept()) {
            let record = self.in_memory(one).await.details.record;
            found.push(NamedAttempt { name: one.info.id.clone(), record });
        }
        let alive = living(here);
        let (own, dirs) = (self.clone(), self.dirs());
        let kept = tokio::task::spawn_blocking(move || {
            let dirs = dirs.map(|dirs| dirs.newest(LISTED)).unwrap_or_default();
            dirs.iter().filter_map(|dir| own.summed(dir, alive.get(&dir.name()))).collect::<Vec<_>>()
        });
        found.extend(kept.await.unwrap_or_default());
        found.sort_by(|a, b| b.record.began_at.unwrap_or(0.0).total_cmp(&a.record.began_at.unwrap_or(0.0)));
        found
    }

    /// The one of a session of this name.
    ///
    /// # Errors
    /// When its log can't be read.
    pub async fn find(&self, name: &str) -> Result<Option<Playback>, StoreError> {
        let here = self.sessions.attempts().await;
        if let Some(one) = here.iter().find(|one| one.info.id == name && !one.log.is_kept()) {
            return Ok(Some(self.in_memory(one).await));
        }
        let alive = living(here).remove(name);
        let lives = alive.is_some();
        let Some(dir) = self.dirs().and_then(|dirs| dirs.find(name)) else { return Ok(None) };
        let read = tokio::task::spawn_blocking(move || Playback::of_log(&dir, lives).map(Some));
        let Some(mut playback) = read.await.unwrap_or(Ok(None))? else { return Ok(None) };
        if let Some(alive) = &alive {
            stands(&mut playback.details.record, alive);
        }
        // Sessions without a task are not attempts.
        Ok(Some(playback).filter(|playback| !playback.details.record.task.is_empty()))
    }

    /// Keeps a verdict on what a session left: with its log, or in memory if it has none.
    ///
    /// # Errors
    /// When the verdict can't be written.
    pub fn keep_verdict(&self, name: &str, of: &Playback, verdict: &Verdict) -> Result<(), StoreError> {
        if !self.are_kept() {
            let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            if verdicts.len() >= VERDICTS {
                verdicts.clear();
            }
            verdicts.insert(name.to_owned(), verdict.clone());
        }
        of.keep_verdict(verdict)
    }

    fn dirs(&self) -> Option<SessionDirs> {
        self.sessions.logs_below().map(SessionDirs::new)
    }

    async fn in_memory(&self, one: &AttemptSession) -> Playback {
        let events = events_of(&one.log).await;
        let verdict = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner).get(&one.info.id).cloned();
        let mut playback = Playback::of_memory(&one.log, &events, one.standing.is_some(), verdict);
        stands(&mut playback.details.record, one);
        playback
    }

    /// The summary of a kept one. A log that has not grown is not read again.
    fn summed(&self, dir: &SessionDir, alive: Option<&AttemptSession>) -> Option<NamedAttempt> {
        let (name, bytes) = (dir.name(), dir.bytes());
        let known =
            |read: &HashMap<PathBuf, (u64, Summary)>| read.get(dir.path()).filter(|(len, _)| *len == bytes).cloned();
        let before = known(&self.read.lock().unwrap_or_else(PoisonError::into_inner));
        let summary = if let Some((_, summary)) = before {
            summary
        } else {
            let summary = Summary::of(&dir.events().ok()?);
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            if read.len() > 2 * LISTED {
                read.clear();
            }
            read.insert(dir.path().to_owned(), (bytes, summary.clone()));
            summary
        };
        let mut record = AttemptView::of_session(summary, alive.is_some(), dir.verdict().as_ref());
        if let Some(alive) = alive {
            stands(&mut record, alive);
        }
        // Sessions without a task are not attempts.
        (!record.task.is_empty()).then_some(NamedAttempt { name, record })
    }
}

fn living(sessions: Vec<AttemptSession>) -> HashMap<String, AttemptSession> {
    let alive = sessions.into_iter().filter(|one| one.standing.is_some());
    alive.map(|one| (one.info.id.clone(), one)).collect()
}

/// What a session knows better than what was read of its log, which may lag behind or have lost its beginning.
fn stands(record: &mut AttemptView, of: &AttemptSession) {
    record.task = of.info.task.clone().unwrap_or_default();
    record.began_at = Some(of.info.created_at);
    if let Some(state) = of.standing {
        record.ending = super::ShownEnding::of(Some(state), true, false, None);
        record.lives = true;
        record.steps = of.info.attempt.map_or(record.steps, |attempt| attempt.steps);
    }
}

/// The events that memory still has.
async fn events_of(log: &SessionLog) -> Vec<Event> {
    let lines = log.after(0, usize::MAX, Duration::ZERO).await.lines;
    lines.iter().filter_map(|line| serde_json::from_str(&line.json).ok()).collect()
}
