//! Replies of block operations, in the reference's shapes.

use serde_json::{Map, Value, json};

/// The registry's data as the reference's; `known` are the arguments as they were carried out.
pub fn of_operation(api: &str, known: &Map<String, Value>, data: &Value) -> Value {
    match api {
        "select_sprite" | "select_stage" => picked(data, &["selected", "targetId"]),
        "add_variable" | "add_list" => picked(data, &["created"]),
        "add_block" => picked(data, &["blockId", "connected"]),
        "connect_blocks" if data["kind"] == "wrap" => json!({
            "connected": data["connected"], "kind": "wrap",
            "substack": data.get("inputName").unwrap_or(&json!("SUBSTACK")),
            "wrappedTopId": data["targetId"], "sourceId": data["sourceId"],
        }),
        "connect_blocks" => picked(data, &["connected", "kind", "inputName", "sourceId", "targetId"]),
        "detach_blocks" => picked(data, &["detached", "blockId", "topId"]),
        "delete_block" => with_index(picked(data, &["deleted", "blockId", "blockInfo"]), "index", known),
        "set_block_field" => {
            let mut updated = picked(data, &["updated", "blockId", "fieldName", "value"]);
            updated["originalValue"] = known.get("value").cloned().unwrap_or_default();
            updated["translatedValue"] = data["value"].clone();
            with_index(updated, "blockIndex", known)
        }
        _ => data.clone(),
    }
}

fn picked(data: &Value, names: &[&str]) -> Value {
    names.iter().filter_map(|name| Some(((*name).to_owned(), data.get(name)?.clone()))).collect::<Map<_, _>>().into()
}

/// The number that the caller gave, not the registry's.
fn with_index(mut reply: Value, name: &str, known: &Map<String, Value>) -> Value {
    reply[name] = known.get("blockIndex").cloned().unwrap_or_default();
    reply
}

/// What a page script returned, as the reference evens it out.
pub fn evened(api: &str, value: Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Object(mut fields) => {
            fields.remove("success");
            if fields.get("api").is_some_and(|named| named == api) {
                fields.remove("api");
            }
            match (fields.len(), fields.remove("result")) {
                (1, Some(result @ Value::Object(_))) => result,
                (1, Some(result)) => evened(api, result),
                (_, Some(result)) => {
                    fields.insert("result".to_owned(), result);
                    Value::Object(fields)
                }
                (_, None) => Value::Object(fields),
            }
        }
        value => json!({ "value": value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_evened_out() {
        for (given, expected) in [
            (json!(null), json!({})),
            (json!(5), json!({"value": 5})),
            (json!([1]), json!({"value": [1]})),
            (json!({"success": true, "api": "custom_js", "result": {"a": 1}}), json!({"a": 1})),
            (json!({"success": true, "result": 7}), json!({"value": 7})),
            (json!({"api": "other", "result": 7}), json!({"api": "other", "result": 7})),
            (json!({"a": 1}), json!({"a": 1})),
        ] {
            assert_eq!(evened("custom_js", given), expected);
        }
    }

    #[test]
    fn numbers_are_reported_as_the_caller_knows_them() {
        let known = json!({"blockIndex": 4, "fieldName": "STEPS", "value": 7});
        let data = json!({"updated": 1, "blockIndex": 9, "blockId": "b", "fieldName": "STEPS", "value": "7", "originalValue": "10", "pseudocode": "…"});
        assert_eq!(
            of_operation("set_block_field", known.as_object().unwrap(), &data),
            json!({"updated": 1, "blockId": "b", "fieldName": "STEPS", "value": "7", "originalValue": 7, "translatedValue": "7", "blockIndex": 4})
        );
    }
}
