//! What happened when, from the log that a trajectory writes as it goes.

use serde::Serialize;
use serde_json::Value;

/// A line of the log in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Step {
    /// Seconds since the trajectory began.
    at: String,
    event: String,
    says: String,
}

/// The lines of a log in words; what is not known is shown as it is.
pub(super) fn steps(lines: &[Value]) -> Vec<Step> {
    lines.iter().map(step).collect()
}

fn step(line: &Value) -> Step {
    let event = line["event"].as_str().unwrap_or_default();
    Step {
        at: line["t_s"].as_f64().map_or_else(String::new, |at| format!("{at:.2} s")),
        event: event.to_owned(),
        says: said(event, line),
    }
}

fn said(event: &str, line: &Value) -> String {
    let text = |name: &str| line[name].as_str().unwrap_or_default();
    let count = |name: &str| line[name].as_u64().unwrap_or_default();
    let is = |name: &str| line[name].as_bool().unwrap_or_default();
    let attempt = format!("attempt {}", count("a") + 1);
    match event {
        "probe" => {
            let made = if is("cached") { "made before" } else { "both projects were run" };
            match (count("images"), text("source")) {
                (0, _) => format!("{made}; no pictures"),
                (images, source) => format!("{made}; pictures: {images} ({source})"),
            }
        }
        "signals" => {
            let flags: Vec<&str> = line["flags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            format!(
                "level {}: {}",
                count("level"),
                if flags.is_empty() { "no flag".to_owned() } else { flags.join(", ") }
            )
        }
        "plan" => format!("{attempt} gets {}", text("plan")),
        "request" => format!("{attempt}: {} characters", count("chars")),
        "answer" if is("replayed") => format!("{attempt}: taken from the store of answers"),
        "answer" if is("cut") => format!("{attempt}: cut off at its token limit"),
        "answer" => attempt,
        "parsed" => format!("{attempt} ends at {}: {}", text("layer"), text("code")),
        "applied" => format!("operations: {}", count("operations")),
        "verified" => format!("{attempt}: {}", text("layer")),
        "stop" => text("stop").to_owned(),
        _ => {
            let mut rest = line.clone();
            if let Some(rest) = rest.as_object_mut() {
                rest.retain(|name, _| name != "t_s" && name != "event");
            }
            rest.to_string()
        }
    }
}
