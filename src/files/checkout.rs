//! A checkout of this project: where everything is in it.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::model::EditorGeneration;

/// A file that only a checkout of this project has.
const LANDMARK: &str = "scratch-gui/package.json";

/// A checkout, by its root. Parts of it may be absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout(PathBuf);

impl Checkout {
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self(root.into())
    }

    /// The one that contains a folder.
    pub fn around(folder: &Path) -> Option<Self> {
        folder.ancestors().map(Self::at).find(Self::is_there)
    }

    pub fn is_there(&self) -> bool {
        self.join(LANDMARK).is_file()
    }

    /// The host page of an editor, in `scratch-gui/host`, and the folder of the built editor.
    pub fn editor(&self, generation: EditorGeneration) -> (&'static str, PathBuf) {
        match generation {
            EditorGeneration::Current => {
                ("index.html", self.node_modules().join("@scratch/scratch-gui-standalone/dist"))
            }
            EditorGeneration::Reference => ("reference.html", self.reference_editor()),
        }
    }
}

impl Deref for Checkout {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident: $path:literal,)*) => {
        impl Checkout {
            $($(#[$doc])* #[must_use] pub fn $name(&self) -> PathBuf { self.join($path) })*
        }
    };
}

paths! {
    settings: "scratchbed.toml",
    /// The folder of the npm packages and the host page.
    scratch_gui: "scratch-gui",
    /// Where npm puts what the lockfile names.
    node_modules: "scratch-gui/node_modules",
    /// What the environment of the Python client's tests is made from.
    python_lock: "clients/python/requirements/test.txt",
    /// Pictures with the words in them, to measure text recognition.
    ocr_fixtures: "tests/fixtures/ocr",
    /// The scenes of the drag benchmark.
    scenes: "assets/drag",
    /// Things that were made and can be made again.
    cache: ".cache",
    /// The compiled code of each editor.
    compiled_editors: ".cache/compiled-editors",
    /// The prepared text recognition models.
    ocr_models: ".cache/ocr",
    /// The virtual environment for the tests of the Python client.
    python: ".cache/venv",
    /// What the environment of the S3 server is made from.
    s3_lock: "clients/python/requirements/fleet.txt",
    /// The virtual environment of the S3 server that tests of fleets start.
    s3: ".cache/s3-venv",
    /// The older generation of the editor, in which the published drags were made.
    reference_editor: ".cache/reference-editor",
    projects: ".cache/projects",
    /// Projects to make pools of, with their licence.
    samples: ".cache/samples",
    /// Pictures of the stages that tasks begin with.
    stages: ".cache/stages",
    /// Runs, and all else that is written for people.
    runs: "runs",
    /// The ledger of experiments.
    ledger: "runs/ledger.sqlite",
    /// A folder for each experiment, with one for each of its arms.
    experiments: "runs/experiments",
    /// Experiments that were taken out of the ledger.
    archives: "runs/archives",
    /// Attempts of workers, by their names, until they are delivered.
    workers: "runs/workers",
    /// Verdicts that were given here, whichever runs have the projects.
    verdicts: "runs/verdicts",
    /// Where the attempts of all workers come together.
    artefacts: "runs/artefacts",
    /// The folders of the categories of tasks.
    tasks: "tasks",
    /// Projects that tasks share.
    bases: "tasks/bases",
    /// Drafts of tasks, by category.
    drafts: "tasks/drafts",
    /// The evaluation scripts of tasks.
    judges: "eval-scripts",
    judge_helpers: "eval-scripts/lib",
    draft_judges: "eval-scripts/drafts",
}
