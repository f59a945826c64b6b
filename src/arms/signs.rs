//! Signs of life on standard error, for a person who waits: bars, spinners, lines about what is going on. Answers are not
//! written here, but in the room `cli`.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};

/// How often a moving sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// How often progress is logged where no bar is shown.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// A sign of life for work of unknown length. Hidden when standard error is no terminal.
pub fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
    spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    spinner.enable_steady_tick(TICK);
    spinner
}

/// A bar for `total` pieces of work; where standard error is no terminal, a line every half a minute.
pub fn bar(what: &str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({elapsed})");
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    if !std::io::stderr().is_terminal() {
        tell_now_and_then(what.to_owned(), bar.downgrade());
    }
    bar
}

/// Logs progress where no bar is shown, as long as there is any.
fn tell_now_and_then(what: String, bar: WeakProgressBar) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(BETWEEN_LINES);
            let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return };
            progress(format!(
                "{what}: {} of {} after {} s",
                bar.position(),
                bar.length().unwrap_or_default(),
                bar.elapsed().as_secs()
            ));
        }
    });
}

/// A line about what is going on, for a person who waits. Nobody may be there to read it; that is not an error.
pub fn progress(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr(), "{}", text.as_ref());
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
