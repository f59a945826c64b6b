//! What every error of this program has besides its message. Each room has its enums; adapters turn them into exit
//! statuses, problem details and MCP errors by this trait alone.

use std::error::Error;

/// Who can fix an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The call or the command makes no sense.
    Caller,
    /// A file, task or setting that was named is missing or broken.
    Input,
    /// The machine is not set up.
    Machine,
    /// A browser, server, endpoint or disk failed on the way; the same again may succeed.
    Testbed,
}

/// An error with a stable name.
pub trait Coded: Error {
    /// Stable `snake_case` name of the situation; part of the interface (docs/CODES.md).
    fn code(&self) -> &str;

    /// What to do about it, where that is known.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Who can fix it.
    fn blame(&self) -> Blame {
        Blame::Testbed
    }
}
