//! Instances as tasks: each becomes a `debug` task of a pack, whose instruction is the report and whose judge is the suite, so that agents
//! mend the fault in the editor (ScratchEval, section 10.7).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::bugs::{BugReport, BugsError, Difficulty, Instance, write};
use crate::model::{
    ActionCall, Blame, Category, Coded, Limits, OracleFiles, Scenario, StageSize, StepLimits, Suite, Task, TaskId,
    TaskIdError,
};
use crate::taskset::{Contract, EvaluationSources, ORACLE_FILE, PACK_FILE, PACK_FORMAT, Pack, SPLITS_FILE};

/// Decisions of an agent, in either mode.
const STEPS: u32 = 50;
/// Seconds of an attempt.
const WALL_S: u32 = 1800;
/// Milliseconds of a tick, rounded up, and what a suite may take beyond its scenarios.
const TICK_MS: u64 = 34;
const SLACK_MS: u64 = 10_000;
/// What the pack's judges are: the suite stands in it as a JSON literal.
pub const JUDGE: &str = include_str!("../../assets/task-templates/bug-judge.js");
/// The place of the suite in it.
const SUITE: &str = "const suite = SUITE;";

/// What can't be written as a pack.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error(transparent)]
    Bugs(#[from] BugsError),
    /// An instance whose name can't be a task's.
    #[error(transparent)]
    Name(#[from] TaskIdError),
    /// Something is there that is no pack of ours.
    #[error("{0} is there already")]
    Taken(PathBuf),
}

impl Coded for PackError {
    fn code(&self) -> &str {
        match self {
            Self::Bugs(error) => error.code(),
            Self::Name(_) => "instance_name",
            Self::Taken(_) => "pack_taken",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Taken(_) => Some("name a folder that does not exist".to_owned()),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// An instance with what a task needs beyond it.
#[derive(Debug, Clone)]
pub struct Solved {
    pub instance: Instance,
    /// Composite calls that mend the fault, tried in the editor.
    pub oracle: Vec<ActionCall>,
    /// Blocks by which the buggy project differs from gold, from 1.
    pub changed_blocks: u32,
    /// Errors that gold writes to the console when the suite is played to it whole.
    pub errors: BTreeSet<String>,
}

/// Writes instances as a pack into a new folder, with the helpers that its judges require.
///
/// # Errors
/// When the folder is there, or can't be written.
pub fn pack(name: &str, all: &[Solved], judge: &EvaluationSources, out: &Path) -> Result<(), PackError> {
    if out.exists() {
        return Err(PackError::Taken(out.to_owned()));
    }
    let scripts = out.join("eval-scripts");
    for helper in &judge.helpers {
        write(&scripts.join(&helper.name), helper.source.as_bytes())?;
    }
    let mut splits: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for solved in all {
        let (instance, task) = (&solved.instance, task(solved)?);
        let folder = out.join("tasks").join(task.category.as_ref()).join(task.id.as_str());
        write(&folder.join(&task.initial), &instance.buggy)?;
        write(&folder.join(&task.golden), &instance.golden)?;
        write(&folder.join(ORACLE_FILE), &pretty(&json!(solved.oracle)))?;
        write(&folder.join("task.json"), &pretty(&json!(task)))?;
        write(&scripts.join(format!("{}.js", task.evaluation)), script(&instance.suite, &solved.errors).as_bytes())?;
        splits.entry(instance.entry.pattern.clone()).or_default().push(task.id.as_str().to_owned());
    }
    write(&out.join("tasks").join(SPLITS_FILE), &pretty(&json!(splits)))?;
    let pack = Pack {
        format: PACK_FORMAT,
        name: format!("Faults of {name}"),
        source: format!("forged by scratchbed {}", env!("CARGO_PKG_VERSION")),
        contract: Contract::default(),
        stage: StageSize::Large,
        prelude: None,
        import: None,
    };
    // Last: a folder without it is no pack.
    write(&out.join(PACK_FILE), &pretty(&json!(pack)))?;
    Ok(())
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// Scenarios that are played for what a program writes to the console alone: a score is reckoned from all of them at full length.
fn heard(suite: &Suite) -> Vec<&Scenario> {
    let guarded = suite.guarded();
    suite.beyond_asserted().into_iter().filter(|scenario| !guarded.contains(scenario)).collect()
}

/// The judge of a suite: its JSON is a JavaScript literal.
fn script(suite: &Suite, errors: &BTreeSet<String>) -> String {
    let mut parts = json!({"every": suite.every, "scenarios": suite.asserted(), "assertions": suite.assertions});
    if let Some(seed) = suite.seeds.first().filter(|_| !suite.guards.is_empty()) {
        parts["guards"] = json!({"scenarios": suite.guarded(), "seed": seed, "all": suite.guards});
    }
    parts["console"] = json!({"seed": suite.seeds.first(), "scenarios": heard(suite), "known": errors});
    JUDGE.replace(SUITE, &format!("const suite = {parts};"))
}

/// The name of the task that is made of an instance.
pub fn task_of(instance: &str) -> String {
    instance.replace('-', "_")
}

fn task(Solved { instance, changed_blocks, .. }: &Solved) -> Result<Task, TaskIdError> {
    let id: TaskId = task_of(&instance.entry.id).parse()?;
    let suite = &instance.suite;
    let asserted = suite.asserted();
    let lengths = asserted.iter().chain(suite.guarded()).chain(heard(suite)).map(|scenario| scenario.length);
    let ms = |ticks: u64| u32::try_from(ticks * TICK_MS + SLACK_MS).unwrap_or(u32::MAX);
    Ok(Task {
        format: 1,
        category: Category::Debug,
        title: format!("A fault in {}", instance.entry.project.replace('_', " ")),
        instruction: instruction(&instance.report),
        base: None,
        initial: "buggy.sb3".to_owned(),
        golden: "golden.sb3".to_owned(),
        evaluation: id.as_str().to_owned(),
        id,
        oracle: Some(OracleFiles { composite: ORACLE_FILE.to_owned(), primitive: None }),
        limits: Limits {
            steps: StepLimits::same(STEPS),
            wall_s: WALL_S,
            case_ms: ms(lengths.clone().max().unwrap_or_default()),
            task_ms: ms(lengths.sum()),
        },
        stage: StageSize::Large,
        seeds: suite.seeds.clone(),
        difficulty: Some(match instance.entry.difficulty {
            Difficulty::Trivial => 1,
            Difficulty::Easy => 2,
            Difficulty::Medium => 3,
            Difficulty::Hard => 4,
        }),
        concepts: vec!["debugging".to_owned()],
        expected_changed_blocks: Some(*changed_blocks),
        second_solutions: Vec::new(),
        slow_solutions: Vec::new(),
    })
}

/// The report as an instruction.
fn instruction(report: &BugReport) -> String {
    let steps = report.reproduce.join(" ");
    format!(
        "This project has one fault. What is seen: {} What should be seen: {} To see it, do this: {steps} Find the fault and mend it with \
         as few changes as possible. Everything else should keep working as it does now.",
        report.symptom, report.expected
    )
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
