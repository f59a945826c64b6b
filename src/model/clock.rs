//! The time of day, as records have it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, in UTC; 0 if the clock is before that.
pub fn unix_seconds() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A name for a run that began then: it sorts by time, contains `what`, and is unique within a second.
pub fn run_name(started_at: f64, what: &str) -> String {
    let unique = uuid::Uuid::new_v4().simple().to_string();
    format!("{started_at:.0}-{what}-{}", &unique[..6])
}
