//! Memory and processor time of a process with all its descendants, from `/proc`.

use std::collections::BTreeMap;
use std::time::Duration;

use procfs::process;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub id: u32,
    /// The program's name as the kernel has it, at most 15 characters.
    pub name: String,
    parent: u32,
    ticks: u64,
}

/// The process `root` and all its descendants at this moment, `root` first.
pub fn tree(root: u32) -> Vec<Process> {
    let all = processes();
    let mut found: Vec<Process> = all.get(&root).cloned().into_iter().collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|process| process.id) {
        found.extend(all.values().filter(|process| process.parent == parent).cloned());
        next += 1;
    }
    found
}

/// Proportional set size of the tree in bytes: shared pages count once in all.
pub fn memory(root: u32) -> u64 {
    tree(root).iter().filter_map(|process| proportional_set(process.id)).sum()
}

/// Processor time that the tree has used so far, user and system, of processes that still live.
pub fn processor_time(root: u32) -> Duration {
    let ticks: u64 = tree(root).iter().map(|process| process.ticks).sum();
    Duration::from_millis(ticks * 1000 / procfs::ticks_per_second())
}

fn processes() -> BTreeMap<u32, Process> {
    let all = process::all_processes().into_iter().flatten().flatten();
    // One that has ended meanwhile is passed over.
    let stats = all.filter_map(|process| process.stat().ok());
    let of = |stat: process::Stat| {
        let (id, parent) = (u32::try_from(stat.pid).ok()?, u32::try_from(stat.ppid).ok()?);
        Some((id, Process { id, name: stat.comm, parent, ticks: stat.utime + stat.stime }))
    };
    stats.filter_map(of).collect()
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
