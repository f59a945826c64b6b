//! Single drags: scenes, where their drags must begin and end, and whether real drags agree.
//!
//! Parts: a [`Scene`] is one drag task over a project of the task set; `regions` asks the editor where its drag may
//! begin and end; a [`Mask`] is a set of pixels; `verify` compares the regions with real mouse drags.

mod error;
mod mask;
mod points;
mod regions;
mod scene;
mod stage;
mod verify;

pub use error::DragError;
pub use mask::{Mask, Pixel};
pub use regions::{DropAreas, Link, RegionTimes, Regions};
pub use scene::{BlockName, Kind, Relation, Scene, SceneProject, Source, View, read_scenes};
pub use verify::{Disagreement, SceneReport, verify};
