//! The public suite for RFC 6902 (tests/fixtures/json_patch/SOURCE.md): what is of add, remove and replace does what the suite says, and
//! all else has its code.

use scratchbed_model::Coded;
use serde::Deserialize;
use serde_json::Value;

use super::{End, Limits, Operation, apply_unrestricted, read};

const SUITES: [&str; 2] = [
    include_str!("../../tests/fixtures/json_patch/tests.json"),
    include_str!("../../tests/fixtures/json_patch/spec_tests.json"),
];

/// A case; some records are only comments.
#[derive(Debug, Deserialize)]
struct Case {
    doc: Option<Value>,
    patch: Option<Value>,
    expected: Option<Value>,
    error: Option<String>,
    #[serde(default)]
    disabled: bool,
}

/// The cases that count, each with its document and patch.
fn cases() -> Vec<(Case, Value, Value)> {
    let all = SUITES.iter().flat_map(|suite| serde_json::from_str::<Vec<Case>>(suite).unwrap());
    let used = all.filter(|case| !case.disabled);
    used.filter_map(|mut case| Some((case.doc.take()?, case.patch.take()?, case))).map(|(d, p, c)| (c, d, p)).collect()
}

#[test]
fn additions_removals_and_replacements_do_what_the_suite_says() {
    let (mut done, mut refused) = (0, 0);
    for (case, document, patch) in cases() {
        let Ok(operations) = Vec::<Operation>::deserialize(&patch) else { continue };
        match (apply_unrestricted(&document, &operations), &case.error) {
            (Ok(result), None) => {
                assert_eq!(&result, case.expected.as_ref().unwrap_or(&result), "{case:?}");
                done += 1;
            }
            (Err(error), Some(_)) => {
                assert!(["no_such_path", "bad_index", "bad_pointer"].contains(&error.code()), "{error}: {case:?}");
                refused += 1;
            }
            (result, _) => panic!("{result:?}: {case:?}"),
        }
    }
    assert_eq!((done, refused), (50, 10));
}

#[test]
fn other_operations_and_malformed_ones_have_their_codes() {
    let mut found = std::collections::BTreeMap::new();
    for (case, _, patch) in cases() {
        if Vec::<Operation>::deserialize(&patch).is_ok() {
            continue;
        }
        let code = read(&patch.to_string(), End::Complete, &Limits::default()).unwrap_err().code().to_owned();
        let is_known = |operation: &Value| ["add", "remove", "replace"].map(Value::from).contains(&operation["op"]);
        let wanted = if patch.as_array().unwrap().iter().all(is_known) { "shape" } else { "op" };
        assert_eq!(code, wanted, "{case:?}");
        *found.entry(code).or_insert(0) += 1;
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [("op".to_owned(), 29), ("shape".to_owned(), 2)]);
}
