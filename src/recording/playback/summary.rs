//! A summary of a session, read from its events, however it ended.

use crate::model::{AttemptState, CloseReason, Event, EventKind, Mode};

use super::calls::counts;

/// The summary of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Summary {
    /// The task it was made for.
    pub task: Option<String>,
    /// When it began, in seconds since 1970; unknown where memory has lost the beginning.
    pub began_at: Option<f64>,
    /// Mode of the last step.
    pub mode: Option<Mode>,
    /// Which way its calls came.
    pub caller: Option<String>,
    /// Steps since the last reset.
    pub steps: u32,
    /// Number of resets.
    pub resets: u32,
    /// When the last call was answered, in seconds since it began.
    pub acted_s: f64,
    /// The state of the attempt, as far as its calls show.
    pub state: Option<AttemptState>,
    /// Whether the log says that the session ended.
    pub is_closed: bool,
    pub reason: Option<CloseReason>,
}

impl Summary {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut all = Self::default();
        let mut open = None;
        for event in events {
            match &event.what {
                EventKind::Opened(opened) => {
                    all.task.clone_from(&opened.task);
                    all.began_at = Some(opened.started_at);
                }
                EventKind::Request(request) => {
                    all.caller.get_or_insert_with(|| request.caller.clone());
                    open = Some((event.seq, request));
                }
                EventKind::Reply(reply) => {
                    let Some((_, request)) = open.filter(|(seq, _)| event.request == Some(*seq)) else { continue };
                    all.answered(request, reply);
                    if event.at_ms > 0.0 {
                        all.acted_s = event.at_ms / 1000.0;
                    }
                }
                EventKind::Closed(closed) => {
                    all.is_closed = true;
                    all.reason = closed.reason;
                    all.state = closed.attempt.or(all.state);
                }
                _ => {}
            }
        }
        all
    }

    fn answered(&mut self, request: &crate::model::RequestEvent, reply: &crate::model::ReplyEvent) {
        // How an agent reports that it is done says little about how it acted.
        if counts(request, Some(reply)) || self.mode.is_none() {
            self.mode = request.mode.or(self.mode);
        }
        self.steps += u32::from(counts(request, Some(reply)));
        match (request.api.as_str(), reply.code.as_str()) {
            ("reset", "ok") => {
                (self.steps, self.state) = (0, None);
                self.resets += 1;
            }
            ("done", "ok") => self.state = Some(AttemptState::Done),
            ("failed", "ok") => self.state = Some(AttemptState::GaveUp),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::recording::playback::calls::tests::events;

    #[test]
    fn steps_are_counted_and_the_ending_is_known() {
        let mut log = events();
        let summary = Summary::of(&log);
        assert_eq!((summary.task.as_deref(), summary.began_at, summary.steps), (Some("kite_gusts"), Some(5.5), 2));
        assert_eq!((summary.caller.as_deref(), summary.mode), (Some("http"), Some(Mode::Composite)));
        assert!(!summary.is_closed && summary.state.is_none());
        let more = json!([
            {"seq": 13, "at_ms": 0.0, "kind": "request", "api": "done", "mode": "primitive", "caller": "http", "waited_ms": 0.0},
            {"seq": 14, "at_ms": 2500.0, "request": 13, "kind": "reply", "code": "ok", "duration_ms": 1.0},
        ]);
        log.extend(serde_json::from_value::<Vec<Event>>(more).unwrap());
        let done = Summary::of(&log);
        assert_eq!(done.mode, Some(Mode::Composite));
        assert_eq!(
            (done.state, done.acted_s, done.steps),
            (Some(AttemptState::Done), 2.5, 2),
            "ending it is not a step"
        );
        let more = json!([
            {"seq": 15, "at_ms": 0.0, "kind": "request", "api": "reset", "caller": "http", "waited_ms": 0.0},
            {"seq": 16, "at_ms": 0.0, "request": 15, "kind": "reply", "code": "ok", "duration_ms": 1.0},
            {"seq": 17, "at_ms": 0.0, "kind": "closed", "program": "p", "reason": "expired", "attempt": "open"},
        ]);
        log.extend(serde_json::from_value::<Vec<Event>>(more).unwrap());
        let reset = Summary::of(&log);
        assert_eq!((reset.steps, reset.resets, reset.state), (0, 1, Some(AttemptState::Open)));
        assert_eq!((reset.is_closed, reset.reason), (true, Some(CloseReason::Expired)));
    }
}
