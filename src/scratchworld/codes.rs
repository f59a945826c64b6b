//! Our error codes in the reference's.

use serde_json::json;

use super::envelope::Failure;
use crate::model::ErrorBody;

/// The failure of a block operation.
pub fn of_blocks(error: ErrorBody) -> Failure {
    let code = match error.code.as_str() {
        "invalid_arguments" | "invalid_argument" | "unknown_category" => "INVALID_ARG",
        "unknown_index" | "unknown_sprite" | "unknown_variable" | "unknown_list" | "unknown_block"
        | "unknown_block_type" | "unknown_procedure" | "unknown_argument" => "NOT_FOUND",
        "stale_index" | "not_attached" | "out_of_step" => "INVALID_STATE",
        "connection_mismatch" | "connection_refused" => "CONNECTION_MISMATCH",
        "unknown_input" | "unknown_field" => "INPUT_NOT_FOUND",
        "slot_holds_reporter" | "not_a_field" => "INVALID_FIELD",
        "invalid_value" | "invalid_choice" | "menu_command" => "SET_FAILED",
        "invalid_name" | "name_taken" => "INVALID_NAME",
        "scope_unavailable" | "editor_not_ready" => "TARGET_UNAVAILABLE",
        "invalid_js_fn" => "INVALID_JS_FN",
        "custom_js_error" => "CUSTOM_JS_ERROR",
        "page_error" => "JAVASCRIPT_ERROR",
        "page_lost" | "browser_lost" | "page_timeout" | "deadline_exceeded" | "page_not_recovered" => "RUNTIME_ERROR",
        _ => "EXECUTION_ERROR",
    };
    page_fault(code, error)
}

/// The failure of an action with mouse or keyboard.
pub fn of_input(error: ErrorBody) -> Failure {
    let code = match error.code.as_str() {
        "invalid_arguments" | "unknown_key" | "key_not_allowed" | "outside_viewport" | "text_too_long" => "INVALID_ARG",
        _ => "ACTION_EXECUTION_ERROR",
    };
    page_fault(code, error)
}

fn page_fault(code: &'static str, error: ErrorBody) -> Failure {
    let details = json!({"error": error.message, "code": error.code, "hint": error.hint});
    Failure { code, message: error.message, details: Some(details) }
}
