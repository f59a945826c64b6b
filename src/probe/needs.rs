//! What attempts will ask of a model, against what it was found to do.

use super::{Finding, Probed};
use crate::perceive::Convention;

/// More pixels than this between two units are no accident.
const APART: f64 = 10.0;

/// What attempts ask of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// It is shown pictures, and names points in them.
    pub sight: bool,
    /// It calls tools.
    pub tools: bool,
    /// It writes calls as text.
    pub json: bool,
}

impl Probed {
    /// What is asked of the model and it can't do, in words; its points will be read in the unit `read_as`.
    pub fn problems(&self, needs: Needs, read_as: Convention) -> Vec<String> {
        let mut problems = Vec::new();
        let mut needed = |is: bool, found: &Finding, what: &str| {
            if is && !found.is_yes() {
                problems.push(format!("{what}: {}", found.text()));
            }
        };
        needed(needs.sight, &self.vision, "its arms show it pictures");
        needed(needs.json, &self.json, "its arms read calls from text");
        needed(needs.tools, &self.tools, "its arms have it call tools");
        let coordinates = self.coordinates.as_ref().filter(|_| needs.sight && self.vision.is_yes());
        if let Some((best, read)) = coordinates.and_then(|found| Some((found.best(), found.of(read_as)?)))
            && read.median_px > best.median_px + APART
        {
            problems.push(format!(
                "its coordinates are {}, and by its name they are read as {}: {:.0} px off instead of {:.0}",
                unit(best.convention),
                unit(read_as),
                read.median_px,
                best.median_px
            ));
        }
        problems
    }
}

/// A unit of coordinates in words.
pub const fn unit(convention: Convention) -> &'static str {
    match convention {
        Convention::Pixels => "pixels",
        Convention::Thousandths => "thousandths",
        Convention::SmartResize => "pixels of the resized picture",
    }
}
