//! A scan: every project goes through gates, counts and the smoke run, as many at a time as there are pages; then it is decided which ones
//! stay, and their records are drafted. What was found before is used again.

use std::collections::BTreeSet;
use std::path::Path;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde::Serialize;

use super::deciding::{self, Outcome, Standing};
use super::kept::{Fault, Kept, Row};
use super::licence::{self, LicenceFlags};
use super::reading::bytes_of;
use super::smoke::{Player, told};
use super::sources::{Source, SourceKind};
use super::thresholds::Profile;
use super::{IntakeError, draft, examine, hooks, written};
use crate::bugs::{Facts, Pool, RECORD, RecordStatus, ReferenceRecord};
use crate::compile::{BuildError, Workbench};
use crate::judge::{Judges, PlayError};
use crate::model::{Coded as _, sha256_hex};
use crate::project::Project;
use crate::project::reach::Reach;
use crate::taskset::EvaluationSources;

/// How a scan is made.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a> {
    pub judges: &'a Judges,
    /// Where texts are built.
    pub bench: &'a Workbench,
    /// The script that plays scenarios ([`player`](crate::taskset::player)).
    pub player: &'a EvaluationSources,
    pub profile: Profile,
    pub licence: &'a LicenceFlags,
    /// Projects at a time, from 1.
    pub lanes: usize,
}

/// What is told while a scan goes on.
#[derive(Debug)]
pub enum News<'a> {
    /// A project has been through gates and counts.
    Measured(&'a Standing),
    /// So many projects are taken, and get their records.
    Drafting(usize),
    /// A project is gone through: its record is written, or a warning says why not.
    Drafted(&'a str),
}

/// Result of a scan: the projects of the sources, in their order, and those that the pool had before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub projects: Vec<Standing>,
}

impl Report {
    /// How many have this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.projects.iter().filter(|standing| standing.outcome == outcome).count()
    }
}

/// What becomes of a row, and whether it may be kept.
enum Found {
    Known(Box<Row>),
    /// The browser failed.
    Unknown(Box<Row>),
}

impl Scan<'_> {
    /// Scans these projects into a pool, which may be there already.
    ///
    /// # Errors
    /// When the pool can't be read or written, has another profile, or the judges have ended. A project never stops a scan.
    pub async fn run(
        &self,
        folder: &Path,
        sources: &[Source],
        tell: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<Report, IntakeError> {
        let mut pool = deciding::open(folder, self.profile)?;
        let kept = Kept::of(folder);
        let mut before = kept.rows();
        let mut ids: BTreeSet<String> = before.values().map(|row| row.id.clone()).collect();
        let mut work = Vec::new();
        for source in sources {
            let known = before.remove(&source.file);
            let id = known.as_ref().map_or_else(|| free_id(&source.name(), &mut ids), |row| row.id.clone());
            work.push((source, known, id));
        }
        let one = |(source, known, id)| self.one(&kept, source, known, id, tell);
        let measured = stream::iter(work.into_iter().map(one)).buffered(self.lanes.max(1));
        let mut projects: Vec<Standing> = measured.try_collect().await?;
        projects.extend(before.into_values().map(|row| Standing::of(row, self.profile)));
        deciding::find_copies(&mut projects, &kept);
        deciding::write(&mut pool, &projects, &kept)?;
        self.draft(&pool, &projects, tell).await?;
        Ok(Report { projects })
    }

    /// One project, from its file to its smoke run.
    async fn one(
        &self,
        kept: &Kept,
        source: &Source,
        known: Option<Row>,
        id: String,
        tell: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<Standing, IntakeError> {
        let standing = match self.found(kept, source, known, &id).await? {
            Found::Known(row) => Standing::of(*row, self.profile),
            Found::Unknown(row) => Standing { outcome: Outcome::Unmeasured, ..Standing::of(*row, self.profile) },
        };
        tell(News::Measured(&standing));
        Ok(standing)
    }

    async fn found(&self, kept: &Kept, source: &Source, known: Option<Row>, id: &str) -> Result<Found, IntakeError> {
        let failed = |fault| {
            let mut row = Row::new(id, &source.file, String::new());
            row.gates.push(fault);
            Box::new(row)
        };
        let bytes = match self.bytes(source).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(fault)) => return Ok(Found::Known(failed(fault))),
            Err(fault) => return Ok(Found::Unknown(failed(fault))),
        };
        let licence = match licence::of(source, self.licence) {
            Ok(licence) => licence,
            Err(fault) => return Ok(Found::Known(failed(fault))),
        };
        let sha256 = sha256_hex(&bytes);
        let mut row = match known {
            Some(row) if row.sha256 == sha256 => Row { licence: Some(licence), ..row },
            known => {
                if let Some(old) = &known {
                    kept.drop(old);
                }
                let mut row = Row { licence: Some(licence), ..Row::new(id, &source.file, sha256) };
                match self.measure(&mut row, &bytes).await? {
                    Ok(golden) => kept.put(&row, golden.as_deref(), None)?,
                    Err(fault) => {
                        row.gates.push(fault);
                        return Ok(Found::Unknown(Box::new(row)));
                    }
                }
                row
            }
        };
        if Standing::of(row.clone(), self.profile).outcome == Outcome::Taken && row.smoke.is_none() {
            let Some(golden) = kept.golden(&row) else { return Ok(Found::Unknown(Box::new(row))) };
            match self.player().smoke(&bytes, &golden).await {
                Ok(smoked) => {
                    row.gates.extend(smoked.faults);
                    row.smoke = smoked.smoke;
                    kept.put(&row, None, smoked.picture.as_deref())?;
                }
                Err(PlayError::Ended) => return Err(PlayError::Ended.into()),
                Err(error) => {
                    row.gates.push(Fault::new(error.code(), error.to_string()));
                    return Ok(Found::Unknown(Box::new(row)));
                }
            }
        }
        Ok(Found::Known(Box::new(row)))
    }

    /// The file's bytes; of a text, those of the project built from it. The outer error says nothing of the project.
    async fn bytes(&self, source: &Source) -> Result<Result<Vec<u8>, Fault>, Fault> {
        if source.kind == SourceKind::File {
            return Ok(bytes_of(&source.file));
        }
        let fault = |error: &BuildError| Fault::new(error.code(), error.to_string());
        match self.bench.build(&source.file).await {
            Ok(sb3) => Ok(Ok(sb3)),
            // A text that the editor did not build in time may be built on a machine with less to do.
            Err(error) if error.is_broken() => Err(fault(&error)),
            Err(error) => Ok(Err(fault(&error))),
        }
    }

    /// Gates and counts. The inner error says nothing of the project; the bytes are those of the normalised one, where there is one.
    async fn measure(&self, row: &mut Row, bytes: &[u8]) -> Result<Result<Option<Vec<u8>>, Fault>, IntakeError> {
        if !examine::before_loading(row, bytes) {
            return Ok(Ok(None));
        }
        match told(self.judges.load(bytes).await) {
            Ok(Ok(original)) => {
                let project = examine::after_loading(row, bytes, original);
                match project.write() {
                    Ok(golden) => Ok(Ok(Some(golden))),
                    Err(error) => {
                        row.gates.push(Fault::new(error.code(), error.to_string()));
                        Ok(Ok(None))
                    }
                }
            }
            Ok(Err(fault)) => {
                row.gates.push(fault);
                Ok(Ok(None))
            }
            Err(PlayError::Ended) => Err(PlayError::Ended.into()),
            Err(error) => Ok(Err(Fault::new(error.code(), error.to_string()))),
        }
    }

    const fn player(&self) -> Player<'_> {
        Player { judges: self.judges, sources: self.player }
    }

    /// Drafts the records of projects that have none. One that a person has written takes the place of a draft, too.
    async fn draft(
        &self,
        pool: &Pool,
        projects: &[Standing],
        tell: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<(), IntakeError> {
        let mut wanting = Vec::new();
        for standing in projects.iter().filter(|standing| standing.outcome == Outcome::Taken) {
            let noted: Option<ReferenceRecord> = pool.noted(&standing.row.id, RECORD)?;
            let is_draft = noted.as_ref().is_some_and(|record| record.status == RecordStatus::Draft);
            if noted.is_none() || (is_draft && written::is_beside(&standing.row)) {
                wanting.push(&standing.row);
            }
        }
        tell(News::Drafting(wanting.len()));
        let one = |row| self.record(pool, row, tell);
        stream::iter(wanting.into_iter().map(one)).buffer_unordered(self.lanes.max(1)).try_collect().await
    }

    async fn record(&self, pool: &Pool, row: &Row, tell: &(dyn Fn(News<'_>) + Sync)) -> Result<(), IntakeError> {
        let project: Project = pool.golden(&row.id)?;
        if !has_written(pool, row, &project)? {
            self.drafted(pool, row, &project).await?;
        }
        tell(News::Drafted(&row.id));
        Ok(())
    }

    async fn drafted(&self, pool: &Pool, row: &Row, project: &Project) -> Result<(), IntakeError> {
        let facts = Facts::of(&project.json, &Reach::of(&project.json));
        match hooks::of(&self.player(), project, &facts).await {
            Ok(hooks) => {
                let drafted = draft::draft(&row.id, &project.json, &facts, &row.tags, hooks);
                // Somebody may have written one while the hooks were played.
                let _lock = pool.lock()?;
                let noted: Option<ReferenceRecord> = pool.noted(&row.id, RECORD)?;
                if noted.is_none_or(|noted| noted.status == RecordStatus::Draft) {
                    pool.note(&row.id, RECORD, &drafted)?;
                }
            }
            Err(PlayError::Ended) => return Err(PlayError::Ended.into()),
            Err(error) => tracing::warn!(%error, id = row.id, "no record is drafted; the next scan tries it again"),
        }
        Ok(())
    }
}

/// Takes the record that lies beside a project, if there is one; of one that was confirmed of another state of the project, what is
/// written. Whether the project has a record then that no draft may replace.
fn has_written(pool: &Pool, row: &Row, project: &Project) -> Result<bool, IntakeError> {
    match written::of(row, &project.json) {
        Some(Ok(record)) => {
            let (record, doubt) = record.counted(&pool.entry(&row.id)?.sha256);
            if let Some(doubt) = doubt {
                tracing::warn!(id = row.id, "the record beside the project: {doubt}");
            }
            let _lock = pool.lock()?;
            let noted: Option<ReferenceRecord> = pool.noted(&row.id, RECORD)?;
            // Somebody may have confirmed the draft meanwhile.
            if noted.is_none_or(|noted| noted.status == RecordStatus::Draft) {
                pool.note(&row.id, RECORD, &record)?;
            }
        }
        Some(Err(reason)) => {
            tracing::warn!(reason, id = row.id, "the record beside the project is not taken");
            // What is there may have been edited since it was drafted.
            return Ok(pool.noted::<ReferenceRecord>(&row.id, RECORD)?.is_some());
        }
        None => return Ok(false),
    }
    Ok(true)
}

/// A name for a folder that no other project has: lower case letters, digits and `_`.
fn free_id(name: &str, taken: &mut BTreeSet<String>) -> String {
    let letters = name.to_lowercase();
    let words: Vec<&str> =
        letters.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let plain = if words.is_empty() { "project".to_owned() } else { words.join("_") };
    let plain: String = plain.chars().take(60).collect();
    let mut id = plain.clone();
    let mut number = 2;
    while !taken.insert(id.clone()) {
        id = format!("{plain}_{number}");
        number += 1;
    }
    id
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::bugs::PoolEntry;

    #[test]
    fn a_record_that_was_confirmed_of_another_project_is_taken_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut pool = Pool::create(&folder.path().join("pool"), "none").unwrap();
        let stage = json!({"isStage": true, "name": "Stage", "variables": {}, "lists": {}, "blocks": {}});
        let project = Project { json: json!({"targets": [stage]}), assets: BTreeMap::new() };
        let cases = [
            ("same", Some("its digest"), RecordStatus::Confirmed, 1),
            ("changed", Some("another digest"), RecordStatus::Written, 0),
            ("old", None, RecordStatus::Written, 0),
        ];
        for (id, sha256, status, by) in cases {
            let entry = PoolEntry { id: id.to_owned(), sha256: "its digest".to_owned(), group: id.to_owned() };
            pool.add(entry, b"gold").unwrap();
            let mut record = json!({
                "format": 1, "project": id, "status": "confirmed", "by": ["ben"], "written_by": ["ada"], "tags": [],
                "goal": {"text": "", "terms": []}, "sprites": [], "loop": [], "hooks": [], "state_signals": [],
            });
            if let Some(sha256) = sha256 {
                record["sha256"] = json!(sha256);
            }
            let file = folder.path().join(format!("{id}.sb3"));
            fs::write(file.with_extension("record.json"), record.to_string()).unwrap();
            assert!(has_written(&pool, &Row::new(id, &file, String::new()), &project).unwrap());
            let taken: ReferenceRecord = pool.noted(id, RECORD).unwrap().unwrap();
            assert_eq!((taken.status, taken.by.len(), taken.written_by.len()), (status, by, 1), "{id}");
            assert_eq!(taken.sha256.is_some(), by > 0);
        }
    }

    #[test]
    fn names_of_folders_are_plain_and_each_is_free() {
        let mut taken = BTreeSet::new();
        let mut free = |name: &str| free_id(name, &mut taken);
        assert_eq!(
            [free("5 Dance-Party!"), free("5_dance party"), free("…"), free("../etc")],
            ["5_dance_party", "5_dance_party_2", "project", "etc"]
        );
    }
}
