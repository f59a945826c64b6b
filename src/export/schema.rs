//! JSON Schema of a line of attempts.jsonl.

use super::rows::Row;

/// The schema, made from the type that is written. Fields are only ever added.
pub fn attempts_schema() -> serde_json::Value {
    schemars::schema_for!(Row<'static>).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set `SCRATCHBED_UPDATE=1` to rewrite the file after a change of the format (`make gen` does so).
    #[test]
    fn the_committed_schema_is_current_and_describes_each_column() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/attempts.schema.json");
        let schema = attempts_schema();
        let wanted = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
            std::fs::write(file, &wanted).unwrap();
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), wanted, "stale: run with SCRATCHBED_UPDATE=1");
        for (name, field) in schema["properties"].as_object().unwrap() {
            let is_described =
                field["description"].is_string() || field["$ref"].is_string() || field["anyOf"].is_array();
            assert!(is_described, "{name} has no description");
        }
    }
}
