//! The plan of a run, before it has a folder: a new run is begun, or an earlier one is resumed if it was requested in
//! the same way.

use std::path::Path;

use serde_json::Value;

use super::RunError;
use crate::model::{ItemId, JudgeSeed, Mode, RUN_FORMAT, RunRecord, run_name, unix_seconds};
use crate::store::RunDir;

/// One agent at the items of one benchmark. Fields are those of [`RunRecord`].
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub benchmark: &'static str,
    pub agent: String,
    /// What stands for agent and setting in the name of the run's folder.
    pub name: String,
    pub mode: Option<Mode>,
    pub setting: String,
    pub options: Value,
    pub set: String,
    pub attempts: u32,
    pub items: Vec<ItemId>,
    pub split: Option<String>,
    pub server: Option<String>,
    pub notes: Vec<String>,
    /// Which secret seed its judgements have. A run that goes on keeps its own unless another one is given, which is refused
    /// where attempts have been judged.
    pub judge_seed: JudgeSeed,
}

impl Plan {
    /// A new run below `runs`, or the one in the folder `resume`.
    ///
    /// # Errors
    /// When the folder can't be made or read; [`RunError::Differs`] when the run to resume is a different one.
    pub fn open(self, runs: &Path, resume: Option<&Path>) -> Result<RunDir, RunError> {
        let judge_seed = self.judge_seed;
        let wanted = self.record();
        let Some(path) = resume else { return Ok(RunDir::create(runs, wanted)?) };
        let dir = RunDir::resume(path)?;
        match difference(dir.record(), &wanted) {
            Some(what) => Err(RunError::Differs { path: path.to_owned(), what }),
            None => seeded(dir, judge_seed),
        }
    }

    /// The run in this very folder, which is begun if there is none. It may have more items and attempts than before.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_in(self, folder: &Path) -> Result<RunDir, RunError> {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let judge_seed = self.judge_seed;
        let wanted = RunRecord { id: name, ..self.record() };
        if !folder.join("run.json").is_file() {
            return Ok(RunDir::create_in(folder, wanted)?);
        }
        let dir = seeded(RunDir::resume(folder)?, judge_seed)?;
        let known = dir.record();
        let alike = RunRecord { items: known.items.clone(), attempts: known.attempts, ..wanted.clone() };
        if let Some(what) = difference(known, &alike) {
            return Err(RunError::Differs { path: folder.to_owned(), what });
        }
        let new: Vec<ItemId> = wanted.items.into_iter().filter(|item| !known.items.contains(item)).collect();
        let attempts = wanted.attempts.max(known.attempts);
        Ok(dir.grown(new, attempts)?)
    }

    /// The record of a new run.
    pub fn record(self) -> RunRecord {
        let started_at = unix_seconds();
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: Vec<String> = self.name.split('-').map(|word| word.chars().map(plain).take(40).collect()).collect();
        RunRecord {
            format: RUN_FORMAT,
            id: run_name(started_at, &name.join("-")),
            started_at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: self.benchmark.to_owned(),
            agent: self.agent,
            mode: self.mode,
            setting: self.setting,
            options: self.options,
            set: self.set,
            attempts: self.attempts,
            items: self.items,
            split: self.split,
            server: self.server,
            notes: self.notes,
            judge_seed: self.judge_seed.chosen(),
        }
    }
}

/// An earlier run with the secret seed that is asked for, or with its own. Verdicts under two seeds don't compare.
fn seeded(dir: RunDir, wanted: JudgeSeed) -> Result<RunDir, RunError> {
    let wanted = match wanted {
        JudgeSeed::Drawn => return Ok(dir),
        JudgeSeed::Absent => None,
        JudgeSeed::Given(seed) => Some(seed),
    };
    let known = dir.record().judge_seed;
    if known == wanted {
        return Ok(dir);
    }
    if !RunDir::has_attempts(dir.path()) {
        return Ok(dir.with_judge_seed(wanted)?);
    }
    // Neither is told: what goes wrong on a worker can be read elsewhere.
    let what = "its attempts were judged under another secret seed".to_owned();
    Err(RunError::Differs { path: dir.path().to_owned(), what })
}

/// The first thing in which two runs differ that a score depends on.
fn difference(then: &RunRecord, now: &RunRecord) -> Option<String> {
    let mode = |run: &RunRecord| run.mode.map(|mode| mode.to_string()).unwrap_or_default();
    let fields = [
        ("the benchmark", then.benchmark.clone(), now.benchmark.clone()),
        ("the version of scratchbed", then.version.clone(), now.version.clone()),
        ("the agent", then.agent.clone(), now.agent.clone()),
        ("the mode", mode(then), mode(now)),
        ("the setting", then.setting.clone(), now.setting.clone()),
        ("the number of attempts", then.attempts.to_string(), now.attempts.to_string()),
        ("the set of items", then.set.clone(), now.set.clone()),
    ];
    let described = |(what, then, now): (&str, String, String)| format!("{what} was `{then}`, and is `{now}`");
    if let Some(field) = fields.into_iter().find(|(_, then, now)| then != now) {
        return Some(described(field));
    }
    if then.items != now.items {
        return Some("the items differ".to_owned());
    }
    if then.server.is_some() != now.server.is_some() {
        return Some("one has its sessions on a server".to_owned());
    }
    (then.options != now.options).then(|| {
        let keys = then.options.as_object().into_iter().chain(now.options.as_object()).flat_map(|all| all.keys());
        let differing = keys.map(String::as_str).find(|key| then.options.get(key) != now.options.get(key));
        let of = |run: &RunRecord, key: &str| run.options.get(key).unwrap_or(&Value::Null).to_string();
        match differing {
            Some(key) => described((&format!("`{key}`"), of(then, key), of(now, key))),
            None => "the options differ".to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Coded as _;

    fn plan() -> Plan {
        Plan {
            benchmark: "drag",
            agent: "m".to_owned(),
            name: "org/m-gt_start".to_owned(),
            mode: Some(Mode::Primitive),
            setting: "gt_start".to_owned(),
            options: json!({"seed": 1, "limits": {"max_steps": 5}}),
            set: "abc".to_owned(),
            attempts: 2,
            items: vec!["D_001".parse().unwrap()],
            ..Plan::default()
        }
    }

    #[test]
    fn a_run_in_a_folder_of_its_own_may_grow_and_is_never_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("experiment/arm-1");
        let opened = |plan: Plan| plan.open_in(&place).map(|dir| (dir.record().id.clone(), dir.record().items.len()));
        assert_eq!(opened(plan()).unwrap(), ("arm-1".to_owned(), 1));
        let more = Plan { items: ["D_002", "D_001"].map(|item| item.parse().unwrap()).to_vec(), attempts: 3, ..plan() };
        assert_eq!(opened(more).unwrap().1, 2);
        // What was attempted stays, whatever is asked for now.
        assert_eq!(opened(plan()).unwrap().1, 2);
        assert_eq!(plan().open_in(&place).unwrap().record().attempts, 3);
        let error = opened(Plan { setting: "baseline".to_owned(), ..plan() }).unwrap_err();
        assert_eq!(error.code(), "run_differs");
    }

    #[test]
    fn a_run_keeps_the_seed_that_it_was_begun_with() {
        let folder = tempfile::tempdir().unwrap();
        let of = |judge_seed| Plan { judge_seed, ..plan() };
        let dir = of(JudgeSeed::Drawn).open(folder.path(), None).unwrap();
        let (path, drawn) = (dir.path().to_owned(), dir.record().judge_seed);
        assert!(drawn.is_some_and(|seed| seed > 1 << 30), "{drawn:?}");
        drop(dir);
        let resumed = |judge_seed| of(judge_seed).open(folder.path(), Some(&path)).map(|dir| dir.record().judge_seed);
        assert_eq!(resumed(JudgeSeed::Drawn).unwrap(), drawn, "another one was drawn, and is of no use");
        assert_eq!(RunDir::open(&path).unwrap().record().judge_seed, drawn, "it is on the disk");
        assert_eq!(resumed(JudgeSeed::Given(7)).unwrap(), Some(7), "nothing was judged yet");
        assert_eq!(resumed(JudgeSeed::Drawn).unwrap(), Some(7));
        judged(&path);
        assert_eq!(resumed(JudgeSeed::Given(7)).unwrap(), Some(7));
        for other in [JudgeSeed::Given(8), JudgeSeed::Absent] {
            let error = resumed(other).unwrap_err();
            assert_eq!(error.code(), "run_differs");
            assert!(error.to_string().ends_with("judged under another secret seed"), "{error}");
        }
    }

    /// An attempt of the run in this folder is complete.
    fn judged(run: &Path) {
        let attempt = run.join("attempts/D_001.1");
        std::fs::create_dir_all(&attempt).unwrap();
        std::fs::write(attempt.join("attempt.json"), "{}").unwrap();
    }

    #[test]
    fn an_arm_takes_the_seed_of_its_experiment_until_it_has_attempts() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("experiment/arm-1");
        let opened = |judge_seed| {
            let opened = Plan { judge_seed, ..plan() }.open_in(&place);
            opened.map(|dir| dir.record().judge_seed)
        };
        assert_eq!(opened(JudgeSeed::Given(3)).unwrap(), Some(3));
        assert_eq!(opened(JudgeSeed::Given(4)).unwrap(), Some(4), "what an experiment of this name left behind");
        judged(&place);
        assert_eq!(opened(JudgeSeed::Given(4)).unwrap(), Some(4));
        assert_eq!(opened(JudgeSeed::Given(3)).unwrap_err().code(), "run_differs");
    }

    #[test]
    fn a_run_goes_on_only_if_it_is_asked_for_in_the_same_way() {
        let folder = tempfile::tempdir().unwrap();
        let dir = plan().open(folder.path(), None).unwrap();
        assert!(dir.record().id.contains("-org_m-gt_start-"), "{}", dir.record().id);
        let path = dir.path().to_owned();
        drop(dir);
        let resumed = |plan: Plan| plan.open(folder.path(), Some(&path)).map(drop);
        assert!(resumed(plan()).is_ok());
        assert!(resumed(Plan { name: "other".to_owned(), notes: vec!["n".to_owned()], ..plan() }).is_ok());
        let others = [
            (Plan { agent: "n".to_owned(), ..plan() }, "the agent was `m`, and is `n`"),
            (Plan { mode: None, ..plan() }, "the mode was `primitive`, and is ``"),
            (Plan { setting: "baseline".to_owned(), ..plan() }, "the setting"),
            (Plan { attempts: 3, ..plan() }, "the number of attempts"),
            (Plan { set: "abd".to_owned(), ..plan() }, "the set of items"),
            (Plan { items: Vec::new(), ..plan() }, "the items differ"),
            (Plan { server: Some("u".to_owned()), ..plan() }, "one has its sessions on a server"),
            (Plan { options: json!({"seed": 1}), ..plan() }, r#"`limits` was `{"max_steps":5}`, and is `null`"#),
            (Plan { options: Value::Null, ..plan() }, "`seed` was `1`, and is `null`"),
        ];
        for (other, what) in others {
            let error = resumed(other).unwrap_err();
            assert_eq!(error.code(), "run_differs");
            assert!(error.to_string().contains(what), "{error}");
        }
    }
}
