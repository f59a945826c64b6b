//! What is found out about a candidate once attempts have ended (EcoScratch, section 12.3): how far it is from gold, and what of the patch
//! that passed is needed. Nobody is asked, and the trajectory's layer is not touched.

use std::collections::BTreeSet;

use serde_json::Value;

use super::course::{Course, Story};
use crate::experiment::RunError;
use crate::json_patch::{Operation, apply, check};
use crate::mend::broken;
use crate::model::{Distance, MinimalPatch};
use crate::noticing::Delta;
use crate::project::Project;
use crate::project::edit::{edit_distance, edit_set};
use crate::trajectory::OracleError;

/// Projects that are verified at most to make a patch shorter.
const MOST_TRIALS: u32 = 32;
/// The file of the shorter patch.
const FILE: &str = "minimal.patch.json";

/// What was found out.
#[derive(Default)]
pub(super) struct Compared {
    /// Of the candidate that counts; none without one.
    pub distance: Option<Distance>,
    pub minimal: Option<MinimalPatch>,
}

impl Course<'_> {
    pub(super) async fn compared(&self, story: &Story) -> Result<Result<Compared, OracleError>, RunError> {
        let Some((_, json)) = &story.best else { return Ok(Ok(Compared::default())) };
        let distance = match self.distance(json).await? {
            Ok(distance) => Some(distance),
            Err(error) => return Ok(Err(error)),
        };
        let is_strict = story.attempts.last().is_some_and(|last| last.layer.is_strict());
        let patch = story.patches.last().filter(|_| is_strict && self.manner.after.minimises);
        let minimal = match patch {
            None => None,
            Some(patch) => match self.minimal(patch).await? {
                Ok(minimal) => Some(minimal),
                Err(error) => return Ok(Err(error)),
            },
        };
        Ok(Ok(Compared { distance, minimal }))
    }

    async fn distance(&self, json: &Value) -> Result<Result<Distance, OracleError>, RunError> {
        let buggy = &self.case.buggy.json;
        let d_edit = edit_distance(&edit_set(buggy, &self.case.golden.json), &edit_set(buggy, json));
        let mut distance = Distance { d_edit: u32::try_from(d_edit).ok(), drift: None };
        if self.manner.after.measures_drift {
            match self.case.oracle.drift(&self.packed(json)?).await {
                Ok(drift) => distance.drift = drift,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(distance))
    }

    fn packed(&self, json: &Value) -> Result<Vec<u8>, RunError> {
        let project = Project { json: json.clone(), assets: self.case.buggy.assets.clone() };
        project.pack().map_err(|error| RunError::Item { item: self.case.id.clone(), reason: error.to_string() })
    }

    /// Leaves operations out as long as the patch passes, and breaks nothing that the whole one does not.
    async fn minimal(&self, patch: &[Operation]) -> Result<Result<MinimalPatch, OracleError>, RunError> {
        let (mut search, mut trials, mut is_complete) = (Delta::of(patch.to_vec()), 0, true);
        let allowed: BTreeSet<String> = self.applied(patch).iter().flat_map(broken).collect();
        let is_sound = |project: &Project| broken(project).all(|problem| allowed.contains(&problem));
        while let Some(shorter) = search.trial() {
            let Some(project) = self.applied(&shorter).filter(is_sound) else {
                search.tell(false);
                continue;
            };
            if trials == MOST_TRIALS {
                is_complete = false;
                break;
            }
            trials += 1;
            match self.case.oracle.verify(&self.packed(&project.json)?, None).await {
                Ok(verified) => search.tell(verified.is_strict()),
                Err(error) => return Ok(Err(error)),
            }
        }
        let left = search.left();
        self.dir.keep_json(FILE, &left)?;
        let shortest = self.applied(left).map_or_else(|| self.case.buggy.json.clone(), |project| project.json);
        let ops = u32::try_from(left.len()).unwrap_or(u32::MAX);
        let distance = self.distance(&shortest).await?;
        Ok(distance.map(|distance| MinimalPatch { file: FILE.to_owned(), ops, trials, is_complete, distance }))
    }

    /// The project with a part of a patch, if that is a project.
    fn applied(&self, patch: &[Operation]) -> Option<Project> {
        let buggy = &self.case.buggy;
        let applied = apply(&buggy.json, patch).ok()?;
        let project = Project { json: applied.project, assets: buggy.assets.clone() };
        check(buggy, &project).ok()?;
        Some(project)
    }
}
