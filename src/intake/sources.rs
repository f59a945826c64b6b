//! Which files of some folders are projects. What is in them is not looked at here.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::IntakeError;

/// The file that makes a folder a project written as text.
const TEXT: &str = "project.txt";
/// Folders within folders that are looked into.
const DEPTH: u32 = 16;

/// How a project is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A file of some version of Scratch.
    File,
    /// A project text with its assets beside it.
    Text,
}

/// A project where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the text.
    pub file: PathBuf,
    pub kind: SourceKind,
    /// The source that was named, in which it was found; its licence may lie there.
    pub root: PathBuf,
}

impl Source {
    /// What people call it: the file's name without its ending, or the name of the text's folder.
    pub fn name(&self) -> String {
        let named = match self.kind {
            SourceKind::File => self.file.file_stem(),
            SourceKind::Text => self.file.parent().and_then(Path::file_name),
        };
        named.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// All projects in these files and folders, each once, sorted within a folder. A file that is named itself may have any ending.
///
/// # Errors
/// When a source is not there, a folder can't be listed, or there is no project at all.
pub fn find(sources: &[PathBuf]) -> Result<Vec<Source>, IntakeError> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for root in sources {
        let kind = fs::metadata(root).map_err(failed(root))?;
        if kind.is_dir() {
            search(root, root, DEPTH, &mut found)?;
        } else {
            let is_text = root.file_name() == Some(OsStr::new(TEXT));
            let kind = if is_text { SourceKind::Text } else { SourceKind::File };
            let folder = root.parent().map(Path::to_owned).unwrap_or_default();
            found.push(Source { file: root.clone(), kind, root: folder });
        }
    }
    found.retain(|source| seen.insert(source.file.clone()));
    if found.is_empty() { Err(IntakeError::NoProjects) } else { Ok(found) }
}

fn failed(file: &Path) -> impl FnOnce(std::io::Error) -> IntakeError {
    move |source| IntakeError::Source { file: file.to_owned(), source }
}

fn search(folder: &Path, root: &Path, depth: u32, found: &mut Vec<Source>) -> Result<(), IntakeError> {
    let text = folder.join(TEXT);
    if text.is_file() {
        found.push(Source { file: text, kind: SourceKind::Text, root: root.to_owned() });
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        entries.push(entry.map_err(failed(folder))?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Links are not followed: they may lead around in a circle.
        let kind = entry.file_type().map_err(failed(&path))?;
        if kind.is_dir() && !is_hidden && depth > 0 {
            search(&path, root, depth - 1, found)?;
        } else if kind.is_file() && !is_hidden && is_project(&path) {
            found.push(Source { file: path, kind: SourceKind::File, root: root.to_owned() });
        }
    }
    Ok(())
}

fn is_project(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str).map(str::to_lowercase);
    ending.is_some_and(|ending| matches!(ending.as_str(), "sb3" | "sb2" | "sb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_versions_and_folders_with_texts_are_found_once() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path();
        for folder in ["games/deep", "moth/assets", ".hidden"] {
            fs::create_dir_all(place.join(folder)).unwrap();
        }
        let files =
            ["b.sb", "a.SB2", "games/deep/c.sb3", "games/d.txt", "moth/project.txt", "moth/e.sb3", ".hidden/f.sb3"];
        for file in files {
            fs::write(place.join(file), b"").unwrap();
        }
        std::os::unix::fs::symlink(place, place.join("games/around")).unwrap();
        let found = find(&[place.to_owned(), place.join("b.sb"), place.join("games/d.txt")]).unwrap();
        let names: Vec<String> = found.iter().map(Source::name).collect();
        assert_eq!(names, ["a", "b", "c", "moth", "d"]);
        assert_eq!((found[3].kind, &found[3].root), (SourceKind::Text, &place.to_owned()));
        assert!(matches!(find(&[place.join("absent")]), Err(IntakeError::Source { .. })));
        assert!(matches!(find(&[place.join(".hidden/none")]), Err(IntakeError::Source { .. })));
        fs::create_dir(place.join("empty")).unwrap();
        assert!(matches!(find(&[place.join("empty")]), Err(IntakeError::NoProjects)));
    }
}
