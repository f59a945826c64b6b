//! What was measured of a suite is kept beside the truth, and marks its instance wherever it is listed or shown.

use scratchbed::bugs::AdequacyMark;
use serde_json::{Value, json};

use crate::support::forged::{bench, instance, report};
use crate::support::program::Scratchbed;

fn mark(suite: &str, is_adequate: bool) -> AdequacyMark {
    AdequacyMark { suite: suite.to_owned(), score: 1.0, damage_score: 0.75, right: 9, right_rejected: 0, is_adequate }
}

#[test]
fn a_weak_suite_is_marked_until_it_is_another_one() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    let mut other = instance("other", "other", Some("MIT"), report());
    other.entry.suite = "new".to_owned();
    let bench = bench(&folder, &[instance("weak", "weak", Some("MIT"), report()), other]);
    assert!(bench.note_adequacy("nobody", &mark("", false)).is_err());
    assert_eq!(bench.adequacy("weak").unwrap(), None, "it was not measured");
    bench.note_adequacy("weak", &mark("", false)).unwrap();
    bench.note_adequacy("other", &mark("old", false)).unwrap();
    assert_eq!(bench.adequacy("other").unwrap(), None, "it was forged again since");

    let (scratchbed, bench) = (Scratchbed::new(), folder.to_string_lossy());
    let listed = scratchbed.blocking_answer(&["bugs", "list", &bench]);
    let weak: Vec<&str> = listed.stderr.lines().filter(|line| line.contains("WEAK")).collect();
    assert!(weak.len() == 1 && weak[0].contains("weak"), "{}", listed.stderr);
    assert_eq!(listed["adequacy"], json!({"weak": mark("", false)}), "{listed:#}");
    let shown = scratchbed.blocking_answer(&["bugs", "show", &bench, "weak", "--truth"]);
    assert_eq!((&shown["adequacy"]["damage_score"], &shown["suite"]["guards"][0]["id"]), (&json!(0.75), &json!("g1")));
    assert!(shown.stderr.contains("guards     1") && shown.stderr.contains("WEAK"), "{}", shown.stderr);
    let hidden = scratchbed.blocking_answer(&["bugs", "show", &bench, "weak"]);
    assert_eq!((&hidden["adequacy"], &hidden["suite"]), (&Value::Null, &Value::Null), "without the truth");
}
