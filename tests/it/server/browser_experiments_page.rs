//! The live page of experiments as a person meets it: a plain browser on the real server, over a ledger that changes meanwhile.
//! No attempt is made here; the ledger is told of them as workers tell it.

use std::path::Path;
use std::time::{Duration, Instant};

use scratchbed::http::Access;
use scratchbed::ledger::{
    ArmPlan, Begun, Budget, CellPlan, CellState, Class, Finish, Gate, LanePlan, Lease, Ledger, Plan, Retry, Usage,
    Worker,
};
use serde_json::json;

use crate::api::routes::{api_with, no_browser};
use crate::server::browser_live::{Server, look_for_barriers, rows, text};
use crate::support::plain_browser::PlainBrowser;

const ARMS: [&str; 4] = ["llm-big-composite", "llm-big-primitive", "awm-big-composite", "noop-composite"];
const ITEMS: usize = 30;
const EPOCHS: u32 = 3;

/// A few hundred cells: three arms in one lane, and one that asks no endpoint.
fn plan() -> Plan {
    let arm = |label: &str| ArmPlan {
        label: label.to_owned(),
        spec: json!({}),
        digest: label.to_owned(),
        lane: if label.starts_with("noop") { "local" } else { "cloud" }.to_owned(),
        is_stream: false,
        cap_micro_usd: Some(1_000_000),
        cap_tokens: None,
    };
    let lane = |name: &str, in_flight, rpm| LanePlan { name: name.to_owned(), in_flight, rpm, tpm: None };
    let mut cells = Vec::new();
    for epoch in 1..=EPOCHS {
        for item in 0..ITEMS {
            for arm in 0..ARMS.len() {
                cells.push(CellPlan {
                    arm,
                    item: format!("item_{item:02}"),
                    epoch,
                    seed: 1,
                    key: format!("{arm:04}{item:04}{epoch:08}"),
                });
            }
        }
    }
    Plan {
        id: "table-1".to_owned(),
        name: "table-1".to_owned(),
        file: String::new(),
        run: None,
        pins: json!({}),
        budget: Budget { micro_usd: Some(400_000_000), ..Budget::default() },
        retry: Retry { infra: 1, provider: 2 },
        lanes: vec![lane("cloud", 200, Some(2000)), lane("local", 100, None)],
        arms: ARMS.map(arm).to_vec(),
        cells,
    }
}

pub fn finish(class: Class, outcome: &str, passed: u32) -> Finish {
    let code = (class != Class::Counts).then(|| outcome.to_owned());
    let usage =
        Usage { micro_usd: Some(250_000), input_tokens: 9000, output_tokens: 400, calls: 7, ..Usage::default() };
    let record = json!({"passed_tests": passed, "total_tests": 5, "outcome": outcome});
    Finish { class, outcome: outcome.to_owned(), code, usage, record, files: None }
}

pub async fn begin(ledger: &Ledger, cell: &str) -> Lease {
    match ledger.begin(cell, "host-1").await.unwrap() {
        Begun::Yes(lease) => lease,
        other => panic!("{cell}: {other:?}"),
    }
}

/// Cells in all states. Gives the lease of the first one, which runs.
pub async fn fill(ledger: &Ledger) -> Lease {
    ledger.enter(&plan()).await.unwrap();
    let worker = Worker { id: "host-1".into(), host: "host".into(), build: "b".into(), pins: json!({}), slots: 400 };
    ledger.join(&worker).await.unwrap();
    let tickets = ledger.release(None, 230).await.unwrap().tickets;
    assert_eq!(tickets.len(), 230);
    let first = begin(ledger, &tickets[0].cell).await;
    for (number, ticket) in tickets.iter().enumerate().take(210).skip(1) {
        let lease = begin(ledger, &ticket.cell).await;
        let end = match number % 10 {
            0..=4 => finish(Class::Counts, "passed", 5),
            5 | 6 => finish(Class::Counts, "failed", 3),
            7 => finish(Class::Counts, "limit", 1),
            8 if number < 60 => finish(Class::Infra, "judge_error", 0),
            8 => finish(Class::Provider, "provider_error", 0),
            _ => continue,
        };
        ledger.end(&lease, &end).await.unwrap();
    }
    let cells = ledger.status("table-1").await.unwrap().cells;
    let all = [cells.wanted, cells.released, cells.running, cells.decided, cells.dead];
    assert!(all.iter().all(|of| *of > 0), "{cells:?}");
    first
}

async fn served(folder: &Path, access: Access) -> (Server, Ledger) {
    let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap();
    let api = api_with(no_browser(), access).showing_experiments(ledger.clone());
    (Server::start(api, folder).await, ledger)
}

fn open_access() -> Access {
    Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap().opening_runs()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_is_watched_and_ordered_by_keyboard_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ledger) = served(folder.path(), open_access()).await;
    let browser = PlainBrowser::start().await;
    browser.open(&format!("{}/live", server.base)).await;
    browser.tab_to("Experiments").await;
    browser.press("Enter").await;
    browser.until("there is none yet", |state| text(state, "told").contains("None.")).await;
    look_for_barriers(&browser, 0, "no experiments").await;

    let first = fill(&ledger).await;
    browser.until("it is listed without being asked for", |state| rows(state, "rows").contains("table-1")).await;
    look_for_barriers(&browser, 1, "the list of experiments").await;
    browser.tab_to("table-1").await;
    browser.press("Enter").await;
    let shown = browser.until("the stream is open", |state| text(state, "live") == "live").await;
    assert_eq!((text(&shown, "heading"), text(&shown, "badge")), ("table-1", "running"));
    assert!(text(&shown, "standing").contains("of 360"), "{shown:#}");
    assert!(rows(&shown, "rows").contains("llm-big-primitive"), "{shown:#}");
    look_for_barriers(&browser, 2, "an experiment").await;

    go_through_cells(&browser, &ledger, first).await;
    order(&browser, &ledger).await;
    // axe reads the pixels of the heat map to judge contrasts; the page reads none.
    browser.assert_quiet_but(&server.base, &["willReadFrequently"]);
    browser.close().await;
    server.stop().await;
}

/// From cell to cell by keys; what the ledger is told of the current one is seen and said.
async fn go_through_cells(browser: &PlainBrowser, ledger: &Ledger, first: Lease) {
    browser.tab_to("llm-big-composite, item_00, epoch 1").await;
    let here = browser.until("its state is said", |state| text(state, "told").contains("running")).await;
    assert_eq!(text(&here, "words"), "llm-big-composite, item_00, epoch 1: running");
    let before = browser.ask("cell").await;
    ledger.end(&first, &finish(Class::Counts, "failed", 3)).await.unwrap();
    let followed =
        browser.until("the page follows", |state| text(state, "told").contains("failed, 3 of 5 tests")).await;
    assert_eq!(text(&followed, "words"), "llm-big-composite, item_00, epoch 1: failed, 3 of 5 tests");
    // The map is drawn with the next frame.
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut after = browser.ask("cell").await;
    while after["colour"] == before["colour"] {
        assert!(Instant::now() < deadline, "{after}");
        after = browser.ask("cell").await;
    }
    assert_eq!(after["colour"], after["failed"], "the colour of the legend");

    browser.press("ArrowRight").await;
    browser.press("ArrowDown").await;
    let moved = browser
        .until("keys go to others", |state| text(state, "focused") == "llm-big-composite, item_01, epoch 2")
        .await;
    assert!(text(&moved, "words").starts_with("llm-big-composite, item_01, epoch 2: "), "{moved:#}");
    browser.press("PageDown").await;
    browser.press("End").await;
    browser.press("ArrowDown").await;
    browser
        .until("the last item of the next arm", |state| text(state, "focused") == "llm-big-primitive, item_29, epoch 3")
        .await;

    browser.press("Enter").await;
    let open = browser.until("the cell is opened", |state| text(state, "panel").contains("owed")).await;
    assert!(text(&open, "focused").contains("item_29"), "the focus is in the panel: {open:#}");
    look_for_barriers(browser, 3, "a cell").await;
    browser.press("Escape").await;
    browser
        .until("the focus is at its cell again", |state| {
            text(state, "panel").is_empty() && text(state, "focused") == "llm-big-primitive, item_29, epoch 3"
        })
        .await;
}

/// Orders by buttons reach the ledger, and what they change is shown.
async fn order(browser: &PlainBrowser, ledger: &Ledger) {
    browser.tab_to("Pause").await;
    browser.press("Enter").await;
    browser.until("it asks first", |state| text(state, "dialog").contains("Pause the experiment?")).await;
    look_for_barriers(browser, 4, "a question").await;
    browser.type_text("quota").await;
    browser.press("Enter").await;
    let paused = browser.until("it is paused", |state| text(state, "badge") == "paused").await;
    assert_eq!((text(&paused, "binds"), text(&paused, "dialog")), ("Quota.", ""));
    assert!(rows(&paused, "actions").contains("paused the experiment: quota"), "{paused:#}");
    assert_eq!(text(&paused, "focused"), "Pause", "the focus is where it was");
    let status = ledger.status("table-1").await.unwrap();
    assert_eq!((status.state, status.why.as_deref()), (Gate::Paused, Some("quota")));

    browser.tab_to("Budget").await;
    browser.press("Enter").await;
    browser.until("the budget is asked for", |state| text(state, "dialog").contains("Budget of the experiment")).await;
    look_for_barriers(browser, 5, "the question for a budget").await;
    browser.press("End").await;
    for _ in 0..10 {
        browser.press("Backspace").await;
    }
    browser.type_text("500.5").await;
    browser.press("Enter").await;
    browser.until("the budget is another one", |state| text(state, "standing").contains("of $500.50")).await;
    assert_eq!(ledger.status("table-1").await.unwrap().budget.micro_usd, Some(500_500_000));

    let dead = ledger.status("table-1").await.unwrap().cells.dead;
    assert!(dead > 0);
    browser.tab_to("Try dead cells with judge_error again").await;
    browser.press("Enter").await;
    browser.until("it asks first", |state| text(state, "dialog").contains("Try dead cells again?")).await;
    browser.press("Enter").await;
    browser.until("they are owed again", |state| rows(state, "actions").contains("dead cells again")).await;
    let cells = ledger.cells("table-1").await.unwrap();
    let left = cells.iter().filter(|cell| cell.state == CellState::Dead).count() as u64;
    assert!(left < dead, "{left} of {dead}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_lost_its_server_says_so_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ledger) = served(folder.path(), open_access()).await;
    let first = fill(&ledger).await;
    let browser = PlainBrowser::start().await;
    browser.open(&format!("{}/live#experiment/table-1", server.base)).await;
    browser.until("the stream is open", |state| text(state, "live") == "live").await;
    let base = server.base.clone();
    server.stop().await;
    browser.until("it says that it is not live", |state| text(state, "live").starts_with("not live")).await;
    ledger.end(&first, &finish(Class::Counts, "passed", 5)).await.unwrap();
    let address = base.strip_prefix("http://").unwrap();
    let api = api_with(no_browser(), open_access()).showing_experiments(ledger.clone());
    let server = Server::start_at(api, folder.path(), address).await;
    let back = browser.until("it is live again", |state| text(state, "live") == "live").await;
    assert_eq!(text(&back, "heading"), "table-1");
    browser
        .until("what happened meanwhile is shown", |state| text(state, "words").ends_with("passed, 5 of 5 tests"))
        .await;
    browser.close().await;
    server.stop().await;
}
