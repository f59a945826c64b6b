//! Where text goes: answers to standard output, errors to standard error; with `--json` only the one object goes to standard
//! output. Signs of life are in `signs`.

use std::io::Write as _;

use serde_json::Value;

use crate::flags::failure::{Failure, Status};

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
