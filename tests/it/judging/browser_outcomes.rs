//! Programs that an agent could void its attempt with, if whatever breaks were the testbed's fault: one that brings
//! down the page that judges it, one whose variable is larger than a project may be, one nested too deeply, and one
//! that only the evaluation script can't deal with.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use scratchbed::agent::{Agent, AgentError, Decision, View};
use scratchbed::benchmarks::tasks::{Job, Judging, LocalJudge, LocalTestbed, MakeAgent, SecretSeed, Tasks};
use scratchbed::certify::Projects;
use scratchbed::compile::{BuiltProjects, build_kept};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan, RunOptions, run};
use scratchbed::files::Checkout;
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

use super::browser_judge::projects;
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

/// Doubles a text to 16 MB, twice what a project may have.
const LONG: &str = "
  script without-refresh
    define swell
    set [text v] to [0123456789abcdef]
    repeat (20)
      set [text v] to (join (text) (text))
    end

  script
    when green flag clicked
    swell
";

fn kite() -> TaskEntry {
    TaskSet::read(root()).unwrap().find("kite_gusts").unwrap().clone()
}

/// The kite's project with these scripts, as the initial text in a folder with its assets.
fn write_text(folder: &Path, scripts: &str) {
    let source = kite().folder;
    fs::create_dir_all(folder.join("assets")).unwrap();
    for asset in ["sky.svg", "kite.svg"] {
        fs::copy(source.join("assets").join(asset), folder.join("assets").join(asset)).unwrap();
    }
    let initial = fs::read_to_string(source.join("initial.txt")).unwrap();
    let stage = "center 240 180\n  variable \"text\" = 0\n  variable \"longer\" = 0\n  variable \"count\" = 0\n  list \"texts\"\n";
    let text = initial.replacen("center 240 180\n", stage, 1) + scripts;
    fs::write(folder.join("initial.txt"), text).unwrap();
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

/// A judge that draws a secret seed for each judgement, and builds no solution that was built before.
fn judge(judges: &Judges) -> Arc<LocalJudge> {
    LocalJudge::over(judges.clone(), SecretSeed::Fresh, Checkout::at(root()).projects())
}

fn is_untestable(verdict: &Verdict) -> bool {
    verdict.outcome == Outcome::Failed && verdict.details.is_empty() && verdict.error.is_some()
}

#[test]
fn a_project_that_can_not_be_judged_has_failed_and_the_next_one_is_judged_as_ever() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let judge = judge(&judges);
        let kite = kite();
        let Projects { initial, golden, .. } = projects(&fleet, &kite).await;
        let initial = Project::read(&initial).unwrap();
        let mut large = initial.clone();
        let variables = large.json["targets"][0]["variables"].as_object_mut().unwrap();
        variables.insert("text".to_owned(), json!(["text", "0123456789abcdef".repeat(1 << 20)]));
        let deep = nested(initial, 250);
        for (what, sb3, says) in [
            ("a long text", large.write().unwrap(), "unpacks to"),
            ("deep nesting", deep.write().unwrap(), "inside of one another"),
        ] {
            let verdict = judge.judge(&kite, &sb3).await.unwrap();
            assert!(is_untestable(&verdict), "{what}: {verdict:#?}");
            assert!(verdict.error.as_ref().unwrap().contains(says), "{what}: {verdict:#?}");
            assert_eq!(judge.judge(&kite, &golden).await.unwrap().outcome, Outcome::Passed, "after {what}");
        }
        let nothing = judge.judge(&kite, b"nonsense").await.unwrap_err();
        assert_eq!(nothing.code(), "project_invalid", "what is no project is nobody's work");
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// The kite with a judge that is this text.
fn scripted(folder: &Path, name: &str, source: &str) -> TaskEntry {
    fs::write(folder.join(format!("{name}.js")), source).unwrap();
    let mut entry = kite();
    name.clone_into(&mut entry.task.evaluation);
    folder.clone_into(&mut entry.scripts);
    entry
}

async fn a_script_that_throws_counts_against_the_project_only_if_it_gets_through_the_solution() {
    let fleet = fleet().await;
    let judges = Judges::new(fleet.clone(), 1);
    let judge = judge(&judges);
    let folder = tempfile::tempdir().unwrap();
    let picky = "module.exports = async vm => {\n  const stage = vm.runtime.getTargetForStage();\n  \
             const {value} = stage.lookupVariableByNameAndType('gusts', '');\n  \
             return {success: true, passed_tests: 1, total_tests: 1, details: [{name: String(value), passed: true}]};\n};";
    let broken = "module.exports = async () => {\n  null.wings;\n};";
    let Projects { initial, .. } = projects(&fleet, &kite()).await;
    let picky = scripted(folder.path(), "picky", picky);
    let thrown = judges.judge(&picky, &initial, &Conditions::seeded(1)).await.unwrap();
    assert_eq!((thrown.verdict.outcome, thrown.trouble), (Outcome::JudgeError, Some(Trouble::Script)));
    let verdict = judge.judge(&picky, &initial).await.unwrap();
    assert!(is_untestable(&verdict), "{verdict:#?}");
    // It says so only of a project whose solution it has just seen pass.
    assert!(verdict.error.as_ref().unwrap().contains("only with the solution"), "{verdict:#?}");
    let verdict = judge.judge(&scripted(folder.path(), "broken", broken), &initial).await.unwrap();
    assert_eq!(verdict.outcome, Outcome::JudgeError, "{verdict:#?}");
    judges.close().await;
    fleet.shutdown().await;
}

async fn a_project_has_one_budget_of_processor_time_for_all_its_tries() {
    let fleet = fleet().await;
    let judges = Judges::new(fleet.clone(), 1);
    let judge = judge(&judges);
    let kite = kite();
    let budget = Duration::from_millis(kite.task.limits.task_ms.into()) + Duration::from_secs(30);
    let folder = tempfile::tempdir().unwrap();
    let slow = "module.exports = async () => {\n  for (;;) {\n    for (let i = 0; i < 1e6; i++) Math.sqrt(i);\n    \
                await new Promise(resolve => setTimeout(resolve, 1));\n  }\n};";
    let slow = scripted(folder.path(), "slow", slow);
    let golden = projects(&fleet, &kite).await.golden;
    // Earlier tries have left one second of it.
    let how = Conditions { spent: budget.checked_sub(Duration::from_secs(1)).unwrap(), ..Conditions::seeded(1) };
    let spent = judges.judge(&slow, &golden, &how).await.unwrap();
    assert_eq!((spent.verdict.outcome, spent.trouble), (Outcome::JudgeError, Some(Trouble::Spent)), "{spent:#?}");
    assert!(spent.processor >= Duration::from_secs(1), "{:?}", spent.processor);

    // Where nothing is left there is no second try, and the certificate says that the script is well.
    let how = Conditions { spent: budget, ..Conditions::seeded(1) };
    let heavy = root().join("tests/fixtures/judging/heavy.txt");
    let heavy = build_kept(&fleet, &Checkout::at(root()).projects(), &heavy).await.unwrap();
    let verdict = judge.judge_under(&kite, &heavy, &how).await.unwrap().verdict;
    assert!(is_untestable(&verdict), "{verdict:#?}");
    assert!(verdict.error.as_ref().unwrap().contains("too slow"), "{verdict:#?}");
    judges.close().await;
    fleet.shutdown().await;
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

/// An attempt whose agent only starts the program that is there, with the verdict on it if there is one.
async fn started(fleet: &Fleet, judge: &Arc<LocalJudge>, scripts: &str) -> (TaskRecord, Option<Verdict>) {
    let folder = tempfile::tempdir().unwrap();
    let mut entry = kite();
    let task = folder.path().join("task");
    write_text(&task, scripts);
    // The golden stays the kite's: the program is only there from the beginning so that no agent must build it.
    fs::copy(entry.golden(), task.join("golden.txt")).unwrap();
    entry.folder = task;
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 2, idle: Duration::from_secs(600) });
    let projects = BuiltProjects::over(fleet.clone(), Checkout::at(root()).projects());
    let testbed = LocalTestbed::new(sessions, projects, KeptPictures::Agent);
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
    let record = run(&ledger, &arm, once, &CancellationToken::new(), &|_| {}).await.unwrap().remove(0);
    let verdict = arm.dir.verdict("kite_gusts.1").unwrap();
    (record, verdict)
}

async fn an_attempt_is_not_voided_by_the_program_that_was_built() {
    let fleet = fleet().await;
    let judges = Judges::new(fleet.clone(), 1);
    let judge = judge(&judges);
    // Most of the time goes by while nobody works: a page with the bomb is given up when it has long been silent.
    let ((long, _), (bomb, verdict)) = tokio::join!(started(&fleet, &judge, LONG), started(&fleet, &judge, BOMB));
    assert_eq!((long.outcome, long.detail.ending), (Outcome::Failed, Ending::Done), "{long:#?}");
    assert!(long.error.as_ref().unwrap().contains("unpacks to"), "{long:#?}");
    // The page that its program broke is the agent's own loss: it is told, goes on, and is judged by what it left.
    assert_eq!((bomb.outcome, bomb.detail.ending), (Outcome::Failed, Ending::Done), "{bomb:#?}");
    assert!(bomb.detail.voided.is_none(), "{bomb:#?}");
    let verdict = verdict.unwrap();
    assert!(is_untestable(&verdict), "{verdict:#?}");
    assert!(verdict.error.as_ref().unwrap().contains("two pages could not judge"), "{verdict:#?}");
    let kite = kite();
    let golden = projects(&fleet, &kite).await.golden;
    assert_eq!(judge.judge(&kite, &golden).await.unwrap().outcome, Outcome::Passed, "after a bomb");
    judges.close().await;
    fleet.shutdown().await;
}

/// A page with the bomb is given up when it has long been silent, and meanwhile nobody works: so the others work then.
#[test]
fn who_is_at_fault_where_no_test_could_be_run() {
    in_shared_browsers(async {
        tokio::join!(
            Box::pin(an_attempt_is_not_voided_by_the_program_that_was_built()),
            Box::pin(a_script_that_throws_counts_against_the_project_only_if_it_gets_through_the_solution()),
            Box::pin(a_project_has_one_budget_of_processor_time_for_all_its_tries()),
        );
    });
}
