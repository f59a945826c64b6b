//! Reads one JSON file with errors that name the file and the field.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::{Problem, TasksetError};

/// Reads a JSON file; the inner error says what is wrong with its contents.
pub(super) fn json<T: DeserializeOwned>(file: &Path) -> Result<Result<T, Problem>, TasksetError> {
    let text = fs::read_to_string(file).map_err(|source| TasksetError::Unreadable { file: file.to_owned(), source })?;
    Ok(decode(file, &text))
}

fn decode<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, Problem> {
    let problem = |field: String, message: String| Problem { file: file.to_owned(), field, message };
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        // Broken JSON is at no place that the path could name: it ends with a question mark there.
        let is_known = path != "." && !error.inner().is_syntax() && !error.inner().is_eof();
        let field = if is_known { path } else { String::new() };
        problem(field, error.into_inner().to_string())
    })?;
    reader.end().map_err(|error| problem(String::new(), error.to_string()))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ActionCall;

    #[test]
    fn faults_name_file_and_field() {
        let text = r#"[{"api": "select_stage"}, {"api": 7}]"#;
        let problem = decode::<Vec<ActionCall>>(Path::new("oracle.json"), text).unwrap_err();
        assert_eq!(problem.field, "[1].api");
        assert!(problem.to_string().starts_with("oracle.json: `[1].api`: invalid type"), "{problem}");
    }

    #[test]
    fn broken_json_has_no_field() {
        for text in ["{\"id\": ,}", "[{\"api\": \"x\"", "["] {
            let problem = decode::<Vec<ActionCall>>(Path::new("x"), text).unwrap_err();
            assert_eq!(problem.field, "", "{problem}");
        }
        let problem = decode::<crate::model::Task>(Path::new("task.json"), "{\n  \"id\": \"a\",,\n}").unwrap_err();
        assert!(problem.to_string().starts_with("task.json: ") && !problem.to_string().contains('`'), "{problem}");
    }

    #[test]
    fn a_second_document_is_a_fault() {
        assert!(decode::<Vec<ActionCall>>(Path::new("x"), "[] []").is_err());
    }
}
