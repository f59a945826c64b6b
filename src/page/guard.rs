//! The guard: a small process between us and Chromium that ends Chromium when we end, however we end.
//!
//! We start our own binary with the hidden subcommand `guard`. It starts Chromium in a process group of
//! its own, hands on the DevTools pipe that it has inherited, and waits for its standard input to close, which the
//! kernel does for us even on SIGKILL. Then it kills the group and removes the profile. Should the guard itself be
//! killed, its owner kills the group, or Chromium sees its pipe close; the profile goes with the next guard's sweep.
//! What flags and what environment Chromium gets is decided in `launch.rs`.

use std::collections::VecDeque;
use std::fs::{DirBuilder, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

/// Prefix of the line that carries Chromium's process id on the guard's standard output.
pub const STARTED_PREFIX: &str = "started ";
/// Prefix of a line with Chromium's last output, or with why it was not started.
pub const FAILURE_PREFIX: &str = "failed ";
/// The line that says that Chromium, its group and its profile are gone.
pub const ENDED: &str = "ended";
/// How the names of profile folders begin.
pub const PROFILE_PREFIX: &str = "scratchbed-profile-";

/// The file in a profile that its guard keeps locked.
const LOCK: &str = "guard.lock";
/// How many lines of Chromium's standard error are kept for a failure message.
const KEPT_LINES: usize = 12;
/// How long Chromium's standard error may stay open after its end.
const LAST_WORDS_LIMIT: Duration = Duration::from_secs(1);
/// How long the profile may resist removal while the last processes release it.
const REMOVAL_TRIES: u32 = 50;

/// Runs the guard until its input closes or Chromium ends. Returns the process exit code.
pub fn run(chromium: &Path, profile: &Path, flags: &[String]) -> u8 {
    sweep(profile.parent());
    let (mut child, _lock) = match start(chromium, profile, flags) {
        Ok(started) => started,
        Err(error) => {
            say(FAILURE_PREFIX, &format!("{}: {error}", chromium.display()));
            return 1;
        }
    };
    let (ended, wait) = mpsc::channel();
    say(STARTED_PREFIX, &child.id().to_string());
    let last_words = keep_last_words(&mut child);
    watch_chromium(&child, ended.clone());
    watch_owner(ended);
    // Either side may report first: the owner went away, or Chromium ended.
    let _ = wait.recv();
    end(child, profile);
    // They end with the group, unless something of Chromium's has left it.
    let _ = last_words.recv_timeout(LAST_WORDS_LIMIT);
    say(ENDED, "");
    0
}

fn start(chromium: &Path, profile: &Path, flags: &[String]) -> std::io::Result<(Child, Flock<File>)> {
    // No other user may read the profile, and an existing folder belongs to someone else.
    DirBuilder::new().mode(0o700).create(profile)?;
    let lock = File::create(profile.join(LOCK))?;
    let lock = Flock::lock(lock, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| std::io::Error::from(error))?;
    let child = Command::new(chromium)
        .args(flags)
        // Chromium leaves its lock's socket among the temporary files when it is killed, and crash reports below the
        // home; so they go with the profile.
        .env("TMPDIR", profile)
        .env("HOME", profile)
        .env("XDG_CONFIG_HOME", profile.join("config"))
        .env("XDG_CACHE_HOME", profile.join("cache"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    Ok((child, lock))
}

/// Removes the profiles of killed guards: those whose lock is free.
fn sweep(folder: Option<&Path>) {
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PROFILE_PREFIX)) {
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if let Ok(_free) = Flock::lock(lock, FlockArg::LockExclusiveNonblock) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Reads Chromium's standard error, so that it never blocks, and prints its last lines at the end.
fn keep_last_words(child: &mut Child) -> mpsc::Receiver<()> {
    let (said, wait) = mpsc::channel();
    let Some(stderr) = child.stderr.take() else { return wait };
    std::thread::spawn(move || {
        let mut last = VecDeque::new();
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            last.push_back(line);
            if last.len() > KEPT_LINES {
                last.pop_front();
            }
        }
        if !last.is_empty() {
            say(FAILURE_PREFIX, &Vec::from(last).join(" | "));
        }
        let _ = said.send(());
    });
    wait
}

/// Waits for Chromium itself, not for its helpers, which keep its standard error open a little longer.
fn watch_chromium(child: &Child, ended: mpsc::Sender<()>) {
    let Ok(id) = i32::try_from(child.id()) else { return };
    std::thread::spawn(move || {
        let _ = waitid(Id::Pid(Pid::from_raw(id)), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
        let _ = ended.send(());
    });
}

/// Standard input closes when the owner ends, also on SIGKILL.
fn watch_owner(ended: mpsc::Sender<()>) {
    std::thread::spawn(move || {
        let mut sink = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut sink);
        let _ = ended.send(());
    });
}

fn end(mut child: Child, profile: &Path) {
    if let Ok(id) = i32::try_from(child.id()) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
    let _ = child.wait();
    for _ in 0..REMOVAL_TRIES {
        if std::fs::remove_dir_all(profile).is_ok() || !profile.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn say(prefix: &str, text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{prefix}{text}");
    let _ = out.flush();
}
