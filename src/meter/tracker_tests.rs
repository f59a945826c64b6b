//! Accounts of processes: made up ones, and a load of children that the kernel ends after a second of processor time each.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use super::*;

/// Process `id` with its parent, its own ticks, and those that it waited for.
fn process(id: u32, parent: u32, own: u64, waited: u64) -> Process {
    Process { id, name: format!("p{id}"), parent, started: u64::from(id), own, waited }
}

fn look(list: &[Process]) -> Processes {
    list.iter().map(|process| (process.id, process.clone())).collect()
}

/// The sum after each of the looks that follow the first.
fn sums(looks: &[&[Process]]) -> Vec<u64> {
    let mut tracker = Tracker { root: 10, known: Processes::new(), ticks: 0 };
    tracker.known = tracker.followed(&look(looks[0]));
    let mut sums = Vec::new();
    for all in &looks[1..] {
        let now = tracker.followed(&look(all));
        tracker.add(now);
        sums.push(tracker.ticks);
    }
    sums
}

#[test]
fn what_was_used_before_does_not_count_and_strangers_never_do() {
    let stranger = process(99, 1, 5000, 0);
    let looks: [&[Process]; 2] = [
        &[process(10, 1, 100, 40), process(11, 10, 30, 0), stranger.clone()],
        &[process(10, 1, 101, 40), process(11, 10, 33, 0), process(12, 11, 5, 0), Process { own: 9000, ..stranger }],
    ];
    assert_eq!(sums(&looks), [1 + 3 + 5]);
}

#[test]
fn a_child_counts_once_alive_as_a_zombie_and_waited_for() {
    let looks: [&[Process]; 4] = [
        &[process(10, 1, 0, 0)],
        &[process(10, 1, 0, 0), process(11, 10, 50, 0)],
        // Ended, but not waited for: it stands there with its times.
        &[process(10, 1, 0, 0), process(11, 10, 60, 0)],
        &[process(10, 1, 0, 60)],
    ];
    assert_eq!(sums(&looks), [50, 60, 60]);
}

#[test]
fn one_that_came_and_went_unseen_counts_through_its_parent() {
    let looks: [&[Process]; 2] = [&[process(10, 1, 0, 0)], &[process(10, 1, 1, 70)]];
    assert_eq!(sums(&looks), [71]);
}

#[test]
fn a_whole_branch_that_ends_is_in_the_account_of_who_is_left() {
    let looks: [&[Process]; 2] = [
        &[process(10, 1, 0, 0), process(11, 10, 20, 5), process(12, 11, 30, 0)],
        // 12 used 4 more and 11 used 1 more before they ended.
        &[process(10, 1, 0, 60)],
    ];
    assert_eq!(sums(&looks), [5]);
}

#[test]
fn one_that_leaves_the_tree_is_followed_and_its_end_takes_nothing_back() {
    let looks: [&[Process]; 4] = [
        &[process(10, 1, 0, 0), process(11, 10, 2, 0), process(12, 11, 30, 0)],
        // 11 has ended and 12 is init's now, with a child.
        &[process(10, 1, 0, 2), process(12, 1, 40, 0), process(13, 12, 6, 0)],
        &[process(10, 1, 0, 2), process(13, 1, 7, 0)],
        &[process(10, 1, 3, 2)],
    ];
    assert_eq!(sums(&looks), [16, 17, 20]);
}

#[test]
fn a_number_that_another_process_has_now_is_another_process() {
    let again = Process { started: 500, ..process(11, 10, 8, 0) };
    let looks: [&[Process]; 3] =
        [&[process(10, 1, 0, 0), process(11, 10, 90, 0)], &[process(10, 1, 0, 95), again.clone()], &[again]];
    assert_eq!(sums(&looks), [5 + 8, 13]);
    let stranger = Process { started: 600, ..process(11, 1, 1000, 0) };
    assert_eq!(sums(&[&[process(10, 1, 0, 0), process(11, 10, 90, 0)], &[process(10, 1, 0, 90), stranger]]), [0]);
}

#[test]
fn looks_agree_only_if_nobody_came_went_or_was_waited_for() {
    let quiet = look(&[process(10, 1, 0, 0), process(11, 10, 5, 0)]);
    let busy = look(&[process(10, 1, 7, 0), process(11, 10, 9, 0)]);
    assert!(agree(&quiet, &busy), "they may work on");
    for other in [&[process(10, 1, 0, 5)][..], &[process(10, 1, 0, 5), process(11, 10, 5, 0)], &[]] {
        assert!(!agree(&quiet, &look(other)));
    }
}

/// Milliseconds of processor time that the children of a shell have used, as the second line of its `times` says. That the kernel
/// ends a burner after a second does not tell: its limit counts whole ticks, of which a busy machine gives to whoever comes by.
fn told_by_times(lines: &[String]) -> u64 {
    let part = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    let seconds: f64 = lines[1].split_whitespace().map(part).sum();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some seconds")]
    let milliseconds = (1000.0 * seconds) as u64;
    milliseconds
}

/// A shell that waits for a line and then runs `script`, in which `$BURN` burns until the kernel ends it.
fn load(script: &str) -> Child {
    Command::new("sh")
        .args(["-c", &format!("read line; {script}")])
        .env("BURN", "ulimit -t 1; while :; do :; done")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_load_of_known_processor_time_is_accounted_for() {
    // A child and a grandchild that end, and a grandchild that ended while its parent still stands there.
    let burner = "sh -c \"$BURN\"";
    let last = format!("sh -c '{burner}; times; echo last; read line'");
    let mut root = load(&format!("{burner}; sh -c '{burner}; true'; times; {last}; true"));
    let mut tracker = Tracker::new(root.id());
    let mut input = root.stdin.take().unwrap();
    writeln!(input, "go").unwrap();
    let lines = BufReader::new(root.stdout.take().unwrap()).lines().map(Result::unwrap);
    let times: Vec<String> = lines.take_while(|line| line != "last").collect();
    let burned = told_by_times(&times[..2]) + told_by_times(&times[2..]);
    assert!(burned > 1500, "{times:?}");
    let alive = tracker.used();
    drop(input);
    root.wait().unwrap();
    let found = u64::try_from(alive.as_millis()).unwrap();
    assert!(found.abs_diff(burned) <= burned / 10, "{found} ms found, {burned} ms burned");
    assert!(tracker.used() >= alive, "an end takes nothing back");
}
