//! The static leaderboard as a person meets it: a plain browser on the files that the command wrote, without a server.

use serde_json::Value;

use crate::cli::export::{keep, run_record, task, write};
use crate::server::browser_live::{rows, text};
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::Scratchbed;

#[tokio::test(flavor = "multi_thread")]
async fn the_leaderboard_is_accessible() {
    let folder = tempfile::tempdir().unwrap();
    let items = ["kite_gusts", "stuck_ferry"];
    let made = |passed: [u32; 2]| {
        items.iter().zip(passed).map(|(item, passed)| {
            let outcome = if passed == 3 { "passed" } else { "failed" };
            task(item, 1, ("debug", serde_json::from_value(outcome.into()).unwrap()), passed)
        })
    };
    let runs: Vec<String> = [("one", [3, 1]), ("other", [3, 3])]
        .into_iter()
        .map(|(id, passed)| {
            let records: Vec<_> = made(passed).collect();
            write(folder.path(), run_record(id, "tasks", &items, 1), &records, keep).display().to_string()
        })
        .collect();
    let out = folder.path().join("board").display().to_string();
    let answer = Scratchbed::new().answer(&["leaderboard", &runs[0], &runs[1], "--out", &out]).await;
    let page = answer["page"].as_str().unwrap_or_else(|| panic!("{answer:?}"));
    let browser = PlainBrowser::start().await;
    browser.open(&format!("file://{page}")).await;
    let counts = |state: &Value| text(state, "heading") == "Leaderboard" && rows(state, "rows").contains("some-model");
    browser.until("the entries are shown", counts).await;
    browser.assert_accessible("the leaderboard").await;
    assert_eq!(*browser.complaints.lock().unwrap(), Vec::<String>::new());
    browser.close().await;
}
