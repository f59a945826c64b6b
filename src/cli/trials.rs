//! What the benchmarks of single questions share on the command line: who answers, how often, where it is kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::model::{ModelArgs, ModelName, Preset};
use super::output::{Output, bar, progress};
use super::program::ProgramArgs;
use crate::agent::{Asker, ModelAsker, ProcessAsker};
use crate::experiment::trials::{Benchmark, Counted, Manner, Progress, TrialsError, run};
use crate::model::{Coded, RUN_FORMAT, TrialOutcome, TrialRecord, TrialRun, run_name, unix_seconds};
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
    /// What records and reports call the program; its command line unless it is said.
    #[arg(long, value_name = "NAME", requires = "command", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: Option<String>,
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
            AgentName::Command => self.name.as_deref().or(self.command.as_deref()).unwrap_or_default(),
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
            // Else it is the name.
            None if self.name.is_some() => json!({"command": self.command}),
            None => Value::Null,
        }
    }

    /// A new folder below `runs`, or that of the run to go on with, which must be the same one.
    pub fn dir(&self, runs: &Path, plan: Plan) -> Result<TrialDir, Failure> {
        let agent = self.agent_name();
        // A command line says too much for the name of a folder.
        let is_line = self.agent == AgentName::Command && self.name.is_none();
        let readable = if is_line { "command".to_owned() } else { agent.clone() };
        let benchmark = plan.benchmark;
        let run = plan.run(agent, &readable, self.attempts);
        match &self.resume {
            Some(path) => resumed(path, &run),
            None => Ok(TrialDir::create(&runs.join(benchmark), run)?),
        }
    }
}

impl Plan {
    /// A new run of it. `readable` stands in the name of its folder.
    pub fn run(self, agent: String, readable: &str, attempts: u32) -> TrialRun {
        let started_at = unix_seconds();
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let readable: String = readable.chars().map(plain).take(40).collect();
        TrialRun {
            format: RUN_FORMAT,
            id: run_name(started_at, &format!("{readable}-{}", self.setting)),
            started_at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: self.benchmark.to_owned(),
            agent,
            setting: self.setting,
            options: self.options,
            set: self.set,
            attempts,
            items: self.items,
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
    let widest = dir.run().items.iter().map(String::len).max().unwrap_or_default().max("item".len());
    bar.suspend(|| progress(line(["trial", "item", "attempt", "outcome", "reason"], widest)));
    let records = run(benchmark, dir, manner, &|one| show(&bar, widest, &one)).await;
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

fn show(bar: &ProgressBar, widest: usize, one: &Progress<'_>) {
    bar.inc(1);
    if !one.before {
        let done = format!("{}/{}", bar.position(), bar.length().unwrap_or_default());
        let (attempt, reason) = (one.attempt.to_string(), one.reason.as_deref().map(brief).unwrap_or_default());
        bar.suspend(|| progress(line([&done, one.item, &attempt, one.outcome.name(), &reason], widest)));
    }
}

/// A line about a trial; `widest` is the length of the longest item's name.
fn line([done, item, attempt, outcome, reason]: [&str; 5], widest: usize) -> String {
    format!("{done:>9}  {item:<widest$}  {attempt:>7}  {outcome:<11}  {reason}").trim_end().to_owned()
}

/// Letters of a reason that are shown; all of it is in the trial's record.
const LONGEST_REASON: usize = 100;

/// The beginning of a reason as one line: answers of models may have many, and must not pass for ours.
fn brief(reason: &str) -> String {
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = reason.chars().map(visible).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_one_line_below_its_head() {
        let head = line(["trial", "item", "attempt", "outcome", "reason"], 5);
        let failed = line(["3/24", "D_001", "1", "failed", &brief("said\n12/24  D_009  \u{1b}[2Jpassed")], 5);
        assert_eq!(head.find("outcome"), failed.find("failed"), "{head}\n{failed}");
        assert!(failed.starts_with("     3/24  D_001        1  failed ") && failed.lines().count() == 1, "{failed}");
        assert!(!failed.contains('\u{1b}'));
        assert_eq!(line(["3/24", "D_001", "1", "passed", ""], 5).split_whitespace().last(), Some("passed"));
        assert_eq!(brief(&"é".repeat(500)).chars().count(), LONGEST_REASON + 1);
    }
}
