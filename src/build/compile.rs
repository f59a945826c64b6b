//! The way from a text to a project file, through a page with the editor, and back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::page::results::LoadProject;
use crate::page::{Page, PageFn, scripts};
use crate::project::Project;
use crate::project::text::{
    self, BuiltScripts, Catalogue, Decompiled, Document, TextError, automatic_places, names_in_scope, skeleton,
    with_scripts,
};
use crate::taskset::asset_folders;

use super::BuildError;

/// Reads the wording of all blocks from the running editor.
pub const NOTATION_CATALOGUE: PageFn<(), Catalogue> = crate::page_fn!("notation-catalogue");

/// Builds scripts with the editor's own blocks, out of sight; whatever project is loaded stays as it is.
pub const BUILD_SCRIPTS: PageFn<BuildRequest, BuiltScripts> = crate::page_fn!("build-scripts");

/// Builds scripts in the workspace that people see; the project without scripts must be loaded.
const BUILD_IN_EDITOR: PageFn<BuildRequest, BuiltScripts> = crate::page_fn!("build-in-editor");

/// How long the editor may take; in the workspace that people see 200 blocks take about two seconds.
const BUILD_LIMIT: Duration = Duration::from_secs(120);

/// Arguments of `build-scripts.js` and of `build-in-editor.js`.
#[derive(Debug, Clone, Serialize)]
pub struct BuildRequest {
    /// Scripts per target, in the order of the project.
    targets: Vec<TargetScripts>,
    /// How blocks are worded.
    catalogue: &'static Catalogue,
}

#[derive(Debug, Clone, Serialize)]
struct TargetScripts {
    /// The sprite's name.
    name: String,
    /// Names of its costumes: menus begin with the first one.
    costumes: Vec<String>,
    /// Names of its sounds.
    sounds: Vec<String>,
    /// Ids of the variables in scope by name.
    variables: BTreeMap<String, String>,
    /// Ids of the lists in scope by name.
    lists: BTreeMap<String, String>,
    scripts: Vec<OneScript>,
}

#[derive(Debug, Clone, Serialize)]
struct OneScript {
    /// The notation.
    text: String,
    /// Its first line in the text.
    line: usize,
    /// Whether a definition lets the screen be refreshed.
    refresh: bool,
    x: f64,
    y: f64,
}

impl BuildRequest {
    /// The scripts of a document.
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let targets = document.targets.iter().enumerate().map(|(index, target)| {
            let scripts = target.scripts.iter().zip(automatic_places(&target.scripts)).map(|(script, place)| {
                let (x, y) = script.at.unwrap_or(place);
                OneScript { text: script.text.clone(), line: script.line, refresh: !script.without_refresh, x, y }
            });
            TargetScripts {
                name: target.name.clone(),
                costumes: target.costumes.iter().map(|costume| costume.name.clone()).collect(),
                sounds: target.sounds.iter().map(|sound| sound.name.clone()).collect(),
                variables: names_in_scope(document, index, false),
                lists: names_in_scope(document, index, true),
                scripts: scripts.collect(),
            }
        });
        Self { targets: targets.collect(), catalogue: Catalogue::pinned() }
    }
}

/// A text with the folder that its file names are relative to.
#[derive(Debug, Clone)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Where its assets lie; the first folder that has one counts.
    pub folders: Vec<PathBuf>,
}

impl Source {
    /// Reads a text from its file.
    ///
    /// # Errors
    /// Fails when the file can't be read.
    pub fn read(path: &Path) -> Result<Self, BuildError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| BuildError::Read { path: path.to_owned(), source })?;
        Ok(Self { text, folders: asset_folders(path) })
    }

    /// Reads a text that is written for a task, wherever it lies: what does not lie beside it is looked for in `folders`.
    ///
    /// # Errors
    /// Fails when the file can't be read.
    pub fn read_with(path: &Path, folders: Vec<PathBuf>) -> Result<Self, BuildError> {
        let mut source = Self::read(path)?;
        source.folders.extend(folders);
        Ok(source)
    }

    /// An asset by the path that the text names; `None` when there is none.
    #[must_use]
    pub fn asset(&self, path: &str) -> Option<Vec<u8>> {
        self.folders.iter().find_map(|folder| std::fs::read(folder.join(path)).ok())
    }

    /// The project without its scripts.
    fn skeleton(&self, document: &Document) -> Result<Project, TextError> {
        skeleton(document, &|file| self.asset(file)).map_err(|error| error.located_in(&self.text))
    }
}

/// Builds a project from its text. The same text and assets give the same bytes when written, in any page of
/// any browser, whatever was built there before. The project that is loaded in the page stays as it is.
///
/// # Errors
/// Fails on a fault in the text, a script that the editor refuses, and when the page is lost.
pub async fn compile(page: &Page, source: &Source) -> Result<Project, BuildError> {
    let document = text::parse(&source.text)?;
    let bare = source.skeleton(&document)?;
    let built = page.call_within(&BUILD_SCRIPTS, &BuildRequest::new(&document), BUILD_LIMIT).await?;
    finished(bare, &document, built)
}

/// Builds a project as [`compile`] does, but by the editor's own way: the project is loaded, its blocks are put into
/// the workspace that people see, and what the editor's events carry into the VM is taken. The result is the same, and
/// takes many times as long; it is what [`compile`] is tested against. The page is left with the project loaded.
///
/// # Errors
/// As [`compile`].
pub async fn compile_in_editor(page: &Page, source: &Source) -> Result<Project, BuildError> {
    let document = text::parse(&source.text)?;
    let bare = source.skeleton(&document)?;
    let load = LoadProject { sb3: STANDARD.encode(bare.write()?), editing_target: None };
    page.call_within(&scripts::LOAD_PROJECT, &load, BUILD_LIMIT).await?;
    let built = page.call_within(&BUILD_IN_EDITOR, &BuildRequest::new(&document), BUILD_LIMIT).await?;
    finished(bare, &document, built)
}

/// Puts the scripts in, and checks the whole.
fn finished(bare: Project, document: &Document, built: BuiltScripts) -> Result<Project, BuildError> {
    let project = with_scripts(bare, document, built);
    project.check()?;
    Ok(project)
}

/// Turns a project file into its text and its assets.
///
/// # Errors
/// Fails when the file is no project, or one with faults that make its scripts unreadable.
pub fn decompile(sb3: &[u8]) -> Result<(String, Decompiled), BuildError> {
    let project = Project::read(sb3)?;
    project.check()?;
    let parts = text::from_project(&project);
    Ok((text::render(&parts.document), parts))
}
