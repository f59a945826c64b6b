//! Plain tables for people.

pub use scratchbed::report::plain_table as table;
