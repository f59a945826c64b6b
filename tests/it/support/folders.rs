//! Files below folders, as tests read and compare them. All are sorted by their paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scratchbed::model::sha256_hex;

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    files_outside(folder, &|_| false)
}

/// All files with this extension below a folder, with their texts; none of a folder that is not there. A file in place
/// of the folder counts as the one below it.
pub fn texts_below(place: &Path, extension: &str) -> Vec<(String, String)> {
    let found = match (place.is_dir(), place.is_file()) {
        (true, _) => files(place),
        (false, true) => vec![place.to_owned()],
        (false, false) => Vec::new(),
    };
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read_to_string(&path).unwrap());
    found.into_iter().filter(|path| path.extension().is_some_and(|end| end == extension)).map(read).collect()
}

/// All files below a folder, by their paths in it.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let of = |path: PathBuf| (path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&path).unwrap());
    files(folder).into_iter().map(of).collect()
}

/// Their digests alone, for folders whose files are large or many.
pub fn digests(folder: &Path) -> BTreeMap<PathBuf, String> {
    contents(folder).into_iter().map(|(path, bytes)| (path, sha256_hex(&bytes))).collect()
}

/// All project texts below a folder, but those of drafts, which may be unfinished.
pub fn project_texts(folder: &Path) -> Vec<PathBuf> {
    let texts = files_outside(folder, &|below| below.ends_with("drafts")).into_iter();
    texts.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect()
}

fn files_outside(folder: &Path, is_left_out: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.unwrap().path();
            if !path.is_dir() {
                found.push(path);
            } else if !is_left_out(&path) {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn files_are_found_at_any_depth_and_those_of_drafts_are_no_project_texts() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.txt", "a/deep/c.txt", "drafts/d.txt", "a/e.rs"] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, name).unwrap();
    }
    let at = |name: &str| folder.path().join(name);
    assert_eq!(files(folder.path()), ["a/deep/c.txt", "a/e.rs", "b.txt", "drafts/d.txt"].map(at));
    assert_eq!(project_texts(folder.path()), ["a/deep/c.txt", "b.txt"].map(at));
    let found: Vec<PathBuf> = digests(folder.path()).into_keys().collect();
    assert_eq!(found, ["a/deep/c.txt", "a/e.rs", "b.txt", "drafts/d.txt"].map(PathBuf::from));
    let texts = |place: &str| texts_below(&at(place), "rs").into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    assert_eq!([texts("a"), texts("a/e.rs"), texts("none")], [vec!["a/e.rs"], vec!["a/e.rs"], vec![]]);
}
