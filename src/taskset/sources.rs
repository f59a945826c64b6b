//! Evaluation scripts with the helpers they require. Running them is the judge room's work.

use std::fs;
use std::path::Path;

use super::TasksetError;
use crate::model::{required, sha256_hex};

/// The folder of the helpers.
const LIB: &str = "lib";
/// The script that plays scenarios.
const PLAYER: &str = "bugs/play.js";

/// A text file that is handed to a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to `eval-scripts`, with forward slashes, such as `lib/suite.js`.
    pub name: String,
    pub source: String,
}

/// An evaluation script and everything it may `require`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationSources {
    pub script: SourceFile,
    /// What runs before it with the same globals: the helpers of a pack that knows no `require`.
    pub prelude: Option<SourceFile>,
    /// What it requires of `eval-scripts/lib`, directly or through others, sorted by name.
    pub helpers: Vec<SourceFile>,
}

impl EvaluationSources {
    /// One digest of all of it. Names and lengths are part of it, so that moving text between files changes it.
    pub fn digest(&self) -> String {
        let files = std::iter::once(&self.script).chain(&self.prelude).chain(&self.helpers);
        let text = files
            .fold(String::new(), |text, file| text + &format!("{} {}\n", file.name, file.source.len()) + &file.source);
        sha256_hex(text.as_bytes())
    }
}

/// Reads a script, what runs before it, and the helpers that it needs. Its name leaves out the folder of the drafts, so
/// that its digest stays when the draft becomes a task.
pub(super) fn read(folder: &Path, script: &Path, prelude: Option<&str>) -> Result<EvaluationSources, TasksetError> {
    let name = script.file_name().unwrap_or_default().to_string_lossy();
    let script = source_file(script.parent().unwrap_or(folder), &name)?;
    let prelude = prelude.map(|name| source_file(folder, name)).transpose()?;
    let helpers = reached(&script, &helpers(folder)?);
    Ok(EvaluationSources { script, prelude, helpers })
}

/// The script that plays scenarios, of the checkout at `root`.
///
/// # Errors
/// When it or its helpers can't be read.
pub fn player(root: &Path) -> Result<EvaluationSources, TasksetError> {
    let folder = root.join("eval-scripts");
    read(&folder, &folder.join(PLAYER), None)
}

/// A script that lies in no folder of scripts, with the helpers of the checkout at `root` that it reaches.
///
/// # Errors
/// When the helpers can't be read.
pub fn with_helpers(root: &Path, script: SourceFile) -> Result<EvaluationSources, TasksetError> {
    let helpers = reached(&script, &helpers(&root.join("eval-scripts"))?);
    Ok(EvaluationSources { script, prelude: None, helpers })
}

/// Those helpers that a script reaches.
fn reached(script: &SourceFile, all: &[SourceFile]) -> Vec<SourceFile> {
    let base = |name: &str| name.trim_start_matches(LIB).trim_start_matches('/').trim_end_matches(".js").to_owned();
    let names: Vec<String> = all.iter().map(|helper| base(&helper.name)).collect();
    let library: Vec<(&str, &str)> =
        names.iter().zip(all).map(|(name, helper)| (name.as_str(), helper.source.as_str())).collect();
    required(&script.source, &library).into_iter().map(|at| all[at].clone()).collect()
}

/// All of `lib`; foreign scripts have none.
fn helpers(scripts: &Path) -> Result<Vec<SourceFile>, TasksetError> {
    let lib = scripts.join(LIB);
    if !lib.exists() {
        return Ok(Vec::new());
    }
    let listing = fs::read_dir(&lib).map_err(|source| TasksetError::Unreadable { file: lib.clone(), source })?;
    let mut names: Vec<String> = listing
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "js"))
        .map(|name| format!("{LIB}/{name}"))
        .collect();
    names.sort();
    names.iter().map(|name| source_file(scripts, name)).collect()
}

fn source_file(scripts: &Path, name: &str) -> Result<SourceFile, TasksetError> {
    let file = scripts.join(name);
    match fs::read_to_string(&file) {
        Ok(source) => Ok(SourceFile { name: name.to_owned(), source }),
        Err(source) => Err(TasksetError::Unreadable { file, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, source: &str) -> SourceFile {
        SourceFile { name: name.to_owned(), source: source.to_owned() }
    }

    #[test]
    fn a_script_comes_with_the_helpers_that_it_reaches() {
        let all = [file("lib/expect.js", "require('./cast.js')"), file("lib/cast.js", ""), file("lib/looks.js", "")];
        let names = reached(&file("wave.js", "require('./lib/expect.js')"), &all).into_iter().map(|helper| helper.name);
        assert_eq!(names.collect::<Vec<_>>(), ["lib/expect.js", "lib/cast.js"]);
    }

    #[test]
    fn moving_text_between_files_changes_the_digest() {
        let one = EvaluationSources { script: file("a.js", "xy"), prelude: None, helpers: vec![file("lib/b.js", "z")] };
        let other =
            EvaluationSources { script: file("a.js", "x"), prelude: None, helpers: vec![file("lib/b.js", "yz")] };
        assert_ne!(one.digest(), other.digest());
        assert_eq!(one.digest().len(), 64);
    }
}
