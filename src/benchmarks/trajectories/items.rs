//! The cases of a run: forged faults with their suites, or debug tasks with their evaluation scripts. Never both in one run: their figures
//! do not belong in one table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bugs::{Bench, BugsError, Instance};
use crate::certify::build_ends;
use crate::experiment::RunError;
use crate::forge::Plays;
use crate::judge::{Judges, engine};
use crate::model::{Blame, Coded as _, ItemId, sha256_hex};
use crate::project::Project;
use crate::taskset::{EvaluationSources, TaskEntry};
use crate::trajectory::{Case, CaseOracle, CaseReport, OracleError, ScriptOracle, SuiteOracle};

/// What tasks are grouped as.
const DEBUG: &str = "debug";

/// A case with what tables group it by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseItem {
    pub id: ItemId,
    /// The pattern of the fault; `debug` for a task.
    pub mechanism: String,
}

/// Where cases come from.
pub enum CaseSource {
    Faults(Box<Bench>),
    /// Tasks, and where projects are kept that were built from their texts.
    Tasks(Vec<TaskEntry>, PathBuf),
}

/// Cases that can be opened.
pub struct Cases {
    source: CaseSource,
    items: Vec<CaseItem>,
    judges: Judges,
    /// The script that plays scenarios.
    player: EvaluationSources,
}

impl Cases {
    /// The instances of a benchmark with these names, or all without any.
    ///
    /// # Errors
    /// When a name is none of an instance.
    pub fn of_faults(
        bench: Bench,
        ids: &[String],
        (judges, player): (Judges, EvaluationSources),
    ) -> Result<Self, BugsError> {
        let chosen = crate::benchmarks::repair::Item::chosen(&bench, ids)?;
        let items = chosen.into_iter().map(|item| CaseItem { id: item.id, mechanism: item.pattern }).collect();
        Ok(Self { source: CaseSource::Faults(Box::new(bench)), items, judges, player })
    }

    /// Debug tasks.
    pub fn of_tasks(entries: Vec<TaskEntry>, cache: PathBuf, (judges, player): (Judges, EvaluationSources)) -> Self {
        let item = |entry: &TaskEntry| {
            let id = entry.task.id.as_str().parse().ok()?;
            Some(CaseItem { id, mechanism: DEBUG.to_owned() })
        };
        let items = entries.iter().filter_map(item).collect();
        Self { source: CaseSource::Tasks(entries, cache), items, judges, player }
    }

    /// The cases, in the order of tables.
    pub fn items(&self) -> &[CaseItem] {
        &self.items
    }

    /// A case with its projects read; tasks are built in the editor, which may fail.
    ///
    /// # Errors
    /// When it can't be read.
    pub async fn open(&self, item: &ItemId) -> Result<Result<Case, OracleError>, RunError> {
        let wrong = |reason: String| RunError::Item { item: item.to_string(), reason };
        match &self.source {
            CaseSource::Faults(bench) => {
                let instance = bench.instance(item.as_str()).map_err(|error| wrong(error.to_string()))?;
                self.of_instance(instance).map(Ok).map_err(wrong)
            }
            CaseSource::Tasks(entries, cache) => {
                let entry = entries.iter().find(|entry| entry.task.id.as_str() == item.as_str());
                let entry = entry.ok_or_else(|| wrong("there is no such task".to_owned()))?;
                let ends = build_ends(self.judges.fleet(), cache, entry).await;
                match ends {
                    Ok(ends) => self.of_task(entry, &ends).map(Ok).map_err(wrong),
                    Err(error) if error.blame() == Blame::Testbed => Ok(Err(OracleError::Testbed(error.to_string()))),
                    Err(error) => Err(wrong(error.to_string())),
                }
            }
        }
    }

    fn of_instance(&self, instance: Instance) -> Result<Case, String> {
        let plays = Plays::of_suite(self.judges.clone(), self.player.clone(), &instance.suite);
        let told = instance.report.clone();
        let report = CaseReport {
            title: String::new(),
            symptom: told.symptom,
            expected: told.expected,
            trigger: told.reproduce,
        };
        let (id, mechanism) = (instance.entry.id.clone(), instance.entry.pattern.clone());
        let (buggy, golden) = (instance.buggy.clone(), instance.golden.clone());
        let oracle: Arc<dyn CaseOracle> = Arc::new(SuiteOracle::of(instance, plays));
        case((id, mechanism), report, (&buggy, &golden), oracle)
    }

    fn of_task(&self, entry: &TaskEntry, (initial, golden): &(Vec<u8>, Vec<u8>)) -> Result<Case, String> {
        let packed =
            |sb3: &[u8]| Project::read(sb3).and_then(|project| project.pack()).map_err(|error| error.to_string());
        let (buggy, golden) = (packed(initial)?, packed(golden)?);
        let oracle = ScriptOracle::of(entry.clone(), buggy.clone(), golden.clone(), self.judges.clone());
        let report = CaseReport { title: entry.task.instruction.clone(), ..CaseReport::default() };
        let id = entry.task.id.as_str().to_owned();
        case((id, DEBUG.to_owned()), report, (&buggy, &golden), Arc::new(oracle))
    }
}

fn case(
    (id, mechanism): (String, String),
    report: CaseReport,
    (buggy, golden): (&[u8], &[u8]),
    oracle: Arc<dyn CaseOracle>,
) -> Result<Case, String> {
    let read = |sb3: &[u8]| Project::read(sb3).map_err(|error| error.to_string());
    let hashes = BTreeMap::from([
        ("buggy".to_owned(), sha256_hex(buggy)),
        ("gold".to_owned(), sha256_hex(golden)),
        ("suite".to_owned(), oracle.digest()),
        ("engine".to_owned(), engine()),
    ]);
    Ok(Case { id, mechanism, report, buggy: read(buggy)?, golden: read(golden)?, oracle, hashes })
}
