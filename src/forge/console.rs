//! Errors that programs write to the console of their page. What is written besides says nothing of a program.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::plays::FirstRuns;
use crate::judge::Played;

/// How lines begin that the console has as errors.
const ERROR: &str = "error: ";
/// Levels of errors in lines of the machine's own log, which begin with the time.
const LEVELS: [&str; 2] = ["\tERROR\t", "\tFATAL\t"];
/// UTF-16 units of its first line by which errors are told from each other, as in the judges of packs: a line is kept up to 500 with what stands before the error, which may be longer in one
/// line than in another.
const TOLD: usize = 400;

/// The error in a line, without the time of it, as far as it is told from others.
fn error_in(line: &str) -> Option<&str> {
    let own_log = || LEVELS.iter().find_map(|level| line.find(*level).map(|at| &line[at + 1..]));
    let error = own_log().or_else(|| line.strip_prefix(ERROR))?;
    // Of what follows, the lines of a stack, each page has its own.
    let error = error.split('\n').next().unwrap_or(error);
    let mut units = 0;
    let end = error.char_indices().find(|(_, letter)| {
        units += letter.len_utf16();
        units > TOLD
    });
    Some(end.map_or(error, |(end, _)| &error[..end]))
}

/// The errors in lines of a console, each without its time.
pub fn errors<'a>(lines: impl IntoIterator<Item = &'a String>) -> impl Iterator<Item = &'a str> {
    lines.into_iter().filter_map(|line| error_in(line))
}

/// The first error of a program that gold does not have, in whichever of its runs.
pub fn new_error<'a>(
    lines: impl IntoIterator<Item = &'a String>,
    golden: impl IntoIterator<Item = &'a String>,
) -> Option<&'a str> {
    let known: BTreeSet<&str> = errors(golden).collect();
    errors(lines).find(|error| !known.contains(error))
}

/// The first error in runs under the first seed that gold's run of the same scenario does not have.
pub(super) fn new_error_in<'a>(runs: &'a FirstRuns, golden: &'a FirstRuns) -> Option<&'a str> {
    runs.iter().find_map(|(id, run)| new_error(&run.console, &golden.get(id)?.console))
}

/// The first error in runs of a scenario, one a seed, that gold has under none of them.
pub(super) fn new_error_under_seeds<'a>(runs: &'a [Arc<Played>], golden: &'a [Arc<Played>]) -> Option<&'a str> {
    let lines = |seeded: &'a [Arc<Played>]| seeded.iter().flat_map(|run| &run.console);
    new_error(lines(runs), lines(golden))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A run that wrote this to the console.
    fn run(console: &[&str]) -> Arc<Played> {
        let empty = serde_json::from_value(json!({"ticks": 10, "signals": {}})).unwrap();
        let console = console.iter().map(|line| (*line).to_owned()).collect();
        Arc::new(Played { console, ..Played::of_run(empty) })
    }

    #[test]
    fn runs_are_compared_scenario_by_scenario_and_those_of_one_scenario_over_all_seeds() {
        let runs = |first: &[&str], last: &[&str]| -> FirstRuns {
            [("s1", run(first)), ("s2", run(last))].map(|(id, run)| (id.to_owned(), run)).into()
        };
        let golden = runs(&["error: odd"], &[]);
        assert_eq!(new_error_in(&runs(&["error: odd"], &["log: hello"]), &golden), None);
        let late = runs(&[], &["error: broken"]);
        assert_eq!(new_error_in(&late, &golden), Some("broken"), "in a scenario where the fault does not show");
        assert_eq!(new_error_in(&runs(&[], &["error: odd"]), &golden), Some("odd"), "gold has it in another scenario");
        let (quiet, noisy) = ([run(&[]), run(&[])], [run(&[]), run(&["error: broken"])]);
        assert_eq!(new_error_under_seeds(&noisy, &quiet), Some("broken"));
        assert_eq!(new_error_under_seeds(&[run(&["error: broken"])], &noisy), None, "by chance gold has it, too");
    }

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
    fn what_an_error_says_is_its_first_line_up_to_a_length_in_units_of_the_page() {
        assert_eq!(
            new(&["error: x is null\n    at A (/gui.js:1:2)"], &["error: x is null\n    at B (/gui.js:9:9)"]),
            None
        );
        let carrots = |count: usize| format!("error: {}", "🥕".repeat(count));
        assert_eq!(new(&[&carrots(246)], &[&carrots(200)]), None, "200 letters are 400 units");
        assert!(new(&[&carrots(200)], &[&carrots(199)]).is_some());
    }

    #[test]
    fn a_long_error_is_the_same_wherever_its_line_is_cut() {
        let line = |time: &str| -> String {
            let line = format!("log: 2024-01-01 12:00:{time}\tERROR\tscratch-vm\t{}", "é".repeat(600));
            line.chars().take(500).collect()
        };
        assert_eq!(new(&[&line("01.25")], &[&line("9")]), None);
        assert!(new(&[&line("01.25")], &["error: é"]).is_some());
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
