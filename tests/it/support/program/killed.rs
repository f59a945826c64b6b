//! Calls that are killed while they work, and the runs that continue them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Answer, Call, json_at, until};

/// Records of attempts by folder name, which is item and epoch.
pub type Recorded = BTreeMap<String, Value>;

/// Reads the recorded attempts of a run.
pub fn recorded(run: &Path) -> Recorded {
    let folders = run.join("attempts").read_dir().into_iter().flatten().flatten();
    let records = folders.map(|folder| (folder.file_name().into_string().unwrap(), folder.path().join("attempt.json")));
    records.filter(|(_, record)| record.is_file()).map(|(name, record)| (name, json_at(&record))).collect()
}

/// A call that was killed.
#[derive(Debug)]
pub struct Killed {
    runs: Vec<PathBuf>,
    /// The attempts that its run had recorded.
    pub before: Recorded,
}

impl Call {
    /// Begins the call, and kills it with SIGKILL when a condition holds, which must come first.
    pub async fn killed_when(self, condition: impl Future<Output = ()>) -> Killed {
        let scratchbed = self.scratchbed.clone();
        let mut begun = self.begin();
        tokio::select! {
            () = condition => {}
            status = begun.ended() => {
                let answer = begun.answer().await;
                panic!("it ended by itself: {status}\n{answer:#}\n{}", answer.stderr);
            }
        }
        begun.kill().await;
        Killed::of(scratchbed.run_folders())
    }

    /// Begins the call, and kills it after a line on standard error.
    pub async fn killed_at_line(self, is_wanted: impl FnMut(&str) -> bool) -> Killed {
        let scratchbed = self.scratchbed.clone();
        let mut begun = self.begin();
        begun.line(is_wanted).await;
        begun.kill().await;
        Killed::of(scratchbed.run_folders())
    }

    /// Begins the call, and kills it when its run has recorded enough attempts.
    pub async fn killed_after(self, attempts: usize) -> Killed {
        let scratchbed = self.scratchbed.clone();
        let is_time = || scratchbed.run_folders().iter().any(|run| recorded(run).len() >= attempts);
        self.killed_when(until("the run records attempts", is_time)).await
    }
}

/// Begins a call again and again, each time to continue its run, and kills it `kills` times, whenever `condition` holds; then
/// lets it end.
pub async fn ended_after_kills<F: Future<Output = ()>>(
    begin: impl Fn() -> Call,
    kills: usize,
    condition: impl Fn() -> F,
) -> Answer {
    let mut killed = begin().killed_when(condition()).await;
    for _ in 1..kills {
        killed = begin().resuming(killed.run()).killed_when(condition()).await;
    }
    begin().resuming(killed.run()).answer().await
}

impl Killed {
    fn of(runs: Vec<PathBuf>) -> Self {
        let before = if let [run] = &runs[..] { recorded(run) } else { Recorded::new() };
        Self { runs, before }
    }

    /// Returns the folder of the run, the only one in its checkout.
    pub fn run(&self) -> &Path {
        let [run] = &self.runs[..] else { panic!("one run is expected: {:?}", self.runs) };
        run
    }

    /// Returns all attempts that the run has now.
    ///
    /// Those from before the kill must be unchanged, and all must add up to `counts`, a list of `{outcome, count}`.
    pub fn all_that_add_up(&self, counts: &Value) -> Recorded {
        let all = recorded(self.run());
        for (name, record) in &self.before {
            assert_eq!(&all[name], record, "a recorded attempt was changed");
        }
        let mut sum = 0;
        for counted in counts.as_array().unwrap() {
            let found = all.values().filter(|record| record["outcome"] == counted["outcome"]).count();
            assert_eq!(counted["count"], found, "{counts}");
            sum += found;
        }
        assert_eq!(sum, all.len(), "each attempt has one outcome: {counts}");
        all
    }
}
