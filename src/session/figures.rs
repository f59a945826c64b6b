//! Metrics of all sessions of a fleet, for Prometheus: calls, where their time went, lost pages.
//!
//! They are counted where calls are carried out, so that no transport can forget to. Showing them is not done here.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::model::RequestEvent;

/// Upper bounds of the classes of times, in seconds: the budgets of single actions lie between 0.08 and 0.9.
const SECONDS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.08, 0.12, 0.25, 0.5, 0.9, 2.0, 5.0, 10.0, 30.0, 60.0];

/// Names that callers make up get no series of their own.
const UNKNOWN: &str = "unknown";

/// What a call was and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    mode: &'static str,
    api: String,
    code: String,
}

/// Which calls took this long.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    mode: &'static str,
    api: String,
}

#[derive(Debug, Clone, Copy)]
struct Times;

impl MetricConstructor<Histogram> for Times {
    fn new_metric(&self) -> Histogram {
        Histogram::new(SECONDS)
    }
}

/// The figures of one fleet; clones share them.
#[derive(Debug, Clone)]
pub struct Figures {
    calls: Family<Call, Counter>,
    service: Family<Kind, Histogram, Times>,
    wait: Histogram,
    lost: Counter,
    recovered: Counter,
    log_failures: Counter,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            calls: Family::default(),
            service: Family::new_with_constructor(Times),
            wait: Times.new_metric(),
            lost: Counter::default(),
            recovered: Counter::default(),
            log_failures: Counter::default(),
        }
    }
}

impl Figures {
    /// Makes the figures part of what a registry shows.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("calls", "Calls on sessions, by how they were answered", self.calls.clone());
        let help = "Time from a call's turn to its answer";
        registry.register_with_unit("call_service", help, Unit::Seconds, self.service.clone());
        let help = "Time that calls waited for their turn";
        registry.register_with_unit("call_wait", help, Unit::Seconds, self.wait.clone());
        registry.register("pages_lost", "Pages of sessions that were lost", self.lost.clone());
        registry.register("pages_recovered", "Lost pages whose project was brought back", self.recovered.clone());
        registry.register("log_write_failures", "Writes to logs of sessions that failed", self.log_failures.clone());
    }

    /// Counts an answered call: what it was, its stable code, and its times in milliseconds.
    pub(super) fn called(&self, request: &RequestEvent, code: &str, service_ms: f64) {
        let mode = request.mode.map_or("none", Into::into);
        let api = if code == "unknown_action" { UNKNOWN } else { &request.api };
        self.calls.get_or_create(&Call { mode, api: api.to_owned(), code: code.to_owned() }).inc();
        self.service.get_or_create(&Kind { mode, api: api.to_owned() }).observe(service_ms / 1000.0);
        self.wait.observe(request.waited_ms / 1000.0);
    }

    /// Counts a write to a session's log that failed.
    pub(super) fn log_write_failed(&self) {
        self.log_failures.inc();
    }

    pub(super) fn page_lost(&self) {
        self.lost.inc();
    }

    /// Counts a recovered project.
    pub(super) fn recovered(&self) {
        self.recovered.inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;

    #[test]
    fn names_that_callers_make_up_share_one_series() {
        let figures = Figures::default();
        let request = |api: &str| RequestEvent {
            api: api.to_owned(),
            mode: Some(Mode::Composite),
            waited_ms: 20.0,
            ..RequestEvent::default()
        };
        figures.called(&request("add_block"), "ok", 33.0);
        for made_up in ["x1", "x2", "x3"] {
            figures.called(&request(made_up), "unknown_action", 1.0);
        }
        let mut registry = Registry::default();
        figures.register(&mut registry);
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        assert!(text.contains(r#"calls_total{mode="composite",api="add_block",code="ok"} 1"#), "{text}");
        assert!(text.contains(r#"calls_total{mode="composite",api="unknown",code="unknown_action"} 3"#), "{text}");
        assert!(text.contains("call_wait_seconds_count 4") && !text.contains("x1"), "{text}");
        assert!(
            text.contains(r#"call_service_seconds_bucket{le="0.05",mode="composite",api="add_block"} 1"#),
            "{text}"
        );
    }
}
