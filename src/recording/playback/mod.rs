//! Playback step by step: attempts of runs, and sessions that outside agents created for a task. Whatever the source,
//! one form comes out of it: [`AttemptDetails`] with pictures and a program.
//!
//! Parts: [`calls`] makes calls of a session's events; [`summary`] summarises a session; [`view`] is what
//! is shown; [`turns`] is what a model was asked and answered; [`sessions`] finds the sessions; `file` and `bundle` make one file of it all.

mod bundle;
mod calls;
mod file;
mod sessions;
mod summary;
mod turns;
mod view;

use serde_json::Value;

pub use calls::call_records;
pub use file::{ReplayFile, replay_file};
pub use sessions::{SESSIONS, SessionAttempts};
pub use turns::{MessageView, ShownText, Tokens, TurnPage, TurnView, messages_of};
pub use view::{AttemptDetails, AttemptView, NamedAttempt, ShownEnding};

use self::calls::{Seen, calls_of, picture_within, take_picture};
use crate::model::{Event, Task, Verdict};
use crate::notation::program::Program;
use crate::project::Project;
use crate::session::SessionLog;
use crate::store::{LoggedPicture, RecordedAttempt, RunDir, SessionDir, StoreError};

/// Where pictures and the project come from.
#[derive(Debug, Clone)]
enum Source {
    Kept(SessionDir),
    Memory(SessionLog),
    Run(Box<RunDir>, String),
}

/// Where the picture of a call is.
#[derive(Debug, Clone)]
enum PictureAt {
    /// In the call's own reply, as the run recorded it.
    Reply,
    /// In the log of the run's session.
    Logged(LoggedPicture),
    /// In the session's log.
    Seen(Seen),
}

/// One attempt with what is needed to go through it.
#[derive(Debug, Clone)]
pub struct Playback {
    pub details: AttemptDetails,
    pictures: Vec<Option<PictureAt>>,
    source: Source,
}

impl Playback {
    /// An attempt of a run, complete or in progress; `None` if no attempt has this name.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn of_run(run: &RunDir, name: &str) -> Result<Option<Self>, StoreError> {
        let (record, verdict, mut calls) = match run.recorded(name)? {
            Some(RecordedAttempt { record, verdict, calls }) => (record.into(), verdict, calls),
            None => match run.calls_so_far(name)? {
                Some(calls) => (AttemptView::in_progress(name, run.record().mode, &calls), None, calls),
                None => return Ok(None),
            },
        };
        let logged = run.logged_pictures(name, &calls)?;
        let within = calls.iter_mut().map(|call| take_picture(call).is_some());
        let pictures: Vec<_> = within
            .zip(logged)
            .map(|(within, logged)| if within { Some(PictureAt::Reply) } else { logged.map(PictureAt::Logged) })
            .collect();
        let has_program = run.recorded_project(name)?.is_some();
        let details = AttemptDetails::new(record, verdict, calls, has_program);
        Ok(Some(Self::marked(details, pictures, Source::Run(Box::new(run.clone()), name.to_owned()))))
    }

    /// A session whose log is kept. Unless it `lives` it has ended, or was broken off.
    ///
    /// # Errors
    /// When the log can't be read.
    pub fn of_log(dir: &SessionDir, lives: bool) -> Result<Self, StoreError> {
        let (events, verdict) = (dir.events()?, dir.verdict());
        let has_program = dir.last().is_some();
        Ok(Self::of_events(&events, lives, verdict, has_program, Source::Kept(dir.clone())))
    }

    /// A session that memory alone has.
    fn of_memory(log: &SessionLog, events: &[Event], lives: bool, verdict: Option<Verdict>) -> Self {
        let has_program = log.last_project().is_some();
        Self::of_events(events, lives, verdict, has_program, Source::Memory(log.clone()))
    }

    fn of_events(events: &[Event], lives: bool, verdict: Option<Verdict>, has_program: bool, source: Source) -> Self {
        let record = AttemptView::of_session(summary::Summary::of(events), lives, verdict.as_ref());
        let (calls, seen): (Vec<_>, Vec<_>) = calls_of(events).into_iter().unzip();
        let details = AttemptDetails::new(record, verdict, calls, has_program);
        let pictures = seen.into_iter().map(|seen| seen.map(PictureAt::Seen)).collect();
        Self::marked(details, pictures, source)
    }

    fn marked(mut details: AttemptDetails, pictures: Vec<Option<PictureAt>>, source: Source) -> Self {
        for (call, picture) in details.calls.iter_mut().zip(&pictures) {
            call["picture"] = picture.is_some().into();
        }
        Self { details, pictures, source }
    }

    /// Adds the instruction of its task.
    pub fn is_of(&mut self, task: &Task) {
        self.details.instruction = Some(task.instruction.clone());
        self.details.record.category = Some(task.category);
    }

    /// The picture of a call by its place; `None` if it has none, or it is gone.
    pub fn picture(&self, call: usize) -> Option<Vec<u8>> {
        match (self.pictures.get(call)?.as_ref()?, &self.source) {
            (PictureAt::Seen(seen), Source::Kept(dir)) => dir.image(&seen.image, &seen.media_type),
            (PictureAt::Seen(seen), Source::Memory(log)) => log.image(&seen.image).map(|image| image.bytes.to_vec()),
            (PictureAt::Logged(picture), Source::Run(run, name)) => run.logged_picture(name, picture),
            (PictureAt::Reply, Source::Run(run, name)) => {
                run.recorded_call(name, call).ok().flatten().as_ref().and_then(picture_within)
            }
            _ => None,
        }
    }

    /// The project as it was left; `None` while the attempt goes on, and when it was not kept.
    pub fn project(&self) -> Option<Vec<u8>> {
        match &self.source {
            Source::Kept(dir) => dir.last(),
            Source::Memory(log) => log.last_project().and_then(|project| project.write().ok()),
            Source::Run(run, name) => run.recorded_project(name).ok().flatten(),
        }
    }

    /// Its program as text; `None` when there is no project that can be read.
    pub fn program(&self) -> Option<Program> {
        Project::read(&self.project()?).ok().map(|project| Program::of(&project))
    }

    /// The turns of its model; none for agents from outside.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn turns(&self) -> Result<Vec<TurnView>, StoreError> {
        match &self.source {
            Source::Run(run, name) => Ok(TurnPage::of_run(run, name, 0)?.map(|page| page.turns).unwrap_or_default()),
            Source::Kept(_) | Source::Memory(_) => Ok(Vec::new()),
        }
    }

    /// Keeps a verdict with the session, as far as it is kept at all.
    fn keep_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        match &self.source {
            Source::Kept(dir) => dir.keep_verdict(verdict),
            Source::Memory(_) | Source::Run(..) => Ok(()),
        }
    }
}

/// The picture in the reply of a recorded call.
pub fn recorded_picture(call: &Value) -> Option<Vec<u8>> {
    picture_within(call)
}
