//! The pictures of an attempt's calls that the log of its session has: those that were taken after each action,
//! and those of observations. Pictures within replies are in the calls themselves.

use std::fs;

use serde_json::Value;

use super::log_read::{SESSION, StoredLog, is_digest};
use super::{RunDir, StoreError};
use crate::model::{Event, EventKind};

/// A picture that a log names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedPicture {
    image: String,
    media_type: String,
}

impl LoggedPicture {
    pub fn media_type(&self) -> &str {
        &self.media_type
    }
}

impl RunDir {
    /// The picture of each call in the log of the attempt's session; `None` where it has none.
    ///
    /// # Errors
    /// When the log can't be read.
    pub fn logged_pictures(&self, name: &str, calls: &[Value]) -> Result<Vec<Option<LoggedPicture>>, StoreError> {
        let folder = self.shown_path(name).map(|path| path.join(SESSION)).filter(|path| path.join("images").is_dir());
        // Without pictures the log, which may be long, is not read.
        let Some(folder) = folder else { return Ok(vec![None; calls.len()]) };
        let file = folder.join(super::log_dir::LOG);
        let bytes = fs::read(&file).map_err(StoreError::unreadable(&file))?;
        Ok(pictures_of(calls, &StoredLog::read_lines(&bytes).0))
    }

    /// The bytes of a picture; `None` when the file is gone.
    pub fn logged_picture(&self, name: &str, picture: &LoggedPicture) -> Option<Vec<u8>> {
        if !is_digest(&picture.image) {
            return None;
        }
        let file = format!("{}.{}", picture.image, super::log_dir::extension(&picture.media_type));
        fs::read(self.shown_path(name)?.join(SESSION).join("images").join(file)).ok()
    }
}

/// Finds each call among the requests, which come in the same order, and its picture among what happened in its window.
fn pictures_of(calls: &[Value], events: &[Event]) -> Vec<Option<LoggedPicture>> {
    let requests: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            EventKind::Request(request) if request.mode.is_some() => Some((event.seq, request)),
            _ => None,
        })
        .collect();
    let mut next = 0;
    let seq_of = |call: &Value| {
        let api = call.pointer("/call/api")?.as_str()?;
        let args = call.pointer("/call/args").and_then(Value::as_object);
        // A call that never reached the session must not take the picture of another one.
        let same = requests[next..].first().is_some_and(|(_, request)| request.api == api);
        let ahead = if same {
            0
        } else {
            requests[next..].iter().position(|(_, request)| request.api == api && Some(&request.args) == args)?
        };
        next += ahead + 1;
        Some(requests[next - 1].0)
    };
    let seqs: Vec<Option<u64>> = calls.iter().map(seq_of).collect();
    seqs.into_iter().map(|seq| picture_in(events, seq?)).collect()
}

/// The last picture of the whole page in the window of a request.
fn picture_in(events: &[Event], request: u64) -> Option<LoggedPicture> {
    let window = events.iter().rev().filter(|event| event.request == Some(request));
    window
        .filter_map(|event| match &event.what {
            EventKind::Frame(frame) => Some((frame.image.clone(), frame.media_type.clone())),
            EventKind::Observation(seen) if seen.place.is_none() => {
                Some((seen.image.clone()?, seen.media_type.clone()?))
            }
            _ => None,
        })
        .map(|(image, media_type)| LoggedPicture { image, media_type })
        .next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn events(lines: Value) -> Vec<Event> {
        serde_json::from_value(lines).unwrap()
    }

    #[test]
    fn each_call_has_the_picture_of_its_own_request() {
        let request = |seq: u64, api: &str, args: Value| {
            json!({"seq": seq, "at_ms": 0.0, "kind": "request", "api": api, "mode": "composite", "args": args,
                   "caller": "in_process", "waited_ms": 0.0})
        };
        let frame = |seq: u64, of: u64, image: &str| json!({"seq": seq, "at_ms": 0.0, "request": of, "kind": "frame", "image": image, "media_type": "image/png"});
        let job = json!({"seq": 4, "at_ms": 0.0, "kind": "request", "api": "job", "caller": "c", "waited_ms": 0.0});
        let log = events(json!([
            request(1, "observe", json!({})),
            request(2, "add_block", json!({"blockType": "a"})),
            frame(3, 2, "first"),
            job,
            request(5, "add_block", json!({"blockType": "b"})),
            frame(6, 5, "second"),
        ]));
        let call = |api: &str, args: Value| json!({"call": {"api": api, "args": args}});
        let calls = [
            call("observe", json!({})),
            call("never_sent", json!({})),
            call("add_block", json!({"blockType": "a"})),
            call("add_block", json!({"blockType": "b"})),
        ];
        let found = pictures_of(&calls, &log);
        let names: Vec<_> = found.iter().map(|one| one.as_ref().map(|one| one.image.as_str())).collect();
        assert_eq!(names, [None, None, Some("first"), Some("second")]);
    }

    #[test]
    fn a_picture_named_by_no_digest_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let attempt = folder.path().join("one/attempts/a.composite.1");
        fs::create_dir_all(attempt.join("session/images")).unwrap();
        let run = r#"{"format": 1, "id": "one", "started_at": 1.5, "version": "0", "agent": "oracle",
            "mode": "composite", "tasks": ["a"], "limits": {}}"#;
        fs::write(folder.path().join("one/run.json"), run).unwrap();
        fs::write(attempt.join("attempt.json"), "{}").unwrap();
        let digest = "a".repeat(64);
        fs::write(attempt.join(format!("session/images/{digest}.png")), b"picture").unwrap();
        let run = super::super::Runs::new(folder.path()).find("one").unwrap().unwrap();
        let named = |image: &str| LoggedPicture { image: image.into(), media_type: "image/png".into() };
        assert_eq!(run.logged_picture("a.composite.1", &named(&digest)), Some(b"picture".to_vec()));
        assert_eq!(run.logged_picture("a.composite.1", &named("../../attempt")), None);
    }
}
