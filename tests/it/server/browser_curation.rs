//! The page on which a reviewer goes through a pool, as a person meets it: a plain browser on the file that the command wrote, keys, the
//! page opened again, and the file that it gives read by the command.

use std::path::Path;

use scratchbed::bugs::{CURATION, Curation, Features, Pool, PoolEntry};
use scratchbed::model::sha256_hex;
use serde_json::json;

use crate::support::plain_browser::PlainBrowser;
use crate::support::program::{Scratchbed, until};

/// A pool of two projects that nobody has to play.
fn pool(folder: &Path) -> Pool {
    let mut pool = Pool::create(folder, "none").unwrap();
    for id in ["bell", "moth"] {
        let entry = PoolEntry { id: id.to_owned(), sha256: sha256_hex(id.as_bytes()), group: id.to_owned() };
        pool.add(entry, id.as_bytes()).unwrap();
        let measure = json!({"features": Features::default(), "tags": ["<b>clones</b>"], "smoke": null});
        pool.note(id, "measure.json", &measure).unwrap();
    }
    pool
}

async fn told(browser: &PlainBrowser, words: &str) {
    browser.until(words, |state| state["told"].as_str().is_some_and(|told| told.contains(words))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_are_reviewed_by_keys_on_a_page_whose_file_the_pool_takes() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("pool");
    let pool = pool(&folder);
    let [folder, page, file] =
        [folder, place.path().join("ada.html"), place.path().join("ada.jsonl")].map(|path| path.display().to_string());
    let scratchbed = Scratchbed::new();
    let call = ["intake", "review", &folder, "--page", "--reviewer", "ada", "--out", &page];
    let made = scratchbed.answer(&call).await;
    assert_eq!((made.code, &made["projects"], &made["left"]), (0, &json!(2), &json!(2)), "{made:#}");

    let browser = PlainBrowser::start().await;
    browser.download_into(place.path()).await;
    reviewed(&browser, &format!("file://{page}")).await;
    until("the file is saved", || Path::new(&file).is_file()).await;
    let taken = scratchbed.answer(&["intake", "review", &folder, "--answers", &file]).await;
    assert_eq!((taken.code, &taken["reviewer"], &taken["not_in_file"]), (0, &json!("ada"), &json!(0)), "{taken:#}");
    let reviews = ["bell", "moth"].map(|id| {
        let curation: Curation = pool.noted(id, CURATION).unwrap().unwrap();
        curation.reviews["ada"].clone()
    });
    assert_eq!(reviews.each_ref().map(|review| review.accept), [false, true]);
    assert_eq!(reviews.map(|review| review.reason), ["too short", ""]);
    let again = scratchbed.answer(&call).await;
    assert_eq!(again["left"], 0, "{again:#}");
    browser.close().await;
}

/// Rejects the first project with a reason and accepts the second one, and saves the file.
async fn reviewed(browser: &PlainBrowser, address: &str) {
    browser.open(address).await;
    told(browser, "Project 1 of 2 (bell), 0 reviewed by ada.").await;
    browser.press("e").await;
    browser.type_text("too short").await;
    browser.press("Escape").await;
    browser.press("r").await;
    told(browser, "Project 2 of 2 (moth), 1 reviewed by ada.").await;
    browser.press("r").await;
    told(browser, "All are reviewed: press q to save the file.").await;
    browser.press("u").await;
    told(browser, "Project 2 of 2 (moth), 1 reviewed by ada.").await;
    browser.assert_accessible("the page of reviews").await;
    browser.press("?").await;
    browser.until("the help", |state| state["dialog"].as_str().unwrap().contains("genre")).await;
    browser.assert_accessible("help on the page of reviews").await;
    browser.press("Escape").await;
    browser.open(address).await;
    told(browser, "Project 2 of 2 (moth), 1 reviewed by ada.").await;
    browser.press("a").await;
    told(browser, "All are reviewed: press q to save the file.").await;
    browser.press("q").await;
    let requests = browser.requests.lock().unwrap().clone();
    assert!(requests.iter().all(|url| !url.starts_with("http")), "{requests:?}");
    assert_eq!(*browser.complaints.lock().unwrap(), Vec::<String>::new());
}
