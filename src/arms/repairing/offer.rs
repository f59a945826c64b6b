//! What a server repairs: benchmarks by the names of their folders, and models by the names that the operator gave them; and from what a
//! caller asks for to the command line that makes it. Paths, endpoints and keys come from the operator alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches as _};
use toml::{Table, Value};

use crate::arms::hosting::check_key;
use crate::arms::trajectories::TrajectoriesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::model::{ModelArgs, ModelName};
use scratchbed::benchmarks::trajectories::{NewRepair, OfferedBenchmark, RepairAgent, RepairError};
use scratchbed::bugs::Bench;
use scratchbed::model::ControllerMode;

/// The flag that names the variable with a key.
const KEY: &str = "api-key-env";

/// All that may be asked for.
#[derive(Debug)]
pub struct Offer {
    benches: BTreeMap<String, (PathBuf, OfferedBenchmark)>,
    models: BTreeMap<String, Vec<String>>,
    /// Variables with keys of models.
    pub keys: Vec<String>,
}

/// The file that names models.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelsFile {
    #[serde(default)]
    models: BTreeMap<String, Table>,
}

impl Offer {
    /// Opens the benchmarks of a folder, and reads the models of a file.
    pub fn open(benches: &Path, models: Option<&Path>, ledger: &LedgerArgs) -> Result<Self, Failure> {
        let benches = opened(benches)?;
        let models = models.map(read_models).transpose()?.unwrap_or_default();
        let keys: Vec<String> = models
            .values()
            .flatten()
            .filter_map(|flag| flag.strip_prefix(&format!("--{KEY}="))?.to_owned().into())
            .collect();
        for key in &keys {
            check_key(key, ledger, "--repair-models")?;
        }
        Ok(Self { benches, models, keys })
    }

    /// The benchmarks.
    pub fn benchmarks(&self) -> Vec<OfferedBenchmark> {
        self.benches.values().map(|(_, offered)| offered.clone()).collect()
    }

    /// Names of models.
    pub fn models(&self) -> Vec<String> {
        self.models.keys().cloned().collect()
    }

    /// What is asked for with the names that were left out, and the flags of `repair run` that make it.
    pub fn flags(&self, mut wanted: NewRepair) -> Result<(NewRepair, Vec<String>), RepairError> {
        let bench = named(&self.benches, wanted.bench.as_deref(), ("bench", RepairError::UnknownBenchmark))?;
        let (folder, offered) = &self.benches[&bench];
        if !offered.cases.contains(&wanted.case) {
            return Err(RepairError::UnknownCase { bench, case: wanted.case });
        }
        wanted.bench = Some(bench);
        let mut flags = vec![
            format!("--bench={}", folder.display()),
            format!("--ids={}", wanted.case),
            format!("--mode={}", wanted.mode),
            format!("--agent={}", wanted.agent),
            format!("--profile={}", wanted.profile),
            format!("--retry-on={}", wanted.retry_on),
            // Of the process alone: sessions and other repairs use the host meanwhile.
            "--energy=vcpu".to_owned(),
        ];
        match (wanted.agent, &wanted.model) {
            (RepairAgent::Model, model) => {
                let model = named(&self.models, model.as_deref(), ("model", RepairError::UnknownModel))?;
                flags.extend(self.models[&model].iter().cloned());
                wanted.model = Some(model);
            }
            (agent, Some(_)) => return Err(RepairError::ModelNotAsked(agent)),
            (_, None) => {}
        }
        if wanted.mode == ControllerMode::Value && wanted.value_usd.is_none() {
            return Err(RepairError::Bad("the mode `value` needs `value_usd`".to_owned()));
        }
        let mut add = |flag: &str, value: Option<String>| flags.extend(value.map(|value| format!("--{flag}={value}")));
        add("seed", wanted.seed.map(|seed| seed.to_string()));
        add("value-usd", wanted.value_usd.map(|worth| worth.to_string()));
        add("max-leak", wanted.max_leak.map(|level| level.to_string()));
        add("max-attempts", wanted.budgets.attempts.map(|most| most.to_string()));
        add("max-usd", wanted.budgets.usd.map(|most| most.to_string()));
        add("max-run-tokens", wanted.budgets.tokens.map(|most| most.to_string()));
        check(&flags)?;
        Ok((wanted, flags))
    }
}

/// The name that is meant: the one that is given, or the only one that there is.
fn named<T>(
    all: &BTreeMap<String, T>,
    given: Option<&str>,
    (member, unknown): (&'static str, fn(String) -> RepairError),
) -> Result<String, RepairError> {
    match (given, all.keys().next()) {
        (Some(name), _) if all.contains_key(name) => Ok(name.to_owned()),
        (Some(name), _) => Err(unknown(name.to_owned())),
        (None, Some(only)) if all.len() == 1 => Ok(only.clone()),
        (None, _) => Err(RepairError::NameRequired { member, offered: all.len() }),
    }
}

/// Checks flags as the command would.
fn check(flags: &[String]) -> Result<(), RepairError> {
    let command = TrajectoriesArgs::augment_args(Command::new("repair").no_binary_name(true).disable_help_flag(true));
    let parsed = command.try_get_matches_from(flags).and_then(|matches| TrajectoriesArgs::from_arg_matches(&matches));
    let words = parsed.map_err(|error| {
        let text = error.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        RepairError::Bad(first.split_whitespace().collect::<Vec<_>>().join(" "))
    })?;
    let repairs = &words.repairs;
    let budget = repairs.run.budget.budget(repairs.model().as_deref());
    budget.map(drop).map_err(|failure| RepairError::Wrong {
        code: failure.code().to_owned(),
        message: failure.message().to_owned(),
        hint: failure.hint().map(str::to_owned),
    })
}

/// The benchmarks of a folder: it is one itself, or each folder in it is one.
fn opened(folder: &Path) -> Result<BTreeMap<String, (PathBuf, OfferedBenchmark)>, Failure> {
    let unreadable = |error: &std::io::Error| {
        Failure::new(Status::Input, "benches_unreadable", format!("{}: {error}", folder.display()))
            .hinted("name a folder of benchmarks, each as `scratchbed forge run` makes it")
    };
    // Processes have other current folders.
    let folder = folder.canonicalize().map_err(|error| unreadable(&error))?;
    let mut found = BTreeMap::new();
    if let Ok(bench) = Bench::open(&folder) {
        found.insert(name_of(&folder), (folder.clone(), offered(&folder, &bench)));
        return Ok(found);
    }
    for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&error))? {
        let path = entry.map_err(|error| unreadable(&error))?.path();
        if path.is_dir() && !name_of(&path).starts_with('.') {
            let bench = Bench::open(&path)?;
            found.insert(name_of(&path), (path.clone(), offered(&path, &bench)));
        }
    }
    if found.is_empty() {
        let failure = Failure::new(Status::Input, "no_benchmark", format!("{} has no benchmarks", folder.display()));
        return Err(failure.hinted("each folder in it is a benchmark, as `scratchbed forge run` makes it"));
    }
    Ok(found)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn offered(folder: &Path, bench: &Bench) -> OfferedBenchmark {
    let cases = bench.entries().iter().map(|entry| entry.id.clone()).collect();
    OfferedBenchmark { name: name_of(folder), version: bench.version().to_owned(), cases }
}

/// The flags of each model of a file, by the name that callers use.
fn read_models(path: &Path) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let bad = |reason: String| {
        Failure::new(Status::Input, "models_unreadable", format!("{}: {reason}", path.display())).hinted(
            "each `[models.NAME]` has `endpoint` and `model`, and settings by the names of the flags of `repair run`",
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let file: ModelsFile = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let known = ModelArgs::augment_args(ModelName::augment_args(Command::new("model").no_binary_name(true)));
    let mut models = BTreeMap::new();
    for (name, settings) in file.models {
        let flags: Vec<String> = settings.iter().map(|(key, value)| flag(key, value)).collect();
        let checked = known.clone().try_get_matches_from(&flags);
        checked.map_err(|error| {
            bad(format!("`{name}`: {}", error.render().to_string().lines().next().unwrap_or_default()))
        })?;
        models.insert(name, flags);
    }
    Ok(models)
}

fn flag(key: &str, value: &Value) -> String {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Table(table) => serde_json::to_string(table).unwrap_or_default(),
        other => other.to_string(),
    };
    format!("--{}={value}", key.replace('_', "-"))
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;
