//! What people who may see the truth are shown of a forged fault, and of a repair: the scripts of both projects with what differs marked,
//! the report, the patches in words, both stages at the moments that matter, and the suite over time.
//!
//! Parts: `gather` has the projects drawn, and `players` plays them; `marks` finds what is marked in scripts, `patch` puts patches in words,
//! `film` chooses the moments, `suite` makes the table of assertions, `signals` compares runs. `repair` is the same for one repair, with
//! `failure` for one that failed; pages of trajectories draw scripts by the same marks. What is asserted and why is the forge's business,
//! and the pages themselves are `report`'s.

mod error;
mod failure;
#[cfg(test)]
pub(crate) mod fakes;
mod film;
mod gather;
mod marks;
mod patch;
mod players;
mod repair;
mod signals;
mod suite;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::film::Film;
use self::patch::Piece;
use self::suite::SuiteView;
use crate::bugs::{BugPictures, BugReport, Licence};

pub use error::FaultViewError;
pub use gather::instance_page;
pub(crate) use gather::{lines, pictures};
pub(crate) use marks::marked_by;
pub use repair::{RepairView, repair_view};

/// All that the page says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InstancePage {
    id: String,
    project: String,
    pattern: String,
    /// What the pattern means, in a sentence.
    means: &'static str,
    operator: String,
    difficulty: String,
    /// The target of the fault.
    sprite: String,
    report: BugReport,
    /// The stage at the moment that it tells of.
    pictures: Option<BugPictures>,
    /// From gold to the buggy project in words, an edit a sentence.
    fault: Vec<Vec<Piece>>,
    /// Back again.
    repair: Vec<Vec<Piece>>,
    /// Gold's scripts that the fault touches, and the buggy project's.
    scripts: [Vec<ScriptView>; 2],
    /// Lines of these scripts: a sign, a blank for lines that stay, and the line.
    lines: Vec<(char, String)>,
    /// Absent where nothing is asserted.
    film: Option<Film>,
    suite: SuiteView,
    licence: Licence,
}

/// A script as a picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ScriptView {
    sprite: String,
    /// An SVG document in base64.
    svg: String,
    width: u32,
    height: u32,
    /// Blocks that are outlined, and places where one is missing.
    marks: usize,
    gaps: usize,
}

/// A number of ticks as seconds of the program's time.
#[expect(clippy::cast_precision_loss, reason = "runs have thousands of ticks at most")]
fn seconds(ticks: u64) -> String {
    format!("{:.1} s", ticks as f64 / 30.0)
}
