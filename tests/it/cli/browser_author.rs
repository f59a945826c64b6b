//! Started tasks in the real editor: as they stand, drafts of create and compute build, their goldens pass, their starts
//! fail, and the list of calls that comes with the template is the one that is derived.

use std::path::Path;

use scratchbed::author::{NewTask, scaffold};
use scratchbed::certify::build;
use scratchbed::certify::solution;
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Category, Mode, Outcome};
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::program::{Answer, Scratchbed, link};
use crate::support::{of_the_day, root};

/// A folder for drafts with the helpers and bases of this checkout.
fn root_for_drafts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    link(folder.path(), &["eval-scripts/lib", "tasks/bases"]);
    folder
}

fn start(folder: &Path, category: Category, base: Option<&str>) {
    let id = format!("started_{category}").parse().unwrap();
    let base = base.map(|base| base.parse().unwrap());
    scaffold(&Checkout::at(folder), &NewTask { category, id, title: None, base }).unwrap();
}

#[test]
fn started_tasks_build_and_are_judged_as_they_stand() {
    in_shared_browsers(async {
        let folder = root_for_drafts();
        start(folder.path(), Category::Create, None);
        start(folder.path(), Category::Compute, None);
        start(folder.path(), Category::Debug, Some("pearl_sub"));
        start(folder.path(), Category::Extend, Some("pearl_sub"));
        let drafts = TaskSet::read_drafts(folder.path()).unwrap();
        assert_eq!((drafts.unfinished(), drafts.all().len()), (&[][..], 4));

        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let sessions =
            Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: std::time::Duration::from_secs(600) });
        // A template that has its judge and one that has not; the other two of them on another day.
        let mut chosen = of_the_day(&[Category::Create, Category::Compute], 1);
        chosen.extend(of_the_day(&[Category::Debug, Category::Extend], 1));
        // A template that changed is built anew, as its text is not in the cache.
        let cache = Checkout::at(root()).projects();
        for entry in drafts.all().iter().filter(|entry| chosen.contains(&&entry.task.category)) {
            let projects = build(&fleet, &cache, entry).await.unwrap();
            let golden = judges.judge(entry, &projects.golden, &Conditions::seeded(1)).await.unwrap().verdict;
            let initial = judges.judge(entry, &projects.initial, &Conditions::seeded(1)).await.unwrap().verdict;
            assert_eq!(initial.outcome, Outcome::Failed, "{initial:#?}");
            assert_eq!(golden.total_tests, 3, "{golden:#?}");
            if matches!(entry.task.category, Category::Debug | Category::Extend) {
                assert_eq!(golden.outcome, Outcome::Failed, "an unwritten judge passes nothing: {golden:#?}");
                continue;
            }
            assert_eq!((golden.outcome, initial.passed_tests), (Outcome::Passed, 0), "{golden:#?}{initial:#?}");
            let derived = solution(&sessions, &projects.initial, &projects.golden).await.unwrap();
            assert_eq!(entry.oracle(Mode::Composite).unwrap().unwrap(), derived, "{}", entry.task.id);
        }
        sessions.shutdown().await;
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// A judge of three cases that all do this.
fn judge(run: &str) -> String {
    let case = |name: &str| format!("    {{name: '{name}', run: async player => {{ await player.flag(); {run} }}}}");
    let cases = ["one", "two", "three"].map(case).join(",\n");
    format!("// @ts-check\nconst {{suite}} = require('./lib/suite.js');\n\nmodule.exports = suite([\n{cases}\n]);\n")
}

/// Has a model that answers so write the judge of the draft `started_create`; what the model was asked, too.
async fn judged(folder: &Path, answers: &[String], rounds: &str) -> (Answer, Vec<Value>) {
    let acts: Vec<Act> = answers.iter().map(|judge| Act::Say(format!("=== judge.js ===\n{judge}"))).collect();
    let (endpoint, address) = Endpoint::serve(acts).await;
    let call = Scratchbed::at(folder).call(&["task", "expand", "judge", "--task", "started_create", "--drafts"]);
    let call = call.args(["--write", "--rounds", rounds, "--endpoint", &address, "--model", "scripted"]);
    (call.answer().await, endpoint.asked())
}

#[test]
fn a_model_writes_the_judge_of_a_finished_task_and_is_told_what_it_passes() {
    in_shared_browsers(async {
        let folder = root_for_drafts();
        link(folder.path(), &["scratch-gui", ".cache"]);
        start(folder.path(), Category::Create, None);
        let place = folder.path().join("eval-scripts/drafts/started_create.js");
        let own = std::fs::read_to_string(&place).unwrap();

        let (answer, _) = judged(folder.path(), &[judge("")], "0").await;
        assert_eq!((answer.code, std::fs::read_to_string(&place).unwrap()), (1, own.clone()), "{answer:#}");
        let left = answer.run().join("problems.txt");
        assert_eq!(
            std::fs::read_to_string(left).unwrap(),
            "the initial project passes all cases, though it does not solve the task\n"
        );

        let finished = format!("{own}// By a model.\n");
        let answers = [
            judge("require('fs');"),
            judge("undefined.x();"),
            judge("require('./lib/expect.js').expect(false, 'no');"),
            finished.clone(),
        ];
        let (answer, asked) = judged(folder.path(), &answers, "3").await;
        assert_eq!(
            (answer.code, &answer["draft"]["problems"], &answer["draft"]["rounds"]),
            (0, &json!([]), &json!(4)),
            "{answer:#}"
        );
        assert_eq!(std::fs::read_to_string(&place).unwrap(), finished);
        let told = |number: usize| asked[number]["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        for part in ["(Sprite)", "### Scripts: *No scripts found*", "when green flag clicked", "player.flag()"] {
            assert!(told(0).contains(part), "{part} in\n{}", told(0));
        }
        assert!(told(1).contains("judge.js requires fs"), "{}", told(1));
        assert!(
            told(2).contains("on the golden project the judge breaks") && told(2).contains("TypeError"),
            "{}",
            told(2)
        );
        assert!(told(3).contains("the golden project fails the case `three`: no"), "{}", told(3));
    });
}
