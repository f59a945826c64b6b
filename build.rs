//! Tells the program which text its builder was made of, so that projects that it built are used again by every
//! program with the same builder. What the builder runs in the page is no part of this: the program has its sources.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};

/// The folders whose code turns a text into a project.
const BUILDER: [&str; 2] = ["src/compile", "src/project"];

fn main() -> std::io::Result<()> {
    let mut files = BTreeSet::new();
    for folder in BUILDER {
        println!("cargo::rerun-if-changed={folder}");
        gather(Path::new(folder), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.hash(&mut hasher);
        fs::read(file)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=SCRATCHBED_BUILDER={:016x}", hasher.finish());
    Ok(())
}

fn gather(folder: &Path, files: &mut BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}
