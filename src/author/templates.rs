//! The task templates, one per category, from `assets/task-templates`.

use crate::model::Category;

/// The projects and assets of a category whose tasks bring their own.
#[derive(Debug)]
pub(super) struct OwnProject {
    pub initial: &'static str,
    /// The golden project: the initial one and the scripts of its last sprite.
    pub golden: &'static str,
    /// A solution as slow as the instruction allows, where the category asks for one.
    pub slow: Option<&'static str>,
    /// Pictures by the paths that the texts name.
    pub assets: &'static [(&'static str, &'static str)],
}

/// What a task of a category begins with.
#[derive(Debug)]
pub(super) struct TaskTemplate {
    /// `task.json`; name, title and paths are filled in where they differ.
    pub task: &'static str,
    pub judge: &'static str,
    /// The oracle's list: the solution, or where a task starts from a base an idle call until there is one.
    pub oracle: &'static str,
    /// Absent where a task starts from a base.
    pub project: Option<OwnProject>,
}

macro_rules! file {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/task-templates/", $path))
    };
}

pub(super) const fn template(category: Category) -> TaskTemplate {
    match category {
        Category::Create => TaskTemplate {
            task: file!("create/task.json"),
            judge: file!("create/judge.js"),
            oracle: file!("create/oracle.composite.json"),
            project: Some(OwnProject {
                initial: file!("create/initial.txt"),
                golden: file!("create/golden.txt"),
                slow: Some(file!("create/slow.txt")),
                assets: &[
                    ("assets/garden.svg", file!("create/assets/garden.svg")),
                    ("assets/snail.svg", file!("create/assets/snail.svg")),
                ],
            }),
        },
        Category::Compute => TaskTemplate {
            task: file!("compute/task.json"),
            judge: file!("compute/judge.js"),
            oracle: file!("compute/oracle.composite.json"),
            project: Some(OwnProject {
                initial: file!("compute/initial.txt"),
                golden: file!("compute/golden.txt"),
                slow: None,
                assets: &[
                    ("assets/abacus.svg", file!("compute/assets/abacus.svg")),
                    ("assets/workshop.svg", file!("compute/assets/workshop.svg")),
                ],
            }),
        },
        Category::Debug => TaskTemplate {
            task: file!("debug/task.json"),
            judge: file!("debug/judge.js"),
            oracle: file!("debug/oracle.composite.json"),
            project: None,
        },
        Category::Extend => TaskTemplate {
            task: file!("extend/task.json"),
            judge: file!("extend/judge.js"),
            oracle: file!("extend/oracle.composite.json"),
            project: None,
        },
    }
}
