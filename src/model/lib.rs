//! The vocabulary of scratchbed: values with their invariants, shared by all other rooms.
//!
//! Nothing here does I/O, knows tokio, axum or the DevTools protocol, or decides policy.

mod attempt;
mod case_facts;
mod causes;
mod chain;
mod clock;
mod coded;
pub mod codes;
mod digest;
mod editor;
mod element;
mod energy;
mod envelope;
mod event;
mod extras;
mod geometry;
mod grade;
pub mod half_characters;
mod item_id;
mod judge_seed;
mod kept_pictures;
mod mode;
mod parser_words;
mod plural;
mod requires;
mod run;
mod scenario;
mod shown_name;
mod signals;
mod suite;
mod task;
mod task_view;
mod trace;
mod trajectory;
mod usage;
mod verdict;

pub use attempt::{AttemptRecord, CallRecord, Cost, Ending, TaskDetail, TaskRecord, Voiding};
pub use case_facts::{CaseSize, Distance, MinimalPatch};
pub use causes::with_causes;
pub use chain::Chain;
pub use clock::{run_name, unix_seconds};
pub use coded::{Blame, Coded};
pub use digest::{md5_hex, sha256_hex, sha256_of};
pub use editor::EditorGeneration;
pub use element::{Element, ElementType, VIEWPORT};
pub use energy::{EnergyMethod, EnergyQuality, EnergyRecord, EnergyScope};
pub use envelope::{ActionCall, ActionReply, ErrorBody, SettleReason, Timing};
pub use event::{
    AttemptState, BlockRef, CloseReason, ClosedEvent, DialogEvent, DroppedEvent, Event, EventKind, FrameEvent,
    InputEvent, LOG_FORMAT, ObservationEvent, Opened, PageChange, PicturePlace, ProgramEvent, ReplyEvent, RequestEvent,
    VmEvent, WorkspaceEvent,
};
pub use extras::Extras;
pub use geometry::{Point, Rect};
pub use grade::{GradeRecord, VerdictRecord};
pub use item_id::{ItemId, ItemIdError};
pub use judge_seed::JudgeSeed;
pub use kept_pictures::KeptPictures;
pub use mode::Mode;
pub use parser_words::parser_words;
pub use plural::{pluralise, pluralise_as};
pub use requires::required;
pub use run::{Asked, LimitOverrides, RUN_FORMAT, RunRecord};
pub use scenario::{Scenario, Step};
pub use shown_name::{is_unprintable, printable, shown_name};
pub use signals::{ProbeRecord, Signals};
pub use suite::{Assertion, Feature, Guard, SUITE_FORMAT, Suite};
pub use task::{
    Category, Limits, ModeLimits, OracleFiles, ProjectVersion, StageSize, StepLimits, Task, TaskId, TaskIdError,
};
pub use task_view::{ModeTaskView, TaskView};
pub use trace::{Column, EVENTS, Trace, TraceError, TraceRun};
pub use trajectory::{
    CandidateRecord, ControllerMode, ImageAudit, Layer, PatchRecord, PlanId, RepairAttempt, RequestRecord,
    ResponseRecord, StageRecord, Stop, TRAJECTORY_FORMAT, Totals, Trajectory, UsageRecord, VerificationRecord,
};
pub use usage::ReportedUsage;
pub use verdict::{CaseResult, Clock, ClockParameters, Hashes, Outcome, SeedKind, SeedResult, Verdict};
