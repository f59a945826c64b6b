//! The processor's own counters of energy, as the kernel's powercap tree shows them: packages only, since their parts are in
//! them already, and so is the whole platform's counter, which has packages in it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::MeterError;

/// Reads a file of the tree.
pub(super) type ReadFile = fn(&Path) -> std::io::Result<String>;

/// Microjoules of a joule.
const PER_JOULE: f64 = 1e6;
/// Between two looks at counters that have not moved yet. The kernel's are new each millisecond.
const PAUSE: Duration = Duration::from_millis(20);

/// All packages of the machine, with what they used since they were found.
#[derive(Debug, Clone)]
pub(super) struct Rapl {
    packages: Vec<Package>,
    read: ReadFile,
}

#[derive(Debug, Clone)]
struct Package {
    counter: PathBuf,
    /// The greatest value; after it comes 0.
    range: u64,
    last: u64,
    /// Microjoules since it was found.
    used: u64,
}

impl Package {
    /// Adds what was used since the last reading. If the counter began anew, then once: this takes minutes at full load, and
    /// a stage without a reading that lasts longer would lose whole rounds.
    fn add(&mut self, read: ReadFile) -> Result<(), MeterError> {
        let now = number(&self.counter, read)?;
        let grown = now.checked_sub(self.last);
        self.used += grown.unwrap_or_else(|| self.range.saturating_sub(self.last).saturating_add(now));
        self.last = now;
        Ok(())
    }
}

impl Rapl {
    /// Finds the packages below a powercap folder, and reads them for the first time.
    pub fn find(folder: &Path, read: ReadFile) -> Result<Self, MeterError> {
        let mut packages = Vec::new();
        for domain in domains(folder)? {
            let name = text(&domain.join("name"), read)?;
            if name.trim().starts_with("package") {
                let counter = domain.join("energy_uj");
                let (range, last) = (number(&domain.join("max_energy_range_uj"), read)?, number(&counter, read)?);
                packages.push(Package { counter, range, last, used: 0 });
            }
        }
        if packages.is_empty() {
            return Err(MeterError::NoPackages { folder: folder.to_owned() });
        }
        Ok(Self { packages, read })
    }

    /// Joules since the packages were found.
    pub fn used(&mut self) -> Result<f64, MeterError> {
        for package in &mut self.packages {
            package.add(self.read)?;
        }
        Ok(joules(self.packages.iter().map(|package| package.used).sum()))
    }

    /// Puts full load on the machine until each counter has moved, at most so long: virtual machines show counters with
    /// nothing behind them (EcoScratch, section 9).
    pub fn moves(&mut self, limit: Duration) -> Result<(), MeterError> {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, std::num::NonZero::get) {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let moved = self.watch_until(Instant::now() + limit, limit);
            done.store(true, Ordering::Relaxed);
            moved
        })
    }

    fn watch_until(&mut self, deadline: Instant, limit: Duration) -> Result<(), MeterError> {
        loop {
            let is_last = Instant::now() >= deadline;
            self.used()?;
            match self.packages.iter().find(|package| package.used == 0) {
                None => return Ok(()),
                Some(still) if is_last => {
                    return Err(MeterError::StandsStill { file: still.counter.clone(), limit });
                }
                Some(_) => thread::sleep(PAUSE),
            }
        }
    }
}

/// Folders of the tree that are packages or platforms, `intel-rapl:0`, and not parts of them, `intel-rapl:0:1`. Processors of
/// AMD have the same names.
fn domains(folder: &Path) -> Result<Vec<PathBuf>, MeterError> {
    let none = || MeterError::NoPackages { folder: folder.to_owned() };
    let entries = std::fs::read_dir(folder).map_err(|source| match source.kind() {
        ErrorKind::NotFound => none(),
        _ => refused(folder, source),
    })?;
    let is_domain = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.strip_prefix("intel-rapl:")).is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_domain).collect();
    found.sort();
    Ok(found)
}

fn number(file: &Path, read: ReadFile) -> Result<u64, MeterError> {
    let text = text(file, read)?;
    text.trim().parse().map_err(|_| MeterError::NoNumber { file: file.to_owned(), text: text.trim().to_owned() })
}

fn text(file: &Path, read: ReadFile) -> Result<String, MeterError> {
    read(file).map_err(|source| refused(file, source))
}

fn refused(file: &Path, source: std::io::Error) -> MeterError {
    let file = file.to_owned();
    match source.kind() {
        ErrorKind::PermissionDenied => MeterError::Denied { file },
        _ => MeterError::Unreadable { file, source },
    }
}

#[expect(clippy::cast_precision_loss, reason = "2^53 microjoules are more than any machine uses in a year")]
fn joules(microjoules: u64) -> f64 {
    microjoules as f64 / PER_JOULE
}

#[cfg(test)]
#[path = "rapl_tests.rs"]
mod tests;
