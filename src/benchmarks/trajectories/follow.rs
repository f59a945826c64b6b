//! A repair line by line: the log of its trajectory as it is written, over all tries at it, to its end.

use std::collections::VecDeque;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::refused::RepairError;
use super::served::{RepairHost, RepairState, RepairView};
use crate::model::ItemId;
use crate::store::RunDir;

/// Between two looks at a log that is still written.
const LOOK: Duration = Duration::from_millis(200);
/// The log of a trajectory within the folder of a try.
const LOG: &str = "trajectory.jsonl";
/// Which attempt of its run a repair is: it has one.
const ATTEMPT: u32 = 1;

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// From 1, one by one.
    pub number: u64,
    /// `step` with a line of the log, `again` before the lines of the next try, `end` with the view of the repair.
    pub kind: &'static str,
    /// JSON.
    pub data: String,
}

/// A watcher of one repair.
pub struct Follow {
    host: Arc<dyn RepairHost>,
    id: String,
    item: ItemId,
    /// What has a number up to this one is not told again.
    after: u64,
    /// Numbers so far.
    told: u64,
    /// Which try is read, and how many bytes of its log were.
    retry: u32,
    read: u64,
    waiting: VecDeque<Told>,
    is_over: bool,
}

impl Follow {
    /// Watches a repair; what has a number up to `after` is not told.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn new(host: Arc<dyn RepairHost>, id: String, after: u64) -> Result<Self, RepairError> {
        let status = host.find(&id).ok_or_else(|| RepairError::Unknown(id.clone()))?;
        let bad = |_| RepairError::Bad("its case has no name for a folder".to_owned());
        let item = status.asked.case.parse().map_err(bad)?;
        let waiting = VecDeque::new();
        Ok(Self { host, id, item, after, told: 0, retry: 0, read: 0, waiting, is_over: false })
    }

    /// What comes next; waits for it, and is `None` after the end.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.waiting.pop_front() {
                return Some(told);
            }
            if self.is_over {
                return None;
            }
            // First whether it goes on, then the lines: when it is over, these are all.
            let goes_on = self.host.find(&self.id).is_some_and(|status| status.state == RepairState::Running);
            match self.look().await {
                Ok(true) => {}
                Ok(false) if goes_on => tokio::time::sleep(LOOK).await,
                Ok(false) => self.end().await,
                Err(error) => {
                    // Who watches connects again, and is told then what is wrong.
                    tracing::warn!(%error, repair = self.id, "a stream of a repair has ended");
                    return None;
                }
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
            Err(error) => tracing::warn!(%error, repair = self.id, "the end of a repair can't be told"),
        }
    }

    fn tell(&mut self, kind: &'static str, data: &str) {
        self.told += 1;
        if self.told > self.after {
            self.waiting.push_back(Told { number: self.told, kind, data: data.to_owned() });
        }
    }
}

/// Whole lines of a file from a place on; nothing of a file that is not there yet.
fn new_lines(path: &Path, from: u64) -> std::io::Result<String> {
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
