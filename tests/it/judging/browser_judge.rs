//! Judging against the real editor: the bundled tasks are sound, and scripts that misbehave are told apart
//! from programs that fail. It exercises the page functions start-evaluation and poll-evaluation.

use std::path::Path;

use futures::StreamExt;
use futures::stream;
use scratchbed::certify::{Projects, build};
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Coded, Outcome, Verdict};
use scratchbed::project::Project;
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};
use serde_json::json;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{MODEL_TASKS, of_the_day, root};

/// Pages at work at the same time; the tests' machine has two cores.
const AT_ONCE: usize = 2;

/// The projects of a task, from the checkout's cache if the same builder has built them before. That texts are built right
/// is for other tests to show.
pub async fn projects(fleet: &Fleet, entry: &TaskEntry) -> Projects {
    build(fleet, &Checkout::at(root()).projects(), entry).await.unwrap()
}

/// Those of the task that most tests here are about.
async fn kite(fleet: &Fleet) -> Projects {
    projects(fleet, TaskSet::read(root()).unwrap().find("kite_gusts").unwrap()).await
}

/// The same sprites without any block.
fn without_blocks(mut project: Project) -> Project {
    for target in project.json["targets"].as_array_mut().unwrap() {
        target["blocks"] = json!({});
    }
    project
}

/// The stage alone.
fn without_sprites(project: Project) -> Project {
    let mut project = without_blocks(project);
    project.json["targets"].as_array_mut().unwrap().truncate(1);
    project
}

async fn judge(judges: &Judges, entry: &TaskEntry, sb3: &[u8]) -> Verdict {
    judges.judge(entry, sb3, &Conditions::seeded(1)).await.unwrap().verdict
}

struct Trial<'a> {
    entry: &'a TaskEntry,
    what: &'static str,
    sb3: Vec<u8>,
    wanted: Outcome,
}

async fn trials<'a>(fleet: &Fleet, entry: &'a TaskEntry) -> Vec<Trial<'a>> {
    let Projects { golden, initial, second_solutions, .. } = projects(fleet, entry).await;
    let read = Project::read(&initial).unwrap();
    let trial = |what, sb3, wanted| Trial { entry, what, sb3, wanted };
    let mut trials = vec![
        trial("the sprites without code", without_blocks(read.clone()).write().unwrap(), Outcome::Failed),
        trial("the stage alone", without_sprites(read).write().unwrap(), Outcome::Failed),
        trial("the initial project", initial, Outcome::Failed),
        trial("a solution", golden, Outcome::Passed),
    ];
    trials.extend(second_solutions.into_iter().map(|sb3| trial("a solution", sb3, Outcome::Passed)));
    trials
}

#[test]
fn bundled_tasks_pass_with_their_solutions_and_fail_without() {
    in_shared_browsers(async {
        let set = TaskSet::read(root()).unwrap();
        let fleet = fleet().await;
        let mut all = Vec::new();
        for id in of_the_day(&MODEL_TASKS, 2) {
            all.extend(trials(&fleet, set.find(id).unwrap()).await);
        }
        let judges = Judges::new(fleet.clone(), AT_ONCE);
        let verdicts: Vec<(Trial<'_>, Verdict)> = stream::iter(all)
            .map(|trial| {
                let judges = judges.clone();
                async move {
                    let verdict = judge(&judges, trial.entry, &trial.sb3).await;
                    (trial, verdict)
                }
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        for (trial, verdict) in &verdicts {
            let name = format!("{}: {}: {verdict:#?}", trial.entry.task.id, trial.what);
            assert_eq!(verdict.outcome, trial.wanted, "{name}");
            assert!(verdict.total_tests >= 3, "{name}");
            assert!(verdict.warnings.is_empty(), "{name}");
            assert!(!verdict.hashes.browser.is_empty() && !verdict.hashes.editor.is_empty(), "{name}");
            if trial.what == "the sprites without code" || trial.what == "the stage alone" {
                assert_eq!(verdict.passed_tests, 0, "no test may pass on a program that does nothing: {name}");
            }
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// A task whose judge is `source`, with a task limit of a millisecond.
fn scripted(folder: &Path, name: &str, source: &str) -> TaskEntry {
    std::fs::create_dir_all(folder.join("lib")).unwrap();
    std::fs::write(folder.join(format!("{name}.js")), source).unwrap();
    let set = TaskSet::read(root()).unwrap();
    let mut entry = set.find("kite_gusts").unwrap().clone();
    name.clone_into(&mut entry.task.evaluation);
    entry.task.limits.task_ms = 1;
    folder.clone_into(&mut entry.scripts);
    entry
}

/// One that never ends is in `browser_virtual`, among heavy programs: to end it takes its processor time.
#[test]
fn a_script_that_misbehaves_is_a_judge_error_and_says_where() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let sb3 = kite(&fleet).await.initial;
        let folder = tempfile::tempdir().unwrap();
        let judges = Judges::new(fleet.clone(), AT_ONCE);
        let cases = [
            ("sleeps", "module.exports = () => new Promise(() => {});", "did not return"),
            ("throws", "module.exports = async () => {\n  null.wings;\n};", "eval-scripts/throws.js:2"),
            ("syntax", "module.exports = async () => {\n  +;\n};", "eval-scripts/syntax.js:2: SyntaxError: "),
            ("nonsense", "module.exports = async () => 'fine';", "report"),
            (
                "miscounts",
                "module.exports = async () => ({success: false, passed_tests: 0, total_tests: 4, details: []});",
                "claims 0 of 4",
            ),
        ];
        let verdicts: Vec<_> = stream::iter(cases)
            .map(|(name, source, says)| {
                let (judges, entry, sb3) = (judges.clone(), scripted(folder.path(), name, source), &sb3);
                async move { (name, says, judge(&judges, &entry, sb3).await) }
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        for (name, says, verdict) in verdicts {
            assert_eq!(verdict.outcome, Outcome::JudgeError, "{name}: {verdict:#?}");
            let error = verdict.error.as_ref().unwrap();
            assert!(error.contains(says), "{name}: {verdict:#?}");
            assert!(name != "syntax" || !error.contains("page-fn"), "{error}");
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn the_papers_form_of_script_is_run_too() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let sb3 = kite(&fleet).await.initial;
        let folder = tempfile::tempdir().unwrap();
        let source = "// A comment.\nreturn (async function (vm) {\n  console.log('targets', vm.runtime.targets.length);\n  \
                  const details = [{name: 'there is a Kite', passed: vm.runtime.targets.length === 2}];\n  \
                  return {success: true, passed_tests: 1, total_tests: 1, details, score: 1};\n})(window.vm);";
        let judges = Judges::new(fleet.clone(), 1);
        let verdict = judge(&judges, &scripted(folder.path(), "paper", source), &sb3).await;
        assert_eq!(verdict.outcome, Outcome::Passed, "{verdict:#?}");
        assert_eq!(verdict.warnings, ["the report has an unknown field `score`"]);
        assert_eq!(verdict.console, ["log: targets 2"]);
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn a_file_that_is_no_project_is_refused_before_a_page_is_taken() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let set = TaskSet::read(root()).unwrap();
        let judges = Judges::new(fleet.clone(), 1);
        let how = Conditions::seeded(1);
        let error = judges.judge(set.find("kite_gusts").unwrap(), b"nonsense", &how).await.unwrap_err();
        assert_eq!(error.code(), "project_invalid");
        assert_eq!(fleet.status().lent, 0);
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// A script sees its page by `parent`, and the VM's classes: what it does there must not reach the next script.
#[test]
fn what_a_script_alters_in_its_page_does_not_outlive_it() {
    in_shared_browsers(async {
        let (fleet, folder) = (fleet().await, tempfile::tempdir().unwrap());
        let judges = Judges::new(fleet.clone(), 1);
        let sb3 = kite(&fleet).await.golden;
        let honest = "module.exports = async () => ({success: false, passed_tests: 0, total_tests: 1, details: [{name: 'a', passed: false}]});";
        let lie = "({success: true, passed_tests: 1, total_tests: 1, details: [{name: 'a', passed: true}]})";
        let page = "const page = [].constructor.constructor('return parent')();";
        let harms = [
            (
                "plain",
                format!(
                    "{page} const {{parse}} = page.JSON; page.JSON.parse = text => text.includes('total_tests') ? {lie} : parse(text);"
                ),
            ),
            ("realm", format!("{page} page.Array.prototype.map = () => [];")),
            ("class", "vm.runtime.constructor.prototype.startHats = () => [];".to_owned()),
            ("statics", "vm.constructor.prototype.loadProject = () => { throw new Error('no'); };".to_owned()),
            (
                "exports",
                format!(
                    "{page} try {{ page.__scratchbed.require('evaluation-run').startEvaluation = () => {{}}; }} catch {{}} page.__scratchbed.require('evaluation-run').renderers.x = 1;"
                ),
            ),
            (
                "rooms",
                format!(
                    "{page} try {{ page.__scratchbed.bring('harm', {{'evaluation-run': module => {{ module.exports = {{}}; }}}}); }} catch {{}}"
                ),
            ),
        ];
        // Each costs a page.
        for (name, harm) in of_the_day(&harms, 2) {
            let harmful = format!("module.exports = async vm => {{ {harm} return {lie}; }};");
            judge(&judges, &scripted(folder.path(), &format!("{name}_harm"), &harmful), &sb3).await;
            let next = judge(&judges, &scripted(folder.path(), name, honest), &sb3).await;
            assert_eq!((next.outcome, next.passed_tests), (Outcome::Failed, 0), "{name}: {:?}", next.error);
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn a_judgement_in_a_page_of_its_own_says_the_same() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let set = TaskSet::read(root()).unwrap();
        let entry = set.find("kite_gusts").unwrap();
        let sb3 = projects(&fleet, entry).await.golden;
        let first = judge(&judges, entry, &sb3).await;
        let opened = fleet.status().lent;
        let how = Conditions { fresh_page: true, ..Conditions::seeded(1) };
        let again = judges.judge(entry, &sb3, &how).await.unwrap().verdict;
        assert_eq!((first.outcome, &first.trace_hash), (again.outcome, &again.trace_hash));
        assert_eq!(fleet.status().lent, opened, "pages that are opened for one project do not pile up");
        assert!(first.trace_hash.is_some());
        judges.close().await;
        fleet.shutdown().await;
    });
}
