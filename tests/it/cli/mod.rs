//! The command line: answers, exit codes, files.

pub mod answers;
pub mod author_expand;
pub mod browser_author;
pub mod browser_commands;
pub mod browser_forged_bundle;
pub mod browser_predictions;
pub mod browser_regrade;
pub mod browser_task_build;
pub mod browser_tutorials;
pub mod bugs_adequacy;
pub mod bugs_export;
pub mod export;
pub mod results;
