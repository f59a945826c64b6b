//! Tests of `model`.

use super::*;

#[test]
fn gpt_5_is_known_anywhere_in_a_name() {
    let is_gpt5 = |model: &str| ModelName { endpoint: String::new(), model: model.to_owned() }.is_gpt5();
    assert!(["gpt-5", "openai/gpt-5-mini", "azure/GPT-5"].into_iter().all(is_gpt5));
    assert!(!["gpt-4.5", "gpt5", "qwen3-vl-32b"].into_iter().any(is_gpt5));
}
