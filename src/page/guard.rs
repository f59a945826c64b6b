//! The guard: a small process between us and Chromium that ends Chromium when we end, however we end.
//!
//! We start our own binary with the hidden subcommand `guard`. It starts Chromium in a process group of
//! its own, passes on the DevTools address, and waits for its standard input to close, which the kernel
//! does for us even on SIGKILL. Then it kills the group and removes the profile.
//! What flags Chromium gets is decided in `chromium.rs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

/// Prefix of the line that carries Chromium's process id and DevTools address on the guard's standard output.
pub const ADDRESS_PREFIX: &str = "devtools ";
/// Prefix of the line that says why there is no address.
pub const FAILURE_PREFIX: &str = "failed ";

/// How Chromium announces its DevTools address on standard error.
const CHROMIUM_ANNOUNCES: &str = "DevTools listening on ";
/// How many lines of Chromium's standard error are kept for a failure message.
const KEPT_LINES: usize = 12;
/// How long the profile may resist removal while the last processes let go of it.
const REMOVAL_TRIES: u32 = 50;

/// Runs the guard until its input closes or Chromium ends. Returns the process exit code.
#[must_use]
pub fn run(chromium: &Path, profile: &Path, flags: &[String]) -> u8 {
    let mut child = match start(chromium, profile, flags) {
        Ok(child) => child,
        Err(error) => {
            say(FAILURE_PREFIX, &format!("{}: {error}", chromium.display()));
            return 1;
        }
    };
    let (ended, wait) = mpsc::channel();
    announce_address(&mut child);
    watch_chromium(&child, ended.clone());
    watch_owner(ended);
    // Either side may report first: the owner went away, or Chromium ended.
    let _ = wait.recv();
    end(child, profile);
    0
}

fn start(chromium: &Path, profile: &Path, flags: &[String]) -> std::io::Result<Child> {
    std::fs::create_dir_all(profile)?;
    Command::new(chromium)
        .args(flags)
        // Chromium leaves its lock's socket among the temporary files when it is killed; so they go with the profile.
        .env("TMPDIR", profile)
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Reads Chromium's standard error: passes the address on, keeps the last lines for a failure message.
fn announce_address(child: &mut Child) {
    let Some(stderr) = child.stderr.take() else { return };
    let id = child.id();
    std::thread::spawn(move || {
        let mut announced = false;
        let mut last: Vec<String> = Vec::new();
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix(CHROMIUM_ANNOUNCES) {
                announced = true;
                say(ADDRESS_PREFIX, &format!("{id} {}", address.trim()));
            } else if !announced {
                last.push(line);
                let extra = last.len().saturating_sub(KEPT_LINES);
                last.drain(..extra);
            }
        }
        if !announced {
            say(FAILURE_PREFIX, &last.join(" | "));
        }
    });
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
