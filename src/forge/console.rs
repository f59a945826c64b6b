//! Errors that programs write to the console of their page. What is written besides says nothing of a program.

use std::collections::BTreeSet;

/// How lines begin that the console has as errors.
const ERROR: &str = "error: ";
/// Levels of errors in lines of the machine's own log, which begin with the time.
const LEVELS: [&str; 2] = ["\tERROR\t", "\tFATAL\t"];

/// The error in a line, without the time of it.
fn error_in(line: &str) -> Option<&str> {
    let own_log = || LEVELS.iter().find_map(|level| line.find(*level).map(|at| &line[at + 1..]));
    own_log().or_else(|| line.strip_prefix(ERROR))
}

/// The first error of a program that gold does not have, in whichever of its runs.
pub fn new_error<'a>(
    lines: impl IntoIterator<Item = &'a String>,
    golden: impl IntoIterator<Item = &'a String>,
) -> Option<&'a str> {
    let known: BTreeSet<&str> = golden.into_iter().filter_map(|line| error_in(line)).collect();
    lines.into_iter().filter_map(|line| error_in(line)).find(|error| !known.contains(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(lines: &[&str], golden: &[&str]) -> Option<String> {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
        let (lines, golden) = (owned(lines), owned(golden));
        new_error(&lines, &golden).map(str::to_owned)
    }

    #[test]
    fn only_errors_count_and_only_those_that_gold_lacks() {
        let lines = ["log: hello", "warn: odd", "error: TypeError: x is null"];
        assert_eq!(new(&lines, &[]).as_deref(), Some("TypeError: x is null"));
        assert_eq!(new(&lines, &["error: TypeError: x is null"]), None);
        assert_eq!(new(&lines[..2], &[]), None);
    }

    #[test]
    fn an_error_of_the_machines_log_is_the_same_at_another_time() {
        let at = |time: &str, level: &str| {
            format!("log: 2024-01-01 12:00:{time}\t{level}\t/vm.js:7\tscratch-vm\tno such block")
        };
        assert_eq!(new(&[&at("01.5", "ERROR")], &[&at("09.0", "ERROR")]), None);
        assert_eq!(new(&[&at("01.5", "WARN")], &[]), None);
        let told = new(&[&at("01.5", "ERROR")], &[&at("01.5", "WARN")]).unwrap();
        assert!(told.starts_with("ERROR") && told.ends_with("no such block"), "{told}");
    }
}
