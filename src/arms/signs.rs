//! Signs of life on standard error, for a person who waits: bars, spinners, lines about what is going on. Answers are not
//! written here, but in the room `cli`.

use std::io::{IsTerminal as _, Write};
use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};

/// How often a moving sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// The longest silence where no bar is shown.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// A sign of life for work of unknown length. Hidden when standard error is no terminal.
pub fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
    spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    spinner.enable_steady_tick(TICK);
    spinner
}

/// A bar for `total` pieces of work; where standard error is no terminal, a line after half a minute without one.
pub fn bar(what: &str, total: u64) -> LoggedBar {
    bar_with_rows(what, total, None)
}

/// The same with rows above it. A `head` stands above the first of them, and above the next one after another line: no such line is within a
/// table.
pub fn bar_with_rows(what: &str, total: u64, head: Option<String>) -> LoggedBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({elapsed})");
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    let lines = Arc::new(ProgressLines::new(std::io::stderr(), head));
    if !std::io::stderr().is_terminal() {
        lines.break_silence(LONGEST_SILENCE, bar.downgrade(), what.to_owned());
    }
    LoggedBar { bar, lines }
}

/// A bar that writes lines where standard error is not a terminal. Once it has ended, or is dropped, it writes no more of them.
pub struct LoggedBar {
    bar: ProgressBar,
    lines: Arc<ProgressLines>,
}

impl LoggedBar {
    /// Writes a row above the bar.
    pub fn row(&self, row: impl AsRef<str>) {
        let mut state = self.lines.state();
        self.bar.suspend(|| state.write_row(row.as_ref()));
    }

    /// Writes a line above the bar.
    pub fn say(&self, line: impl AsRef<str>) {
        // The lines are locked before the bar, as where silence is broken.
        let mut state = self.lines.state();
        self.bar.suspend(|| state.write(line.as_ref()));
    }

    /// Begins another piece of work, which is announced where nobody sees the bar; seconds are counted from here.
    pub fn phase(&self, what: &str, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.reset_elapsed();
        self.bar.set_message(what.to_owned());
        self.say(format!("progress: {what}, 0 of {total}"));
        self.lines.state().phase = Some(what.to_owned());
    }

    /// Ends the bar. What is written after this stands below all lines of progress.
    pub fn finish_and_clear(&self) {
        self.lines.end();
        self.bar.finish_and_clear();
    }
}

impl Deref for LoggedBar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for LoggedBar {
    fn drop(&mut self) {
        self.lines.end();
    }
}

/// The lines about one piece of work. The lock is held while a line is written, so that none comes after the end.
struct ProgressLines {
    state: Mutex<LinesState>,
    ended: Condvar,
}

struct LinesState {
    out: Box<dyn Write + Send>,
    head: Option<String>,
    is_in_table: bool,
    last: Instant,
    has_ended: bool,
    /// What is counted now, if that is not what it was at first.
    phase: Option<String>,
}

impl LinesState {
    fn write(&mut self, line: &str) {
        write_line(&mut self.out, line);
        self.last = Instant::now();
        self.is_in_table = false;
    }

    fn write_row(&mut self, row: &str) {
        if let Some(head) = self.head.as_ref().filter(|_| !self.is_in_table) {
            write_line(&mut self.out, head);
        }
        self.write(row);
        self.is_in_table = true;
    }
}

impl ProgressLines {
    fn new(out: impl Write + Send + 'static, head: Option<String>) -> Self {
        let out = Box::new(out);
        let state = LinesState { out, head, is_in_table: false, last: Instant::now(), has_ended: false, phase: None };
        Self { state: Mutex::new(state), ended: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, LinesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.state().has_ended = true;
        self.ended.notify_all();
    }

    /// Writes how far the bar is whenever nothing was written for `silence`, until the end.
    fn break_silence(self: &Arc<Self>, silence: Duration, bar: WeakProgressBar, what: String) {
        let lines = Arc::clone(self);
        std::thread::spawn(move || {
            let mut state = lines.state();
            while !state.has_ended {
                let left = silence.saturating_sub(state.last.elapsed());
                if !left.is_zero() {
                    state = lines.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                }
                let Some(bar) = bar.upgrade() else { return };
                state.last = Instant::now();
                let counted = state.phase.clone();
                if let Some(line) = counting_line(counted.as_deref().unwrap_or(&what), &bar) {
                    state.write(&line);
                }
            }
        });
    }
}

/// How far a bar is; `None` before it is known how much there is to do.
fn counting_line(what: &str, bar: &ProgressBar) -> Option<String> {
    let all = bar.length().filter(|all| *all > 0)?;
    let message = bar.message();
    let what = if what.is_empty() { &message } else { what };
    let gap = if what.is_empty() { "" } else { ", " };
    Some(format!("progress: {what}{gap}{} of {all} after {} s", bar.position(), bar.elapsed().as_secs()))
}

/// Writes a line in one piece: other processes write to the same place. That it can't be read is not an error.
fn write_line(out: &mut impl Write, line: &str) {
    let _ = out.write_all(format!("{line}\n").as_bytes());
}

/// A line about what is going on, for a person who waits. Nobody may be there to read it; that is not an error.
pub fn progress(text: impl AsRef<str>) {
    write_line(&mut std::io::stderr(), text.as_ref());
}

/// Letters of a reason that are shown; all of it is in the attempt's record.
pub const LONGEST_REASON: usize = 100;

/// The beginning of a reason as one line: answers of models may have many, and must not pass for ours.
pub fn brief(reason: &str) -> String {
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = reason.chars().map(visible).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
#[path = "signs_tests.rs"]
mod tests;
