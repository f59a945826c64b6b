//! Both tracks of forged faults as arms of experiments: the settings of a file are the flags of their commands.

use crate::experiments::browser_experiment::runs_of;
use crate::support::forged::{bench, instance, report};
use crate::support::program::Scratchbed;

#[test]
fn explanations_are_arms_of_an_experiment() {
    let place = tempfile::tempdir().unwrap();
    let instances = ["one", "two"].map(|name| instance(name, name, Some("MIT"), report()));
    bench(&place.path().join("bench"), &instances);
    let name = "faults";
    let arm =
        |agent: &str| format!("[[arms]]\nagent = \"{agent}\"\nbench = \"{}\"\n", place.path().join("bench").display());
    let file = place.path().join("faults.toml");
    let text = format!("format = 1\nname = \"{name}\"\nbenchmark = \"explain\"\n\n{}\n{}", arm("oracle"), arm("noop"));
    std::fs::write(&file, text).unwrap();
    let scratchbed = Scratchbed::new();
    let planned = scratchbed.call(&["experiment", "plan"]).arg(&file).blocking_answer();
    assert_eq!(planned.code, 0, "{planned:?}");
    assert!(planned.to_string().contains("oracle"), "{planned:#}");
    let made = scratchbed.call(&["experiment", "run"]).arg(&file).blocking_answer();
    assert_eq!(made.code, 0, "{made:?}");
    let page = std::fs::read_to_string(runs_of(&scratchbed, name).join("report.html")).unwrap();
    assert!(page.contains("Understanding") && page.contains("100.00"), "the paper's table");
}
