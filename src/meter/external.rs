//! A meter that a command of the user's reads: it prints the joules so far. The command is the user's own, so it has our
//! environment and our rights.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::MeterError;

/// Bytes of each stream that are read; a number has fewer.
const MOST: u64 = 16 * 1024;
/// Letters of the command's output that an error shows.
const SHOWN: usize = 200;

/// The command, with what it printed.
#[derive(Debug)]
pub(super) struct External {
    command: String,
    limit: Duration,
    first: f64,
    last: f64,
}

/// How a command ended, with what it printed.
struct Ended {
    status: ExitStatus,
    printed: String,
    said: String,
}

impl External {
    /// Reads the meter for the first time.
    pub fn begin(command: &str, limit: Duration) -> Result<Self, MeterError> {
        let mut meter = Self { command: command.to_owned(), limit, first: 0.0, last: 0.0 };
        meter.first = meter.joules()?;
        meter.last = meter.first;
        Ok(meter)
    }

    /// Joules since the beginning.
    pub fn used(&mut self) -> Result<f64, MeterError> {
        let now = self.joules()?;
        if now < self.last {
            return Err(MeterError::WentBackwards { command: self.command.clone(), before: self.last, now });
        }
        self.last = now;
        Ok(now - self.first)
    }

    /// What the meter shows.
    fn joules(&self) -> Result<f64, MeterError> {
        let command = || self.command.clone();
        let Ended { status, printed, said } = self.run()?;
        if !status.success() {
            return Err(MeterError::CommandFailed { command: command(), status, said: shown(&said) });
        }
        let joules = printed.trim().parse::<f64>().ok().filter(|joules| joules.is_finite() && *joules >= 0.0);
        joules.ok_or_else(|| MeterError::NotJoules { command: command(), printed: shown(&printed) })
    }

    fn run(&self) -> Result<Ended, MeterError> {
        let not_started = |source| MeterError::CommandNotStarted { command: self.command.clone(), source };
        let mut command = Command::new("sh");
        // A group of its own, so that all its children end with it.
        command.args(["-c", &self.command]).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(not_started)?;
        let group = i32::try_from(child.id()).map(Pid::from_raw);
        let (sender, receiver) = mpsc::channel();
        // Nobody listens any more if it took too long.
        thread::spawn(move || drop(sender.send(to_end(child))));
        let ended = receiver.recv_timeout(self.limit);
        if let (Err(_), Ok(group)) = (&ended, group) {
            // It may have ended just now, which is as it should be.
            let _ = killpg(group, Signal::SIGKILL);
        }
        ended
            .map_err(|_| MeterError::CommandHangs { command: self.command.clone(), limit: self.limit })?
            .map_err(not_started)
    }
}

/// Reads what a command prints, and waits for it.
fn to_end(mut child: Child) -> std::io::Result<Ended> {
    let errors = child.stderr.take();
    // Both streams at once: a full one would keep the command from going on with the other.
    let errors = thread::spawn(move || text(errors));
    let printed = text(child.stdout.take());
    let said = errors.join().unwrap_or_default();
    Ok(Ended { status: child.wait()?, printed, said })
}

/// The beginning of what a stream has.
fn text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What was read until it failed is all that there is.
        let _ = stream.take(MOST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn shown(text: &str) -> String {
    text.trim().chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt as _;

    use nix::fcntl::{FcntlArg, OFlag, fcntl};

    use super::*;
    use crate::model::Coded as _;

    /// Long enough for a busy machine; only what hangs takes so long.
    const LIMIT: Duration = Duration::from_secs(60);

    fn code_of(command: &str) -> String {
        let error = External::begin(command, LIMIT).unwrap_err();
        assert!(error.to_string().contains(command), "{error}");
        error.code().to_owned()
    }

    #[test]
    fn joules_count_from_the_first_reading() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("joules");
        std::fs::write(&file, "1000.5\n").unwrap();
        let mut meter = External::begin(&format!("cat {}", file.display()), LIMIT).unwrap();
        assert_eq!(meter.used().ok(), Some(0.0));
        std::fs::write(&file, "  1003.0").unwrap();
        assert_eq!(meter.used().ok(), Some(2.5));
        std::fs::write(&file, "1002.9").unwrap();
        let error = meter.used().unwrap_err();
        assert_eq!(error.code(), "meter_went_backwards");
        assert!(error.to_string().ends_with("printed 1003 J and now 1002.9 J"), "{error}");
    }

    #[test]
    fn a_command_that_fails_is_told_with_what_it_said() {
        let error = External::begin("echo 5; echo no plug >&2; exit 3", LIMIT).unwrap_err();
        assert_eq!(error.code(), "meter_failed");
        assert!(error.to_string().ends_with("exit status: 3: no plug"), "{error}");
        assert_eq!(code_of("scratchbed-no-such-program"), "meter_failed");
        assert_eq!(code_of("kill -9 $$"), "meter_failed");
    }

    #[test]
    fn what_is_not_one_number_from_nought_is_rubbish() {
        for printed in ["", "12 J", "1 2", "-1", "nan", "inf", "1,5", "joules: 7"] {
            assert_eq!(code_of(&format!("echo '{printed}'")), "meter_not_joules", "{printed}");
        }
        // It is cut off, and neither fills our memory nor goes on for ever.
        let endless = External::begin("yes 1 2>&1; true", LIMIT).unwrap_err();
        assert_eq!(endless.code(), "meter_not_joules");
        assert!(endless.to_string().len() < 400, "{endless}");
    }

    #[test]
    fn a_command_that_hangs_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("alive");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let mut reader = OpenOptions::new().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(&pipe).unwrap();
        // Its child holds the pipe open until it is killed; only then does the reader see the end.
        let command = format!("sleep 1000 > {} & echo 5; sleep 1000", pipe.display());
        let error = External::begin(&command, Duration::from_millis(300)).unwrap_err();
        assert_eq!(error.code(), "meter_hangs");
        assert!(error.to_string().ends_with("has not ended within 300ms"), "{error}");
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::empty())).unwrap();
        assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}
