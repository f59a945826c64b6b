//! The helpers of eval-scripts/lib against the real VM: Node tests them with fakes, which know no bubbles,
//! clones, drags or keyboards.

use scratchbed::compile::{Source, compile};
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::Outcome;
use scratchbed::taskset::TaskSet;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

#[test]
fn helpers_tell_what_a_real_program_does() {
    in_shared_browsers(async {
        let fixtures = root().join("tests/fixtures/judging");
        let scripts = tempfile::tempdir().unwrap();
        let lib = scripts.path().join("lib");
        std::fs::create_dir(&lib).unwrap();
        for file in std::fs::read_dir(root().join("eval-scripts/lib")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), lib.join(file.file_name())).unwrap();
        }
        std::fs::copy(fixtures.join("helpers.js"), scripts.path().join("helpers.js")).unwrap();
        let mut entry = TaskSet::read(root()).unwrap().find("kite_gusts").unwrap().clone();
        "helpers".clone_into(&mut entry.task.evaluation);
        (entry.task.limits.case_ms, entry.task.limits.task_ms) = (10_000, 60_000);
        scripts.path().clone_into(&mut entry.scripts);

        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let project = compile(&lease.page, &Source::read(&fixtures.join("helpers.txt")).unwrap()).await.unwrap();
        fleet.release(lease).await;
        let judges = Judges::new(fleet.clone(), 1);
        let judged = judges.judge(&entry, &project.write().unwrap(), &Conditions::seeded(1)).await;
        judges.close().await;
        fleet.shutdown().await;

        let verdict = judged.unwrap().verdict;
        assert_eq!(verdict.outcome, Outcome::Failed, "{verdict:#?}");
        let not_passed: Vec<_> =
            verdict.details.iter().filter(|case| !case.passed).map(|case| case.name.as_str()).collect();
        assert_eq!(
            not_passed,
            ["this one fails: the Crab is not draggable", "this one times out: nothing comes"],
            "{verdict:#?}"
        );
        assert_eq!(verdict.passed_tests, 8);
    });
}
