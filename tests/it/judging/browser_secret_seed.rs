//! Programs that answer from a table of what a script asks: they pass under the public seed, whose inputs can be read, and fail under
//! a secret one.

use std::fs;

use scratchbed::benchmarks::tasks::{Judging, LocalJudge, SecretSeed};
use scratchbed::compile::{Source, compile};
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Outcome, SeedKind, Trace, Verdict};
use scratchbed::mutants::{noted_inputs, noting_inputs, table_mutant};
use scratchbed::project::Project;
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};

use super::browser_judge::projects;
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

/// Steps and stones: what the cases of stair_stones ask always, and what they draw under seed 1.
const ROWS: [(u32, u32); 10] =
    [(0, 0), (1, 1), (3, 6), (4, 10), (5, 15), (10, 55), (25, 325), (9, 45), (21, 231), (49, 1225)];
/// A seed under which other steps are drawn: 6, 19 and 32.
const SECRET: u64 = 3_000_000_000;

fn task(id: &str) -> TaskEntry {
    TaskSet::read(root()).unwrap().find(id).unwrap().clone()
}

/// The program of stair_stones that looks the answer up.
fn table(entry: &TaskEntry) -> String {
    let golden = fs::read_to_string(entry.golden()).unwrap();
    let (head, _) = golden.split_once("    set [stones v] to (0)\n").unwrap();
    let row =
        |(steps, stones): (u32, u32)| format!("    if <(answer) = [{steps}]> then\n      say [{stones}]\n    end\n");
    ROWS.into_iter().fold(head.to_owned(), |text, entry| text + &row(entry))
}

async fn built(fleet: &Fleet, entry: &TaskEntry, text: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.txt");
    fs::write(&file, text).unwrap();
    let source = Source::read_with(&file, entry.asset_folders()).unwrap();
    let lease = fleet.acquire().await.unwrap();
    let project = compile(&lease.page, &source).await.unwrap();
    fleet.release(lease).await;
    project.write().unwrap()
}

fn results(verdict: &Verdict) -> Vec<(SeedKind, Outcome, u32, u32)> {
    let results = verdict.seed_results.iter();
    results.map(|one| (one.kind, one.outcome, one.passed_tests, one.total_tests)).collect()
}

#[test]
fn a_table_of_what_a_script_asks_passes_under_the_public_seed_alone() {
    in_shared_browsers(async {
        let entry = task("stair_stones");
        let fleet = fleet().await;
        let table = built(&fleet, &entry, &table(&entry)).await;
        let golden = projects(&fleet, &entry).await.golden;
        let judges = Judges::new(fleet.clone(), 1);
        let judged = |secret| LocalJudge::over(judges.clone(), secret, Checkout::at(root()).projects());
        let judge = judged(SecretSeed::Shared(SECRET));

        let public = judge.judge_as(&entry, &table, None).await.unwrap();
        assert_eq!((public.outcome, public.total_tests), (Outcome::Passed, 7), "{public:#?}");
        let both = judge.judge(&entry, &table).await.unwrap();
        let (passed, failed) = ((SeedKind::Public, Outcome::Passed, 7, 7), (SeedKind::Secret, Outcome::Failed, 6, 7));
        assert_eq!((both.outcome, results(&both)), (Outcome::Failed, vec![passed, failed]), "{both:#?}");
        let lost: Vec<_> = both.details.iter().filter(|test| !test.passed).collect();
        assert!(lost.len() == 1 && lost[0].name == "steps by chance", "{both:#?}");
        assert!(lost[0].error.as_ref().unwrap().ends_with("whose inputs are not told"), "{both:#?}");
        assert!(!serde_json::to_string(&both).unwrap().contains(&SECRET.to_string()), "{both:#?}");

        // Where a verdict is told to whoever asks, its seed is used once, and can be told. Were the solution not sound under the other
        // one, the table would not have failed: the script would have been at fault.
        let told = judged(SecretSeed::Fresh).judge(&entry, &golden).await.unwrap();
        assert_eq!((told.outcome, told.passed_tests, told.seed_results.len()), (Outcome::Passed, 7, 2), "{told:#?}");
        assert!(told.seed_results[1].seed.is_some_and(|seed| seed > 1 << 30), "{told:#?}");
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// By what the script hands over in lists, and by lists and answers.
#[test]
fn a_table_mutant_knows_what_was_asked_and_nothing_else() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        for id in ["apple_sort", "coin_drawer"] {
            let entry = task(id);
            let golden = Project::read(&projects(&fleet, &entry).await.golden).unwrap();
            let noting = noting_inputs(&golden).unwrap().write().unwrap();
            let how = Conditions { trace: true, ..Conditions::seeded(1) };
            let noted = judges.judge(&entry, &noting, &how).await.unwrap();
            assert_eq!(noted.verdict.outcome, Outcome::Passed, "{id}: {:#?}", noted.verdict);
            let inputs = noted_inputs(&Trace::of(noted.trace.unwrap()).unwrap());
            assert!(inputs.len() > 10, "{id}: {inputs:#?}");
            let table = table_mutant(&golden, &inputs).unwrap().write().unwrap();
            for (seed, wanted) in [(1, Outcome::Passed), (2, Outcome::Failed)] {
                let judged = judges.judge(&entry, &table, &Conditions::seeded(seed)).await.unwrap().verdict;
                assert_eq!(judged.outcome, wanted, "{id} under seed {seed}: {judged:#?}");
            }
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}
