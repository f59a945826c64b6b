//! Tests of `logging`.

use std::sync::{Arc, Mutex};

use super::*;

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_name_with_line_ends_makes_no_lines_of_its_own() {
    let kept = Kept::default();
    let writer = kept.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || OneLine(writer.clone()));
    tracing::subscriber::with_default(subscriber.finish(), || {
        let name = "a.png\n2030-01-01 INFO forged\r\nline";
        tracing::warn!(%name, "no asset: {name}");
        tracing::info!("next");
    });
    let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("a.png\\n2030") && !text.contains('\r'), "{text}");
}
