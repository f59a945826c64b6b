//! The JSON Schema of an answer, within what strict structured output takes: an object at the root, each property required, no free
//! objects. An endpoint that knows fewer keywords gets them left out by its adapter; the reader enforces all of it again.

use serde_json::{Value, json};

use super::schema::{LONGEST_RATIONALE, Limits, Profile};

/// The schema of an answer within limits (EcoScratch, section 5).
pub fn answer_schema(limits: &Limits) -> Value {
    let operation = json!({
        "type": "object", "additionalProperties": false, "required": ["op", "path", "value"],
        "properties": {
            "op": {"enum": ["add", "remove", "replace"]},
            "path": {"type": "string"},
            "value": {"type": ["string", "null"]},
        },
    });
    let mut schema = json!({
        "type": "object", "additionalProperties": false, "required": ["operations"],
        "properties": {"operations": {"type": "array", "minItems": 1, "items": operation}},
    });
    if let Some(most) = limits.operations {
        schema["properties"]["operations"]["maxItems"] = json!(most);
    }
    if limits.profile == Profile::Own {
        schema["required"] = json!(["operations", "rationale"]);
        schema["properties"]["rationale"] = json!({"type": "string", "maxLength": LONGEST_RATIONALE});
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_the_one_of_the_specification() {
        let wanted = json!({"type":"object","additionalProperties":false,"required":["operations"],"properties":{"operations":{
            "type":"array","minItems":1,"maxItems":8,"items":{"type":"object","additionalProperties":false,
            "required":["op","path","value"],"properties":{"op":{"enum":["add","remove","replace"]},
            "path":{"type":"string"},"value":{"type":["string","null"]}}}}}});
        assert_eq!(answer_schema(&Limits { operations: Some(8), profile: Profile::Paper }), wanted);
    }

    #[test]
    fn the_own_profile_asks_for_a_rationale_and_no_cap_has_no_keyword() {
        let schema = answer_schema(&Limits { operations: None, profile: Profile::Own });
        assert_eq!(schema["required"], json!(["operations", "rationale"]));
        assert_eq!(schema["properties"]["rationale"]["maxLength"], 300);
        assert_eq!(schema["properties"]["operations"].get("maxItems"), None);
    }
}
