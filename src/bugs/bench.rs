//! A benchmark of faults: instances with what may be seen of them and what judges them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::balance::{Unbalanced, unbalanced};
use super::canary::{read_public, write_public};
use super::instance::{Instance, InstanceEntry};
use super::pool::{read_json, read_project, write, write_json};
use super::report::BugReport;
use super::{BugsError, Folds, ReferenceRecord};
use crate::model::{Suite, sha256_hex};
use crate::project::Project;

/// Version of the format of benchmarks and their instances.
const FORMAT: u32 = 1;
/// How files begin that are not written to their end.
const DRAFT: &str = ".tmp";
/// The index of a benchmark.
const INDEX: &str = "benchmark.json";
/// The record of an instance's project.
const RECORD: &str = "record.json";
/// The public files of an instance: its project, what is told of it, and under which licence it comes.
pub const BUGGY: &str = "buggy.sb3";
const REPORT: &str = "report.json";
const LICENCE: &str = "licence.json";
/// Public as well, where the stage was drawn.
const PICTURES: &str = "pictures.json";
/// How it is parted.
const FOLDS: &str = "folds.json";

/// A folder of instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Bench {
    folder: PathBuf,
    index: BenchIndex,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchIndex {
    format: u32,
    name: String,
    /// Which thresholds the projects passed.
    profile: String,
    /// The figures by which it was forged.
    rules: Value,
    editor: String,
    engine: String,
    /// Digest of all that a score depends on.
    version: String,
    instances: Vec<InstanceEntry>,
    /// Patterns of which there are too few or too many, as they were when it was last forged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unbalanced: Vec<Unbalanced>,
}

impl Bench {
    /// Begins a benchmark without instances.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn create(folder: &Path, profile: &str, rules: Value, engine: &str, editor: &str) -> Result<Self, BugsError> {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut bench = Self {
            folder: folder.to_owned(),
            index: BenchIndex {
                format: FORMAT,
                name,
                profile: profile.to_owned(),
                rules,
                editor: editor.to_owned(),
                engine: engine.to_owned(),
                version: String::new(),
                instances: Vec::new(),
                unbalanced: Vec::new(),
            },
        };
        bench.save()?;
        Ok(bench)
    }

    /// Opens a benchmark.
    ///
    /// # Errors
    /// When there is none, or its index is broken.
    pub fn open(folder: &Path) -> Result<Self, BugsError> {
        if !folder.join(INDEX).is_file() {
            return Err(BugsError::NoBench(folder.to_owned()));
        }
        Ok(Self { folder: folder.to_owned(), index: read_json(&folder.join(INDEX))? })
    }

    /// Removes what a killed process had half written.
    ///
    /// # Errors
    /// When a folder can't be read.
    pub fn sweep(&self) -> Result<(), BugsError> {
        let mut open = vec![self.folder.clone()];
        while let Some(folder) = open.pop() {
            let failed = |source| BugsError::File { file: folder.clone(), source };
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                let is_draft = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(DRAFT));
                if path.is_dir() {
                    open.push(path);
                } else if is_draft {
                    fs::remove_file(&path).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    pub fn name(&self) -> &str {
        &self.index.name
    }

    pub fn profile(&self) -> &str {
        &self.index.profile
    }

    /// The figures by which it was forged.
    pub const fn rules(&self) -> &Value {
        &self.index.rules
    }

    /// Digest of what judged.
    pub fn engine(&self) -> &str {
        &self.index.engine
    }

    /// Digest of all that a score depends on.
    pub fn version(&self) -> &str {
        &self.index.version
    }

    /// The instances, sorted by id.
    pub fn entries(&self) -> &[InstanceEntry] {
        &self.index.instances
    }

    /// The entry of an instance.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn entry(&self, id: &str) -> Result<&InstanceEntry, BugsError> {
        let known = self.index.instances.iter().find(|entry| entry.id == id);
        known.ok_or_else(|| BugsError::NoInstance { id: id.to_owned(), bench: self.folder.clone() })
    }

    /// What a model may see of an instance.
    pub fn public(&self, id: &str) -> PathBuf {
        self.folder.join("public").join(id)
    }

    /// What judges an instance.
    pub fn truth(&self, id: &str) -> PathBuf {
        self.folder.join("truth").join(id)
    }

    /// Writes an instance, and enters it last.
    ///
    /// # Errors
    /// When a file can't be written.
    pub fn add(&mut self, instance: &Instance) -> Result<(), BugsError> {
        let id = &instance.entry.id;
        let (public, truth) = (self.public(id), self.truth(id));
        write(&public.join(BUGGY), &instance.buggy)?;
        write_public(&public.join(REPORT), &instance.report)?;
        write_public(&public.join(LICENCE), &instance.licence)?;
        match &instance.pictures {
            Some(pictures) => write_public(&public.join(PICTURES), pictures)?,
            // Not those of an earlier instance of this name.
            None => drop(fs::remove_file(public.join(PICTURES))),
        }
        write(&truth.join("golden.sb3"), &instance.golden)?;
        write_json(&truth.join("truth.json"), &instance.truth)?;
        write_json(&truth.join("suite.json"), &instance.suite)?;
        write_json(&truth.join("forge.json"), &instance.forge)?;
        match &instance.record {
            Some(record) => write_json(&truth.join(RECORD), record)?,
            None => drop(fs::remove_file(truth.join(RECORD))),
        }
        self.index.instances.retain(|known| known.id != *id);
        self.index.instances.push(instance.entry.clone());
        self.index.instances.sort_by(|one, other| one.id.cmp(&other.id));
        self.save()
    }

    /// Takes out the instances of a project but for these.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn keep_of(&mut self, project: &str, ids: &[&str]) -> Result<(), BugsError> {
        self.index.instances.retain(|known| known.project != project || ids.contains(&known.id.as_str()));
        self.save()
    }

    /// Notes of these patterns which ones it is not balanced in, and returns them.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn balance(&mut self, patterns: &[String]) -> Result<&[Unbalanced], BugsError> {
        let found = unbalanced(&self.index.instances, patterns);
        if found != self.index.unbalanced {
            self.index.unbalanced = found;
            self.save()?;
        }
        Ok(&self.index.unbalanced)
    }

    /// What a project came to before, if it was gone through.
    ///
    /// # Errors
    /// When its file is broken.
    pub fn done<T: DeserializeOwned>(&self, project: &str) -> Result<Option<T>, BugsError> {
        let file = self.folder.join("projects").join(format!("{project}.json"));
        if file.is_file() { read_json(&file).map(Some) } else { Ok(None) }
    }

    /// Notes what a project came to.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn note_done<T: Serialize>(&self, project: &str, done: &T) -> Result<(), BugsError> {
        write_json(&self.folder.join("projects").join(format!("{project}.json")), done)
    }

    /// Parts the benchmark, and writes that down beside it.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn fold(&self) -> Result<Folds, BugsError> {
        let folds = Folds::of(&self.index.instances, &self.index.version);
        write_json(&self.folder.join(FOLDS), &folds)?;
        Ok(folds)
    }

    /// How it was parted, if it was.
    ///
    /// # Errors
    /// When the file is broken.
    pub fn folds(&self) -> Result<Option<Folds>, BugsError> {
        let file = self.folder.join(FOLDS);
        if file.is_file() { read_json(&file).map(Some) } else { Ok(None) }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn save(&mut self) -> Result<(), BugsError> {
        let parts = serde_json::json!([self.index.rules, self.index.engine, self.index.editor, self.index.instances]);
        self.index.version = sha256_hex(parts.to_string().as_bytes());
        write_json(&self.folder.join(INDEX), &self.index)
    }

    /// Reads an instance.
    ///
    /// # Errors
    /// When there is none of this id, or a file of it is missing or broken.
    pub fn instance(&self, id: &str) -> Result<Instance, BugsError> {
        let entry = self.entry(id)?.clone();
        let (public, truth) = (self.public(id), self.truth(id));
        let suite = truth.join("suite.json");
        let read = |file: PathBuf| fs::read(&file).map_err(|source| BugsError::File { file, source });
        let text = String::from_utf8_lossy(&read(suite.clone())?).into_owned();
        // First: a suite of an older format says that the benchmark has to be forged again.
        let suite = Suite::read(&text).map_err(|message| BugsError::Malformed { file: suite, message })?;
        let golden = read(truth.join("golden.sb3"))?;
        let record: Option<ReferenceRecord> =
            if truth.join(RECORD).is_file() { Some(read_json(&truth.join(RECORD))?) } else { None };
        // What was confirmed of another project is not confirmed of this one.
        let record = record.map(|record| record.counted(&sha256_hex(&golden)).0);
        Ok(Instance {
            entry,
            buggy: read(public.join(BUGGY))?,
            golden,
            report: read_public(&public.join(REPORT))?,
            pictures: if public.join(PICTURES).is_file() { Some(read_public(&public.join(PICTURES))?) } else { None },
            truth: read_json(&truth.join("truth.json"))?,
            suite,
            record,
            licence: read_public(&public.join(LICENCE))?,
            forge: read_json(&truth.join("forge.json"))?,
        })
    }

    /// The public files of an instance, by their names: all that whoever is tested on it may have.
    ///
    /// # Errors
    /// When there is no instance of this id, or a file of it can't be read.
    pub fn public_files(&self, id: &str) -> Result<Vec<(&'static str, Vec<u8>)>, BugsError> {
        self.entry(id)?;
        let read = |name: &'static str| {
            let file = self.public(id).join(name);
            fs::read(&file).map(|content| (name, content)).map_err(|source| BugsError::File { file, source })
        };
        let drawn = [PICTURES].into_iter().filter(|name| self.public(id).join(name).is_file());
        [BUGGY, REPORT, LICENCE].into_iter().chain(drawn).map(read).collect()
    }

    /// The buggy project of an instance.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn buggy(&self, id: &str) -> Result<Project, BugsError> {
        self.entry(id)?;
        read_project(&self.public(id).join(BUGGY))
    }

    /// What is told of an instance.
    ///
    /// # Errors
    /// As [`Bench::buggy`].
    pub fn report(&self, id: &str) -> Result<BugReport, BugsError> {
        self.entry(id)?;
        read_public(&self.public(id).join(REPORT))
    }
}
