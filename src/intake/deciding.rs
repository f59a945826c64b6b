//! The end of a scan: who stays, who is a copy of whom, and what is written into the pool.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;
use strum::Display;

use super::IntakeError;
use super::duplicates::{self, Candidate, Likeness};
use super::kept::{Fault, Kept, Row};
use super::licence;
use super::thresholds::Profile;
use crate::bugs::{Pool, PoolEntry, RECORD, ReferenceRecord};
use crate::model::sha256_hex;

/// What became of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// It is in the pool.
    Taken,
    /// It failed at a gate.
    Gate,
    /// It passed the gates and has too little of something.
    Threshold,
    /// Another one stays in its place.
    Duplicate,
    /// The testbed failed, which says nothing of the project: the next scan tries it again.
    Unmeasured,
}

/// Of which project it is a copy, and how alike the two are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duplicate {
    pub of: String,
    pub kind: Likeness,
    /// From 0 to 1: four-block runs that both have.
    pub likeness: f64,
}

/// A project of a scan with all that was decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    #[serde(flatten)]
    pub row: Row,
    pub outcome: Outcome,
    /// Thresholds of the profile that it fails at.
    pub thresholds: Vec<Fault>,
    pub duplicate: Option<Duplicate>,
    /// Projects of one group stay in one fold.
    pub group: Option<String>,
}

impl Standing {
    /// A row of which nothing is decided yet.
    pub(super) fn of(row: Row, profile: Profile) -> Self {
        let thresholds = row.features.as_ref().map(|features| profile.faults(features)).unwrap_or_default();
        let outcome = match (row.gates.is_empty(), thresholds.is_empty()) {
            (false, _) => Outcome::Gate,
            (true, false) => Outcome::Threshold,
            (true, true) => Outcome::Taken,
        };
        Self { row, outcome, thresholds, duplicate: None, group: None }
    }

    /// Everything it fails at: gates, thresholds, a better copy.
    pub fn faults(&self) -> Vec<Fault> {
        let copy = self.duplicate.as_ref().map(|copy| {
            Fault::new(
                &format!("duplicate_{}", copy.kind),
                format!("{:.0} % of it are {}'s", copy.likeness * 100.0, copy.of),
            )
        });
        self.row.gates.iter().chain(&self.thresholds).cloned().chain(copy).collect()
    }
}

/// Finds copies among those that would be taken.
pub(super) fn find_copies(standings: &mut [Standing], kept: &Kept) {
    let (mut places, mut candidates) = (Vec::new(), Vec::new());
    for (place, standing) in standings.iter().enumerate().filter(|(_, standing)| standing.outcome == Outcome::Taken) {
        let row = &standing.row;
        if let (Some(golden), Some(project)) = (kept.golden(row), kept.project(row)) {
            let rank = row.licence.as_ref().map_or(u8::MAX, licence::rank);
            let live = row.features.as_ref().map_or(0, |features| features.live_blocks);
            places.push(place);
            candidates.push(Candidate::new(&row.id, rank, live, &golden, &project));
        }
    }
    for (place, fate) in places.into_iter().zip(duplicates::decide(&candidates)) {
        let standing = &mut standings[place];
        standing.group = Some(fate.group);
        standing.duplicate = fate.copy_of.map(|(of, kind, likeness)| Duplicate { of, kind, likeness });
        if standing.duplicate.is_some() {
            standing.outcome = Outcome::Duplicate;
        }
    }
}

/// Opens a pool, or begins one.
pub(super) fn open(folder: &Path, profile: Profile) -> Result<Pool, IntakeError> {
    let pool = match Pool::open(folder) {
        Err(crate::bugs::BugsError::NoPool(_)) => Pool::create(folder, &profile.to_string())?,
        other => other?,
    };
    if pool.profile() == profile.to_string() {
        Ok(pool)
    } else {
        let (has, wanted) = (pool.profile().to_owned(), profile.to_string());
        Err(IntakeError::OtherProfile { pool: folder.to_owned(), has, wanted })
    }
}

/// Writes those that are taken into the pool, and takes out who is no longer. A record of another gold project is a draft again; reviews say
/// which one they are of, and count no more.
pub(super) fn write(pool: &mut Pool, standings: &[Standing], kept: &Kept) -> Result<(), IntakeError> {
    let taken: Vec<&Standing> = standings.iter().filter(|standing| standing.outcome == Outcome::Taken).collect();
    pool.keep(|id| taken.iter().any(|standing| standing.row.id == id))?;
    for standing in taken {
        let row = &standing.row;
        let Some(golden) = kept.golden(row) else { continue };
        let sha256 = sha256_hex(&golden);
        let group = standing.group.clone().unwrap_or_else(|| row.id.clone());
        pool.note(&row.id, "measure.json", &measure(row))?;
        if let Some(licence) = &row.licence {
            let mut licence = licence.clone();
            licence.changes.extend(row.changes.iter().cloned());
            licence.sha256_original = Some(row.sha256.clone());
            pool.note(&row.id, "licence.json", &licence)?;
        }
        if let Some(picture) = kept.picture(row) {
            pool.put(&row.id, "stage.png", &picture)?;
        }
        let entry = PoolEntry { id: row.id.clone(), sha256, group };
        let known = pool.entries().iter().find(|known| known.id == entry.id).cloned();
        if known.as_ref().is_some_and(|known| known.sha256 != entry.sha256) {
            outdate(pool, &entry.id)?;
        }
        if known.as_ref() != Some(&entry) {
            pool.add(entry, &golden)?;
        }
    }
    Ok(())
}

/// What people wrote or confirmed of another project is theirs to confirm again; what was drafted is drafted anew.
fn outdate(pool: &Pool, id: &str) -> Result<(), IntakeError> {
    let _lock = pool.lock()?;
    match pool.noted::<ReferenceRecord>(id, RECORD)? {
        Some(mut record) if record.status.is_by_people() || !record.written_by.is_empty() => {
            tracing::warn!(id, "the project has changed: its record is a draft again");
            record.reset();
            Ok(pool.note(id, RECORD, &record)?)
        }
        Some(_) => Ok(pool.remove(id, RECORD)?),
        None => Ok(()),
    }
}

fn measure(row: &Row) -> serde_json::Value {
    let features = row.features.clone().unwrap_or_default();
    json!({
        "format": 1,
        "id": row.id,
        "features": features,
        "broadcast_uses": features.broadcast_uses(),
        "dead_share": features.dead_share(),
        "tags": row.tags,
        "smoke": row.smoke,
        "slow": row.smoke.as_ref().is_some_and(super::Smoke::is_slow),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::RecordStatus;

    #[test]
    fn a_record_of_another_project_is_a_draft_again_whoever_stands_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let pool = Pool::create(folder.path(), "none").unwrap();
        let record = |status: &str| {
            json!({
                "format": 1, "project": status, "status": status, "by": [], "written_by": ["ada"], "tags": [],
                "goal": {"text": "", "terms": []}, "sprites": [], "loop": [], "hooks": [], "state_signals": [],
            })
        };
        let mut confirmed = record("confirmed");
        confirmed["by"] = json!(["ben"]);
        let mut draft = record("draft");
        draft["written_by"] = json!([]);
        for (id, record) in [("draft", draft), ("written", record("written")), ("confirmed", confirmed)] {
            pool.note(id, RECORD, &record).unwrap();
            outdate(&pool, id).unwrap();
            // What somebody has written outlives a second change, too.
            outdate(&pool, id).unwrap();
        }
        let left = ["written", "confirmed"].map(|id| pool.noted::<ReferenceRecord>(id, RECORD).unwrap().unwrap());
        for one in left {
            assert_eq!((one.status, one.by.len(), one.written_by), (RecordStatus::Draft, 0, vec!["ada".to_owned()]));
        }
        assert_eq!(pool.noted::<ReferenceRecord>("draft", RECORD).unwrap(), None);
        outdate(&pool, "without").unwrap();
    }
}
