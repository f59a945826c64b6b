//! Flags that several commands share, and what they stand for: agents and the models that they ask, budgets, choices of items,
//! settings; and the one error type that commands end with.
//!
//! A flag is checked and turned into a value of the library here. Nothing is printed or carried out here; the rooms `arms` and `cli` do that.

pub mod actor;
pub mod agents;
pub mod budget;
pub mod choice;
pub mod count;
pub mod env;
pub mod experiment;
pub mod failure;
pub mod ids;
pub mod isolation;
pub mod ledger;
pub mod lent_key;
pub mod llm;
pub mod memory;
pub mod model;
pub mod named;
pub mod planner;
pub mod preset;
pub mod program;
pub mod prompts;
pub mod run;
pub mod run_folders;
pub mod settings;
pub mod worker;
