//! Compiles a text to a project file, through a page with the editor, and back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::notation::{
    self, BuiltScripts, Decompiled, Document, Fault, LineError, TextError, automatic_places, names_in_scope, parse_all,
    skeleton_all, with_scripts,
};
use crate::page::results::LoadProject;
use crate::page::{Page, PageError, PageFn, scripts};
use crate::project::Project;
use crate::project::catalogue::Catalogue;
use crate::project::near::near;
use crate::taskset::asset_folders;

use super::error::{BuildError, Faults};

/// Reads the wording of all blocks from the running editor.
pub const NOTATION_CATALOGUE: PageFn<(), Catalogue> = crate::page_fn!("notation", "notation-catalogue");

/// Builds scripts with the editor's own blocks, out of sight; whatever project is loaded stays as it is.
pub const BUILD_SCRIPTS: PageFn<BuildRequest, Outcome> = crate::page_fn!("notation", "build-scripts");

/// Builds scripts in the workspace that people see; the project without scripts must be loaded.
const BUILD_IN_EDITOR: PageFn<BuildRequest, Outcome> = crate::page_fn!("notation", "build-in-editor");

/// How long the editor may take for any text, on a machine with much to do.
const BUILD_LIMIT: Duration = Duration::from_secs(60);
/// How much longer for each line: in the workspace that people see 200 blocks take about two seconds.
const LINE_LIMIT: Duration = Duration::from_millis(100);

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
    name: String,
    /// Names of its costumes: menus begin with the first one.
    costumes: Vec<String>,
    sounds: Vec<String>,
    /// Variables in scope, each as what is written for it and its id.
    variables: Vec<(String, String)>,
    /// The same of lists.
    lists: Vec<(String, String)>,
    scripts: Vec<OneScript>,
}

#[derive(Debug, Clone, Serialize)]
struct OneScript {
    text: String,
    /// Numbers of its lines in the text.
    lines: Vec<usize>,
    /// Whether a definition lets the screen be refreshed.
    refresh: bool,
    x: f64,
    y: f64,
}

/// What `build-scripts.js` and `build-in-editor.js` answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// What keeps the scripts from being built, by line.
    pub faults: Vec<Fault>,
    /// What is built as it is written and may not be meant so, by line.
    pub warnings: Vec<Fault>,
    /// The scripts, if there are no faults.
    pub scripts: Option<BuiltScripts>,
}

/// A project with what an author should look at.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub project: Project,
    /// Undefined names and messages without a receiver, by line.
    pub warnings: Vec<Fault>,
}

impl BuildRequest {
    /// How long building may take: longer for a longer text.
    fn limit(&self) -> Duration {
        BUILD_LIMIT + LINE_LIMIT * u32::try_from(self.lines()).unwrap_or(u32::MAX)
    }

    fn lines(&self) -> usize {
        self.targets.iter().flat_map(|target| &target.scripts).map(|script| script.lines.len()).sum()
    }

    /// The scripts of a document.
    pub fn new(document: &Document) -> Self {
        let targets = document.targets.iter().enumerate().map(|(index, target)| {
            let scripts = target.scripts.iter().zip(automatic_places(&target.scripts)).map(|(script, place)| {
                let (x, y) = script.at.unwrap_or(place);
                OneScript {
                    text: script.text.clone(),
                    lines: script.lines.clone(),
                    refresh: !script.without_refresh,
                    x,
                    y,
                }
            });
            TargetScripts {
                name: target.name.clone(),
                costumes: target.costumes.iter().map(|costume| costume.name.clone()).collect(),
                sounds: target.sounds.iter().map(|sound| sound.name.clone()).collect(),
                variables: names_in_scope(document, index, false).into_iter().collect(),
                lists: names_in_scope(document, index, true).into_iter().collect(),
                scripts: scripts.collect(),
            }
        });
        Self { targets: targets.collect(), catalogue: Catalogue::pinned() }
    }
}

/// A text with the folder that its file names are relative to.
#[derive(Debug, Clone)]
pub struct Source {
    pub text: String,
    /// Where its assets lie; the first folder that has one counts.
    pub folders: Vec<PathBuf>,
    /// The file that it was read from, for messages.
    pub path: Option<PathBuf>,
}

impl Source {
    /// Reads a text from its file.
    ///
    /// # Errors
    /// Fails when the file can't be read.
    pub fn read(path: &Path) -> Result<Self, BuildError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| BuildError::Read { path: path.to_owned(), source })?;
        Ok(Self { text, folders: asset_folders(path), path: Some(path.to_owned()) })
    }

    /// Reads a text that is written for a task; files that are not beside it are looked for in `folders`.
    ///
    /// # Errors
    /// Fails when the file can't be read.
    pub fn read_with(path: &Path, folders: Vec<PathBuf>) -> Result<Self, BuildError> {
        let mut source = Self::read(path)?;
        source.folders.extend(folders);
        Ok(source)
    }

    /// An asset by the path that the text names; `None` when it is missing.
    pub fn asset(&self, path: &str) -> Option<Vec<u8>> {
        self.folders.iter().find_map(|folder| std::fs::read(folder.join(path)).ok())
    }

    /// Reads the text and its files, all but the scripts. No browser is needed.
    fn read_header(&self) -> Header {
        let (document, mut faults) = parse_all(&self.text);
        let (bare, missing) = skeleton_all(&document, &|file| self.asset(file));
        faults.extend(missing.into_iter().map(|fault| fault.located_in(&self.text)));
        Header { document, bare, faults: faults.into_iter().map(|fault| self.hinted(fault)).collect() }
    }

    /// A fault as reported to its author; one of a missing file with the nearest existing one.
    fn hinted(&self, error: TextError) -> Fault {
        let near = match &error.problem {
            LineError::MissingFile(file) => self.nearest_file(file),
            _ => None,
        };
        let fault = Fault::from(error);
        Fault { hint: near.or(fault.hint), ..fault }
    }

    /// A hint with the file that is named most like a missing one, in the folder where that should be.
    fn nearest_file(&self, missing: &str) -> Option<String> {
        let (inner, name) = missing.rsplit_once('/').unwrap_or(("", missing));
        let entries = self.folders.iter().filter_map(|folder| std::fs::read_dir(folder.join(inner)).ok()).flatten();
        let names: BTreeSet<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        let near = near(name, names.iter().map(String::as_str))?;
        let is_case = near.to_lowercase() == name.to_lowercase();
        let why = if is_case { " Upper and lower case are not the same in file names" } else { "" };
        let path = if inner.is_empty() { near.to_owned() } else { format!("{inner}/{near}") };
        Some(format!("did you mean \"{path}\"?{why}"))
    }

    /// The error that reports these faults, by line.
    fn faulty(&self, mut faults: Vec<Fault>) -> BuildError {
        faults.sort_by_key(|fault| fault.line);
        BuildError::Faulty(Faults { path: self.path.clone(), faults })
    }
}

/// A text without its scripts.
struct Header {
    document: Document,
    bare: Project,
    faults: Vec<Fault>,
}

/// Builds a project from its text. The same text and assets give the same bytes when written, in any page of
/// any browser, whatever was built there before. The project that is loaded in the page stays as it is.
///
/// # Errors
/// Fails with all faults of the text and of its scripts, and when the page is lost.
pub async fn compile(page: &Page, source: &Source) -> Result<Project, BuildError> {
    Ok(compile_noting(page, source).await?.project)
}

/// Builds a project like [`compile`], and returns warnings.
///
/// # Errors
/// As [`compile`].
pub async fn compile_noting(page: &Page, source: &Source) -> Result<Compiled, BuildError> {
    let header = source.read_header();
    build_by(page, &BUILD_SCRIPTS, source, header).await
}

/// Builds a project as [`compile`] does, but by the editor's own way: the project is loaded, its blocks are put into
/// the workspace that people see, and what the editor's events carry into the VM is taken. The result is the same, and
/// takes many times as long; it is what [`compile`] is tested against. The page is left with the project loaded.
///
/// # Errors
/// As [`compile`].
pub async fn compile_in_editor(page: &Page, source: &Source) -> Result<Project, BuildError> {
    let header = source.read_header();
    if !header.faults.is_empty() {
        return Err(source.faulty(header.faults));
    }
    let load = LoadProject::file(&header.bare.write()?, None);
    page.call_within(&scripts::LOAD_PROJECT, &load, BUILD_LIMIT).await?;
    Ok(build_by(page, &BUILD_IN_EDITOR, source, header).await?.project)
}

/// Has the page build the scripts, also those of a text with faults elsewhere, so that all faults are reported at once.
async fn build_by(
    page: &Page,
    builder: &PageFn<BuildRequest, Outcome>,
    source: &Source,
    header: Header,
) -> Result<Compiled, BuildError> {
    let Header { document, bare, mut faults } = header;
    if document.targets.is_empty() {
        return Err(source.faulty(faults));
    }
    let request = BuildRequest::new(&document);
    let limit = request.limit();
    let outcome = page.call_within(builder, &request, limit).await.map_err(|error| match error {
        PageError::Timeout { .. } => BuildError::TooSlow { path: source.path.clone(), lines: request.lines(), limit },
        other => other.into(),
    })?;
    // A line with a fault here may reach the page incomplete, so further faults of that line are dropped.
    let known: BTreeSet<usize> = faults.iter().map(|fault| fault.line).collect();
    faults.extend(outcome.faults.into_iter().filter(|fault| !known.contains(&fault.line)));
    match outcome.scripts {
        Some(scripts) if faults.is_empty() => {
            Ok(Compiled { project: finished(bare, &document, scripts)?, warnings: outcome.warnings })
        }
        _ => Err(source.faulty(faults)),
    }
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
/// Fails when the file is not a project, or one with faults that make its scripts unreadable.
pub fn decompile(sb3: &[u8]) -> Result<(String, Decompiled), BuildError> {
    let project = Project::read(sb3)?;
    project.check()?;
    let parts = notation::from_project(&project);
    Ok((notation::render(&parts.document), parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_has_the_nearest_of_its_folder_as_its_hint() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        std::fs::write(folder.path().join("assets/burst.svg"), "<svg/>").unwrap();
        for (file, hint) in [
            ("assets/brust.svg", "did you mean \"assets/burst.svg\"?"),
            (
                "assets/Burst.svg",
                "did you mean \"assets/burst.svg\"? Upper and lower case are not the same in file names",
            ),
            ("assets/whale.svg", "paths are relative to the text file"),
            ("elsewhere/burst.svg", "paths are relative to the text file"),
        ] {
            let text = format!("scratchbed project 1\n\nstage\n  backdrop \"a\" file \"{file}\"\n");
            let source = Source { text, folders: vec![folder.path().to_owned()], path: None };
            let faults = source.read_header().faults;
            assert_eq!((faults[0].line, faults[0].hint.as_deref()), (4, Some(hint)), "{file}");
        }
    }
}
