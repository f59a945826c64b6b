//! Finds the golden project of each task. The reference has no such mapping in its code; its files follow two rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Golden;
use crate::model::Category;

/// What a golden project's name ends in.
const SUFFIX: &str = "_golden.sb3";

/// The file that solves a task: one that carries its name or, for a debug task alone, the golden of the base
/// project that its fault was put into, which has the longest name that the task's begins with. A base project's
/// golden solves no task of another kind, so these have none without their own.
pub(super) fn golden(projects: &BTreeMap<String, PathBuf>, task: &str, category: Category) -> Option<(String, Golden)> {
    let own = format!("{task}{SUFFIX}");
    if projects.contains_key(&own) {
        return Some((own, Golden::Own));
    }
    if category != Category::Debug {
        return None;
    }
    let bases = projects.keys().filter_map(|name| name.strip_suffix(SUFFIX));
    let base = bases.filter(|base| task.strip_prefix(base).is_some_and(|rest| rest.starts_with('_')));
    base.max_by_key(|base| base.len()).map(|base| (format!("{base}{SUFFIX}"), Golden::Base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(task: &str, category: Category) -> Option<(String, Golden)> {
        let names = ["pond", "pond_frog", "pond_frog_lost", "pon", "pond_golden_old"];
        let mut projects: BTreeMap<String, PathBuf> =
            names.iter().map(|name| (format!("{name}_golden.sb3"), PathBuf::new())).collect();
        projects.insert("pond_heron_golden_old.sb3".to_owned(), PathBuf::new());
        golden(&projects, task, category)
    }

    #[test]
    fn the_own_golden_wins_over_a_base_project() {
        let own = Some(("pond_frog_lost_golden.sb3".to_owned(), Golden::Own));
        assert_eq!(found("pond_frog_lost", Category::Debug), own);
        assert_eq!(found("pond_frog_lost", Category::Create), own);
    }

    #[test]
    fn a_debug_task_has_the_golden_of_the_longest_base_name() {
        let base = |name: &str| Some((name.to_owned(), Golden::Base));
        assert_eq!(found("pond_frog_stuck", Category::Debug), base("pond_frog_golden.sb3"));
        assert_eq!(found("pond_heron", Category::Debug), base("pond_golden.sb3"));
        assert_eq!(found("ponder_why", Category::Debug), None);
    }

    #[test]
    fn other_tasks_have_only_their_own() {
        assert_eq!(found("pond_frog_stuck", Category::Extend), None);
    }
}
