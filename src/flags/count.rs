//! Whose denominators are printed: ours always, the reference's beside them when asked for.

use clap::{Args, ValueEnum};

use scratchbed::grade::Count;
pub use scratchbed::report::{AS_THE_REFERENCE, left_out_text, with_interval};

/// Whose denominators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CountName {
    /// Everything counts that says something of the agent.
    Ours,
    /// The same, and beside it the figures of the reference, which leaves out what it has no result file of.
    Reference,
}

/// How attempts are counted.
#[derive(Debug, Clone, Copy, Args)]
pub struct CountArgs {
    /// Whose denominators are printed.
    #[arg(long, value_enum, default_value = "ours")]
    count: CountName,
}

impl CountArgs {
    /// Ours, or both.
    pub const fn count(self) -> Count {
        match self.count {
            CountName::Ours => Count::Ours,
            CountName::Reference => Count::Reference,
        }
    }

    /// Whether the reference's figures are printed too.
    pub fn reference(self) -> bool {
        self.count == CountName::Reference
    }
}
