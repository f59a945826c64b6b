//! Recently ended attempts that are not on disk: what memory still has of them, for viewing.

use std::collections::VecDeque;

use super::events::SessionLog;
use super::info::SessionInfo;
use crate::model::AttemptState;

/// How many are remembered; each takes 16 MiB at most.
pub const RECENT: usize = 8;

/// A session that was made for a task, living or ended.
#[derive(Debug, Clone)]
pub struct AttemptSession {
    /// What was known of it last.
    pub info: SessionInfo,
    /// Its log, as far as memory has it.
    pub log: SessionLog,
    /// How the attempt stands; absent for one that has ended, whose log has it.
    pub standing: Option<AttemptState>,
}

/// The last of them, oldest first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    sessions: VecDeque<AttemptSession>,
}

impl Recent {
    /// Remembers one that is about to end, if it was made for a task and its log is not kept elsewhere.
    pub(super) fn add(&mut self, info: SessionInfo, log: SessionLog) {
        if info.task.is_none() || log.is_kept() {
            return;
        }
        self.sessions.push_back(AttemptSession { info, log, standing: None });
        while self.sessions.len() > RECENT {
            self.sessions.pop_front();
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &AttemptSession> {
        self.sessions.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::LogState;

    fn info(id: usize, task: Option<&str>) -> SessionInfo {
        SessionInfo {
            id: id.to_string(),
            task: task.map(str::to_owned),
            instruction: None,
            attempt: None,
            created_at: 0.0,
            idle_s: 0.0,
            lease_s: 0.0,
            expires_in_s: 0.0,
            page_lost: 0,
            recovered: 0,
            log: LogState::Memory,
            extras: crate::model::Extras::default(),
            editor: crate::model::EditorGeneration::default(),
            load: crate::session::LoadReport::default(),
        }
    }

    #[test]
    fn the_last_attempts_are_remembered_and_no_other_sessions() {
        let mut recent = Recent::default();
        let folder = tempfile::tempdir().unwrap();
        let kept = SessionLog::start("kept");
        kept.keep_in(folder.path(), || {}).unwrap();
        recent.add(info(98, Some("kite_gusts")), kept);
        recent.add(info(99, None), SessionLog::start("99"));
        for id in 0..=RECENT {
            recent.add(info(id, Some("kite_gusts")), SessionLog::start("s"));
        }
        let names: Vec<_> = recent.all().map(|one| one.info.id.as_str()).collect();
        assert_eq!(names, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    }
}
