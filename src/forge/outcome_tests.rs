//! Tests of `outcome`.

use serde_json::json;

use super::*;

fn unsound(code: &str) -> Tried {
    Tried::Unsound(Unsound { code: code.to_owned(), message: "why".to_owned() })
}

#[test]
fn a_run_says_why_most_of_its_faults_are_invalid() {
    let mut done = Done::new("key".to_owned());
    for code in ["no_inverse", "edit_refused", "no_inverse"] {
        done.count(&unsound(code));
    }
    for _ in 0..2 {
        done.count(&Tried::Discarded(Discard::Weak, String::new()));
    }
    let mut forged = Forged::default();
    forged.add("moth", &done);
    assert_eq!((forged.trials, forged.discarded["invalid"], forged.discarded["weak"]), (5, 3, 2));
    let said = forged.mostly_invalid();
    assert_eq!(said.as_deref(), Some("3 of 5 faults were invalid: no_inverse 2, edit_refused 1"));
    done.count(&Tried::Discarded(Discard::Weak, String::new()));
    let mut even = Forged::default();
    even.add("moth", &done);
    assert_eq!((even.mostly_invalid(), Forged::default().mostly_invalid()), (None, None));
}

fn instance(id: &str, adequacy: Option<f64>) -> InstanceEntry {
    serde_json::from_value(json!({
        "id": id, "project": id, "group": id, "pattern": "desynchronization", "operator": "DS.nowait",
        "difficulty": "easy", "adequacy": adequacy, "buggy": "", "suite": "",
    }))
    .unwrap()
}

#[test]
fn instances_below_the_share_are_counted_where_one_was_asked_for() {
    let instances = vec![instance("moth", Some(0.9)), instance("owl", Some(0.75))];
    let mut done = Done { instances, ..Done::new("key".to_owned()) };
    for why in [Discard::Inadequate, Discard::Inadequate, Discard::Weak] {
        done.count(&Tried::Discarded(why, String::new()));
    }
    done.uncount(Discard::Inadequate);
    let again: Done = serde_json::from_str(&serde_json::to_string(&done).unwrap()).unwrap();
    let mut forged = Forged { adequate: Some(0.9), ..Forged::default() };
    forged.add("moth", &again);
    assert_eq!((forged.trials, forged.discarded["inadequate"]), (4, 1));
    let told = json!(forged);
    assert_eq!((&told["adequate"], &told["inadequate"]), (&json!(0.9), &json!({"owl": 0.75})));
    done.uncount(Discard::Inadequate);
    assert_eq!(done.discarded.keys().collect::<Vec<_>>(), ["weak"]);

    let mut without = Forged::default();
    without.add("moth", &Done { instances: vec![instance("moth", None)], ..Done::new("key".to_owned()) });
    let told = json!(without);
    assert_eq!((told.get("adequate"), told.get("inadequate")), (None, None));
    assert_eq!(json!(instance("moth", None)).get("adequacy"), None);
}

#[test]
fn a_project_that_no_fault_fits_says_which_and_what_was_kept_is_read_again() {
    let mut done = Done::new("key".to_owned());
    done.count_unsound(&BTreeMap::from([("no_inverse".to_owned(), 74), ("unchanged".to_owned(), 2)]));
    assert_eq!(done.without.as_deref(), Some("none of its 76 faults is sound (no_inverse 74, unchanged 2)"));
    let again: Done = serde_json::from_str(&serde_json::to_string(&done).unwrap()).unwrap();
    assert_eq!(again, done);
    let mut forged = Forged::default();
    forged.add("moth", &Done { spent: true, ..done });
    assert_eq!((forged.trials, forged.over_budget.as_slice()), (76, &["moth".to_owned()][..]));
    let mut none = Done::new("key".to_owned());
    none.count_unsound(&BTreeMap::new());
    assert_eq!((none.without.as_deref(), none.discarded.len()), (Some("it has no place for a fault"), 0));
}
