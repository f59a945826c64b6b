//! Disks for tests: one that refuses a step, and what is left of a folder when the power fails.
//!
//! The model is that of a journalling file system without help: names are on the disk when their folder was synced,
//! bytes when their file was; of all else any part may be there, in any combination.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::disk::{Disk, Step, Watch};

/// Something that was done to a disk, with the file or folder and the bytes that were written.
pub(super) type Done = (Step, PathBuf, Vec<u8>);

#[derive(Debug, Clone, Copy)]
pub(super) struct Refusal {
    /// Number of the first, from 0.
    pub at: usize,
    pub times: usize,
    /// The system's error number.
    pub error: i32,
}

/// What is done to a disk under test.
#[derive(Debug, Default)]
pub(super) struct Faults {
    refusal: Option<Refusal>,
    steps: Mutex<(usize, Vec<Done>)>,
}

impl Faults {
    /// A disk that refuses some steps, or none, and what is noted about it.
    pub(super) fn disk(refusal: Option<Refusal>) -> (Disk, Arc<Self>) {
        let faults = Arc::new(Self { refusal, ..Self::default() });
        (Disk { watch: Some(Arc::<Self>::clone(&faults)) }, faults)
    }

    /// Steps so far, including refused ones.
    pub(super) fn count(&self) -> usize {
        self.steps.lock().unwrap().0
    }

    /// Steps that were done.
    pub(super) fn done(&self) -> Vec<Done> {
        self.steps.lock().unwrap().1.clone()
    }
}

impl Watch for Faults {
    fn step(&self, step: Step, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut steps = self.steps.lock().unwrap();
        let number = steps.0;
        steps.0 += 1;
        if let Some(refusal) = self.refusal.filter(|one| (one.at..one.at + one.times).contains(&number)) {
            return Err(io::Error::from_raw_os_error(refusal.error));
        }
        steps.1.push((step, path.to_owned(), bytes.to_owned()));
        Ok(())
    }
}

/// A file or folder. What is under a name may differ between memory and disk.
enum Node {
    Folder { now: Names, synced: Names },
    File { bytes: Vec<u8>, synced: usize },
}

type Names = BTreeMap<OsString, usize>;

/// The files below one folder, in memory and on the disk.
pub(super) struct Crash {
    root: PathBuf,
    nodes: Vec<Node>,
}

impl Crash {
    /// What these steps make of an empty folder.
    pub(super) fn after(root: &Path, steps: &[Done]) -> Self {
        let mut crash = Self { root: root.to_owned(), nodes: vec![folder()] };
        for step in steps {
            crash.apply(step);
        }
        crash
    }

    fn apply(&mut self, (step, path, more): &Done) {
        match step {
            Step::Folder => self.name(path, folder()),
            Step::File if self.find(path).is_none() => self.name(path, file(Vec::new(), 0)),
            Step::File | Step::Room => {}
            Step::Whole => self.name(path, file(more.clone(), more.len())),
            Step::Remove => {
                if let Some((Node::Folder { now, .. }, name)) = self.parent(path) {
                    now.remove(&name);
                }
            }
            Step::SyncFolder => {
                if let Some(Node::Folder { now, synced }) = self.node(path) {
                    synced.clone_from(now);
                }
            }
            Step::Append | Step::Cut(_) | Step::SyncFile => {
                if let Some(Node::File { bytes, synced }) = self.node(path) {
                    bytes.extend_from_slice(more);
                    match step {
                        Step::Cut(len) => bytes.truncate(usize::try_from(*len).unwrap()),
                        Step::SyncFile => *synced = bytes.len(),
                        _ => {}
                    }
                    *synced = (*synced).min(bytes.len());
                }
            }
        }
    }

    /// Puts what is left after the power has failed into a folder. `chance` draws a number below another.
    pub(super) fn leave(&self, into: &Path, chance: &mut impl FnMut(usize) -> usize) {
        self.leave_node(0, into, chance);
    }

    fn leave_node(&self, index: usize, path: &Path, chance: &mut impl FnMut(usize) -> usize) {
        match &self.nodes[index] {
            Node::File { bytes, synced } => {
                let kept = synced + chance(bytes.len() - synced + 1);
                std::fs::write(path, &bytes[..kept]).unwrap();
            }
            Node::Folder { now, synced } => {
                std::fs::create_dir_all(path).unwrap();
                let names: BTreeSet<&OsString> = now.keys().chain(synced.keys()).collect();
                for name in names {
                    let left = if chance(2) == 0 { now.get(name) } else { synced.get(name) };
                    if let Some(index) = left {
                        self.leave_node(*index, &path.join(name), chance);
                    }
                }
            }
        }
    }

    fn find(&self, path: &Path) -> Option<usize> {
        let below = path.strip_prefix(&self.root).ok()?;
        below.iter().try_fold(0, |index, name| match &self.nodes[index] {
            Node::Folder { now, .. } => now.get(name).copied(),
            Node::File { .. } => None,
        })
    }

    fn node(&mut self, path: &Path) -> Option<&mut Node> {
        self.find(path).map(|index| &mut self.nodes[index])
    }

    fn parent(&mut self, path: &Path) -> Option<(&mut Node, OsString)> {
        let name = path.file_name()?.to_owned();
        self.node(path.parent()?).map(|node| (node, name))
    }

    fn name(&mut self, path: &Path, node: Node) {
        let index = self.nodes.len();
        self.nodes.push(node);
        if let Some((Node::Folder { now, .. }, name)) = self.parent(path) {
            now.insert(name, index);
        }
    }
}

fn folder() -> Node {
    Node::Folder { now: Names::new(), synced: Names::new() }
}

fn file(bytes: Vec<u8>, synced: usize) -> Node {
    Node::File { bytes, synced }
}
