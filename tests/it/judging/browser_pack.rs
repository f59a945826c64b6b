//! Task packs against the real editor: the committed checkout is imported, its pack is judged like the bundled
//! tasks, and reports of foreign scripts that contradict themselves are told as such.

use std::fs;
use std::path::{Path, PathBuf};

use scratchbed::benchmarks::tasks::import::import;
use scratchbed::compile::{Source, compile};
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Clock, Outcome, StageSize, Verdict};
use scratchbed::session::Fleet;
use scratchbed::taskset::Golden;
use scratchbed::taskset::{Contract, TaskEntry, TaskSet};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::program::Scratchbed;
use crate::support::{everything, of_the_day, root};

fn fixtures() -> PathBuf {
    root().join("tests/fixtures/scratchworld")
}

/// A pack of the committed checkout, in a folder of its own.
fn pack() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pack");
    let imported = import(&fixtures().join("checkout")).unwrap();
    assert_eq!(imported.report().gaps, []);
    imported.write(&out, false).unwrap();
    (folder, out)
}

async fn judge(judges: &Judges, entry: &TaskEntry, project: &Path) -> Verdict {
    let sb3 = fs::read(project).unwrap();
    judges.judge(entry, &sb3, &Conditions::seeded(1)).await.unwrap().verdict
}

async fn finish(judges: Judges, fleet: Fleet) {
    judges.close().await;
    fleet.shutdown().await;
}

#[test]
fn an_imported_task_passes_with_its_golden_and_fails_without_each_time_the_same() {
    in_shared_browsers(async {
        let (_folder, pack) = pack();
        let set = TaskSet::read_pack(&pack).unwrap();
        assert_eq!(set.all().len(), 4);
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        for entry in set.all() {
            assert_eq!((entry.contract(), entry.task.stage), (Contract::ScratchWorld, StageSize::Small));
            let golden = judge(&judges, entry, &entry.golden()).await;
            assert_eq!(golden.outcome, Outcome::Passed, "{golden:#?}");
            assert!(golden.total_tests >= 2 && golden.warnings.is_empty(), "{golden:#?}");
            let initial = judge(&judges, entry, &entry.initial()).await;
            assert_eq!(initial.outcome, Outcome::Failed, "{initial:#?}");
            let again = judge(&judges, entry, &entry.golden()).await;
            assert!(golden.trace_hash.is_some());
            // A small stage prepares smaller shapes of costumes, as drawing it does.
            let drawn = Conditions { draw: true, ..Conditions::seeded(1) };
            let drawn = judges.judge(entry, &fs::read(entry.golden()).unwrap(), &drawn).await.unwrap().verdict;
            assert_eq!(drawn.trace_hash, golden.trace_hash, "{}", entry.task.id);
            assert_eq!((again.trace_hash, again.details), (golden.trace_hash, golden.details), "{}", entry.task.id);
        }
        finish(judges, fleet).await;
    });
}

/// What the published scripts rest on: a helper library that exports, the small canvas, an interval that comes before a
/// timeout which is due with it.
#[test]
fn goldens_pass_under_any_seed_and_in_real_time_with_the_same_tests() {
    in_shared_browsers(async {
        let (_folder, pack) = pack();
        let set = TaskSet::read_pack(&pack).unwrap();
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let real = Conditions { clock: Clock::Real, ..Conditions::seeded(1) };
        let (tasks, seeds) = if everything() { (set.all().len(), 5) } else { (2, 3) };
        for entry in of_the_day(set.all(), tasks) {
            let golden = fs::read(entry.golden()).unwrap();
            let mut found = Vec::new();
            for how in (1..=seeds).map(Conditions::seeded).chain([real]) {
                let verdict = judges.judge(entry, &golden, &how).await.unwrap().verdict;
                assert_eq!(verdict.outcome, Outcome::Passed, "{verdict:#?}");
                found.push(verdict.details.into_iter().map(|case| (case.name, case.passed)).collect::<Vec<_>>());
            }
            found.dedup();
            assert_eq!(found.len(), 1, "{}: {found:#?}", entry.task.id);
        }
        finish(judges, fleet).await;
    });
}

#[test]
fn the_checkouts_lists_of_tasks_can_be_chosen_as_splits() {
    let (_folder, pack) = pack();
    let listed = |split: &str| {
        let list = ["task", "list", "--pack", pack.to_str().unwrap(), "--split", split];
        let list = Scratchbed::new().blocking_answer(&list);
        assert_eq!(list.code, 0, "{}", list.stderr);
        list["tasks"].as_array().unwrap().len()
    };
    assert_eq!(["one_task", "three_tasks", "all_tasks", "all"].map(listed), [1, 3, 4, 4]);
}

#[test]
fn a_helper_library_that_leaves_nothing_is_named_in_the_verdict() {
    in_shared_browsers(async {
        let (_folder, pack) = pack();
        let library = pack.join("eval-scripts/evaluation_utils.js");
        let source = fs::read_to_string(&library).unwrap();
        let exports = "module.exports = EvaluationUtils;";
        assert!(source.ends_with(&format!("{exports}\n")), "the published library is a module that exports");
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        for (end, outcome) in
            [("window.EvaluationUtils = EvaluationUtils;", Outcome::Passed), ("", Outcome::JudgeError)]
        {
            fs::write(&library, source.replace(exports, end)).unwrap();
            let set = TaskSet::read_pack(&pack).unwrap();
            let entry = set.find("three_times").unwrap();
            let verdict = judge(&judges, entry, &entry.golden()).await;
            assert_eq!(verdict.outcome, outcome, "{verdict:#?}");
            let told =
                verdict.error.is_some_and(|error| error.contains("evaluation_utils.js neither exports a library"));
            assert_eq!(told, outcome == Outcome::JudgeError);
        }
        finish(judges, fleet).await;
    });
}

#[test]
fn a_foreign_report_that_contradicts_itself_is_judged_by_its_list() {
    in_shared_browsers(async {
        let (_folder, pack) = pack();
        let script = pack.join("eval-scripts/three_times.js");
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        for (report, outcome, says) in [
            ("{success: true, passed_tests: 2, total_tests: 2, details}", Outcome::Failed, "claims 2 of 2 tests"),
            (
                "{success: false, passed_tests: 0, total_tests: 9, details: []}",
                Outcome::JudgeError,
                "claims 0 of 9 tests",
            ),
        ] {
            let details = "const details = [{name: 'a', passed: true}, {name: 'b', passed: false}];";
            fs::write(&script, format!("module.exports = async () => {{ {details} return {report}; }};")).unwrap();
            let set = TaskSet::read_pack(&pack).unwrap();
            let entry = set.find("three_times").unwrap();
            let verdict = judge(&judges, entry, &entry.golden()).await;
            assert_eq!(verdict.outcome, outcome, "{verdict:#?}");
            let told = verdict.warnings.iter().chain(&verdict.error).any(|text| text.contains(says));
            assert!(told, "{verdict:#?}");
        }
        finish(judges, fleet).await;
    });
}

/// The committed project files are small binaries; this is what ties them to their texts.
#[test]
fn the_checkouts_project_files_are_what_their_texts_build_to() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let texts = fs::read_dir(fixtures().join("projects")).unwrap().map(|entry| entry.unwrap().path());
        let texts: Vec<_> = texts.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
        assert!(!texts.is_empty());
        let lease = fleet.acquire().await.unwrap();
        for text in &texts {
            let name = text.file_stem().unwrap().to_str().unwrap();
            let built = compile(&lease.page, &Source::read(text).unwrap()).await.unwrap().write().unwrap();
            let kept = fs::read(fixtures().join(format!("checkout/scratch-gui/static/{name}.sb3"))).unwrap();
            assert!(built == kept, "build {name}.sb3 anew with `scratchbed task build`");
        }
        fleet.release(lease).await;
        fleet.shutdown().await;
    });
}

#[test]
fn a_pack_is_made_and_judged_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pack");
    let (checkout, out) = (fixtures().join("checkout"), out.to_str().unwrap());
    let scratchbed = Scratchbed::new();
    let import = ["task", "import", "scratchworld", checkout.to_str().unwrap(), "--out", out];
    let report = scratchbed.blocking_answer(&import);
    assert_eq!(report.code, 0);
    assert_eq!((&report["complete"], &report["stage"]), (&true.into(), &"small".into()), "{report}");
    let snail = report["tasks"].as_array().unwrap().iter().find(|task| task["id"] == "snail_garden_backwards").unwrap();
    assert_eq!(snail["golden_rule"], serde_json::to_value(Golden::Base).unwrap(), "{report}");
    assert_eq!(scratchbed.blocking_answer(&import)["error"]["code"], "pack_exists");
    let judged = ["judge", "--pack", out, "--task", "snail_garden_backwards", "--golden"];
    let judged = scratchbed.blocking_answer(&judged);
    assert_eq!((judged.code, &judged["outcome"]), (0, &"passed".into()), "{}", judged.stderr);
}

#[test]
fn an_import_with_gaps_ends_with_1_and_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = folder.path().join("checkout");
    copy(&fixtures().join("checkout"), &checkout);
    fs::remove_file(checkout.join("evaluation_scripts/three_times.js")).unwrap();
    let out = folder.path().join("pack");
    let (from, to) = (checkout.to_str().unwrap(), out.to_str().unwrap());
    let report = Scratchbed::new().blocking_answer(&["task", "import", "scratchworld", from, "--out", to]);
    assert_eq!(report.code, 1);
    let gap = &report["gaps"][0];
    assert_eq!(
        (&gap["kind"], &gap["task"], &gap["part"]),
        (&"missing".into(), &"three_times".into(), &"script".into())
    );
    assert_eq!(report["tasks"].as_array().unwrap().len(), 3, "{report}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(drop).unwrap() }
    }
}
