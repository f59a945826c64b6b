//! Which family a model is of, as tables by provider group it.

use serde_json::Value;

use crate::model::RunRecord;

/// How names of models begin, by family.
const BEGINNINGS: [(&str, &str); 8] = [
    ("gpt", "openai"),
    ("chatgpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("gemini", "gemini"),
    ("gemma", "gemini"),
    ("claude", "anthropic"),
];
/// Dialects that only their own family speaks. That of OpenAI is spoken by most servers of open models.
const DIALECTS: [&str; 2] = ["gemini", "anthropic"];

/// The family of the model that a run asks: by its name, by who publishes it (`qwen/qwen3-8b`), or by the dialect of its endpoint; `other`
/// where none tells, `none` of an agent without a model.
pub(super) fn family(run: &RunRecord) -> String {
    let text = |place: &str| run.options.pointer(place).and_then(Value::as_str);
    let Some(model) = text("/agent/model/model").or_else(|| text("/agent/model")) else { return "none".to_owned() };
    let (publisher, name) = model.rsplit_once('/').unwrap_or(("", model));
    let name = name.to_lowercase();
    if let Some((_, family)) = BEGINNINGS.iter().find(|(beginning, _)| name.starts_with(beginning)) {
        return (*family).to_owned();
    }
    if !publisher.is_empty() {
        return publisher.rsplit('/').next().unwrap_or(publisher).to_lowercase();
    }
    let dialect = text("/agent/model/dialect").or_else(|| text("/agent/dialect")).unwrap_or_default();
    DIALECTS.into_iter().find(|known| *known == dialect).unwrap_or("other").to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::export::budgeted::fakes::run;
    use crate::model::ControllerMode;

    #[test]
    fn families_are_told_by_names_publishers_and_dialects() {
        let of = |agent: Value| {
            family(&RunRecord { options: json!({"agent": agent}), ..run("r", "m", ControllerMode::Fixed, &["a"]) })
        };
        assert_eq!(of(json!({"model": {"model": "gpt-4.1-nano", "dialect": "openai"}})), "openai");
        assert_eq!(of(json!({"model": {"model": "google/Gemini-2.5-pro", "dialect": "openai"}})), "gemini");
        assert_eq!(of(json!({"model": "Qwen/Qwen3-8B"})), "qwen");
        assert_eq!(of(json!({"model": {"model": "tuned", "dialect": "gemini"}})), "gemini");
        assert_eq!(of(json!({"model": {"model": "tuned", "dialect": "openai"}})), "other");
        assert_eq!(of(json!({"kind": "oracle"})), "none");
    }
}
