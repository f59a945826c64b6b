//! What the benchmarks of single questions share on the command line: who answers, how often, where it is kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::model::{ModelArgs, ModelName, Preset};
use super::output::{Output, bar, progress};
use super::program::ProgramArgs;
use crate::agent::{Asker, ModelAsker, ProcessAsker};
use crate::model::{RUN_FORMAT, TrialOutcome, TrialRecord, TrialRun};
use crate::runner::trials::{Benchmark, Counted, Manner, Progress, TrialsError, run};
use crate::store::TrialDir;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgentName {
    /// Knows the answers: shows that all items can be done.
    Oracle,
    /// Guesses.
    Random,
    /// Names blocks by the middles of their boxes; drags only.
    Centre,
    /// A model behind an endpoint: see --endpoint and --model.
    Model,
    /// A program: see --command.
    Command,
}

/// Who answers, and how often.
#[derive(Debug, Args)]
pub struct TrialArgs {
    /// Who answers.
    #[arg(long, value_enum)]
    pub agent: AgentName,
    /// Base address of the model's endpoint, such as http://localhost:8000/v1.
    #[arg(long, value_name = "URL", required_if_eq("agent", "model"))]
    endpoint: Option<String>,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME", required_if_eq("agent", "model"))]
    model: Option<String>,
    #[command(flatten)]
    manner: ModelArgs,
    /// The program, as `sh` reads it. It gets the question as a JSON object on standard input and prints its answer.
    #[arg(long, value_name = "COMMAND", required_if_eq("agent", "command"))]
    command: Option<String>,
    #[command(flatten)]
    running: ProgramArgs,
    /// Attempts at each item.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub attempts: u32,
    /// Decides what chance decides.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Go on with an earlier run, which must have been asked for in the same way: what it has recorded is not done
    /// again, save what the testbed spoiled.
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// With --resume: make the trials again whose call failed, because the model or the program was not there.
    #[arg(long, requires = "resume")]
    pub retry_failed_calls: bool,
}

/// What a run is of.
#[derive(Debug)]
pub struct Plan {
    /// The benchmark's name.
    pub benchmark: &'static str,
    /// What items are shown with.
    pub setting: String,
    /// What else decides the answers.
    pub options: Value,
    /// Digest of the items.
    pub set: String,
    /// The items, in order.
    pub items: Vec<String>,
}

impl TrialArgs {
    /// The agent's name in records.
    pub fn agent_name(&self) -> String {
        let name = match self.agent {
            AgentName::Oracle => "oracle",
            AgentName::Random => "random",
            AgentName::Centre => "centre",
            AgentName::Model => self.model.as_deref().unwrap_or_default(),
            AgentName::Command => self.command.as_deref().unwrap_or_default(),
        };
        name.to_owned()
    }

    /// The model, if it is one that answers.
    pub fn model(&self) -> Option<ModelName> {
        let (endpoint, model) = self.endpoint.clone().zip(self.model.clone())?;
        (self.agent == AgentName::Model).then_some(ModelName { endpoint, model })
    }

    /// Whoever is asked; none for built-in agents. Where the user says nothing about the way of answering, `preset`
    /// holds. `url` is where programs find the sessions of trials.
    pub fn asker(&self, preset: &Preset, url: Option<&str>) -> Result<Option<Arc<dyn Asker>>, Failure> {
        if let Some(name) = self.model() {
            let client = self.manner.client(&name, preset);
            let client =
                client.map_err(|error| Failure::of(Status::Input, error.code(), &error).hinted_by(error.hint()))?;
            return Ok(Some(Arc::new(ModelAsker::new(client))));
        }
        let Some(command) = self.command.as_deref().filter(|_| self.agent == AgentName::Command) else {
            return Ok(None);
        };
        let program = self.running.program(command);
        let program = match url {
            Some(url) => program.with("SCRATCHBED_URL", url),
            None => program,
        };
        Ok(Some(Arc::new(ProcessAsker::new(program, self.running.limit()))))
    }

    /// What records say of the agent beside its name.
    pub fn told(&self, preset: &Preset) -> Value {
        match self.model() {
            Some(name) => self.manner.told(&name, preset),
            None if self.agent == AgentName::Random => json!({"seed": self.seed}),
            None => Value::Null,
        }
    }

    /// A new folder below `runs`, or that of the run to go on with, which must be the same one.
    pub fn dir(&self, runs: &Path, plan: Plan) -> Result<TrialDir, Failure> {
        let started_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        let unique = uuid::Uuid::new_v4().simple().to_string();
        let agent = self.agent_name();
        // A command line says too much for the name of a folder.
        let name = if self.agent == AgentName::Command { "command" } else { agent.as_str() };
        let readable: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).take(40).collect();
        let run = TrialRun {
            format: RUN_FORMAT,
            id: format!("{started_at:.0}-{readable}-{}-{}", plan.setting, &unique[..6]),
            started_at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: plan.benchmark.to_owned(),
            agent,
            setting: plan.setting,
            options: plan.options,
            set: plan.set,
            attempts: self.attempts,
            items: plan.items,
        };
        match &self.resume {
            Some(path) => resumed(path, &run),
            None => Ok(TrialDir::create(&runs.join(plan.benchmark), run)?),
        }
    }
}

/// Makes what is left of a run, `jobs` trials at a time, with a bar.
pub async fn carry_out<B: Benchmark>(
    benchmark: &B,
    dir: &TrialDir,
    jobs: u8,
    retry_failed_calls: bool,
) -> Result<Vec<TrialRecord<B::Detail>>, TrialsError> {
    let trials = dir.run().items.len() as u64 * u64::from(dir.run().attempts);
    let bar = bar(&dir.run().setting, trials);
    let manner = Manner { jobs: jobs.into(), retry_failed_calls };
    let records = run(benchmark, dir, manner, &|one| show(&bar, one)).await;
    bar.finish_and_clear();
    if let Ok(records) = &records {
        tell_failed_calls(records);
    }
    records
}

/// What failed calls said most often: a table of zeros does not tell that nobody answered.
fn tell_failed_calls<D>(records: &[TrialRecord<D>]) {
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.outcome == TrialOutcome::CallFailed) {
        *said.entry(record.error.as_deref().unwrap_or("no reason is known")).or_default() += 1;
    }
    if let Some((reason, times)) = said.into_iter().max_by_key(|(_, times)| *times) {
        progress(format!("calls failed, {times} of them so: {reason}"));
    }
}

fn show(bar: &ProgressBar, one: Progress<'_>) {
    bar.inc(1);
    if !one.before {
        bar.suspend(|| progress(format!("{} {} {}", one.item, one.attempt, one.outcome.name())));
    }
}

/// An earlier run, if it is of the same items, asked in the same way.
fn resumed(path: &Path, wanted: &TrialRun) -> Result<TrialDir, Failure> {
    let dir = TrialDir::resume(path)?;
    let then = dir.run();
    let differs = [
        ("the benchmark", then.benchmark != wanted.benchmark),
        ("the items or their projects", then.set != wanted.set || then.items != wanted.items),
        ("the agent", then.agent != wanted.agent),
        ("the setting", then.setting != wanted.setting),
        ("the number of attempts", then.attempts != wanted.attempts),
        ("the options", then.options != wanted.options),
    ];
    match differs.iter().find(|(_, differs)| *differs) {
        Some((what, _)) => {
            let message = format!("{} was asked for otherwise: {what} differ", path.display());
            let hint = "repeat the arguments of that run, or start a new one";
            Err(Failure::new(Status::Input, "run_differs", message).hinted(hint))
        }
        None => Ok(dir),
    }
}

/// Prints how trials ended.
pub fn say_outcomes(counts: &[Counted], out: Output) {
    let counts: Vec<String> = counts
        .iter()
        .filter(|counted| counted.count > 0)
        .map(|counted| format!("{} {}", counted.count, counted.outcome.name()))
        .collect();
    out.say(format!("outcomes  {}", counts.join(", ")));
}
