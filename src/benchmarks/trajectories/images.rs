//! The pictures of a request: frames of the stage, and costumes where there are no frames (EcoScratch, section 3, E6 and E7).

use std::sync::Arc;

use crate::mend::{CostumePicture, costumes, png};
use crate::project::Project;
use crate::trajectory::{CaseReport, Moment};

/// Pixels of a costume, and pictures and bytes of a request at most.
const SIDE: u32 = 240;
const MOST: usize = 3;
const BYTES: usize = 200_000;

/// Pictures that there are, with captions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Images {
    /// `frames` or `assets`; empty without any.
    pub source: &'static str,
    pub all: Vec<(String, Arc<Vec<u8>>)>,
}

impl Images {
    /// Frames, or the current costumes of what the report names where there are none.
    pub(super) fn of(moments: Vec<Moment>, project: &Project, report: &CaseReport) -> Self {
        let frames: Vec<_> = moments.into_iter().map(|one| (one.caption, Arc::new(one.png))).collect();
        let (source, mut all) =
            if frames.is_empty() { ("assets", assets(project, report)) } else { ("frames", frames) };
        all.retain(|(_, png)| png.len() <= BYTES);
        all.truncate(MOST);
        Self { source: if all.is_empty() { "" } else { source }, all }
    }
}

/// The backdrop and the current costumes, those that the report names first.
fn assets(project: &Project, report: &CaseReport) -> Vec<(String, Arc<Vec<u8>>)> {
    let words = report.words().to_lowercase();
    let mut shown: Vec<_> = costumes(project, SIDE).into_iter().filter(|one| one.is_current).collect();
    shown.sort_by_key(|one| !words.contains(&one.target.to_lowercase()));
    let drawn = |one: CostumePicture| {
        let picture = png(&one.picture?)?;
        Some((format!("{}, \"{}\"", one.target, one.costume), Arc::new(picture)))
    };
    shown.into_iter().filter_map(drawn).collect()
}
