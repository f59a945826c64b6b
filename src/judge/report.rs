//! Strict decoding of what an evaluation script returned (design decision 2.8).

use serde::Deserialize;
use serde_json::Value;

use crate::model::CaseResult;

/// Fields of a report that this program knows.
const REPORT_FIELDS: [&str; 5] = ["success", "passed_tests", "total_tests", "details", "partial_success_rate"];
/// Fields of one entry of its `details`.
const DETAIL_FIELDS: [&str; 6] = ["name", "passed", "timeout", "duration_ms", "error", "meta"];

/// A report that keeps its own promises.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    pub success: bool,
    pub passed_tests: u32,
    pub total_tests: u32,
    pub details: Vec<CaseResult>,
    /// Fields that nobody knows.
    pub warnings: Vec<String>,
}

/// Why a report can't be a verdict: a fault of the script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportFault {
    /// A required field is missing or has the wrong type.
    #[error("the report's `{field}` is wrong: {message}")]
    Shape {
        /// Path of the field.
        field: String,
        /// What is wrong with it.
        message: String,
    },
    /// The report lists no test at all.
    #[error("the report has no tests")]
    Empty,
    /// The counts do not fit the list.
    #[error("the report claims {passed} of {total} tests, but lists {listed_passed} of {listed}")]
    Counts {
        /// Claimed passed.
        passed: u32,
        /// Claimed in all.
        total: u32,
        /// Listed as passed.
        listed_passed: usize,
        /// Listed in all.
        listed: usize,
    },
    /// `success` does not mean "all passed".
    #[error("the report says success is {success}, but {passed} of {total} tests passed")]
    Success {
        /// The claim.
        success: bool,
        /// Tests passed.
        passed: u32,
        /// Tests in all.
        total: u32,
    },
}

#[derive(Deserialize)]
struct Raw {
    success: bool,
    passed_tests: u32,
    total_tests: u32,
    details: Vec<CaseResult>,
}

/// Reads a report; unknown fields become warnings, anything else out of order is a fault.
pub(super) fn decode(value: &Value) -> Result<Report, ReportFault> {
    let raw: Raw = serde_path_to_error::deserialize(value).map_err(|error| ReportFault::Shape {
        field: error.path().to_string(),
        message: error.into_inner().to_string(),
    })?;
    let listed_passed = raw.details.iter().filter(|detail| detail.passed).count();
    let (passed, total, listed) = (raw.passed_tests, raw.total_tests, raw.details.len());
    if total as usize != listed || passed as usize != listed_passed {
        return Err(ReportFault::Counts { passed, total, listed_passed, listed });
    }
    if listed == 0 {
        return Err(ReportFault::Empty);
    }
    if raw.success != (passed == total) {
        return Err(ReportFault::Success { success: raw.success, passed, total });
    }
    Ok(Report {
        success: raw.success,
        passed_tests: passed,
        total_tests: total,
        details: raw.details,
        warnings: unknown_fields(value),
    })
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
        let report = decode(&good()).unwrap();
        assert_eq!((report.success, report.passed_tests, report.total_tests), (false, 1, 2));
        assert_eq!(report.details[1].error.as_deref(), Some("never"));
        assert!(report.warnings.is_empty());
    }

    #[test]
    fn unknown_fields_warn() {
        let mut value = good();
        value["score"] = json!(3);
        value["details"][1]["why"] = json!("x");
        let warnings = decode(&value).unwrap().warnings;
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
            match decode(&report) {
                Err(ReportFault::Shape { field: found, .. }) => assert_eq!(found, field),
                other => panic!("{pointer}: {other:?}"),
            }
        }
        for field in ["success", "passed_tests", "total_tests", "details"] {
            let mut report = good();
            report.as_object_mut().unwrap().remove(field);
            assert!(decode(&report).is_err(), "{field}");
        }
    }

    #[test]
    fn counts_that_do_not_fit_the_list_are_faults() {
        for (field, value) in [("passed_tests", json!(2)), ("total_tests", json!(3)), ("success", json!(true))] {
            let mut report = good();
            report[field] = value;
            assert!(decode(&report).is_err(), "{field}");
        }
        let zero = json!({"success": false, "passed_tests": 0, "total_tests": 4, "details": []});
        assert!(matches!(decode(&zero), Err(ReportFault::Counts { .. })));
        let empty = json!({"success": true, "passed_tests": 0, "total_tests": 0, "details": []});
        assert_eq!(decode(&empty), Err(ReportFault::Empty));
    }
}
