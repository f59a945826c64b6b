//! Both tracks of forged faults as arms of experiments: the settings of a file are the flags of their commands.

use std::process::Command;

use serde_json::Value;

use crate::support::forged::{bench, instance, report};
use crate::support::root;

#[test]
fn explanations_are_arms_of_an_experiment() {
    let place = tempfile::tempdir().unwrap();
    let instances = ["one", "two"].map(|name| instance(name, name, Some("MIT"), report()));
    bench(&place.path().join("bench"), &instances);
    let name = format!("faults-{}", std::process::id());
    let arm =
        |agent: &str| format!("[[arms]]\nagent = \"{agent}\"\nbench = \"{}\"\n", place.path().join("bench").display());
    let file = place.path().join("faults.toml");
    let text = format!("format = 1\nname = \"{name}\"\nbenchmark = \"explain\"\n\n{}\n{}", arm("oracle"), arm("noop"));
    std::fs::write(&file, text).unwrap();
    let run = |command: &str, asked: &str| -> Value {
        let mut program = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
        let args = ["experiment", command, asked, "--json", "--root"];
        let done = program.env("SCRATCHBED_ALLOW_ROOT", "1").args(args).arg(root()).output().unwrap();
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{command}: {text}{said}");
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    };
    let planned = run("plan", &file.to_string_lossy());
    assert!(planned.to_string().contains("oracle"), "{planned:#}");
    run("run", &file.to_string_lossy());
    let folder = root().join("runs/experiments").join(&name);
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("Understanding") && page.contains("100.00"), "the paper's table");
    std::fs::remove_dir_all(folder).unwrap();
}
