//! What a trajectory used, in words: tokens, money, pictures, time, and energy with how it was found.

use serde::Serialize;

use crate::model::{EnergyQuality, EnergyRecord, EnergyScope, ImageAudit, Totals, UsageRecord};
use crate::report::side::NONE;

/// Watt-hours that two decimals tell nothing of.
const SMALL_WH: f64 = 0.1;

/// A label with a text.
pub(super) type Fact = (&'static str, String);

/// Energy of the host.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Energy {
    /// Watt-hours, and whether they were measured.
    total: String,
    /// How they were found, and what can be said of them.
    how: String,
    /// Watt-hours and percent by stage of the work.
    stages: Vec<(String, String, String)>,
}

impl Energy {
    /// Watt-hours, and whether they were measured.
    pub(super) fn total(&self) -> &str {
        &self.total
    }

    pub(super) fn of(record: &EnergyRecord) -> Self {
        let quality = match record.quality {
            EnergyQuality::Measured => "measured",
            EnergyQuality::Estimated => "estimated",
        };
        let whose = match record.scope {
            EnergyScope::Host => "all that the machine did meanwhile",
            EnergyScope::ProcessTree => "this process and those that it started",
            EnergyScope::Shared => "several jobs ran at once, so that nobody can say whose it is",
        };
        let share =
            |wh: f64| if record.wh > 0.0 { format!("{:.0} %", 100.0 * wh / record.wh) } else { NONE.to_owned() };
        Self {
            total: format!("{} Wh ({quality})", watt_hours(record.wh)),
            how: format!("method {}: {whose}; {:.1} s of processor time", record.method, record.cpu_s),
            stages: record.by_stage.iter().map(|(name, wh)| (name.clone(), watt_hours(*wh), share(*wh))).collect(),
        }
    }
}

fn watt_hours(wh: f64) -> String {
    if wh < SMALL_WH { format!("{wh:.4}") } else { format!("{wh:.2}") }
}

/// Money, or a dash where a price is unknown.
pub(super) fn usd(usd: Option<f64>) -> String {
    usd.map_or_else(|| NONE.to_owned(), |usd| format!("{usd:.5} USD"))
}

/// Of one attempt.
pub(super) fn of_attempt(usage: &UsageRecord, images: &ImageAudit) -> Vec<Fact> {
    let settled = if usage.settled { "" } else { " (the worst case: nobody told what was used)" };
    let mut facts = vec![
        ("tokens asked", format!("{} ({} from a cache){settled}", usage.input, usage.cached_input)),
        ("tokens answered", format!("{} ({} of them to think)", usage.output, usage.reasoning)),
        ("cost", usd(usage.usd)),
    ];
    facts.push((
        "pictures",
        match images.inserted {
            0 => format!("none of {}", images.available),
            shown => format!("{shown} of {} ({}, {} bytes)", images.available, images.source, images.bytes),
        },
    ));
    facts
}

/// Of the whole trajectory.
pub(super) fn of_all(totals: &Totals) -> Vec<Fact> {
    vec![
        ("tokens asked", format!("{} ({} from a cache)", totals.input, totals.cached_input)),
        ("tokens answered", totals.output.to_string()),
        ("cost", usd(totals.usd)),
        ("pictures", format!("{} ({} bytes)", totals.images_inserted, totals.image_bytes)),
        ("time", format!("{:.1} s", totals.wall_s)),
    ]
}
