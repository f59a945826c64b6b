//! Memory and processor time of a process with all its descendants, from `/proc`.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Clock ticks a second in `/proc/<pid>/stat`; Linux fixes `USER_HZ` at 100 for user space.
const TICKS_PER_SECOND: u64 = 100;

/// One process of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Process id.
    pub id: u32,
    /// The program's name as the kernel has it, at most 15 characters.
    pub name: String,
    parent: u32,
    ticks: u64,
}

/// The process `root` and all its descendants at this moment, `root` first.
#[must_use]
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
#[must_use]
pub fn memory(root: u32) -> u64 {
    tree(root).iter().filter_map(|process| proportional_set(process.id)).sum()
}

/// Processor time that the tree has used so far, user and system, of processes that still live.
#[must_use]
pub fn processor_time(root: u32) -> Duration {
    let ticks: u64 = tree(root).iter().map(|process| process.ticks).sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}

fn processes() -> BTreeMap<u32, Process> {
    let Ok(folder) = fs::read_dir("/proc") else { return BTreeMap::new() };
    let ids = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(|id: u32| Some((id, parse_stat(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?)))
        .collect()
}

/// Reads one line of `/proc/<pid>/stat`. The name is in parentheses and may hold anything.
fn parse_stat(id: u32, line: &str) -> Option<Process> {
    let (head, tail) = line.rsplit_once(") ")?;
    let name = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = tail.split(' ').collect();
    // Counted from the state, which is field 3 of proc(5): parent 4, utime 14, stime 15.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Process { id, name, parent: u32::try_from(number(4)?).ok()?, ticks: number(14)? + number(15)? })
}

fn proportional_set(id: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_and_parentheses_is_read() {
        let line = "7 (a (b) c) S 3 7 7 0 -1 4194560 1 0 0 0 12 34 0 0 20";
        let process = parse_stat(7, line).unwrap();
        assert_eq!((process.name.as_str(), process.parent, process.ticks), ("a (b) c", 3, 46));
    }

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
