//! What a model did, seen in the live view while its attempt goes on and afterwards: a real run against a scripted endpoint.

use scratchbed::model::Mode;
use serde_json::Value;

use crate::api::routes::no_browser;
use crate::benchmarks::browser_llm::{call, task};
use crate::server::browser_live::{Server, look_for_barriers, open_to_all, rows, text};
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::Scratchbed;
use crate::support::scripted_solver::{Moods, ScriptedSolver};

#[tokio::test(flavor = "multi_thread")]
async fn the_turns_of_a_model_are_seen_as_they_come_and_gone_through_afterwards() {
    // Each third answer can't be read.
    let moods = Moods { babbles: 3, ..Moods::default() };
    let (solver, address) = ScriptedSolver::serve(vec![task("stuck_ferry", Mode::Composite)], moods).await;
    solver.stall_at([3]);
    let endpoint = format!("{address}/v1");
    let scratchbed = Scratchbed::new();
    let args = ["--mode", "composite", "--task", "stuck_ferry", "--endpoint", &endpoint, "--model", "scripted"];
    let run = call(&scratchbed, &args).begin();
    solver.stalled().await;
    let folder = scratchbed.run_folders().remove(0);
    let id = folder.file_name().unwrap().to_str().unwrap();
    let server = Server::start(open_to_all(no_browser()), &scratchbed.runs()).await;
    let browser = PlainBrowser::start().await;
    watch(&server, &browser, id).await;
    solver.release();
    let ended = run.answer().await;
    assert_eq!(ended.code, 0, "{ended:#}");
    go_through(&browser).await;
    browser.assert_quiet(&server.base);
    browser.close().await;
    server.stop().await;
    has_pictures(&folder);
}

/// The attempt while its model is asked a third time.
async fn watch(server: &Server, browser: &PlainBrowser, id: &str) {
    browser.open(&format!("{}/live#/runs/{id}", server.base)).await;
    browser.until("the attempt is listed", |state| rows(state, "rows").contains("in progress")).await;
    browser.tab_to("stuck ferry").await;
    browser.press("Enter").await;
    let newest = browser
        .until("the newest turn is shown", |state| {
            state["turnPlace"] == "2 / 2" && text(state, "picture").starts_with("blob:")
        })
        .await;
    assert_eq!(newest["badge"], "in progress");
    assert!(text(&newest, "turn").contains("Analysis: step 2"), "{newest:#}");
    assert!(text(&newest, "turn").contains("1,000 tokens in (600 cached) · 50 out (20 reasoning)"), "{newest:#}");
    look_for_barriers(browser, 0, "an attempt in progress").await;
    browser.tab_to("Earlier turn").await;
    browser.press("Enter").await;
    let first = browser.until("the turn before is shown", |state| state["turnPlace"] == "1 / 2").await;
    assert!(text(&first, "turn").contains("Analysis: step 1") && text(&first, "turn").contains("Call "), "{first:#}");
    assert!(!text(&first, "turn").contains("thinking"), "reasoning is folded away: {first:#}");
    browser.tab_to("Reasoning").await;
    browser.press("Enter").await;
    browser.until("the reasoning is unfolded", |state| text(state, "turn").contains("thinking")).await;
    browser.tab_to("2 messages sent").await;
    browser.press("Enter").await;
    browser.until("the messages are fetched", |state| text(state, "turn").contains("system")).await;
    look_for_barriers(browser, 1, "messages of a turn").await;
}

/// The same page when the attempt is over, by keyboard.
async fn go_through(browser: &PlainBrowser) {
    let is_over = |state: &Value| state["badge"] == "passed" && text(state, "picture").starts_with("blob:");
    let over = browser.until("the page becomes that of a complete attempt", is_over).await;
    assert!(text(&over, "place").starts_with("1 / "), "{over:#}");
    let of_first = |state: &Value| text(state, "turn").starts_with("Step 1 ");
    browser.until("the turn of the first step is beside it", of_first).await;
    look_for_barriers(browser, 2, "an attempt with turns").await;
    browser.press("ArrowRight").await;
    browser
        .until("the turn goes with the step", |state| {
            text(state, "place").starts_with("2 / ") && text(state, "turn").starts_with("Step 2 ")
        })
        .await;
    browser.tab_to("Earlier turn").await;
    browser.press("Enter").await;
    browser.press("Enter").await;
    browser
        .until("the step goes with the turn", |state| {
            text(state, "place").starts_with("1 / ") && text(state, "turn").starts_with("Step 1 ")
        })
        .await;
    browser.tab_to("Later turn").await;
    for _ in 0..2 {
        browser.press("Enter").await;
    }
    let no_call = |state: &Value| text(state, "turn").contains("No call");
    let fault = browser.until("the answer without a call is shown", no_call).await;
    assert!(text(&fault, "turn").contains("I would rather not."), "{fault:#}");
    assert_eq!(fault["place"], "end", "the step that the turn was about");
}

/// A picture of every step is kept by default: WebP, each once.
fn has_pictures(run: &std::path::Path) {
    let attempt = run.join("attempts/stuck_ferry.1");
    let kept = std::fs::read_dir(attempt.join("session/images")).unwrap();
    let files: Vec<std::path::PathBuf> = kept.map(|file| file.unwrap().path()).collect();
    let is_webp = |file: &std::path::PathBuf| file.extension().is_some_and(|ending| ending == "webp");
    assert!(files.len() > 1 && files.iter().all(is_webp), "{files:?}");
    let log = scratchbed::store::StoredLog::open(&attempt).unwrap();
    assert_eq!(log.faults, []);
}
