//! Tests of `ledger`.

use std::fs::{create_dir_all, metadata};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use scratchbed::experiment::Plan;

use super::*;

/// The settings of an empty checkout in a temporary folder.
fn settings(place: &Path) -> Settings {
    Settings { root: Checkout::at(place), chromium: None, ledger: None }
}

fn at(file: &Path) -> LedgerArgs {
    LedgerArgs { ledger: Some(file.display().to_string()) }
}

#[tokio::test]
async fn a_ledger_is_for_its_owner_alone_wherever_it_lies() {
    let place = tempfile::tempdir().unwrap();
    let settings = settings(&place.path().join("checkout"));
    let elsewhere = place.path().join("elsewhere/deep/ledger.sqlite");
    for (args, file) in [(at(&elsewhere), elsewhere), (LedgerArgs { ledger: None }, settings.root.ledger())] {
        let _open = args.open(&settings).await.unwrap();
        let mode = |path: &Path| metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700), "{}", file.display());
    }
}

#[tokio::test]
async fn a_ledger_that_others_would_be_shown_is_refused_before_anything_is_made() {
    let place = tempfile::tempdir().unwrap();
    let settings = settings(place.path());
    let run = Plan { benchmark: "tasks", name: "x".to_owned(), ..Plan::default() };
    let run = run.open(&settings.root.runs(), None).unwrap();
    let packages = place.path().join("packages");
    create_dir_all(&packages).unwrap();
    create_dir_all(settings.root.scratch_gui()).unwrap();
    symlink(&packages, settings.root.node_modules()).unwrap();
    symlink(run.path(), place.path().join("link")).unwrap();
    symlink(run.path().join("hidden.sqlite"), place.path().join("link.sqlite")).unwrap();
    let shown = [
        settings.root.scratch_gui().join("host/ledger.sqlite"),
        settings.root.node_modules().join("made/ledger.sqlite"),
        packages.join("ledger.sqlite"),
        settings.root.reference_editor().join("ledger.sqlite"),
        run.path().join("ledger.sqlite"),
        run.path().join("attempts/deep/ledger.sqlite"),
        place.path().join("link/ledger.sqlite"),
        place.path().join("link.sqlite"),
    ];
    for file in shown {
        assert_eq!(at(&file).open(&settings).await.unwrap_err().code(), "ledger_shown", "{}", file.display());
        assert!(!file.exists() && !run.path().join("hidden.sqlite").exists());
    }
    assert!(!run.path().join("attempts").exists());
    // A link in it keeps a run from being opened; it is a run all the same.
    symlink(&packages, run.path().join("linked")).unwrap();
    assert_eq!(at(&run.path().join("ledger.sqlite")).open(&settings).await.unwrap_err().code(), "ledger_shown");
    at(&place.path().join("own.sqlite")).open(&settings).await.unwrap();
}

#[test]
fn programs_are_kept_from_the_ledger_that_a_command_names() {
    let place = tempfile::tempdir().unwrap();
    let settings = settings(place.path());
    let file = place.path().join("own.sqlite");
    assert_eq!(at(&file).known_to(&settings).ledger, Some(file));
    let database = LedgerArgs { ledger: Some("env:DATABASE".to_owned()) };
    assert_eq!(database.known_to(&settings).ledger, None);
    assert_eq!(LedgerArgs { ledger: None }.known_to(&settings).ledger, None, "it lies among the runs");
}
