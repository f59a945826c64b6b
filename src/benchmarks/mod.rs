//! The benchmarks that `experiment` runs: tasks, single drags, questions about pictures, repairs and explanations of faults, and trajectories of budgeted repair. Each has the same parts: its
//! folder says what its `items` are, how one is asked (`ask`) and measured (`measure`), what `figures` come of it, and how
//! foreign items are read (`import`); `make`, where there is one, makes items of our own.
//!
//! `coin` is a minimal benchmark that tests the machinery.

#[cfg(test)]
mod coin;
pub mod drag;
pub mod explain;
pub mod perception;
pub mod repair;
pub mod tasks;
pub mod trajectories;
