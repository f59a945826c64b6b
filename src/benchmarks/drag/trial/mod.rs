//! Single drags as a benchmark: an agent is shown a scene and says one drag, which is made with the mouse and measured.
//!
//! Parts: `setting` is what help an agent gets; `screen` asks the page; `question` makes prompt and picture; `decide` has somebody say the drag;
//! `outside` finds the
//! drag that a program made over HTTP instead; `watch` and `breakage` tell where a drag broke; `play` carries out a trial; `measure` says how far off it
//! was; `metrics` are the figures of the paper, `class` says which rows a scene belongs to.

mod breakage;
mod class;
mod decide;
mod measure;
mod metrics;
mod outside;
mod play;
mod question;
mod screen;
mod setting;
mod watch;

pub use breakage::{Breakage, Stage as BreakStage};
pub use class::{SceneClass, Split};
pub use decide::Decider;
pub use measure::{DragDetail, FailureType, InRegion, MeasuredBy};
pub use metrics::{BreakCount, FailureCount, Gap, Row, Summary, failure_of, reference_summary, summary};
pub use outside::Outside;
pub use play::{DragBenchmark, Options, Staged};
pub use setting::{Help, Setting};
pub use watch::{Pointer, State, Step};
