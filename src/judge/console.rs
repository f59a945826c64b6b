//! Errors that programs write to the console of their page. What is written besides says nothing of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::play::Played;

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

/// The first error in runs by scenario that gold's run of the same scenario does not have.
pub fn new_error_in<'a>(
    runs: &'a BTreeMap<String, Arc<Played>>,
    golden: &'a BTreeMap<String, Arc<Played>>,
) -> Option<&'a str> {
    runs.iter().find_map(|(id, run)| new_error(&run.console, &golden.get(id)?.console))
}

/// The first error in runs of a scenario, one a seed, that gold has under none of them.
pub fn new_error_under_seeds<'a>(runs: &'a [Arc<Played>], golden: &'a [Arc<Played>]) -> Option<&'a str> {
    let lines = |seeded: &'a [Arc<Played>]| seeded.iter().flat_map(|run| &run.console);
    new_error(lines(runs), lines(golden))
}

#[cfg(test)]
#[path = "console_tests.rs"]
mod tests;
