//! Regions of published scenes by real drags, as the paper found them: kept beside their pack, and held against the points
//! that were published.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::import::PublishedPoints;
use super::items::{ScenePack, read_json, write_json};
use super::mask::Pixel;
use super::regions::Seeds;
use super::search::{Searched, Steps, Tried, search};
use super::stage::Stage;
use super::{DragError, Share};
use crate::model::{EditorGeneration, ItemId};

/// What real drags in one editor found out about a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRecord {
    pub editor: EditorGeneration,
    /// Version of its package.
    pub version: String,
    /// Pixels between the points that were tried.
    pub steps: Steps,
    /// The start of all drags that tried ends.
    pub start: Pixel,
    pub starts: TriedPoints,
    pub ends: TriedPoints,
    /// Drags that were made, and how many seconds they took.
    pub drags: usize,
    pub seconds: f64,
}

/// Points that were tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedPoints {
    /// Those that do.
    pub good: Vec<Pixel>,
    /// Those that don't.
    pub bad: Vec<Pixel>,
}

/// How published points fared in real drags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fared {
    /// Those that do, of those that were published.
    pub published: Share,
    /// Points beside them that do as well.
    pub more: usize,
    /// The published ones that don't.
    pub wrong: Vec<Pixel>,
}

impl TriedPoints {
    fn of(tried: &Tried) -> Self {
        let list = |wanted: bool| tried.iter().filter(|(_, good)| **good == wanted).map(|(pixel, _)| *pixel).collect();
        Self { good: list(true), bad: list(false) }
    }

    /// How published points fared.
    pub fn fared(&self, published: &[Pixel]) -> Fared {
        let wrong: Vec<Pixel> = published.iter().copied().filter(|pixel| !self.good.contains(pixel)).collect();
        let more = self.good.iter().filter(|pixel| !published.contains(pixel)).count();
        Fared { published: Share { inside: published.len() - wrong.len(), of: published.len() }, more, wrong }
    }
}

impl ScenePack {
    fn trials_file(&self, editor: EditorGeneration, id: &ItemId) -> PathBuf {
        self.folder().join("trials").join(editor.to_string()).join(format!("{id}.json"))
    }

    /// What real drags found out about a scene before, with these distances between points.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn trials(&self, editor: EditorGeneration, id: &ItemId) -> Result<Option<TrialRecord>, DragError> {
        let path = self.trials_file(editor, id);
        if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
    }

    /// Keeps what real drags found out.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep_trials(&self, id: &ItemId, record: &TrialRecord) -> Result<(), DragError> {
        write_json(&self.trials_file(record.editor, id), &serde_json::to_string(record))
    }
}

/// Distances between points as in a published set: by default those that its points have, and a single row where these lie
/// in one.
pub fn steps_of(points: &PublishedPoints, step: Option<i32>) -> Steps {
    #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
    let own = |list: &[Pixel]| {
        let step = step.unwrap_or_else(|| Grid::new(list.to_vec()).columns() as i32);
        let is_row = list.len() > 1 && list.windows(2).all(|pair| pair[0].1 == pair[1].1);
        [step, if is_row { 0 } else { step }]
    };
    Steps { starts: own(&points.starts), ends: own(&points.ends) }
}

/// Makes real drags in a published scene: a search that begins at the published drag, and all published points that it
/// did not come to.
///
/// # Errors
/// When no pixel around the published ones works, or the browser fails.
pub async fn try_published(
    stage: &mut Stage<'_>,
    points: &PublishedPoints,
    steps: Steps,
    version: &str,
) -> Result<TrialRecord, DragError> {
    let regions = stage.truth().await?;
    let offset = (points.end.0 - points.start.0, points.end.1 - points.start.1);
    let seeds = Seeds { start: points.start, offset: Some(offset) };
    let searched: Searched = search(stage, (&regions, seeds), steps, (&points.starts, &points.ends)).await?;
    Ok(TrialRecord {
        editor: stage.editor().await?,
        version: version.to_owned(),
        steps,
        start: searched.start,
        starts: TriedPoints::of(&searched.starts),
        ends: TriedPoints::of(&searched.ends),
        drags: searched.drags,
        seconds: searched.took.as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_points_are_held_against_what_drags_did() {
        let tried = Tried::from([((5, 5), true), ((10, 5), true), ((15, 5), false)]);
        let fared = TriedPoints::of(&tried).fared(&[(10, 5), (15, 5)]);
        assert_eq!(fared, Fared { published: Share { inside: 1, of: 2 }, more: 1, wrong: vec![(15, 5)] });
    }

    #[test]
    fn points_are_tried_as_far_apart_as_the_published_ones_lie() {
        let points = PublishedPoints {
            start: (0, 0),
            end: (0, 0),
            starts: vec![(100, 50), (105, 50), (100, 55)],
            ends: vec![(200, 80), (202, 80)],
        };
        assert_eq!(steps_of(&points, None), Steps { starts: [5, 5], ends: [2, 0] });
        assert_eq!(steps_of(&points, Some(9)), Steps { starts: [9, 9], ends: [9, 0] });
    }
}
