//! Settings: raw arguments in, resolved values out (flag > environment > file > default).
//!
//! clap already lets a flag win over its environment variable; here the file and the defaults follow.
//! Nothing below this room sees an `Option` that it must fill in itself.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::env;
use super::failure::{Failure, Status};
use scratchbed::files::Checkout;
use scratchbed::page::LaunchOptions;
use scratchbed::setup::Place;

/// Flags that every subcommand takes.
#[derive(Debug, Clone, Default, Args)]
pub struct GlobalArgs {
    /// Print one JSON object as the last line; everything else goes to standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// The checkout to work in.
    #[arg(long, global = true, env = env::ROOT, hide_env = true, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
    /// The settings file.
    #[arg(long, global = true, env = env::CONFIG, hide_env = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The Chromium program.
    #[arg(long, global = true, env = env::CHROMIUM, hide_env = true, value_name = "FILE")]
    pub chromium: Option<PathBuf>,
    /// What is logged to standard error, such as `info` or `scratchbed=debug`; warnings when absent.
    #[arg(long, global = true, env = env::LOG, hide_env = true, value_name = "FILTER")]
    pub log: Option<String>,
    /// How log lines are written.
    #[arg(long, global = true, env = env::LOG_FORMAT, hide_env = true, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// What `scratchbed.toml` may say. Unknown keys are errors: a misspelt one would be ignored in silence.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSettings {
    chromium: Option<PathBuf>,
}

/// The settings that all subcommands share, resolved.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The checkout, known by its root.
    pub root: Checkout,
    /// A Chromium to use instead of the usual ones.
    pub chromium: Option<PathBuf>,
    /// The file of the ledger, where the command names one: programs of other users must not read it.
    pub ledger: Option<PathBuf>,
}

impl Settings {
    /// Resolves the settings of this call.
    ///
    /// # Errors
    /// When there is no checkout, or the settings file can't be read.
    pub fn resolve(args: &GlobalArgs, working_directory: &Path) -> Result<Self, Failure> {
        let root = match &args.root {
            Some(root) => check_root(root)?,
            None => find_root(working_directory)?,
        };
        let file = read_file(args.config.as_deref(), &root)?;
        Ok(Self { chromium: args.chromium.clone().or(file.chromium), root, ledger: None })
    }

    /// What set-up and the doctor work on.
    pub fn place(&self) -> Place {
        Place { checkout: self.root.clone(), chromium: self.chromium.clone() }
    }

    /// How browsers are started: our own binary is the guard.
    ///
    /// # Errors
    /// When the operating system does not say where this binary is.
    pub fn launch_options(&self) -> Result<LaunchOptions, Failure> {
        let guard = own_binary()?;
        Ok(LaunchOptions::new(self.chromium.clone(), guard))
    }
}

fn check_root(root: &Path) -> Result<Checkout, Failure> {
    let checkout = Checkout::at(std::path::absolute(root).unwrap_or_else(|_| root.to_owned()));
    let message = || format!("{} is no checkout of this project", root.display());
    if checkout.is_there() { Ok(checkout) } else { Err(no_checkout(message())) }
}

fn find_root(from: &Path) -> Result<Checkout, Failure> {
    Checkout::around(from).ok_or_else(|| no_checkout(format!("no checkout of this project at {}", from.display())))
}

fn no_checkout(message: String) -> Failure {
    Failure::new(Status::Input, "no_checkout", message)
        .hinted(format!("run inside a checkout, or set --root or {}", env::ROOT))
}

fn read_file(named: Option<&Path>, checkout: &Checkout) -> Result<FileSettings, Failure> {
    let path = named.map_or_else(|| checkout.settings(), Path::to_owned);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // Only the default file may be absent.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
            return Ok(FileSettings::default());
        }
        Err(error) => {
            return Err(Failure::new(Status::Input, "config_unreadable", format!("{}: {error}", path.display())));
        }
    };
    toml::from_str(&text)
        .map_err(|error| Failure::new(Status::Input, "config_invalid", format!("{}: {error}", path.display())))
}

/// Our own binary, which keeps browsers and programs from outliving us.
pub fn own_binary() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::infrastructure("own_binary_unknown", &error))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
