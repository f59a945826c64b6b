//! Started tasks in the real editor: as they stand, drafts of create and compute build, their goldens pass, their starts
//! fail, and the list of calls that comes with the template is the one that is derived.

use std::os::unix::fs::symlink;
use std::path::Path;

use scratchbed::author::{NewTask, scaffold};
use scratchbed::certify::build;
use scratchbed::certify::solution;
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Category, Mode, Outcome};
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;

use crate::support::{fleet, root};

/// A folder for drafts with the helpers and bases of this checkout.
fn root_for_drafts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for shared in ["eval-scripts/lib", "tasks/bases"] {
        std::fs::create_dir_all(folder.path().join(shared).parent().unwrap()).unwrap();
        symlink(root().join(shared), folder.path().join(shared)).unwrap();
    }
    folder
}

fn start(folder: &Path, category: Category, base: Option<&str>) {
    let id = format!("started_{category}").parse().unwrap();
    let base = base.map(|base| base.parse().unwrap());
    scaffold(&Checkout::at(folder), &NewTask { category, id, title: None, base }).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn started_tasks_build_and_are_judged_as_they_stand() {
    let folder = root_for_drafts();
    start(folder.path(), Category::Create, None);
    start(folder.path(), Category::Compute, None);
    start(folder.path(), Category::Debug, Some("pearl_sub"));
    start(folder.path(), Category::Extend, Some("pearl_sub"));
    let drafts = TaskSet::read_drafts(folder.path()).unwrap();
    assert_eq!((drafts.unfinished(), drafts.all().len()), (&[][..], 4));

    let fleet = fleet().await;
    let judges = Judges::new(fleet.clone(), 1);
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: std::time::Duration::from_secs(600) });
    for entry in drafts.all() {
        let projects = build(&fleet, &folder.path().join("projects"), entry).await.unwrap();
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
}
