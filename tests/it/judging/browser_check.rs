//! Certifying against the real judge: a bundled task is certified, and a script that looks at nothing is caught.

use std::path::Path;

use scratchbed::certify::{Certificate, CheckOptions, KeptJudge, MutantOutcome, Projects, certify};
use scratchbed::judge::Judges;
use scratchbed::taskset::{TaskEntry, TaskSet};

use super::browser_judge::projects;
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

/// Few of everything: what is checked here is the way, not the task.
const FEW: CheckOptions =
    CheckOptions { seeds: 2, mutants: 2, behaviours: 2, collateral: 2, benign: 3, late: 2, lanes: 2 };
/// Where faults in the golden project are the subject, and where the rest is.
const FAULTS: CheckOptions = CheckOptions { collateral: 1, benign: 1, ..FEW };
const REST: CheckOptions = CheckOptions { seeds: 1, behaviours: 1, ..FEW };

async fn checked(
    judges: &Judges,
    folder: &Path,
    entry: &TaskEntry,
    projects: &Projects,
    options: CheckOptions,
) -> Certificate {
    let judge = KeptJudge::new(judges.clone(), folder.to_owned(), String::new(), false);
    certify(entry, projects, &judge, options, None, &|_| ()).await.unwrap()
}

/// The same task with a judge that is content with everything.
fn content(entry: &TaskEntry, scripts: &Path) -> TaskEntry {
    let source = "module.exports = async () => ({\n  success: true, passed_tests: 1, total_tests: 1,\n  \
                  details: [{name: 'all is fine', passed: true}]\n});\n";
    std::fs::write(scripts.join(format!("{}.js", entry.task.evaluation)), source).unwrap();
    TaskEntry { scripts: scripts.to_owned(), ..entry.clone() }
}

#[test]
fn a_sound_task_is_certified_and_a_script_that_passes_everything_is_refused() {
    in_shared_browsers(async {
        let set = TaskSet::read(root()).unwrap();
        let entry = set.find("kite_gusts").unwrap();
        let (fleet, folder) = (fleet().await, tempfile::tempdir().unwrap());
        let judges = Judges::new(fleet.clone(), 1);
        let projects = projects(&fleet, entry).await;

        let certificate = checked(&judges, folder.path(), entry, &projects, FAULTS).await;
        assert_eq!(certificate.reasons, [""; 0]);
        assert!(certificate.certified && certificate.flake_rate.abs() < f64::EPSILON);
        assert!(
            !certificate.browser.is_empty() && !certificate.editor.is_empty() && certificate.hashes.script.len() == 64
        );
        let mutation = certificate.mutation.unwrap();
        assert_eq!((mutation.sample, mutation.score), (2, Some(1.0)));
        assert!(mutation.population > 2);
        let behaviour = certificate.behaviour.unwrap();
        assert_eq!((behaviour.sample, behaviour.limit), (2, 2));
        assert!(behaviour.mutants.iter().all(|mutant| mutant.outcome != MutantOutcome::Unjudged), "{behaviour:#?}");
        assert_eq!(mutation.tests.iter().map(|test| test.kills.len()).sum::<usize>(), 2);

        let certificate = checked(&judges, folder.path(), &content(entry, folder.path()), &projects, FAULTS).await;
        assert!(!certificate.certified && !certificate.initial_failed);
        let mutation = certificate.mutation.unwrap();
        assert_eq!(mutation.score, Some(0.0), "{mutation:#?}");
        assert!(mutation.mutants.iter().all(|mutant| mutant.outcome == MutantOutcome::Survived), "{mutation:#?}");
        assert!(certificate.reasons.iter().any(|reason| reason.contains("mutation score 0")));

        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn damage_to_the_rest_is_noticed_and_what_does_the_same_passes() {
    in_shared_browsers(async {
        let set = TaskSet::read(root()).unwrap();
        let entry = set.find("crab_astray").unwrap();
        let (fleet, folder) = (fleet().await, tempfile::tempdir().unwrap());
        let judges = Judges::new(fleet.clone(), 1);
        let projects = projects(&fleet, entry).await;

        let certificate = checked(&judges, folder.path(), entry, &projects, REST).await;
        assert_eq!(certificate.reasons, [""; 0]);
        let collateral = certificate.collateral.unwrap();
        assert_eq!((collateral.sample, collateral.score), (2, Some(1.0)), "{collateral:#?}");
        assert!(collateral.mutants.iter().all(|mutant| !mutant.failed.is_empty()), "{collateral:#?}");
        let benign = certificate.benign.unwrap();
        assert_eq!((benign.judged, benign.passed), (3, 3), "{benign:#?}");
        let report = certificate.tests.unwrap();
        assert!(report.tests.iter().all(|test| test.tried >= test.kills && test.kills >= test.first), "{report:#?}");

        let certificate = checked(&judges, folder.path(), &content(entry, folder.path()), &projects, REST).await;
        let survivors = certificate.collateral.unwrap().mutants;
        assert!(survivors.iter().all(|mutant| mutant.outcome == MutantOutcome::Survived), "{survivors:#?}");
        assert!(survivors.iter().all(|mutant| mutant.became.is_some()), "{survivors:#?}");
        assert_eq!(certificate.tests.unwrap().idle(), ["all is fine"]);

        judges.close().await;
        fleet.shutdown().await;
    });
}
