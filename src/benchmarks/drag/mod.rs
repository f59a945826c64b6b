//! Single drags: scenes, where their drags must begin and end, and whether real drags agree.
//!
//! Parts: a [`Scene`] is one drag task, a [`ScenePack`] a folder of them with their projects; a [`Stage`] is a scene
//! in a session, where it can be set up, asked for its regions and dragged in; [`Regions`] say where the drag may
//! begin and end, in [`Mask`]s of pixels; `verify` compares them with real mouse drags; `search` finds them by such
//! drags alone, as the paper does. `generate` makes scenes of the projects of tasks; `published` reads those of the
//! published set, whose drags `replay` makes again; `picture` draws regions; [`trial`] has agents drag.

mod error;
mod generate;
mod grid;
mod mask;
mod pack;
mod picture;
mod points;
mod published;
mod regions;
mod replay;
mod scene;
mod search;
mod stage;
pub mod trial;
mod verify;
mod visit;

pub use error::DragError;
pub use generate::{Generated, Made, generate};
pub use grid::Grid;
pub use mask::{Mask, Pixel};
pub use pack::ScenePack;
pub use picture::picture;
pub use points::Border;
pub use published::{PublishedPoints, import, published_points};
pub use regions::{BlockLinks, Computed, DropAreas, Link, RegionTimes, Regions, Seeds};
pub use replay::{ReplayReport, Share, replay};
pub use scene::{
    BlockName, Kind, PaletteView, ProjectVersion, Relation, Removal, Scene, SceneProject, Source, TaskProject, View,
};
pub use search::{Difference, Searched, search};
pub use stage::{SceneState, Stage};
pub use verify::{Disagreement, Kept, SceneReport, verify};
pub use visit::{with_session, with_session_of};
