//! Tests of `llm`.

use super::*;

#[test]
fn the_papers_way_of_asking_depends_on_the_model() {
    let body = |model: &str| preset(Protocol::Paper1, model).extra_body;
    assert_eq!((body("google/Gemini-3"), body("claude-sonnet"), body("gpt-5")), (Some(GEMINI), Some(CLAUDE), None));
    for body in [GEMINI, CLAUDE] {
        assert!(serde_json::from_str::<serde_json::Value>(body).unwrap().is_object());
    }
    assert_eq!(preset(Protocol::Scratchbed1, "claude").extra_body, None);
}
