//! What becomes of what an agent learns from one attempt to the next: the flag of `run` that says it.

use std::path::PathBuf;

use clap::Args;

use super::agents::AgentName;
use super::failure::{Failure, Status};
use scratchbed::agent::memory::MemoryUse;
use scratchbed::benchmarks::tasks::recorded_memory;

/// What becomes of what an agent learns.
#[derive(Debug, Args)]
pub struct MemoryArgs {
    /// What attempts know of those before them, for an agent with a memory. `on`: each knows what the earlier ones of the run
    /// have learned, so they go one after another, in an order that --seed decides. `from:PATH`: the same, beginning with the
    /// memory of an earlier run, or of a folder. `frozen:PATH`: all know that memory, and learn nothing. `off`: none knows or
    /// learns anything. `on` by default.
    #[arg(long, value_name = "on|off|from:PATH|frozen:PATH", value_parser = kind)]
    memory: Option<Kind>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    On,
    Off,
    From(PathBuf),
    Frozen(PathBuf),
}

fn kind(text: &str) -> Result<Kind, String> {
    match text.split_once(':') {
        None if text == "on" => Ok(Kind::On),
        None if text == "off" => Ok(Kind::Off),
        Some(("from", path)) if !path.is_empty() => Ok(Kind::From(path.into())),
        Some(("frozen", path)) if !path.is_empty() => Ok(Kind::Frozen(path.into())),
        _ => Err("give `on`, `off`, `from:PATH` or `frozen:PATH`, with the folder of a run or of a memory".to_owned()),
    }
}

impl MemoryArgs {
    /// What this agent's attempts know of each other, so many at a time.
    pub fn memory(&self, agent: AgentName, jobs: usize) -> Result<MemoryUse, Failure> {
        if !agent.remembers() {
            return match &self.memory {
                None => Ok(MemoryUse::Off),
                Some(_) => Err(Failure::new(Status::Usage, "agent_without_memory", "this agent has no memory")
                    .hinted("leave --memory out")),
            };
        }
        let memory = match self.memory.as_ref().unwrap_or(&Kind::On) {
            Kind::On => MemoryUse::default(),
            Kind::Off => MemoryUse::Off,
            Kind::From(path) => MemoryUse::Growing(recorded_memory(path)?),
            Kind::Frozen(path) => MemoryUse::Frozen(recorded_memory(path)?),
        };
        if memory.grows() && jobs > 1 {
            let message = "attempts that learn from those before them can't be made side by side";
            let failure = Failure::new(Status::Usage, "memory_in_parallel", message);
            return Err(failure.hinted("leave --jobs out, or give --memory off or --memory frozen:PATH"));
        }
        Ok(memory)
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
