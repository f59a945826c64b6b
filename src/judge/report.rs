//! Decodes the report of an evaluation script: strictly for our own scripts; for imported ones by a fixed rule that
//! resolves contradictions.

use serde::Deserialize;
use serde_json::Value;

use crate::model::CaseResult;
use crate::taskset::Contract;

/// Fields of a report that this program knows.
const REPORT_FIELDS: [&str; 5] = ["success", "passed_tests", "total_tests", "details", "partial_success_rate"];
/// Fields of one entry of its `details`.
const DETAIL_FIELDS: [&str; 6] = ["name", "passed", "timeout", "duration_ms", "error", "meta"];

/// How far an imported `partial_success_rate` may be off: scripts round it.
const RATE_ROUNDING: f64 = 0.01;

/// A report whose numbers agree with its list.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Whether the task is passed.
    pub success: bool,
    pub passed_tests: u32,
    pub total_tests: u32,
    /// One entry a test.
    pub details: Vec<CaseResult>,
    /// Unknown fields, and contradictions of an imported report.
    pub warnings: Vec<String>,
}

/// Why a report can't be a verdict: a fault of the script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportFault {
    /// A required field is missing or has the wrong type.
    #[error("the report's `{field}` is wrong: {message}")]
    Shape { field: String, message: String },
    /// The report lists no test at all.
    #[error("the report has no tests")]
    Empty,
    /// The counts do not fit the list.
    #[error("the report claims {passed} of {total} tests, but lists {listed_passed} of {listed}")]
    Counts { passed: u32, total: u32, listed_passed: usize, listed: usize },
    /// `success` does not mean "all passed".
    #[error("the report says success is {success}, but {passed} of {total} tests passed")]
    Success { success: bool, passed: u32, total: u32 },
}

#[derive(Deserialize)]
struct Raw {
    success: bool,
    passed_tests: u32,
    total_tests: u32,
    details: Vec<CaseResult>,
}

/// Reads a report; unknown fields become warnings, a shape that is not understood is a fault.
///
/// Our own scripts must have totals that fit the list, and `success` when all passed. Of an imported report that
/// contradicts itself the list counts: its entries are what was tested. It is passed only if every entry is and
/// `success` says so; each contradiction is a warning. A report of nothing passed whose total is not the length of
/// the list reports no test that ran, and is a fault: scripts that catch their own exceptions return such.
///
/// # Errors
/// What is wrong with it, as the contract has it.
pub fn decode(value: &Value, contract: Contract) -> Result<Report, ReportFault> {
    let raw = raw(value)?;
    let listed_passed = raw.details.iter().filter(|detail| detail.passed).count();
    let (passed, total, listed) = (raw.passed_tests, raw.total_tests, raw.details.len());
    let miscounted = total as usize != listed || passed as usize != listed_passed;
    let is_zero = passed == 0 && listed_passed == 0 && total as usize != listed;
    if (contract == Contract::Scratchbed && miscounted) || is_zero {
        return Err(ReportFault::Counts { passed, total, listed_passed, listed });
    }
    if listed == 0 {
        return Err(ReportFault::Empty);
    }
    if contract == Contract::Scratchbed && raw.success != (passed == total) {
        return Err(ReportFault::Success { success: raw.success, passed, total });
    }
    let mut warnings = unknown_fields(value);
    if contract == Contract::ScratchWorld {
        warnings.extend(contradictions(&raw, listed_passed, value["partial_success_rate"].as_f64()));
    }
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(Report {
        success: raw.success && listed_passed == listed,
        passed_tests: count(listed_passed),
        total_tests: count(listed),
        details: raw.details,
        warnings,
    })
}

fn raw(value: &Value) -> Result<Raw, ReportFault> {
    serde_path_to_error::deserialize(value).map_err(|error| ReportFault::Shape {
        field: error.path().to_string(),
        message: error.into_inner().to_string(),
    })
}

/// Contradictions between an imported report and its list.
fn contradictions(raw: &Raw, listed_passed: usize, rate: Option<f64>) -> Vec<String> {
    let listed = raw.details.len();
    let mut found = Vec::new();
    let (passed, total) = (raw.passed_tests, raw.total_tests);
    if total as usize != listed || passed as usize != listed_passed {
        found.push(format!("inconsistent report: it claims {passed} of {total} tests; the list counts"));
    }
    if raw.success != (listed_passed == listed) {
        let success = raw.success;
        found.push(format!("inconsistent report: success is {success}, with {listed_passed} of {listed} tests passed"));
    }
    #[expect(clippy::cast_precision_loss, reason = "lists of tests are short")]
    let reckoned = listed_passed as f64 / listed as f64;
    if let Some(rate) = rate.filter(|rate| (rate - reckoned).abs() > RATE_ROUNDING) {
        found.push(format!("inconsistent report: partial_success_rate is {rate}, by the list it is {reckoned:.3}"));
    }
    found
}

fn unknown_fields(value: &Value) -> Vec<String> {
    let unknown = |object: &Value, known: &[&str], place: &str| -> Vec<String> {
        let keys = object.as_object().into_iter().flat_map(|fields| fields.keys());
        keys.filter(|key| !known.contains(&key.as_str()))
            .map(|key| format!("the report has an unknown field `{place}{key}`"))
            .collect()
    };
    let mut warnings = unknown(value, &REPORT_FIELDS, "");
    for (i, detail) in value["details"].as_array().into_iter().flatten().enumerate() {
        warnings.extend(unknown(detail, &DETAIL_FIELDS, &format!("details[{i}].")));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn own(value: &Value) -> Result<Report, ReportFault> {
        super::decode(value, Contract::Scratchbed)
    }

    fn imported(value: &Value) -> Result<Report, ReportFault> {
        super::decode(value, Contract::ScratchWorld)
    }

    fn good() -> Value {
        json!({
            "success": false, "passed_tests": 1, "total_tests": 2, "details": [
                {"name": "flies", "passed": true, "duration_ms": 12.5},
                {"name": "lands", "passed": false, "timeout": true, "error": "never", "meta": null}
            ]
        })
    }

    #[test]
    fn a_good_report_is_taken_as_it_is() {
        let report = own(&good()).unwrap();
        assert_eq!((report.success, report.passed_tests, report.total_tests), (false, 1, 2));
        assert_eq!(report.details[1].error.as_deref(), Some("never"));
        assert!(report.warnings.is_empty());
    }

    #[test]
    fn unknown_fields_warn() {
        let mut value = good();
        value["score"] = json!(3);
        value["details"][1]["why"] = json!("x");
        let warnings = own(&value).unwrap().warnings;
        assert_eq!(warnings.len(), 2);
        assert!(warnings[1].contains("details[1].why"), "{warnings:?}");
    }

    #[test]
    fn wrong_shapes_name_the_field() {
        for (pointer, value, field) in [
            ("", json!(null), "."),
            ("", json!([]), "."),
            ("/success", json!("yes"), "success"),
            ("/passed_tests", json!(0.5), "passed_tests"),
            ("/total_tests", json!(-1), "total_tests"),
            ("/details", json!({"a": true}), "details"),
            ("/details/0/passed", json!(1), "details[0].passed"),
        ] {
            let mut report = good();
            *report.pointer_mut(pointer).unwrap() = value;
            match own(&report) {
                Err(ReportFault::Shape { field: found, .. }) => assert_eq!(found, field),
                other => panic!("{pointer}: {other:?}"),
            }
        }
        for field in ["success", "passed_tests", "total_tests", "details"] {
            let mut report = good();
            report.as_object_mut().unwrap().remove(field);
            assert!(own(&report).is_err(), "{field}");
        }
    }

    #[test]
    fn counts_that_do_not_fit_the_list_are_faults() {
        for (field, value) in [("passed_tests", json!(2)), ("total_tests", json!(3)), ("success", json!(true))] {
            let mut report = good();
            report[field] = value;
            assert!(own(&report).is_err(), "{field}");
        }
        let zero = json!({"success": false, "passed_tests": 0, "total_tests": 4, "details": []});
        assert!(matches!(own(&zero), Err(ReportFault::Counts { .. })));
        let empty = json!({"success": true, "passed_tests": 0, "total_tests": 0, "details": []});
        assert_eq!(own(&empty), Err(ReportFault::Empty));
    }

    #[test]
    fn of_an_imported_report_that_contradicts_itself_the_list_counts() {
        for (field, value, says) in [
            ("passed_tests", json!(2), "claims 2 of 2"),
            ("total_tests", json!(3), "claims 1 of 3"),
            ("success", json!(true), "success is true, with 1 of 2"),
            ("partial_success_rate", json!(0.9), "partial_success_rate is 0.9, by the list it is 0.500"),
        ] {
            let mut report = good();
            report[field] = value;
            let report = imported(&report).unwrap();
            assert_eq!((report.success, report.passed_tests, report.total_tests), (false, 1, 2), "{field}");
            assert!(report.warnings.len() == 1 && report.warnings[0].contains(says), "{:?}", report.warnings);
        }
    }

    #[test]
    fn a_claim_of_failure_is_not_outdone_by_the_list() {
        let details = json!([{"name": "flies", "passed": true}]);
        let report = json!({"success": false, "passed_tests": 1, "total_tests": 1, "details": details});
        let report = imported(&report).unwrap();
        assert!(!report.success && report.warnings.len() == 1, "{report:?}");
    }

    #[test]
    fn an_imported_report_that_agrees_with_itself_has_no_warnings() {
        let mut report = good();
        report["partial_success_rate"] = json!(0.5);
        assert_eq!(imported(&report).unwrap().warnings, [""; 0]);
        assert_eq!(own(&report).unwrap().warnings, [""; 0]);
    }

    #[test]
    fn a_zero_result_with_a_wrong_total_is_a_fault_of_the_imported_script() {
        for details in [json!([]), json!([{"name": "flies", "passed": false}])] {
            let zero = json!({"success": false, "passed_tests": 0, "total_tests": 4, "details": details});
            assert!(matches!(imported(&zero), Err(ReportFault::Counts { .. })), "{zero}");
        }
        let all_failed = json!({
            "success": false, "passed_tests": 0, "total_tests": 1, "details": [{"name": "flies", "passed": false}]
        });
        assert!(imported(&all_failed).unwrap().warnings.is_empty());
    }
}
