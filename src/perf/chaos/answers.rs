//! Requests with their answers, and what an answer says: that something was done, that it was refused, or that the
//! testbed is in trouble.

use std::time::Instant;

use reqwest::{RequestBuilder, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::codes::{CODES, Code};
use crate::model::{Blame, with_causes};

/// The one code of trouble that no situation excuses: nobody has thought of what happened.
const UNFORESEEN: &str = "internal_error";
/// Letters of an error's words that a report repeats.
const WORDS: usize = 200;

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Done,
    /// The caller's mistake, or a file that can't be used.
    Refused,
    /// To come back later.
    TurnedAway,
    /// The testbed's trouble, which an attempt survives.
    Trouble,
    /// The testbed's trouble, by which an attempt or a verdict is void.
    Void,
    /// What no answer may say.
    Wrong,
}

/// What was sent of one kind, and how it was answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerCounts {
    /// Requests whose answer was waited for.
    pub sent: u64,
    /// Done as asked.
    pub done: u64,
    /// Refused as the caller's or the file's fault.
    pub refused: u64,
    /// Told to come back later.
    pub turned_away: u64,
    /// Answered as the testbed's trouble.
    pub trouble: u64,
    /// Those of them that void an attempt or a verdict.
    pub void: u64,
    /// Not answered, or with what no answer may say.
    pub wrong: u64,
    /// Requests that were cut off; they are not among those sent.
    pub cut: u64,
    /// The longest wait for an answer, in milliseconds.
    pub longest_ms: u64,
}

impl AnswerCounts {
    /// Counts an answer, or that there was none.
    pub(super) fn note(&mut self, reply: &Reply) {
        self.sent += 1;
        self.longest_ms = self.longest_ms.max(reply.milliseconds());
        match reply.meaning() {
            Meaning::Done => self.done += 1,
            Meaning::Refused => self.refused += 1,
            Meaning::TurnedAway => self.turned_away += 1,
            Meaning::Trouble => self.trouble += 1,
            Meaning::Void => {
                self.trouble += 1;
                self.void += 1;
            }
            Meaning::Wrong => self.wrong += 1,
        }
    }

    /// Adds what another one counted.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.done += other.done;
        self.refused += other.refused;
        self.turned_away += other.turned_away;
        self.trouble += other.trouble;
        self.void += other.void;
        self.wrong += other.wrong;
        self.cut += other.cut;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
    }
}

/// A request's answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) began: Instant,
    pub(super) ended: Instant,
    /// Status and body; why there is none, in words.
    pub(super) answer: Result<(u16, Vec<u8>), String>,
}

impl Reply {
    /// Sends a request and reads the whole answer.
    pub(super) async fn to(request: RequestBuilder) -> Self {
        let began = Instant::now();
        let answer = match request.send().await {
            Ok(response) => read(response).await,
            Err(error) => Err(with_causes(&error)),
        };
        Self { began, ended: Instant::now(), answer }
    }

    /// Sends a request and reads the answer only if it is a refusal; what is to be read of any other is left in the
    /// response.
    pub(super) async fn unread(request: RequestBuilder) -> (Self, Option<Response>) {
        let began = Instant::now();
        let (answer, response) = match request.send().await {
            Ok(response) if response.status().is_success() => {
                (Ok((response.status().as_u16(), Vec::new())), Some(response))
            }
            Ok(response) => (read(response).await, None),
            Err(error) => (Err(with_causes(&error)), None),
        };
        (Self { began, ended: Instant::now(), answer }, response)
    }

    pub(super) fn status(&self) -> Option<u16> {
        self.answer.as_ref().ok().map(|(status, _)| *status)
    }

    /// The body, if it is JSON.
    pub(super) fn json(&self) -> Value {
        self.answer.as_ref().ok().and_then(|(_, body)| serde_json::from_slice(body).ok()).unwrap_or_default()
    }

    pub(super) fn meaning(&self) -> Meaning {
        self.status().map_or(Meaning::Wrong, |status| meaning(status, &self.json()))
    }

    /// The stable code of a refusal.
    pub(super) fn code(&self) -> String {
        code(&self.json()).to_owned()
    }

    /// What it says, for a report.
    pub(super) fn words(&self) -> String {
        let (status, _) = match &self.answer {
            Ok(answer) => answer,
            Err(why) => return format!("not answered: {why}"),
        };
        let body = self.json();
        let said = [&body["detail"], &body["error"]["message"], &body["error"], &body["outcome"]];
        let said = said.into_iter().find_map(Value::as_str).unwrap_or_default();
        format!("status {status}, code {:?}: {}", code(&body), said.chars().take(WORDS).collect::<String>())
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from((self.ended - self.began).as_millis()).unwrap_or(u64::MAX)
    }
}

async fn read(response: Response) -> Result<(u16, Vec<u8>), String> {
    let status = response.status().as_u16();
    let body = response.bytes().await.map_err(|error| with_causes(&error))?;
    Ok((status, body.to_vec()))
}

/// The code of a problem document, or of an action that was not carried out.
fn code(body: &Value) -> &str {
    body["code"].as_str().or_else(|| body["error"]["code"].as_str()).unwrap_or_default()
}

fn known(code: &str) -> Option<&'static Code> {
    CODES.iter().flat_map(|(_, codes)| *codes).find(|known| known.code == code)
}

/// What an answer says by its status and body. A verdict that says nothing of the project is void.
fn meaning(status: u16, body: &Value) -> Meaning {
    if matches!(body["outcome"].as_str(), Some("infra_error" | "judge_error")) {
        return Meaning::Void;
    }
    let is_failure = status >= 400 || body["error"].is_object();
    if !is_failure {
        return Meaning::Done;
    }
    let code = code(body);
    match known(code) {
        Some(known) if known.voids => Meaning::Void,
        Some(known) if known.blame == Blame::Testbed && code != UNFORESEEN => Meaning::Trouble,
        _ if status == 429 => Meaning::TurnedAway,
        Some(known) if known.blame == Blame::Caller => Meaning::Refused,
        _ if status >= 500 => Meaning::Wrong,
        _ if body["error"]["infrastructure"] == true => Meaning::Trouble,
        _ => Meaning::Refused,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_told_by_whose_fault_it_is_and_by_what_it_voids() {
        for (status, body, expected) in [
            (200, json!({"data": {}}), Meaning::Done),
            (200, json!({"outcome": "failed", "error": "two pages could not judge this project"}), Meaning::Done),
            (200, json!({"outcome": "infra_error", "error": "the page was lost"}), Meaning::Void),
            (200, json!({"outcome": "judge_error"}), Meaning::Void),
            (200, json!({"error": {"code": "stale_index", "infrastructure": false}}), Meaning::Refused),
            (200, json!({"error": {"code": "page_timeout", "infrastructure": true}}), Meaning::Trouble),
            (422, json!({"code": "load_failed"}), Meaning::Refused),
            (422, json!({"code": "nested_too_deep"}), Meaning::Refused),
            (422, json!({"code": "editor_not_ready"}), Meaning::Trouble),
            (429, json!({"code": "busy"}), Meaning::TurnedAway),
            (429, json!({"code": "session_busy"}), Meaning::TurnedAway),
            (504, json!({"code": "deadline_exceeded"}), Meaning::Trouble),
            (503, json!({"code": "not_in_time"}), Meaning::Void),
            (500, json!({"code": "internal_error"}), Meaning::Wrong),
            (500, json!({}), Meaning::Wrong),
        ] {
            assert_eq!(meaning(status, &body), expected, "{status} {body}");
        }
    }

    #[test]
    fn answers_are_counted_by_what_they_say() {
        let reply = |answer| Reply { began: Instant::now(), ended: Instant::now(), answer };
        let mut counts = AnswerCounts::default();
        counts.note(&reply(Ok((200, Vec::new()))));
        counts.note(&reply(Ok((503, br#"{"code": "not_in_time"}"#.to_vec()))));
        counts.note(&reply(Err("closed".to_owned())));
        let mut sum = counts;
        sum.add(&AnswerCounts { cut: 1, longest_ms: 7, ..AnswerCounts::default() });
        assert_eq!((sum.sent, sum.done, sum.trouble, sum.void, sum.wrong, sum.cut), (3, 1, 1, 1, 1, 1));
        assert!(sum.longest_ms >= 7);
    }
}
