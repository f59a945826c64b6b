//! Experiments on the command line: a file makes arms, a process that is killed loses nothing, orders hold, and what is
//! wrong is refused before anything is begun. Budgets are in `spend`.

use std::path::{Path, PathBuf};

use scratchbed::model::Mode;

use crate::benchmarks::browser_llm::task;
use crate::support::forged::{bench, instance, report};
use crate::support::program::{Answer, Call, Scratchbed};
use crate::support::scripted_solver::{Moods, ScriptedSolver};

/// A task that a scripted model solves in two calls.
const TASK: &str = "stuck_ferry";
/// Those calls, and `done` after them.
const CALLS: usize = 3;

/// An experiment of a scripted model, with what else its file says.
fn file(name: &str, endpoint: &str, tasks: &[&str], more: &str) -> String {
    format!(
        r#"
format = 1
name = "{name}"
items = {{ task = {tasks:?} }}
{more}
[lanes.scripted]
endpoint = "{endpoint}/v1"
in_flight = 1
[models.scripted]
lane = "scripted"
name = "{name}"
price = {{ input = 100.0, output = 100.0, as_of = 2026-01-02 }}
[[arms]]
agent = "llm"
model = "scripted"
mode = "composite"
"#
    )
}

/// An experiment that no browser is started for.
fn explaining(name: &str, bench: &Path) -> String {
    let arm = format!("[[arms]]\nagent = \"noop\"\nbench = \"{}\"\n", bench.display());
    format!("format = 1\nname = \"{name}\"\nbenchmark = \"explain\"\n{arm}")
}

/// A name that no other test has.
pub fn unique(what: &str) -> String {
    format!("{what}-{}", &uuid::Uuid::new_v4().simple().to_string()[..8])
}

/// A folder with an experiment's file and a ledger of its own, and the program that makes it.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub scratchbed: Scratchbed,
}

impl Place {
    pub fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("e.toml"), text).unwrap();
        Self { folder, scratchbed: Scratchbed::new() }
    }

    pub fn call(&self, args: &[&str]) -> Call {
        let ledger = self.folder.path().join("ledger.sqlite");
        self.scratchbed.call(&["experiment"]).args(args).arg("--ledger").arg(ledger)
    }

    pub fn file(&self) -> String {
        self.folder.path().join("e.toml").display().to_string()
    }

    pub async fn run(&self, args: &[&str]) -> Answer {
        self.call(args).answer().await
    }
}

/// Returns the folder of an experiment's runs.
pub fn runs_of(scratchbed: &Scratchbed, experiment: &str) -> PathBuf {
    scratchbed.runs().join("experiments").join(experiment)
}

/// A model that knows the task.
async fn solver() -> (ScriptedSolver, String) {
    ScriptedSolver::serve(vec![task(TASK, Mode::Composite)], Moods::default()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_that_is_killed_goes_on_and_pays_for_nothing_twice() {
    let (solver, address) = solver().await;
    // The first time before anything is paid for, the second time in the middle of an attempt.
    solver.stall_at([1, 3]);
    let name = unique("killed");
    let place = Place::with(&file(&name, &address, &[TASK], "epochs = 1\n"));
    let file = place.file();
    for _ in 0..2 {
        place.call(&["run", &file]).killed_when(solver.stalled()).await;
    }
    let answer = place.run(&["run", &file]).await;
    assert_eq!(answer.code, 0, "{answer:#}");
    let cells = &answer["status"]["cells"];
    assert_eq!((&cells["decided"], &cells["dead"], &cells["wanted"]), (&1.into(), &0.into(), &0.into()), "{answer:#}");
    assert_eq!(solver.answered(), CALLS, "an answer was paid for twice, or not at all");
    assert!(answer["status"]["spent"]["micro_usd"].as_u64().unwrap() > 0, "{answer:#}");

    // The same once more has nothing to do; one more epoch makes that alone.
    let again = place.run(&["run", &file]).await;
    assert_eq!((again.code, solver.answered()), (0, CALLS), "{again:#}");
    let report = place.run(&["report", &name, "--final"]).await;
    assert_eq!((report.code, &report["owed"], &report["dead"]), (0, &0.into(), &0.into()), "{report:#}");
    let changed = std::fs::read_to_string(&file).unwrap().replace("epochs = 1", "epochs = 2");
    std::fs::write(&file, changed).unwrap();
    let more = place.run(&["run", &file]).await;
    assert_eq!((more.code, &more["status"]["cells"]["decided"]), (0, &2.into()), "{more:#}");
    // The scripted model knows each task once: it says `done` at once.
    assert_eq!(solver.answered(), CALLS + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_kept_and_a_paused_experiment_waits() {
    let name = unique("paused");
    let folder = tempfile::tempdir().unwrap();
    let faults = folder.path().join("bench");
    bench(&faults, &[instance("moth-1", "moth", Some("MIT"), report())]);
    let place = Place::with(&explaining(&name, &faults));
    let done = place.run(&["run", &place.file(), "--jobs", "2"]).await;
    assert_eq!(done.code, 0);
    let done = place.run(&["pause", &name, "--why", "lunch"]).await;
    assert_eq!(done.code, 0);
    let status = place.run(&["status", &name]).await;
    let status = &status["status"];
    assert_eq!((status["state"].as_str(), status["why"].as_str()), (Some("paused"), Some("lunch")), "{status:#}");
    let refused = place.run(&["requeue", &name, "no-such-cell"]).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("unknown_in_ledger")), "{refused:#}");
    let done = place.run(&["resume", &name]).await;
    assert_eq!(done.code, 0);
    let list = place.run(&["list"]).await;
    assert_eq!(list["experiments"].as_array().unwrap().len(), 1, "{list:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_refused_before_anything_is_begun() {
    let name = unique("wrong");
    let right = file(&name, "https://models.example", &["stuck_ferry", "kite_gusts"], "")
        + "[[arms]]\nagent = \"noop\"\nmode = \"composite\"\n";
    let plan = async |text: String| {
        let place = Place::with(&text);
        let answer = place.run(&["run", &place.file()]).await;
        let is_begun = place.folder.path().join("ledger.sqlite").exists() || runs_of(&place.scratchbed, &name).exists();
        assert!(!is_begun, "{answer:#}");
        (answer.code, answer["error"]["code"].as_str().unwrap_or_default().to_owned(), answer["error"].to_string())
    };
    for (from, to, expected, part) in [
        ("in_flight = 1", "in_fligth = 1", "experiment_invalid", "did you mean `in_flight`?"),
        ("in_flight = 1", "in_flight = 0", "experiment_invalid", "at least 1"),
        ("mode = \"composite\"", "mode = \"composit\"", "experiment_invalid", "composit"),
        ("mode = \"composite\"", "mode = []", "experiment_invalid", "empty"),
        ("agent = \"llm\"", "agent = \"llm\"\njobs = 3", "experiment_invalid", "set by the experiment"),
        ("in_flight = 1", "in_flight = 1\nkey = \"abc\"", "secret_in_file", "key_env"),
        ("in_flight = 1", "in_flight = 1\nkey_env = \"NO_SUCH_KEY_OF_A_MODEL\"", "model_key_missing", "NO_SUCH_KEY"),
        ("kite_gusts", "kite_gust", "unknown_task", "kite_gusts"),
    ] {
        let (code, found, text) = plan(right.replacen(from, to, 1)).await;
        assert_eq!((code, found.as_str()), (3, expected), "{to}: {text}");
        assert!(text.contains(part), "{to}: {text}");
    }
    let priceless = right.replace("price = { input = 100.0, output = 100.0, as_of = 2026-01-02 }\n", "");
    let (code, found, text) = plan(priceless.replace("format = 1", "format = 1\nbudget = { usd = 1 }")).await;
    assert_eq!((code, found.as_str()), (3, "price_unknown"), "{text}");
    let blind = right.replace("lane = \"scripted\"", "lane = \"scripted\"\nvision = false");
    let (code, found, text) = plan(blind.replacen("mode = \"composite\"", "mode = \"primitive\"", 1)).await;
    assert_eq!((code, found.as_str()), (3, "model_without_vision"), "{text}");

    let place = Place::with(&right);
    let secret = ["experiment", "list", "--ledger", "postgres://me:secret@host/db"];
    let refused = place.scratchbed.answer(&secret).await;
    assert_eq!(refused["error"]["code"], "address_in_argument");
    assert!(!refused.stdout.contains("secret") && !refused.stderr.contains("secret"), "{refused:?}");
    let answer = place.run(&["status", "nobody"]).await;
    assert_eq!((answer.code, answer["error"]["code"].as_str()), (3, Some("unknown_experiment")), "{answer:#}");
}
