//! `scratchbed fleet`: prints what has an existing engine start workers.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::fleet::{Crew, k8s, slurm, systemd};

/// Where workers are started.
#[derive(Debug, Subcommand)]
pub enum FleetCommand {
    /// Print a job of Kubernetes, for `kubectl apply -f -`.
    K8s {
        #[command(flatten)]
        crew: CrewArgs,
        /// The image with the program and Chromium.
        #[arg(long)]
        image: String,
        /// The secret with the database's URL (key `SCRATCHBED_QUEUE`) and the keys of models.
        #[arg(long, default_value = "scratchbed")]
        secret: String,
    },
    /// Print a script for `sbatch`.
    Slurm {
        #[command(flatten)]
        crew: CrewArgs,
        /// Workers at a time.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        at_once: Option<u32>,
        /// Hours after which Slurm starts a worker anew.
        #[arg(long, value_name = "HOURS", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=720))]
        hours: u32,
        /// A file of shell assignments that only you can read.
        #[arg(long, value_name = "FILE", default_value = ".scratchbed-secrets")]
        secrets: String,
    },
    /// Print a unit of systemd, for one machine.
    Systemd {
        #[command(flatten)]
        crew: CrewArgs,
        /// The checkout that the worker works in.
        #[arg(long, value_name = "DIR")]
        folder: PathBuf,
        /// Whom it runs as.
        #[arg(long)]
        user: String,
        /// A file of assignments that only root can read.
        #[arg(long, value_name = "FILE", default_value = "/etc/scratchbed/worker.env")]
        secrets: String,
    },
}

/// Which workers.
#[derive(Debug, Args)]
pub struct CrewArgs {
    /// What they are called.
    #[arg(long, default_value = "scratchbed-workers")]
    name: String,
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    workers: u32,
    /// Attempts of a worker at a time.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    slots: u32,
    /// Seconds that attempts may go on after the order to stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 540, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    grace: u32,
    /// The variable with the key of a model; may be repeated.
    #[arg(long = "key-env", value_name = "NAME")]
    keys: Vec<String>,
}

impl CrewArgs {
    fn crew(&self) -> Result<Crew, Failure> {
        Ok(Crew::new(&self.name, self.workers, self.slots, self.grace, &self.keys)?)
    }
}

/// Prints the text.
pub fn run(command: &FleetCommand, out: Output) -> Result<Status, Failure> {
    let text = match command {
        FleetCommand::K8s { crew, image, secret } => format!("{:#}\n", k8s(&crew.crew()?, image, secret)),
        FleetCommand::Slurm { crew, at_once, hours, secrets } => {
            slurm(&crew.crew()?, at_once.unwrap_or(crew.workers), *hours, secrets)
        }
        FleetCommand::Systemd { crew, folder, user, secrets } => {
            let program = std::env::current_exe().map_err(|error| Failure::infrastructure("no_program", &error))?;
            let [program, folder] = [program, folder.clone()].map(|path| path.display().to_string());
            systemd(&crew.crew()?, &program, &folder, user, secrets)
        }
    };
    out.say(text.trim_end());
    out.answer(&json!({"text": text}));
    Ok(Status::Success)
}
