//! The layout of a checkout. Tasks and projects have fixed places; evaluation scripts are looked for by the names of
//! their folder and of their helper library, since nothing fixes where these lie.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::ImportError;
use crate::taskset::is_inside;

/// Folder of the evaluation scripts, anywhere in the checkout.
const SCRIPTS: &str = "evaluation_scripts";
/// File of their helper library, anywhere in the checkout.
pub(super) const UTILS: &str = "evaluation_utils.js";
/// How deep both are looked for below the checkout.
const DEPTH: usize = 6;
/// Folders that belong to package managers, and to scripts that are no longer used.
const PASSED_OVER: [&str; 4] = ["node_modules", "deprecated", "build", "dist"];

/// The parts of a checkout.
#[derive(Debug)]
pub(super) struct Checkout {
    root: PathBuf,
    /// Folders of evaluation scripts, the one nearest to the root first.
    pub scripts: Vec<PathBuf>,
    /// Helper libraries, the one nearest to the root first.
    pub utils: Vec<PathBuf>,
    /// Project files by name.
    pub projects: BTreeMap<String, PathBuf>,
    /// Links that lead out of the checkout, or are broken; they are skipped.
    pub outside: Vec<PathBuf>,
}

impl Checkout {
    /// Scans a checkout.
    pub fn open(root: &Path) -> Result<Self, ImportError> {
        let missing = |missing| ImportError::NoCheckout { folder: root.to_owned(), missing };
        let projects = root.join("scratch-gui/static");
        if !root.join("tasks").is_dir() {
            return Err(missing("tasks"));
        }
        if !projects.is_dir() {
            return Err(missing("scratch-gui/static"));
        }
        let mut found = Self {
            root: root.to_owned(),
            scripts: Vec::new(),
            utils: Vec::new(),
            projects: BTreeMap::new(),
            outside: Vec::new(),
        };
        for path in found.entries(&projects)? {
            if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) {
                found.projects.insert(name.to_owned(), path.clone());
            }
        }
        found.search(root, DEPTH)?;
        let depth = |path: &PathBuf| (path.components().count(), path.clone());
        found.scripts.sort_by_key(depth);
        found.utils.sort_by_key(depth);
        Ok(found)
    }

    fn search(&mut self, folder: &Path, depth: usize) -> Result<(), ImportError> {
        for path in entries(folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if !is_inside(&self.root, &path) {
                self.outside.push(path);
            } else if name == UTILS && path.is_file() {
                self.utils.push(path);
            } else if path.is_dir() && !path.is_symlink() && depth > 0 {
                if name == SCRIPTS {
                    self.scripts.push(path.clone());
                }
                if !name.starts_with('.') && !PASSED_OVER.contains(&name.as_str()) {
                    self.search(&path, depth - 1)?;
                }
            }
        }
        Ok(())
    }

    /// Task folders by type, and the lists of tasks beside them.
    pub fn tasks(&self) -> Result<(Vec<PathBuf>, Vec<PathBuf>), ImportError> {
        let (folders, files): (Vec<_>, Vec<_>) =
            self.entries(&self.root.join("tasks"))?.into_iter().partition(|path| path.is_dir());
        Ok((folders, files.into_iter().filter(|path| has_extension(path, "json")).collect()))
    }

    /// The path as reports show it.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Scripts of this name in all script folders.
    pub fn scripts_named(&self, name: &str) -> Vec<PathBuf> {
        let files = self.scripts.iter().map(|folder| folder.join(format!("{name}.js")));
        files.filter(|file| file.is_file() && is_inside(&self.root, file)).collect()
    }

    /// What lies in a folder of the checkout, sorted by name. Links that lead out of the checkout are
    /// skipped: they would copy a file of the operator's into the pack.
    pub fn entries(&self, folder: &Path) -> Result<Vec<PathBuf>, ImportError> {
        Ok(entries(folder)?.into_iter().filter(|path| is_inside(&self.root, path)).collect())
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let unreadable = |source| ImportError::Unreadable { path: folder.to_owned(), source };
    let listing = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

/// Whether the file has this extension.
pub(super) fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_out_of_the_checkout_are_passed_over_and_links_inside_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (outside, root) = (folder.path().join("secret"), folder.path().join("checkout"));
        let (statics, scripts) = (root.join("scratch-gui/static"), root.join(SCRIPTS));
        for made in [&outside, &root.join("tasks"), &statics, &scripts] {
            fs::create_dir_all(made).unwrap();
        }
        fs::write(outside.join("key.js"), "key").unwrap();
        fs::write(statics.join("real.sb3"), "project").unwrap();
        fs::write(scripts.join("real.js"), "script").unwrap();
        symlink(outside.join("key.js"), statics.join("stolen.sb3")).unwrap();
        symlink(outside.join("key.js"), scripts.join("stolen.js")).unwrap();
        symlink(outside.join("key.js"), root.join(UTILS)).unwrap();
        symlink(&outside, root.join("tasks/create")).unwrap();
        symlink(statics.join("real.sb3"), statics.join("again.sb3")).unwrap();
        let checkout = Checkout::open(&root).unwrap();
        assert_eq!(checkout.projects.keys().collect::<Vec<_>>(), ["again.sb3", "real.sb3"]);
        assert_eq!(checkout.scripts_named("real").len(), 1);
        assert!(checkout.scripts_named("stolen").is_empty() && checkout.utils.is_empty());
        assert!(checkout.tasks().unwrap().0.is_empty());
        let shown: Vec<_> = checkout.outside.iter().map(|path| checkout.shown(path)).collect();
        let stolen = ["evaluation_scripts/stolen.js", UTILS, "scratch-gui/static/stolen.sb3", "tasks/create"];
        assert_eq!(shown, stolen);
    }
}
