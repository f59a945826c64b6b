//! A repair line by line: the log of its trajectory as it is written.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::host::{RepairHost, RepairState, bad_repair, unknown};
use super::{RepairView, repairer};
use crate::http::extract::{Options, Researcher};
use crate::http::problem::Problem;
use crate::http::state::AppState;
use crate::model::ItemId;
use crate::store::RunDir;

/// Between two looks at a log that is still written.
const LOOK: Duration = Duration::from_millis(200);
/// The log of a trajectory within the folder of a try.
const LOG: &str = "trajectory.jsonl";
/// Which attempt of its run a repair is: it has one.
const ATTEMPT: u32 = 1;

/// Where a stream begins.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamFrom {
    /// The id of the last event that the caller has; 0 tells all.
    #[serde(default)]
    pub after: u64,
}

/// Tells the lines of a repair until it is over or the server stops.
pub async fn events(
    State(api): State<AppState>,
    Path(id): Path<String>,
    caller: Researcher,
    headers: HeaderMap,
    Options(from): Options<StreamFrom>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    caller.attempts?;
    let host = Arc::clone(repairer(&api)?);
    let status = host.find(&id).ok_or_else(|| unknown(&id))?;
    let item = status.asked.case.parse().map_err(|_| bad_repair("its case has no name for a folder"))?;
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let follow = Follow {
        host,
        id,
        item,
        after: resumed.unwrap_or(from.after),
        told: 0,
        retry: 0,
        read: 0,
        waiting: VecDeque::new(),
        is_over: false,
        closing: api.closing.clone(),
    };
    Ok(Sse::new(futures::stream::unfold(follow, Follow::next)).keep_alive(KeepAlive::default()))
}

/// A watcher of one repair.
struct Follow {
    host: Arc<dyn RepairHost>,
    id: String,
    item: ItemId,
    /// Events up to this one are not told again.
    after: u64,
    /// Events so far, with those that were not told.
    told: u64,
    /// Which try is read, and how many bytes of its log were.
    retry: u32,
    read: u64,
    waiting: VecDeque<Message>,
    is_over: bool,
    closing: CancellationToken,
}

impl Follow {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some((Ok(message), self));
            }
            if self.is_over {
                return None;
            }
            // First whether it goes on, then the lines: when it is over, these are all.
            let goes_on = self.host.find(&self.id).is_some_and(|status| status.state == RepairState::Running);
            let has_read = match self.look().await {
                Ok(has_read) => has_read,
                Err(error) => {
                    // Who watches connects again, and is told then what is wrong.
                    tracing::warn!(%error, repair = self.id, "a stream of a repair has ended");
                    return None;
                }
            };
            if has_read {
                continue;
            }
            if !goes_on {
                self.end().await;
                continue;
            }
            let closing = self.closing.clone();
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = closing.cancelled() => return None,
            }
        }
    }

    /// Reads what is new, of this try or of the next one. Whether there was any.
    async fn look(&mut self) -> std::io::Result<bool> {
        let place = |retry| self.host.run(&self.id).join(RunDir::place_of(&self.item, ATTEMPT, retry)).join(LOG);
        let (log, next, read) = (place(self.retry), place(self.retry + 1), self.read);
        let look = move || Ok::<_, std::io::Error>((new_lines(&log, read)?, next.is_file()));
        let (text, is_made_anew) = tokio::task::spawn_blocking(look).await.map_err(std::io::Error::other)??;
        if !text.is_empty() {
            self.read += text.len() as u64;
            text.lines().for_each(|line| self.tell("step", line));
            return Ok(true);
        }
        if is_made_anew {
            (self.retry, self.read) = (self.retry + 1, 0);
            self.tell("again", &json!({"try": self.retry + 1}).to_string());
        }
        Ok(is_made_anew)
    }

    async fn end(&mut self) {
        self.is_over = true;
        match RepairView::read(Arc::clone(&self.host), self.id.clone()).await {
            Ok(view) => self.tell("end", &json!(view).to_string()),
            Err(problem) => tracing::warn!(code = problem.code, repair = self.id, "the end of a repair can't be told"),
        }
    }

    fn tell(&mut self, kind: &str, data: &str) {
        self.told += 1;
        if self.told > self.after {
            self.waiting.push_back(Message::default().event(kind).id(self.told.to_string()).data(data));
        }
    }
}

/// Whole lines of a file from a place on; nothing of a file that is not there yet.
fn new_lines(path: &FilePath, from: u64) -> std::io::Result<String> {
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(error),
    };
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    bytes.truncate(whole);
    String::from_utf8(bytes).map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_told_and_none_twice() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join(LOG);
        assert_eq!(new_lines(&log, 0).unwrap(), "", "it is not there yet");
        std::fs::write(&log, "{\"a\":1}\n{\"b\"").unwrap();
        assert_eq!(new_lines(&log, 0).unwrap(), "{\"a\":1}\n");
        std::fs::write(&log, "{\"a\":1}\n{\"b\":2}\n").unwrap();
        assert_eq!(new_lines(&log, 8).unwrap(), "{\"b\":2}\n");
        assert_eq!(new_lines(&log, 16).unwrap(), "");
    }
}
