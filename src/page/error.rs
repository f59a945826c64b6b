//! Errors between us and a page.

use std::path::PathBuf;
use std::time::Duration;

use crate::model::{Blame, Coded};

/// Why a page is gone. It is an infrastructure error, never an agent's mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The browser process ended or its connection broke.
    Browser,
    /// The page's renderer process crashed.
    Renderer,
    Closed,
    /// The page did not answer and was given up.
    Hung,
    /// The tab went to another page, or reloaded the editor.
    Left,
}

impl Loss {
    /// The situation in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Browser => "the browser process ended",
            Self::Renderer => "the page's renderer crashed",
            Self::Closed => "the page was closed",
            Self::Hung => "the page did not answer and was given up",
            Self::Left => "the tab left the editor, or reloaded it",
        }
    }

    /// The stable code of what agents are told. Only a page's own loss can be its project's or its agent's doing: where a page hangs so
    /// that its browser must be killed with it, that page is lost as its own, and the others there with their browser.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Browser => "browser_lost",
            Self::Renderer | Self::Closed | Self::Hung | Self::Left => "page_lost",
        }
    }
}

/// Errors of the page room.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// No Chromium at the configured or usual places.
    #[error("no Chromium found (looked for {})", .looked_for.join(", "))]
    ChromiumMissing { looked_for: Vec<String> },
    /// Chromium or its guard did not start.
    #[error("Chromium did not start: {reason}")]
    LaunchFailed { reason: String },
    /// The guard program could not be started.
    #[error("could not start the browser guard {}", .program.display())]
    GuardFailed { program: PathBuf, source: std::io::Error },
    #[error("page lost: {}", .0.describe())]
    Lost(Loss),
    /// A call to the page took too long.
    #[error("`{what}` did not finish within {limit:?}")]
    Timeout {
        /// The page function or command.
        what: String,
        limit: Duration,
    },
    /// A page function refused, with a stable code.
    #[error("{message}")]
    Refused { code: String, message: String, hint: Option<String> },
    /// A page function threw: a fault of ours or of the editor.
    #[error("page function `{name}` failed: {message}")]
    Script {
        name: String,
        /// The exception, with its place.
        message: String,
    },
    /// Arguments or results did not have the declared shape.
    #[error("page function `{name}`: {what} do not have the declared shape")]
    Shape {
        name: String,
        /// `arguments` or `results`.
        what: &'static str,
        source: serde_json::Error,
    },
    /// The DevTools connection reported an error.
    #[error("DevTools: {what} failed")]
    Protocol { what: &'static str, source: Box<chromiumoxide::error::CdpError> },
    /// The page with the editor could not be loaded.
    #[error("the editor's address can't be reached: {reason}")]
    NotReached {
        /// Chromium's name for the reason, such as `net::ERR_CONNECTION_REFUSED`.
        reason: String,
    },
    /// The editor was compiled, but its code could not be kept.
    #[error("the editor's compiled code was not kept: {reason}")]
    CodeNotKept { reason: String },
    /// The editor did not become ready.
    #[error("the editor was not ready within {limit:?}")]
    EditorNotReady { limit: Duration },
    /// Which process renders the page could not be found out.
    #[error("the page's process is not known")]
    ProcessUnknown,
    /// A key that can't be pressed.
    #[error(transparent)]
    Key(#[from] super::KeyError),
}

impl PageError {
    /// Wraps a client error with what was being attempted.
    pub(super) fn protocol(what: &'static str) -> impl FnOnce(chromiumoxide::error::CdpError) -> Self {
        move |source| Self::Protocol { what, source: Box::new(source) }
    }

    /// Whether a clock of ours has ended it. On a busy machine that says nothing of the page, nor of what it was given.
    pub fn is_by_the_clock(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::EditorNotReady { .. } | Self::Lost(Loss::Hung) => true,
            Self::Protocol { source, .. } => matches!(**source, chromiumoxide::error::CdpError::Timeout),
            _ => false,
        }
    }

    /// Whether the page must be given up.
    pub const fn is_lost(&self) -> bool {
        matches!(self, Self::Lost(_))
    }
}

/// As the code that starts browsers sees it. The rooms that act in a page have names of their own for what goes wrong
/// there.
impl Coded for PageError {
    fn code(&self) -> &str {
        match self {
            Self::ChromiumMissing { .. } => "chromium_missing",
            _ => "browser_failed",
        }
    }

    fn hint(&self) -> Option<String> {
        let command = if matches!(self, Self::ChromiumMissing { .. }) { "setup" } else { "doctor" };
        Some(format!("run `scratchbed {command}`"))
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::ChromiumMissing { .. }) { Blame::Machine } else { Blame::Testbed }
    }
}
