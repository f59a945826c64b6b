//! A process with all its descendants, from `/proc`: who they are, their memory, and the processor time of each so far.
//!
//! What a tree has used over time, `tracker` knows: one look can't tell, since processes end.

use std::collections::{BTreeMap, VecDeque};

use procfs::process;

/// A process at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number, which another process may have later.
    pub id: u32,
    /// The program's name as the kernel has it, at most 15 characters.
    pub name: String,
    /// Its parent's number, which is another one once the parent has ended.
    pub(super) parent: u32,
    /// When it started, in ticks since the machine did. With `id` it names the process for good.
    pub(super) started: u64,
    /// Ticks of its own processor time, user and system.
    pub(super) own: u64,
    /// The same of children that it has waited for, with what these had waited for.
    pub(super) waited: u64,
}

impl Process {
    /// Whether this is the same process at another moment.
    pub(super) const fn is(&self, other: &Self) -> bool {
        self.id == other.id && self.started == other.started
    }
}

/// Processes by their numbers.
pub(super) type Processes = BTreeMap<u32, Process>;

/// The process `root` and all its descendants at this moment, `root` first; nothing if there is no such process.
pub fn tree(root: u32) -> Vec<Process> {
    below(&processes(), [root])
}

/// Proportional set size of the tree in bytes: shared pages count once in all. Processes of other users, whose memory can't
/// be read, are left out.
pub fn memory(root: u32) -> u64 {
    tree(root).iter().filter_map(|process| proportional_set(process.id)).sum()
}

/// Those of `all` that are a root or descend from one, each once.
pub(super) fn below(all: &Processes, roots: impl IntoIterator<Item = u32>) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut due: VecDeque<u32> = roots.into_iter().collect();
    while let Some(id) = due.pop_front() {
        let Some(process) = all.get(&id).filter(|_| found.iter().all(|known| known.id != id)) else { continue };
        due.extend(all.values().filter(|child| child.parent == id).map(|child| child.id));
        found.push(process.clone());
    }
    found
}

/// All processes of the machine at this moment.
pub(super) fn processes() -> Processes {
    let all = process::all_processes().into_iter().flatten().flatten();
    // One that has ended meanwhile is passed over.
    let stats = all.filter_map(|process| process.stat().ok());
    stats.filter_map(of_stat).map(|process| (process.id, process)).collect()
}

fn of_stat(stat: process::Stat) -> Option<Process> {
    let waited = u64::try_from(stat.cutime).ok()? + u64::try_from(stat.cstime).ok()?;
    Some(Process {
        id: u32::try_from(stat.pid).ok()?,
        name: stat.comm,
        parent: u32::try_from(stat.ppid).ok()?,
        started: stat.starttime,
        own: stat.utime + stat.stime,
        waited,
    })
}

fn proportional_set(id: u32) -> Option<u64> {
    let process = process::Process::new(i32::try_from(id).ok()?).ok()?;
    let rollup = process.smaps_rollup().ok()?.memory_map_rollup;
    rollup.iter().find_map(|map| map.extension.map.get("Pss").copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_tree_holds_us_and_a_child() {
        let mut child = std::process::Command::new("sleep").arg("5").spawn().unwrap();
        let ids: Vec<u32> = tree(std::process::id()).iter().map(|process| process.id).collect();
        assert_eq!(ids[0], std::process::id());
        assert!(ids.contains(&child.id()));
        assert!(memory(std::process::id()) > 100_000);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
