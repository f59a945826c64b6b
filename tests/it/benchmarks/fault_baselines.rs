//! Programs that explain faults get the public part alone, and every table of explanations has the floor of whoever knows nothing but the
//! report. No browser: nothing is played for an explanation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scratchbed::bugs::CANARY;
use scratchbed::project::Project;

use crate::support::files;
use crate::support::forged::{bench, instance, report};
use crate::support::program::{Scratchbed, json_at};

/// A benchmark of one fault.
fn forged() -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    bench(&folder, &[instance("one", "one", Some("MIT"), report())]);
    let name = folder.to_string_lossy().into_owned();
    (place, name)
}

/// A program that answers with all that it was told: what it prints is its question, the files of its folder, and its environment.
#[test]
fn a_program_is_told_of_no_folder_in_which_the_truth_is() {
    let (_place, bench) = forged();
    let scratchbed = Scratchbed::new();
    let command = "cat; ls; env; cat report.json";
    let run = ["explain", "run", &bench, "--agent", "command", "--command", command];
    let answer = scratchbed.blocking_answer(&run);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stderr.contains("warning: the program runs as the user of this command"), "{}", answer.stderr);
    let told = files(&answer.run()).into_iter().find(|path| path.ends_with("answer.txt")).unwrap();
    let told = std::fs::read_to_string(told).unwrap();
    assert!(!told.contains(&bench), "{told}");
    assert!(told.contains("/buggy.sb3\"") && told.contains("second green flag"), "it has what is public: {told}");
    assert!(told.contains(CANARY), "public files say what they are: {told}");
    assert!(!told.contains("MI.delete") && !told.contains("golden.sb3"), "{told}");
    let silenced = scratchbed.blocking_answer(&[&run[..], &["--isolation", "none"]].concat());
    assert!(!silenced.stderr.contains("warning: the program runs"), "{}", silenced.stderr);
    let record = json_at(&silenced.run().join("run.json"));
    assert_eq!(record["options"]["agent"]["isolation"], "none", "{record:#}");
    // What it printed is no explanation, and the page says so.
    let reported = scratchbed.blocking_answer(&["explain", "report", &bench, &answer.run_arg()]);
    let page = std::fs::read_to_string(reported["report"].as_str().unwrap()).unwrap();
    assert!(page.contains("The answer could not be read") && page.contains("The answer as it came"), "{page}");
}

#[test]
fn every_table_of_explanations_has_the_floor_and_the_oracle_is_right_in_all() {
    let (_place, bench) = forged();
    let scratchbed = Scratchbed::new();
    let run = |agent: &str| scratchbed.blocking_answer(&["explain", "run", &bench, "--agent", agent]);
    let (oracle, alone) = (run("oracle"), run("report"));
    assert_eq!(oracle["score"]["all"]["trigger_f1"], 1.0, "{oracle:#}");
    assert_eq!(oracle["score"]["all"]["understood"]["hits"], 1);
    // This report gives all away.
    assert_eq!(alone["score"]["all"]["understood"], oracle["score"]["floor"]["understood"], "{oracle:#}");
    assert_eq!(oracle["score"]["floor"]["understood"]["hits"], 1);
    assert!(oracle.stderr.contains("report (floor)"), "{}", oracle.stderr);
    let page = std::fs::read_to_string(oracle["report"].as_str().unwrap()).unwrap();
    assert!(page.contains("report (floor)") && page.contains("the truth"), "{page}");
    let again = scratchbed.blocking_answer(&["explain", "report", &bench, &oracle.run_arg()]);
    assert_eq!((again.code, &again["score"]), (0, &oracle["score"]), "{again:#}");
    let side = scratchbed.call(&["report"]).args([oracle.run()]).plain().blocking_answer().stdout;
    assert!(side.contains("report (floor)"), "{side}");
    let both = scratchbed.call(&["report"]).args([oracle.run(), alone.run()]).plain().blocking_answer().stdout;
    assert_eq!(both.matches("report (floor)").count(), both.matches("oracle (ceiling)").count(), "once: {both}");
    let repair = scratchbed.blocking_answer(&["explain", "report", &bench, &bench]);
    assert_ne!(repair.code, 0, "{repair:#}");
}

/// The buggy project that is handed out is the one of the benchmark, byte for byte.
#[test]
fn the_copy_of_a_program_is_the_public_project() {
    let (_place, bench) = forged();
    let scratchbed = Scratchbed::new();
    let command = "cat > /dev/null; base64 -w 0 buggy.sb3";
    let run = ["explain", "run", &bench, "--agent", "command", "--command", command, "--isolation", "none"];
    let answer = scratchbed.blocking_answer(&run);
    let told = files(&answer.run()).into_iter().find(|path| path.ends_with("answer.txt")).unwrap();
    let told = std::fs::read_to_string(told).unwrap();
    let given = STANDARD.decode(told.trim()).unwrap();
    let public = std::fs::read(format!("{bench}/public/one/buggy.sb3")).unwrap();
    assert_eq!(given, public);
    assert!(Project::read(&given).is_ok());
}
