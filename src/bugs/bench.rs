//! A benchmark of faults: instances with what may be seen of them and what judges them.

use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pool::{Licence, read_json, read_project, write, write_json};
use super::{BugsError, Folds, ReferenceRecord};
use crate::model::{Suite, sha256_hex};
use crate::project::Project;
use crate::project::edit::Edit;

/// Version of the format of benchmarks and their instances.
const FORMAT: u32 = 1;
/// How files begin that are not written to their end.
const DRAFT: &str = ".tmp";
/// The index of a benchmark.
const INDEX: &str = "benchmark.json";
/// The record of an instance's project.
const RECORD: &str = "record.json";
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
}

/// An instance in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceEntry {
    pub id: String,
    /// The project of the pool that it was made of.
    pub project: String,
    /// Projects of one group stay in the same fold.
    pub group: String,
    pub pattern: String,
    pub operator: String,
    pub difficulty: Difficulty,
    /// SHA-256 of the buggy project and of the suite.
    pub buggy: String,
    pub suite: String,
}

/// How hard a fault is to find (section 3.6): 0 to 2 points, 3 and 4, 5 to 7.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// What a model or an agent is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugReport {
    /// What is seen.
    pub symptom: String,
    /// What should be seen.
    pub expected: String,
    /// The inputs that lead there, in their order.
    pub reproduce: Vec<String>,
}

/// Where a fault is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The target's name; the stage is `Stage`.
    pub sprite_id: String,
    /// Id of the script's first block in the gold project.
    pub script: String,
    /// Id of the block that the fault is at, in the gold project.
    pub block_id: String,
    /// Script, place in its stack, and mouths around it.
    pub path: String,
}

/// What a small repair looks like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// Edits of the inverse patch.
    pub max_edits: usize,
    /// Ids of the first blocks of the scripts that it touches.
    pub region: Vec<String>,
    /// What no repair needs to touch.
    pub protected: Vec<String>,
}

/// Digests by which a suite and its traces can be told to be current.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TruthHashes {
    pub golden: String,
    pub buggy: String,
    /// What judged.
    pub engine: String,
}

/// What a fault is: never shown to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub format: u32,
    pub id: String,
    pub pattern: String,
    pub operator: String,
    pub difficulty: Difficulty,
    pub site: Site,
    /// From the gold project to the buggy one.
    pub forward: Vec<Edit>,
    /// Back again, to the byte.
    pub inverse: Vec<Edit>,
    pub constraints: Constraints,
    /// Signals that the state of gold is in, of which drift is the mean (section 5.5); none in older benchmarks, where gold's facts tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state_signals: Vec<String>,
    pub hashes: TruthHashes,
}

/// One instance with all that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub entry: InstanceEntry,
    pub buggy: Vec<u8>,
    pub golden: Vec<u8>,
    pub report: BugReport,
    pub truth: Truth,
    pub suite: Suite,
    /// What the project is for, if its pool has a record of it: summaries are scored with it.
    pub record: Option<ReferenceRecord>,
    pub licence: Licence,
    /// How it was forged: what was tried before, and why it was discarded.
    pub forge: Value,
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
        write(&public.join("buggy.sb3"), &instance.buggy)?;
        write_json(&public.join("report.json"), &instance.report)?;
        write_json(&public.join("licence.json"), &instance.licence)?;
        write(&truth.join("golden.sb3"), &instance.golden)?;
        write_json(&truth.join("truth.json"), &instance.truth)?;
        write_json(&truth.join("suite.json"), &instance.suite)?;
        write_json(&truth.join("forge.json"), &instance.forge)?;
        if let Some(record) = &instance.record {
            write_json(&truth.join(RECORD), record)?;
        }
        self.index.instances.retain(|known| known.id != *id);
        self.index.instances.push(instance.entry.clone());
        self.index.instances.sort_by(|one, other| one.id.cmp(&other.id));
        self.save()
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
        Ok(Instance {
            entry,
            buggy: read(public.join("buggy.sb3"))?,
            golden: read(truth.join("golden.sb3"))?,
            report: read_json(&public.join("report.json"))?,
            truth: read_json(&truth.join("truth.json"))?,
            suite: Suite::read(&text).map_err(|message| BugsError::Malformed { file: suite, message })?,
            record: if truth.join(RECORD).is_file() { Some(read_json(&truth.join(RECORD))?) } else { None },
            licence: read_json(&public.join("licence.json"))?,
            forge: read_json(&truth.join("forge.json"))?,
        })
    }

    /// The buggy project of an instance.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn buggy(&self, id: &str) -> Result<Project, BugsError> {
        self.entry(id)?;
        read_project(&self.public(id).join("buggy.sb3"))
    }

    /// What is told of an instance.
    ///
    /// # Errors
    /// As [`Bench::buggy`].
    pub fn report(&self, id: &str) -> Result<BugReport, BugsError> {
        self.entry(id)?;
        read_json(&self.public(id).join("report.json"))
    }
}
