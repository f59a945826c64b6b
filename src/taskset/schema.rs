//! JSON Schema of `task.json`, for editors and for authors.

use crate::model::Task;

/// The schema, made from the type that reads the files.
pub fn task_schema() -> serde_json::Value {
    schemars::schema_for!(Task).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set `SCRATCHBED_UPDATE=1` to rewrite the file after a change of the format (`make gen` does so).
    #[test]
    fn the_committed_schema_is_current() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/task.schema.json");
        let wanted = serde_json::to_string_pretty(&task_schema()).unwrap() + "\n";
        if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
            std::fs::write(file, &wanted).unwrap();
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), wanted, "stale: run with SCRATCHBED_UPDATE=1");
    }
}
