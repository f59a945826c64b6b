//! What the page of reviews contains: each project once, nothing that runs or loads but its own, nothing that others say.

use serde_json::{Value, json};

use super::*;
use crate::bugs::{Change, Features, Goal, Licence, RECORD, RecordStatus, Review, SeenChange};

/// What a project says that wants to be part of the page.
const HOSTILE: &str = "</script><script src=https://example.org/x.js></script><img src=x onerror=alert(1)>";
/// A folder can't have a `/` in its name.
const HOSTILE_ID: &str = "moth\"><img src=x onerror=alert(1)>";

fn record() -> ReferenceRecord {
    let outcomes = vec![SeenChange { signal: "Stage/variable/score".to_owned(), change: Change::Increases }];
    ReferenceRecord {
        format: 1,
        project: HOSTILE_ID.to_owned(),
        status: RecordStatus::Draft,
        by: Vec::new(),
        sha256: None,
        written_by: Vec::new(),
        genre: None,
        tags: Vec::new(),
        goal: Goal { text: format!("Catch moths. {HOSTILE}"), terms: Vec::new() },
        sprites: vec![Role { name: HOSTILE.to_owned(), role: "player".to_owned(), primary: true }],
        cycle: vec!["green_flag".to_owned(), "key:space".to_owned()],
        hooks: vec![Hook { event: "key:space".to_owned(), sprites: Vec::new(), outcomes }],
        state_signals: Vec::new(),
    }
}

/// A pool of two projects, of which one is hostile and one has neither record nor licence nor picture.
fn pool(folder: &Path) -> Pool {
    let mut pool = Pool::create(folder, "none").unwrap();
    for id in ["bell", HOSTILE_ID] {
        let entry = PoolEntry { id: id.to_owned(), sha256: sha256_hex(id.as_bytes()), group: id.to_owned() };
        pool.add(entry, b"gold").unwrap();
        let features = Features { sprites: 7, scripts: 1, blocks: 30, ..Features::default() };
        pool.note(id, "measure.json", &json!({"features": features, "tags": [HOSTILE], "smoke": null})).unwrap();
    }
    let licence = Licence {
        source: HOSTILE.to_owned(),
        url: None,
        spdx: Some("MIT".to_owned()),
        attribution: None,
        retrieved: None,
        sha256_original: None,
        changes: Vec::new(),
        share_alike: false,
        publish: true,
    };
    pool.note(HOSTILE_ID, "licence.json", &licence).unwrap();
    pool.note(HOSTILE_ID, RECORD, &record()).unwrap();
    pool.put(HOSTILE_ID, "stage.png", b"a picture").unwrap();
    pool
}

/// The page for ada, and the sheet that is in it.
fn page(pool: &Pool, folder: &Path) -> (String, String) {
    let file = folder.join("pages/ada.html");
    ReviewSheet::of(pool, &"ada".parse().unwrap()).unwrap().write(&file).unwrap();
    let html = std::fs::read_to_string(file).unwrap();
    let (_, rest) = html.split_once(" type=\"application/json\">").unwrap();
    let sheet = rest.split_once("</script>").unwrap().0.to_owned();
    (html, sheet)
}

#[test]
fn a_page_has_each_project_once_and_tells_what_a_reviewer_needs() {
    let folder = tempfile::tempdir().unwrap();
    let (html, text) = page(&pool(folder.path()), folder.path());
    assert_eq!(html.matches("\"item\":").count(), 2);
    let sheet: Value = serde_json::from_str(&text).unwrap();
    let [bell, moth] = [&sheet["cards"][0], &sheet["cards"][1]];
    assert_eq!((&sheet["rater"], &bell["item"], &moth["item"]), (&json!("ada"), &json!("bell"), &json!(HOSTILE_ID)));
    assert_eq!((&bell["record"], &bell["picture"], &bell["score"]), (&json!([]), &json!(null), &json!(null)));
    assert!(bell["explanation"].as_str().unwrap().contains("no reference record"));
    assert!(bell["facts"].as_array().unwrap().contains(&json!(["Licence", "unknown, not to be published"])));
    for fact in [json!(["Size", "7 sprites, 1 script, 30 blocks"]), json!(["Licence", "MIT"])] {
        assert!(moth["facts"].as_array().unwrap().contains(&fact), "{moth:#}");
    }
    let told = moth["record"].as_array().unwrap();
    for part in [json!(["Loop", "green_flag, key:space"]), json!(["key:space", "Stage/variable/score increases"])] {
        assert!(told.contains(&part), "{told:#?}");
    }
    assert_eq!(told[0][1], "drafted by rules, confirmed by nobody");
    assert!(!moth["picture"].as_str().unwrap().is_empty() && html.contains("<option>animation</option>"));
}

#[test]
fn nothing_of_a_project_becomes_part_of_the_page_and_nothing_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let (html, sheet) = page(&pool(folder.path()), folder.path());
    // As data it is there unharmed.
    let read: Value = serde_json::from_str(&sheet).unwrap();
    assert_eq!(read["cards"][1]["record"][1][1], format!("{HOSTILE} (player, primary)"));
    assert!(!sheet.contains('<'), "{sheet}");
    let page = html.replace(&sheet, "");
    for foreign in ["onerror", "example.org", "http://", "https://", "<link", "<script src", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains(&format!("default-src 'none'; script-src 'nonce-{}'", sha256_hex(sheet.as_bytes()))));
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
}

#[test]
fn a_reviewer_goes_on_where_they_were_and_does_not_see_what_others_say() {
    let folder = tempfile::tempdir().unwrap();
    let pool = pool(folder.path());
    let review = |accept, reason: &str| {
        let (genre, reason) = (Some("story".to_owned()), reason.to_owned());
        Review { accept, genre, reason, sha256: None }
    };
    Curation::note(&pool, "bell", &"ada".parse().unwrap(), review(false, "too short")).unwrap();
    for id in ["bell", HOSTILE_ID] {
        Curation::note(&pool, id, &"ben".parse().unwrap(), review(true, "what ben thinks")).unwrap();
    }
    let sheet = ReviewSheet::of(&pool, &"ada".parse().unwrap()).unwrap();
    assert_eq!((sheet.projects(), sheet.left()), (2, 1));
    let (html, text) = page(&pool, folder.path());
    let sheet: Value = serde_json::from_str(&text).unwrap();
    let said = ["score", "genre", "evidence"].map(|part| &sheet["cards"][0][part]);
    assert_eq!(said, [&json!(0), &json!("story"), &json!("too short")]);
    assert_eq!(sheet["cards"][1]["score"], json!(null));
    assert!(!html.contains("what ben thinks"));
}

#[test]
fn a_project_that_has_changed_is_to_be_reviewed_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut pool = pool(folder.path());
    let ada = "ada".parse().unwrap();
    let review = Review { accept: true, genre: None, reason: "what ada thought".to_owned(), sha256: None };
    Curation::note(&pool, "bell", &ada, review).unwrap();
    assert_eq!(ReviewSheet::of(&pool, &ada).unwrap().left(), 1);
    let entry = PoolEntry { sha256: sha256_hex(b"another"), ..pool.entry("bell").unwrap().clone() };
    pool.add(entry, b"another").unwrap();
    assert_eq!(ReviewSheet::of(&pool, &ada).unwrap().left(), 2);
    assert!(!page(&pool, folder.path()).0.contains("what ada thought"));
}

#[test]
fn a_page_tells_who_stands_for_a_record() {
    let shown_for = |digest: &str, status, by: &[&str], written_by: &[&str]| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let sha256 = Some("a digest".to_owned());
        let record = ReferenceRecord { status, by: names(by), sha256, written_by: names(written_by), ..record() };
        let (record, doubt) = record.counted(digest);
        told(&record, doubt)[0].1.clone()
    };
    let shown = |status, by: &[&str], written_by: &[&str]| shown_for("a digest", status, by, written_by);
    assert_eq!(shown(RecordStatus::Draft, &[], &[]), "drafted by rules, confirmed by nobody");
    let written = shown(RecordStatus::Written, &[], &["ada"]);
    assert_eq!(written, "written by ada, confirmed by nobody who has played the project");
    let confirmed = shown(RecordStatus::Confirmed, &["ben"], &["ada"]);
    assert_eq!(confirmed, "confirmed by ben, who played the project");
    let of_before = shown_for("another digest", RecordStatus::Confirmed, &["ben"], &["ada"]);
    assert!(of_before.starts_with(&written) && of_before.contains("another state of the project"), "{of_before}");
}
