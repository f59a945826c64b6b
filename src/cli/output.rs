//! Where text goes: answers to standard output, progress and errors to standard error; with `--json` only
//! the one object goes to standard output.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};
use serde_json::Value;

use crate::flags::failure::{Failure, Status};

/// How often a moving sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// How often progress is logged where no bar is shown.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Where this call's text goes.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    /// For `--json` or for people.
    pub const fn new(json: bool) -> Self {
        Self { json }
    }

    /// One or more lines for a person.
    pub fn say(self, text: impl AsRef<str>) {
        if self.json {
            eprintln!("{}", text.as_ref());
        } else {
            line(text.as_ref());
        }
    }

    /// The answer as an object; printed only with `--json`.
    pub fn answer(self, value: &Value) {
        if self.json {
            line(&value.to_string());
        }
    }

    /// Why there is no answer.
    pub fn failure(self, failure: &Failure) -> Status {
        eprintln!("{}", failure.text());
        self.answer(&failure.json());
        failure.status()
    }
}

/// A line on standard output. The reader may close the pipe, as `head` does; that is not an error.
fn line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// A sign of life for work of unknown length. Hidden when standard error is no terminal.
pub fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
    spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    spinner.enable_steady_tick(TICK);
    spinner
}

/// A bar for `total` pieces of work; where standard error is no terminal, a line every half a minute.
pub fn bar(what: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({elapsed})");
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    if !std::io::stderr().is_terminal() {
        tell_now_and_then(what.to_owned(), bar.downgrade());
    }
    bar
}

/// Logs progress where no bar is shown, as long as there is any.
fn tell_now_and_then(what: String, bar: WeakProgressBar) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(BETWEEN_LINES);
            let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return };
            progress(format!(
                "{what}: {} of {} after {} s",
                bar.position(),
                bar.length().unwrap_or_default(),
                bar.elapsed().as_secs()
            ));
        }
    });
}

/// A line about what is going on, for a person who waits.
pub fn progress(text: impl AsRef<str>) {
    eprintln!("{}", text.as_ref());
}
