//! Why the ledger can't do what it was asked.

use scratchbed_model::{Blame, Coded};

use super::exposure::Exposure;

/// What is wrong with a ledger, or with what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The database does not answer, or refuses.
    #[error("the ledger can't be reached: {0}")]
    Unreachable(#[source] sqlx::Error),
    /// A newer program has written it.
    #[error("the ledger was written by a newer version of this program (its format is {format})")]
    FormatNewer { format: i64 },
    #[error("the ledger's tables can't be made: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// The queue's tables can't be made, or hold something else.
    #[error("the queue of tickets can't be used: {reason}")]
    Queue { reason: String },
    /// SQLite's locks don't hold there.
    #[error("{path} is on a network file system ({kind})")]
    OnNetworkDisk { path: String, kind: String },
    /// It has secret seeds, and decides what counts.
    #[error("the ledger is open to other users of this machine: {path} {why}")]
    Exposed { path: String, why: Exposure },
    #[error("there is no experiment `{0}` in the ledger")]
    UnknownExperiment(String),
    #[error("there is no {what} `{name}` in the ledger")]
    Unknown { what: &'static str, name: String },
    /// Something holds another value than this program writes.
    #[error("the ledger has {what} that can't be read: {reason}")]
    Unreadable { what: &'static str, reason: String },
    /// The experiment exists, and asks for something else.
    #[error("experiment `{id}` is another one: {what}")]
    Differs { id: String, what: String },
    /// What is to be entered is there.
    #[error("the ledger has an experiment `{0}` already")]
    Exists(String),
    /// Somebody works on it, or may begin to.
    #[error("{cells} cells of experiment `{id}` are being worked on")]
    Busy { id: String, cells: u64 },
    /// Its rows are no more those that were kept.
    #[error("experiment `{0}` was changed meanwhile")]
    Changed(String),
    /// A decided cell keeps its verdict.
    #[error("cell `{0}` is decided")]
    Decided(String),
    /// A limit can't have this value.
    #[error("{why}")]
    LimitRefused { why: &'static str },
}

impl LedgerError {
    /// Whether asking again later may help.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable(sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed))
            || matches!(self, Self::Unreachable(sqlx::Error::Database(error)) if is_contention(error.as_ref()))
    }
}

/// Locks and serialisation: SQLite's busy and locked, Postgres's classes 40, 53, 55 and 57.
fn is_contention(error: &dyn sqlx::error::DatabaseError) -> bool {
    let code = error.code().unwrap_or_default();
    matches!(code.as_ref(), "5" | "6" | "517" | "261")
        || ["40", "53", "55", "57"].iter().any(|class| code.len() == 5 && code.starts_with(class))
}

impl From<sqlx::Error> for LedgerError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unreachable(error)
    }
}

impl Coded for LedgerError {
    fn code(&self) -> &str {
        match self {
            Self::Unreachable(_) => "ledger_unreachable",
            Self::FormatNewer { .. } => "ledger_format_newer",
            Self::Migration(_) => "ledger_not_migrated",
            Self::Queue { .. } => "queue_failed",
            Self::OnNetworkDisk { .. } => "ledger_on_network_disk",
            Self::Exposed { .. } => "ledger_exposed",
            Self::UnknownExperiment(_) => "unknown_experiment",
            Self::Unknown { .. } => "unknown_in_ledger",
            Self::Unreadable { .. } => "ledger_unreadable",
            Self::Differs { .. } => "experiment_differs",
            Self::Exists(_) => "experiment_exists",
            Self::Busy { .. } => "experiment_running",
            Self::Changed(_) => "experiment_changed",
            Self::Decided(_) => "cell_decided",
            Self::LimitRefused { .. } => "limit_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::FormatNewer { .. } => "update the program, or name another ledger with --ledger",
            Self::OnNetworkDisk { .. } => "name a file on a local disk with --ledger, or a Postgres database",
            Self::Exposed { path, why } => return Some(why.hint(path)),
            Self::Queue { .. } => {
                "the database needs the extension `hstore` (Debian: package postgresql, scratchbed setup --postgres), and its \
                 owner must have opened the queue once"
            }
            Self::UnknownExperiment(_) => "`scratchbed experiment list` lists the experiments of the ledger",
            Self::Differs { .. } => "give the changed file another name, or repeat the file as it was",
            Self::Busy { .. } => "`scratchbed experiment drain NAME` lets what runs end; try again then",
            Self::Changed(_) => "somebody works on it or gives orders; try again when nobody does",
            Self::Exists(_) => {
                "`scratchbed experiment archive` takes it out of the ledger; --ledger FILE names another ledger"
            }
            Self::Decided(_) => "a verdict is voided with `experiment requeue --void --reason …` only",
            Self::LimitRefused { .. } => "`pause` stops an experiment, an arm or a lane",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::LimitRefused { .. } => Blame::Caller,
            Self::Unreachable(_) | Self::Migration(_) | Self::Queue { .. } | Self::Unreadable { .. } => Blame::Testbed,
            _ => Blame::Input,
        }
    }
}
