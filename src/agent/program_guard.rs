//! The guard of a program: a small process that starts the program, and ends it with everything that it has started.
//!
//! We start our own binary with the hidden subcommand `guard-program`. Whatever below it loses its parent becomes its child
//! (it is a "child subreaper"), so no process gets away by leaving its group, its session or its environment. The guard
//! has the reading end of a pipe, the leash, whose writing end its owner alone has; the kernel closes that end when the owner
//! ends, also on SIGKILL. When it closes, or the program's first process ends, the guard kills its children and those
//! that they leave to it, until there are none; then it ends as the program did.
//!
//! Only children of the guard are ever sent a signal. The id of a child is no one else's before the guard has asked how
//! it ended, so no other process is hit. A program of the guard's own user can kill its guard; that of another user can't.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::RawFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::{Pid, close, dup2_stderr, dup2_stdin, dup2_stdout};
use procfs::process::Process;

/// The descriptor under which the guard inherits the leash.
pub(super) const LEASH: RawFd = 3;

/// The subcommand of our own binary.
const SUBCOMMAND: &str = "guard-program";
/// The status with which a shell says that there is no such program (POSIX, Shell Command Language, 2.8.2).
const NOT_STARTED: u8 = 127;
/// What a shell adds to the number of the signal that ended a program.
const SIGNALLED: i32 = 128;
/// How often children are looked for that have ended while the program goes on.
const REAPING: Duration = Duration::from_secs(5);
/// How long processes may take to end once they are killed. One of another user's, which a program of its own user can
/// start where it may become that user, never does.
const ENDING: Duration = Duration::from_secs(60);
/// Pause between two rounds of killing.
const PAUSE: Duration = Duration::from_millis(1);

/// What our own binary is told to guard this command line; run as the user and the group with these ids, if they are given.
pub(super) fn arguments(ids: Option<(u32, u32)>, command: &str) -> Vec<String> {
    let mut arguments = vec![SUBCOMMAND.to_owned()];
    if let Some((user, group)) = ids {
        arguments.extend(["--ids".to_owned(), user.to_string(), group.to_string()]);
    }
    arguments.extend(["--".to_owned(), command.to_owned()]);
    arguments
}

/// Runs a program as its guard. Returns the process exit code: the program's own, or 128 and the signal that ended it.
pub fn run(ids: Option<(u32, u32)>, command: &str) -> u8 {
    guarded(ids, command).unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "the program can't be started: {error}");
        NOT_STARTED
    })
}

fn guarded(ids: Option<(u32, u32)>, command: &str) -> std::io::Result<u8> {
    set_child_subreaper(true)?;
    let leash = take_leash()?;
    let mut program = start(ids, command)?;
    let (over, wait) = mpsc::channel();
    watch_owner(leash, over.clone());
    watch_program(&program, over);
    // The streams are only held for longer if this fails.
    let _ = let_go_of_streams();
    while wait.recv_timeout(REAPING) == Err(mpsc::RecvTimeoutError::Timeout) {
        reap_others(&program);
    }
    let _ = program.kill();
    let status = program.wait();
    end_children();
    status.map(code_of)
}

/// Takes the leash, which no process below may inherit.
fn take_leash() -> std::io::Result<File> {
    let leash = File::open(format!("/proc/self/fd/{LEASH}"))?;
    close(LEASH)?;
    Ok(leash)
}

fn start(ids: Option<(u32, u32)>, command: &str) -> std::io::Result<Child> {
    let mut shell = Command::new("sh");
    // A group of its own: what a program sends to its group must not reach the guard.
    shell.args(["-c", command]).process_group(0);
    if let Some((user, group)) = ids {
        // The standard library drops all other groups of root's when it changes the user.
        shell.uid(user).gid(group);
    }
    shell.spawn()
}

/// Lets go of the program's streams, so that they are closed once the program has closed them.
fn let_go_of_streams() -> std::io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    Ok(())
}

fn watch_owner(mut leash: File, over: mpsc::Sender<()>) {
    std::thread::spawn(move || {
        // Nothing is ever written to it; it only ends.
        let _ = leash.read_to_end(&mut Vec::new());
        let _ = over.send(());
    });
}

/// Waits until the program's first process has ended, and leaves it to be asked how.
fn watch_program(program: &Child, over: mpsc::Sender<()>) {
    let Ok(id) = i32::try_from(program.id()) else { return };
    std::thread::spawn(move || {
        let how = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        while waitid(Id::Pid(Pid::from_raw(id)), how) == Err(Errno::EINTR) {}
        let _ = over.send(());
    });
}

/// Asks children how they ended, apart from the program's first process: until then their ids stay taken.
fn reap_others(program: &Child) {
    for child in children().filter(|child| u32::try_from(child.as_raw()) != Ok(program.id())) {
        reap(child);
    }
}

/// Ends all that the program has left. What a child leaves behind becomes a child, so there is nothing left once there is
/// no child.
fn end_children() {
    let until = Instant::now() + ENDING;
    while has_children() && Instant::now() < until {
        for child in children() {
            let _ = kill(child, Signal::SIGKILL);
            reap(child);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Asks a child how it ended, if it has.
fn reap(child: Pid) {
    // The answer tells nothing; what matters is that it was asked for.
    let _ = waitpid(child, Some(WaitPidFlag::WNOHANG));
}

fn has_children() -> bool {
    let how = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::All, how) != Err(Errno::ECHILD)
}

/// The children of this process, those that have ended among them.
fn children() -> impl Iterator<Item = Pid> {
    let own = std::process::id();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter(move |id| parent_of(*id) == Some(own)).map(Pid::from_raw)
}

fn parent_of(id: i32) -> Option<u32> {
    u32::try_from(Process::new(id).ok()?.stat().ok()?.ppid).ok()
}

fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(SIGNALLED + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_told_apart_from_the_guards_own_arguments() {
        assert_eq!(arguments(None, "--ids 0 0"), ["guard-program", "--", "--ids 0 0"]);
        assert_eq!(arguments(Some((7, 8)), "echo"), ["guard-program", "--ids", "7", "8", "--", "echo"]);
    }

    #[test]
    fn parents_are_known_and_endings_are_those_of_a_shell() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert_eq!(parent_of(own), Some(std::os::unix::process::parent_id()));
        assert_eq!(parent_of(-1), None);
        assert_eq!(code_of(ExitStatus::from_raw(3 << 8)), 3);
        assert_eq!(code_of(ExitStatus::from_raw(9)), 137, "ended by SIGKILL");
    }
}
