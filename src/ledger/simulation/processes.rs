//! The processes of a simulated fleet: starting, killing, freezing, and ending them by their ids.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::member::ended;
use super::{Plan, Spec};
use crate::Class;

/// How long processes may take to end.
const END: Duration = Duration::from_secs(20);

/// A process, with what was done to it since it was started.
pub(super) struct Process {
    spec: Spec,
    program: Vec<String>,
    child: Child,
    frozen: Option<Instant>,
    was_frozen: bool,
}

impl Process {
    /// The process of a number; the one after the last with workers is the steward.
    pub(super) fn start(plan: &Plan, number: u32) -> std::io::Result<Self> {
        let is_steward = number == plan.processes;
        let host = format!("host-{number}");
        let spec = Spec {
            ledger: plan.ledger.clone(),
            connections: plan.connections,
            folder: plan.folder.join(&host),
            host,
            workers: if is_steward { 0 } else { plan.workers },
            slots: plan.slots,
            times: plan.times,
        };
        fs::create_dir_all(&spec.folder)?;
        // For its owner alone: the database's URL may hold a password.
        let mut written = fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(file(&spec))?;
        written.write_all(serde_json::to_string(&spec)?.as_bytes())?;
        let child = spawn(&plan.program, &spec)?;
        Ok(Self { spec, program: plan.program.clone(), child, frozen: None, was_frozen: false })
    }

    /// Kills it, and starts it anew. What had ended by then and was not handed in: attempts that would decide their cells, unless
    /// the process was frozen before, and may have lost them.
    pub(super) fn kill(&mut self) -> std::io::Result<Vec<String>> {
        self.child.kill()?;
        self.child.wait()?;
        let records = ended(&self.spec.folder);
        let had_lost = self.was_frozen;
        (self.frozen, self.was_frozen) = (None, false);
        self.child = spawn(&self.program, &self.spec)?;
        let counts = records.into_iter().filter(|record| record.finish.class == Class::Counts && !had_lost);
        Ok(counts.map(|record| record.lease.attempt).collect())
    }

    pub(super) fn freeze(&mut self) {
        if self.signal(Signal::SIGSTOP) {
            (self.frozen, self.was_frozen) = (Some(Instant::now()), true);
        }
    }

    /// Lets it go on once it was frozen for so long.
    pub(super) fn thaw(&mut self, after: Duration) {
        if self.frozen.is_some_and(|since| since.elapsed() >= after) && self.signal(Signal::SIGCONT) {
            self.frozen = None;
        }
    }

    pub(super) const fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// How it ended, if it did so by itself.
    pub(super) fn has_ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        let log = fs::read_to_string(self.spec.folder.join("log")).unwrap_or_default();
        Some(format!("{} ended by itself ({status}): {}", self.spec.host, log.trim()))
    }

    pub(super) const fn folder(&self) -> &PathBuf {
        &self.spec.folder
    }

    fn signal(&self, signal: Signal) -> bool {
        i32::try_from(self.child.id()).is_ok_and(|id| kill(Pid::from_raw(id), signal).is_ok())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Has all processes end, and waits for it.
pub(super) fn end(processes: &mut [Process]) {
    for process in processes.iter_mut() {
        process.thaw(Duration::ZERO);
        process.child.stdin = None;
    }
    let since = Instant::now();
    while since.elapsed() < END
        && processes.iter_mut().any(|process| process.child.try_wait().is_ok_and(|one| one.is_none()))
    {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn file(spec: &Spec) -> PathBuf {
    spec.folder.join("spec.json")
}

fn spawn(program: &[String], spec: &Spec) -> std::io::Result<Child> {
    let missing = || std::io::Error::other("the plan names no program");
    let (program, arguments) = program.split_first().ok_or_else(missing)?;
    let log = fs::File::options().create(true).append(true).open(spec.folder.join("log"))?;
    Command::new(program)
        .args(arguments)
        .arg(file(spec))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
}
