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
    let (bar, lines) = (hidden_bar(15, "plain"), Arc::new(ProgressLines::new(written.clone())));
    lines.break_silence(Duration::from_millis(1), bar.downgrade(), counting_line);
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
    let lines = Arc::new(ProgressLines::new(written.clone()));
    let long_ago = Instant::now().checked_sub(LONGEST_SILENCE).unwrap();
    lines.state().last = long_ago;
    lines.state().write("     2/15  stuck_ferry");
    assert!(lines.state().last > long_ago);
    let bar = hidden_bar(15, "plain");
    lines.break_silence(LONGEST_SILENCE, bar.downgrade(), running_row);
    std::thread::sleep(Duration::from_millis(50));
    lines.end();
    assert_eq!(written.lines(), ["     2/15  stuck_ferry"]);
}

#[test]
fn lines_say_that_they_are_about_progress() {
    let bar = hidden_bar(15, "plain");
    assert_eq!(counting_line(&bar).unwrap(), "progress: plain, 2 of 15 after 0 s");
    assert_eq!(counting_line(&hidden_bar(15, "")).unwrap(), "progress: 2 of 15 after 0 s");
    assert_eq!(running_row(&bar).unwrap(), "     2/15  still running after 0 s");
    assert_eq!(counting_line(&hidden_bar(0, "plain")), None);
}
