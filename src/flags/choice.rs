//! Which tasks of a set a subcommand works on.

use clap::Args;

use scratchbed::taskset::Selection;

/// Tasks by name, or a split.
#[derive(Debug, Clone, Default, Args)]
pub struct ChoiceArgs {
    /// A task by name; may be given several times.
    #[arg(long, value_name = "ID")]
    pub task: Vec<String>,
    /// The tasks of this split: all, small, ablation, a category, or another that tasks/splits.json lists.
    #[arg(long, value_name = "NAME", conflicts_with = "task")]
    pub split: Option<String>,
    /// All tasks.
    #[arg(long, conflicts_with_all = ["task", "split"])]
    pub all: bool,
}

impl ChoiceArgs {
    /// What was chosen; everything if nothing was said.
    pub fn selection(&self) -> Selection {
        Selection { ids: self.task.clone(), split: self.split.clone(), ..Selection::default() }
    }
}
