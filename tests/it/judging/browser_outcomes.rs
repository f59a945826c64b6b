//! Programs that an agent could void its attempt with, if whatever breaks were the testbed's fault: one that brings
//! down the page that judges it, one whose variable is larger than a project may be, one nested too deeply, and one
//! that only the evaluation script can't deal with.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use scratchbed::agent::{Agent, AgentError, Decision, View};
use scratchbed::benchmarks::tasks::{Job, Judging, LocalJudge, LocalTestbed, MakeAgent, Tasks};
use scratchbed::compile::BuiltProjects;
use scratchbed::compile::{Source, compile};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan, RunOptions, run};
use scratchbed::grade::Pricing;
use scratchbed::judge::{Conditions, Judges, Trouble};
use scratchbed::ledger::Ledger;
use scratchbed::model::{
    ActionCall, Coded as _, Ending, KeptPictures, LimitOverrides, Mode, Outcome, TaskRecord, Verdict,
};
use scratchbed::project::Project;
use scratchbed::session::{Fleet, SessionOptions, Sessions};
use scratchbed::taskset::{TaskEntry, TaskSet};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

/// Doubles a text to 64 MB, and makes 400 different texts of that length, which no renderer can hold.
const BOMB: &str = "
  script without-refresh
    define swell
    set [text v] to [0123456789abcdef]
    repeat (22)
      set [text v] to (join (text) (text))
    end
    repeat (400)
      change [count v] by (1)
      set [longer v] to (join (text) (count))
      if <(letter (1) of (longer)) = [0]> then
        add (longer) to [texts v]
      end
    end

  script
    when green flag clicked
    swell
";

/// Doubles a text to 64 MB.
const LONG: &str = "
  script without-refresh
    define swell
    set [text v] to [0123456789abcdef]
    repeat (22)
      set [text v] to (join (text) (text))
    end

  script
    when green flag clicked
    swell
";

fn kite() -> TaskEntry {
    TaskSet::read(root()).unwrap().find("kite_gusts").unwrap().clone()
}

/// The kite's project with these scripts, as a text in a folder with its assets.
fn write_text(folder: &Path, name: &str, scripts: &str) {
    let source = kite().folder;
    fs::create_dir_all(folder.join("assets")).unwrap();
    for asset in ["sky.svg", "kite.svg"] {
        fs::copy(source.join("assets").join(asset), folder.join("assets").join(asset)).unwrap();
    }
    let initial = fs::read_to_string(source.join("initial.txt")).unwrap();
    let stage = "center 240 180\n  variable \"text\" = 0\n  variable \"longer\" = 0\n  variable \"count\" = 0\n  list \"texts\"\n";
    let text = initial.replacen("center 240 180\n", stage, 1) + scripts;
    fs::write(folder.join(name), text).unwrap();
}

async fn built(fleet: &Fleet, scripts: &str) -> Project {
    let folder = tempfile::tempdir().unwrap();
    write_text(folder.path(), "bomb.txt", scripts);
    let lease = fleet.acquire().await.unwrap();
    let built = compile(&lease.page, &Source::read(&folder.path().join("bomb.txt")).unwrap()).await;
    fleet.release(lease).await;
    built.unwrap()
}

/// So many `if` blocks, each inside of the one before.
fn nested(mut project: Project, depth: usize) -> Project {
    let id = |at: usize| format!("if{at}");
    let mut blocks = json!({"hat": {"opcode": "event_whenflagclicked", "next": id(0), "parent": null, "inputs": {},
        "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 0}});
    for at in 0..depth {
        let parent = if at == 0 { "hat".to_owned() } else { id(at - 1) };
        let inputs = if at + 1 == depth { json!({}) } else { json!({"SUBSTACK": [2, id(at + 1)]}) };
        blocks[id(at)] = json!({"opcode": "control_if", "next": null, "parent": parent, "inputs": inputs, "fields": {},
            "shadow": false, "topLevel": false});
    }
    project.json["targets"][1]["blocks"] = blocks;
    project
}

fn is_untestable(verdict: &Verdict) -> bool {
    verdict.outcome == Outcome::Failed && verdict.details.is_empty() && verdict.error.is_some()
}

#[test]
fn a_project_that_can_not_be_judged_has_failed_and_the_next_one_is_judged_as_ever() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let judge = LocalJudge::with(judges.clone());
        let kite = kite();
        let bomb = built(&fleet, BOMB).await.write().unwrap();
        let crashed = judges.judge(&kite, &bomb, &Conditions::seeded(1)).await.unwrap();
        assert_eq!(crashed.trouble, Some(Trouble::Page), "the fixture brings its page down: {crashed:#?}");

        let plain = built(&fleet, LONG).await;
        let mut large = plain.clone();
        let variables = large.json["targets"][0]["variables"].as_object_mut().unwrap();
        *variables.values_mut().next().unwrap() = json!(["text", "0123456789abcdef".repeat(4 << 20)]);
        let deep = nested(plain, 250);
        for (what, sb3, says) in [
            ("a bomb", bomb, "two pages could not judge"),
            ("a long text", large.write().unwrap(), "unpacks to"),
            ("deep nesting", deep.write().unwrap(), "inside of one another"),
        ] {
            let verdict = judge.judge(&kite, &sb3).await.unwrap();
            assert!(is_untestable(&verdict), "{what}: {verdict:#?}");
            assert!(verdict.error.as_ref().unwrap().contains(says), "{what}: {verdict:#?}");
            let golden = compiled_golden(&fleet, &kite).await;
            assert_eq!(judge.judge(&kite, &golden).await.unwrap().outcome, Outcome::Passed, "after {what}");
        }
        let nothing = judge.judge(&kite, b"nonsense").await.unwrap_err();
        assert_eq!(nothing.code(), "project_invalid", "what is no project is nobody's work");
        judges.close().await;
        fleet.shutdown().await;
    });
}

async fn compiled_golden(fleet: &Fleet, entry: &TaskEntry) -> Vec<u8> {
    scratchbed::compile::build_file(fleet, &entry.golden()).await.unwrap()
}

/// The kite with a judge that is this text.
fn scripted(folder: &Path, name: &str, source: &str) -> TaskEntry {
    fs::write(folder.join(format!("{name}.js")), source).unwrap();
    let mut entry = kite();
    name.clone_into(&mut entry.task.evaluation);
    folder.clone_into(&mut entry.scripts);
    entry
}

#[test]
fn a_script_that_throws_counts_against_the_project_only_if_it_gets_through_the_solution() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let judge = LocalJudge::with(judges.clone());
        let folder = tempfile::tempdir().unwrap();
        let picky = "module.exports = async vm => {\n  const stage = vm.runtime.getTargetForStage();\n  \
                 const {value} = stage.lookupVariableByNameAndType('gusts', '');\n  \
                 return {success: true, passed_tests: 1, total_tests: 1, details: [{name: String(value), passed: true}]};\n};";
        let broken = "module.exports = async () => {\n  null.wings;\n};";
        let initial = scratchbed::compile::build_file(&fleet, &kite().initial()).await.unwrap();
        let picky = scripted(folder.path(), "picky", picky);
        let thrown = judges.judge(&picky, &initial, &Conditions::seeded(1)).await.unwrap();
        assert_eq!((thrown.verdict.outcome, thrown.trouble), (Outcome::JudgeError, Some(Trouble::Script)));
        let verdict = judge.judge(&picky, &initial).await.unwrap();
        assert!(is_untestable(&verdict), "{verdict:#?}");
        let golden = compiled_golden(&fleet, &picky).await;
        assert_eq!(judge.judge(&picky, &golden).await.unwrap().outcome, Outcome::Passed);
        for sb3 in [&initial, &golden] {
            let verdict = judge.judge(&scripted(folder.path(), "broken", broken), sb3).await.unwrap();
            assert_eq!(verdict.outcome, Outcome::JudgeError, "{verdict:#?}");
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// Clicks the green flag, looks once more, and is done.
#[derive(Default)]
struct Starter {
    decided: u32,
}

#[async_trait]
impl Agent for Starter {
    fn look(&self) -> Option<Map<String, Value>> {
        Some(Map::from_iter([("picture".to_owned(), json!("off")), ("ocr".to_owned(), json!("off"))]))
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        self.decided += 1;
        if self.decided > 1 {
            return Ok(ActionCall::new("done", Map::new()).into());
        }
        let elements = view.observation.unwrap()["elements"].as_array().unwrap();
        let flag = elements.iter().find(|element| element["type"] == "green_flag");
        Ok(ActionCall::new("click", Map::from_iter([("index".to_owned(), flag.unwrap()["index"].clone())])).into())
    }
}

/// An attempt whose agent only starts the program that is there.
async fn started(fleet: &Fleet, judge: &Arc<LocalJudge>, scripts: &str) -> TaskRecord {
    let folder = tempfile::tempdir().unwrap();
    let mut entry = kite();
    write_text(folder.path(), "initial.txt", scripts);
    // The golden stays the kite's: the program is only there from the beginning so that no agent must build it.
    fs::copy(entry.golden(), folder.path().join("golden.txt")).unwrap();
    folder.path().clone_into(&mut entry.folder);
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 2, idle: Duration::from_secs(600) });
    let testbed = LocalTestbed::new(
        sessions,
        BuiltProjects::over(fleet.clone(), folder.path().join("built")),
        KeptPictures::Agent,
    );
    let agent: MakeAgent = Box::new(|_| Box::new(Starter::default()));
    let jobs = vec![Job::new(entry, agent)];
    let (mode, limits) = (Mode::Primitive, LimitOverrides::default());
    let tasks =
        Tasks { testbed, judge: judge.clone(), mode, limits, pictures: KeptPictures::Agent, jobs, memory: None };
    let plan = Plan { benchmark: Tasks::NAME, attempts: 1, items: tasks.items(), ..Plan::default() };
    let dir = plan.open(&folder.path().join("runs"), None).unwrap();
    let once = RunOptions { jobs: 1, retries: 0, retry_failed_calls: false };
    let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).await.unwrap();
    let arm = Arc::new(RunArm { benchmark: tasks, dir, pricing: Pricing::Nothing });
    run(&ledger, &arm, once, &CancellationToken::new(), &|_| {}).await.unwrap().remove(0)
}

#[test]
fn an_attempt_is_not_voided_by_the_program_that_was_built() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let judge = LocalJudge::with(judges.clone());
        let record = started(&fleet, &judge, LONG).await;
        assert_eq!((record.outcome, record.detail.ending), (Outcome::Failed, Ending::Done), "{record:#?}");
        assert!(record.error.as_ref().unwrap().contains("unpacks to"), "{record:#?}");
        let record = started(&fleet, &judge, BOMB).await;
        assert_eq!((record.outcome, record.detail.ending), (Outcome::Failed, Ending::Crashed), "{record:#?}");
        assert!(record.detail.lost_program.is_some(), "{record:#?}");
        judges.close().await;
        fleet.shutdown().await;
    });
}
