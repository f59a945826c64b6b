//! What the fuzzer found worth keeping holds: each file of `tests/fuzz/corpus` through its target. Looking for more is
//! `make fuzz`.

use std::collections::BTreeSet;

use crate::support::root;

#[path = "../../fuzz/targets.rs"]
mod targets;

#[test]
fn every_target_takes_all_of_its_corpus() {
    let known: BTreeSet<String> = targets::TARGETS.map(|(name, _)| name.to_owned()).into();
    for (folder, end) in [("corpus", ""), ("fuzz_targets", ".rs")] {
        let entries = std::fs::read_dir(root().join("tests/fuzz").join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.map(|name| name.trim_end_matches(end).to_owned()).collect::<BTreeSet<_>>(), known, "{folder}");
    }
    for (name, target) in targets::TARGETS {
        let folder = root().join("tests/fuzz/corpus").join(name);
        let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name} has hardly a corpus");
        for file in files {
            // The name of the file is in the captured output when a target panics.
            println!("{}", file.display());
            target(&std::fs::read(&file).unwrap());
        }
    }
}
