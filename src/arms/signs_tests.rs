//! Tests of `signs`.

use super::*;

/// What was written so far; clones share it.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn lines(&self) -> Vec<String> {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn hidden_bar(total: u64, message: &str) -> ProgressBar {
    let bar = ProgressBar::hidden().with_message(message.to_owned());
    bar.set_length(total);
    bar.set_position(2);
    bar
}

#[test]
fn no_line_of_progress_follows_the_end() {
    let written = Written::default();
    let (bar, lines) = (hidden_bar(15, ""), Arc::new(ProgressLines::new(written.clone(), None)));
    lines.break_silence(Duration::from_millis(1), bar.downgrade(), "plain".to_owned());
    let deadline = Instant::now() + Duration::from_secs(20);
    while written.lines().len() < 3 && Instant::now() < deadline {
        std::thread::yield_now();
    }
    lines.end();
    let (before, results) = (written.lines(), "a row of results");
    assert!(before.len() >= 3 && before.iter().all(|line| line.starts_with("progress: plain, 2 of 15 after ")));
    write_line(&mut written.clone(), results);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(written.lines().last().unwrap(), results);
}

#[test]
fn a_bar_that_is_dropped_has_ended() {
    let bar = bar("projects", 3);
    let lines = Arc::clone(&bar.lines);
    drop(bar);
    assert!(lines.state().has_ended);
}

#[test]
fn a_row_breaks_the_silence_as_well() {
    let written = Written::default();
    let lines = Arc::new(ProgressLines::new(written.clone(), None));
    let long_ago = Instant::now().checked_sub(LONGEST_SILENCE).unwrap();
    lines.state().last = long_ago;
    lines.state().write_row("     2/15  stuck_ferry");
    assert!(lines.state().last > long_ago);
    let bar = hidden_bar(15, "");
    lines.break_silence(LONGEST_SILENCE, bar.downgrade(), "plain".to_owned());
    std::thread::sleep(Duration::from_millis(50));
    lines.end();
    assert_eq!(written.lines(), ["     2/15  stuck_ferry"]);
}

#[test]
fn lines_say_that_they_are_about_progress() {
    let bar = hidden_bar(15, "stuck_ferry");
    assert_eq!(counting_line("plain", &bar).unwrap(), "progress: plain, 2 of 15 after 0 s");
    assert_eq!(counting_line("", &bar).unwrap(), "progress: stuck_ferry, 2 of 15 after 0 s");
    assert_eq!(counting_line("", &hidden_bar(15, "")).unwrap(), "progress: 2 of 15 after 0 s");
    assert_eq!(counting_line("plain", &hidden_bar(0, "")), None);
}

/// A later phase has a count and a clock of its own.
#[test]
fn a_phase_is_announced_and_counted_by_its_own_name() {
    let written = Written::default();
    let bar = LoggedBar { bar: hidden_bar(15, "projects"), lines: Arc::new(ProgressLines::new(written.clone(), None)) };
    bar.phase("records drafted", 3);
    assert_eq!(written.lines(), ["progress: records drafted, 0 of 3"]);
    bar.lines.break_silence(Duration::from_millis(1), bar.downgrade(), "projects".to_owned());
    let deadline = Instant::now() + Duration::from_secs(20);
    while written.lines().len() < 2 && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert!(written.lines()[1].starts_with("progress: records drafted, 0 of 3 after "), "{:?}", written.lines());
}

#[test]
fn a_line_between_rows_ends_their_table_and_the_next_row_has_a_head() {
    let written = Written::default();
    let lines = ProgressLines::new(written.clone(), Some("done  item".to_owned()));
    let write_rows = |rows: [&str; 2]| {
        for row in rows {
            lines.state().write_row(row);
        }
    };
    lines.state().write("progress: 0 of 4 after 30 s");
    write_rows([" 1/4  a", " 2/4  b"]);
    lines.state().write("progress: 2 of 4 after 90 s");
    write_rows([" 3/4  c", " 4/4  d"]);
    let (first, second) = (["done  item", " 1/4  a", " 2/4  b"], ["done  item", " 3/4  c", " 4/4  d"]);
    let before = ["progress: 0 of 4 after 30 s"].into_iter().chain(first);
    let all: Vec<&str> = before.chain(["progress: 2 of 4 after 90 s"]).chain(second).collect();
    assert_eq!(written.lines(), all);
}
