//! Who stands for a record.

use serde_json::{Value, json};

use super::*;

/// Status, who confirmed and who wrote it; how that is told, and whether a person stands for it.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], &'a str, bool);

/// The digest of the project that records are of.
const DIGEST: &str = "a digest";

fn record(status: &str, by: &[&str], written_by: &[&str]) -> ReferenceRecord {
    let mut record = json!({
        "format": 1, "project": "moth", "status": status, "by": by, "written_by": written_by, "tags": [],
        "goal": {"text": "Catch moths.", "terms": [["catch"]]}, "sprites": [], "loop": [], "hooks": [], "state_signals": [],
    });
    if status == "confirmed" {
        record["sha256"] = json!(DIGEST);
    }
    serde_json::from_value(record).unwrap()
}

#[test]
fn each_status_is_read_written_and_told() {
    let of_before = "a draft, written by ada of an earlier state of the project";
    let unnamed = "written from the project's scripts, confirmed by nobody who has played the project";
    let cases: [Case<'_>; 5] = [
        ("draft", &[], &[], "drafted by rules, confirmed by nobody", false),
        ("draft", &[], &["ada"], of_before, false),
        ("written", &[], &["ada"], "written by ada, confirmed by nobody who has played the project", true),
        ("written", &[], &[], unnamed, true),
        ("confirmed", &["ben", "cem"], &["ada"], "confirmed by ben, cem, who played the project", true),
    ];
    for (status, by, written_by, words, is_by_people) in cases {
        let one = record(status, by, written_by);
        assert_eq!((one.origin().as_str(), one.status.is_by_people()), (words, is_by_people));
        assert_eq!((one.status.to_string().as_str(), one.standing()), (status, one.status));
        let kept: Value = serde_json::to_value(&one).unwrap();
        assert_eq!((&kept["status"], kept.get("written_by").is_some()), (&json!(status), !written_by.is_empty()));
        assert_eq!(serde_json::from_value::<ReferenceRecord>(kept).unwrap(), one);
    }
    assert!(serde_json::from_value::<RecordStatus>(json!("checked")).is_err());
}

#[test]
fn a_record_that_says_confirmed_without_a_name_is_worth_what_is_written() {
    let nobody: [&[&str]; 2] = [&[], &[" "]];
    for by in nobody {
        let one = record("confirmed", by, &[]);
        assert_eq!((one.is_unsigned(), one.standing()), (true, RecordStatus::Written));
        assert_eq!(one.doubt(DIGEST), Some(Doubt::Unsigned));
        assert!(one.origin().contains("confirmed by nobody"), "{}", one.origin());
    }
    assert!(!record("written", &[], &[]).is_unsigned());
}

#[test]
fn whoever_wrote_a_record_has_not_confirmed_it() {
    let mut one = record("written", &["ada"], &["ada"]);
    for name in ["ben", "ben", "cem"] {
        one.confirm(name.to_owned(), DIGEST);
    }
    assert_eq!((one.sha256.as_deref(), one.doubt(DIGEST)), (Some(DIGEST), None));
    assert_eq!((one.status, one.by.join(" ").as_str()), (RecordStatus::Confirmed, "ben cem"));
    one.reset();
    assert_eq!((one.status, one.by.len(), one.written_by.join(" ").as_str()), (RecordStatus::Draft, 0, "ada"));
    assert_eq!(one.sha256, None);
}

#[test]
fn a_record_is_confirmed_of_the_project_that_was_played_alone() {
    let one = record("confirmed", &["ben"], &["ada"]);
    assert_eq!(one.clone().counted(DIGEST), (one.clone(), None));
    let copy = one.clone().of_copy("the digest of a copy");
    assert_eq!((copy.doubt("the digest of a copy"), copy.doubt(DIGEST)), (None, Some(Doubt::Changed)));

    // Records of earlier versions do not say which project it was.
    let old = ReferenceRecord { sha256: None, ..one.clone() };
    assert_eq!((old.standing(), old.clone().of_copy("any").sha256), (RecordStatus::Written, None));
    let written = record("written", &[], &["ada"]);
    for (record, digest, doubt) in [(old, DIGEST, Doubt::NoDigest), (one.clone(), "another", Doubt::Changed)] {
        assert_eq!(record.counted(digest), (written.clone(), Some(doubt)));
        assert!(doubt.to_string().contains("counts as `written`"), "{doubt}");
    }

    let mut again = one;
    again.confirm("cem".to_owned(), "another");
    assert_eq!((again.by.join(" ").as_str(), again.doubt("another")), ("cem", None), "ben has not played this one");
}
