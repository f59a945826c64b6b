//! Pages of a run of trajectories as a person meets them: they lead to each other, have the blocks before and after, and hide nothing.

use std::path::Path;

use serde_json::Value;

use crate::support::plain_browser::PlainBrowser;

/// Looks at the pages that `repair report` wrote: `right` ended at once, `wrong` failed its checks, `silent` had no answer.
pub async fn assert_pages(answer: &Value, [right, wrong, silent]: [&str; 3]) {
    let page = answer["report"].as_str().unwrap_or_else(|| panic!("{answer:#}"));
    let run = Path::new(page).parent().unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    let read = |case: &str| {
        let name = format!("trajectories/{case}.1.html");
        assert!(text.replace("&#x2f;", "/").contains(&format!("href=\"{name}\"")), "{name} is not linked");
        std::fs::read_to_string(run.join(name)).unwrap()
    };
    let passed = read(right);
    assert!(
        passed.contains("heuristic begins by the level of the signals")
            && passed.contains("the strict verifier passed")
    );
    assert_eq!(passed.matches("data:image/svg+xml;base64,").count(), 2, "a script before, and after");
    assert!(passed.contains("at 1 missing") && passed.contains("1 outlined"));
    assert!(passed.contains("second green flag") && passed.contains("Wh (estimated)"));
    let failed = read(wrong);
    assert!(failed.contains("<li>seen:") || failed.contains("wanted"), "failing checks are told");
    assert!(failed.contains("after a candidate that failed its checks: "));
    assert_eq!(failed.matches("<section class=\"attempt\"").count(), 2);
    assert!(read(silent).contains("There is none.") && !read(silent).contains("<svg"));
    for text in [&passed, &failed] {
        assert!(!text.contains("src=\"http") && !text.contains("<script") && text.contains("data:image/png;base64,"));
    }
    let browser = PlainBrowser::start().await;
    for (what, file) in [
        ("the page of a run of trajectories", "report.html"),
        ("the page of a trajectory", &*format!("trajectories/{wrong}.1.html")),
    ] {
        browser.open(&format!("file://{}", run.join(file).display())).await;
        browser.assert_accessible(what).await;
    }
    assert_eq!(*browser.complaints.lock().unwrap(), Vec::<String>::new());
    browser.close().await;
}
