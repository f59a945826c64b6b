//! Figures of a task set, computed from its projects and certificates.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::certify::{build, kept_certificate};
use crate::compile::BuildError;
use crate::model::{Blame, Category, Coded, TaskId};
use crate::project::{Project, ProjectError};
use crate::session::Fleet;
use crate::solver::{Counted, block_types, changed_blocks};
use crate::taskset::TaskEntry;

/// Why there are no figures of a task.
#[derive(Debug, thiserror::Error)]
pub enum StatsError {
    /// A project could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A built project can't be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
}

impl Coded for StatsError {
    fn code(&self) -> &'static str {
        "no_figures"
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct TaskFigures {
    pub id: TaskId,
    pub category: Category,
    /// Blocks of the golden project.
    pub blocks: usize,
    /// Blocks that lie between the initial and the golden project.
    pub changed_blocks: usize,
    /// Those of them that are hats or statements; a reporter that changes counts for the block that it lies in. The
    /// paper's 9.14 blocks a task (ScratchWorld, section 3.4) are nearer to this than to the number above.
    pub changed_statements: usize,
    /// The types of the golden project's blocks, with how many there are of each.
    #[serde(skip)]
    pub types: BTreeMap<String, usize>,
    /// Tests of its judge, as its certificate has them; `None` without a certificate.
    pub tests: Option<u32>,
    /// Mutation score, as its certificate has it.
    pub mutation_score: Option<f64>,
    /// Collateral mutation score, as its certificate has it; none where there is nothing to damage.
    pub collateral_score: Option<f64>,
    /// Other solutions that are kept.
    pub second_solutions: usize,
}

/// Figures of some tasks together.
#[derive(Debug, Clone, Serialize)]
pub struct SetFigures {
    pub tasks: usize,
    /// Mean number of blocks of the golden projects.
    pub mean_blocks: f64,
    /// Mean number of changed blocks.
    pub mean_changed_blocks: f64,
    /// The largest number of changed blocks.
    pub most_changed_blocks: usize,
    /// Mean number of changed hats and statements.
    pub mean_changed_statements: f64,
    /// The largest number of changed hats and statements.
    pub most_changed_statements: usize,
    /// Distinct types of blocks in the golden projects.
    pub block_types: usize,
    /// In how many golden projects each type is.
    pub types: BTreeMap<String, usize>,
    pub tests: u32,
    /// The smallest number of tests of a task.
    pub fewest_tests: u32,
    pub certified: usize,
    pub mean_mutation_score: Option<f64>,
    /// Mean collateral mutation score of those that have one.
    pub mean_collateral_score: Option<f64>,
    /// Tasks with a second solution.
    pub with_second_solution: usize,
}

/// The figures of one task; its projects are built, or taken from `cache`.
///
/// # Errors
/// When a project has a fault, or the editor is in trouble.
pub async fn figures(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<TaskFigures, StatsError> {
    let built = build(fleet, cache, entry).await?;
    Ok(figures_of(entry, &Project::read(&built.initial)?, &Project::read(&built.golden)?))
}

/// The figures of a task with these projects.
pub fn figures_of(entry: &TaskEntry, initial: &Project, golden: &Project) -> TaskFigures {
    let types = block_types(golden);
    let certificate = kept_certificate(&entry.folder).ok();
    let tests = certificate.as_ref().and_then(|found| Some(found.golden.first()?.total_tests));
    let certified = certificate.as_ref().filter(|found| found.certified);
    TaskFigures {
        id: entry.task.id.clone(),
        category: entry.task.category,
        blocks: types.values().sum(),
        changed_blocks: changed_blocks(initial, golden, Counted::All),
        changed_statements: changed_blocks(initial, golden, Counted::Statements),
        types,
        tests,
        mutation_score: certified.and_then(|found| found.mutation.as_ref()?.score),
        collateral_score: certified.and_then(|found| found.collateral.as_ref()?.score),
        second_solutions: entry.task.second_solutions.len(),
    }
}

/// All of them, then each category that has any.
pub fn by_category(figures: &[TaskFigures]) -> Vec<(Option<Category>, SetFigures)> {
    let mut groups: BTreeMap<Option<Category>, Vec<&TaskFigures>> = BTreeMap::new();
    for task in figures {
        groups.entry(None).or_default().push(task);
        groups.entry(Some(task.category)).or_default().push(task);
    }
    groups.into_iter().map(|(category, tasks)| (category, SetFigures::of(&tasks))).collect()
}

impl SetFigures {
    fn of(tasks: &[&TaskFigures]) -> Self {
        let mean = |numbers: &[f64]| {
            #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
            let count = numbers.len().max(1) as f64;
            numbers.iter().sum::<f64>() / count
        };
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let of =
            |number: fn(&TaskFigures) -> usize| mean(&tasks.iter().map(|task| number(task) as f64).collect::<Vec<_>>());
        let most = |number: fn(&TaskFigures) -> usize| tasks.iter().map(|task| number(task)).max().unwrap_or_default();
        let mut types = BTreeMap::new();
        for name in tasks.iter().flat_map(|task| task.types.keys()) {
            *types.entry(name.clone()).or_default() += 1;
        }
        let scores: Vec<f64> = tasks.iter().filter_map(|task| task.mutation_score).collect();
        let collateral: Vec<f64> = tasks.iter().filter_map(|task| task.collateral_score).collect();
        Self {
            tasks: tasks.len(),
            mean_blocks: of(|task| task.blocks),
            mean_changed_blocks: of(|task| task.changed_blocks),
            most_changed_blocks: most(|task| task.changed_blocks),
            mean_changed_statements: of(|task| task.changed_statements),
            most_changed_statements: most(|task| task.changed_statements),
            block_types: types.len(),
            types,
            tests: tasks.iter().filter_map(|task| task.tests).sum(),
            fewest_tests: tasks.iter().filter_map(|task| task.tests).min().unwrap_or_default(),
            certified: scores.len(),
            mean_mutation_score: (!scores.is_empty()).then(|| mean(&scores)),
            mean_collateral_score: (!collateral.is_empty()).then(|| mean(&collateral)),
            with_second_solution: tasks.iter().filter(|task| task.second_solutions > 0).count(),
        }
    }
}

/// How many of these types each category of the palette has, by the prefix of their names; an extension is one too.
pub fn palette_categories(types: &BTreeMap<String, usize>) -> BTreeMap<&str, usize> {
    let mut categories = BTreeMap::new();
    for name in types.keys() {
        // Arguments of My Blocks have a prefix of their own.
        let category = match name.split('_').next().unwrap_or_default() {
            "argument" => "procedures",
            category => category,
        };
        *categories.entry(category).or_default() += 1;
    }
    categories
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(category: Category, changed_blocks: usize, types: &[&str], score: Option<f64>) -> TaskFigures {
        TaskFigures {
            id: "x".parse().unwrap(),
            category,
            blocks: 10,
            changed_blocks,
            changed_statements: changed_blocks / 2,
            types: types.iter().map(|name| ((*name).to_owned(), 1)).collect(),
            tests: score.map(|_| 4),
            mutation_score: score,
            collateral_score: score.map(|score| score / 2.0),
            second_solutions: usize::from(changed_blocks > 5),
        }
    }

    #[test]
    fn sums_are_over_all_and_over_each_category() {
        let tasks = [
            task(Category::Debug, 1, &["looks_say", "motion_movesteps"], Some(1.0)),
            task(Category::Debug, 3, &["looks_say"], Some(0.9)),
            task(Category::Create, 11, &["looks_show"], None),
        ];
        let sums = by_category(&tasks);
        let names: Vec<_> = sums.iter().map(|(category, _)| *category).collect();
        assert_eq!(names, [None, Some(Category::Create), Some(Category::Debug)]);
        let all = &sums[0].1;
        assert_eq!((all.tasks, all.block_types, all.most_changed_blocks, all.tests), (3, 3, 11, 8));
        assert!((all.mean_changed_blocks - 5.0).abs() < 1e-9);
        assert!((all.mean_mutation_score.unwrap() - 0.95).abs() < 1e-9 && all.certified == 2);
        assert!((all.mean_collateral_score.unwrap() - 0.475).abs() < 1e-9);
        assert_eq!(sums[2].1.block_types, 2);
        assert_eq!(all.types["looks_say"], 2);
        let categories = palette_categories(&all.types);
        assert_eq!(categories.into_iter().collect::<Vec<_>>(), [("looks", 2), ("motion", 1)]);
    }
}
