//! Counted nouns of texts for people: `1 entry`, `2 entries`.

use std::fmt::Display;

/// A number of things: `pluralise(1, "run")` is `1 run`, `pluralise(3, "run")` is `3 runs`. The noun that is counted is
/// the last word of `noun`.
pub fn pluralise<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    pluralise_as(number, noun, &plural(noun))
}

/// The same with both forms of the words behind the number, for more than a noun: `1 cell is`, `2 cells are`.
pub fn pluralise_as<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let words = if number == N::from(1) { one } else { many };
    format!("{number} {words}")
}

fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_all_other_numbers_are_plural() {
        assert_eq!(pluralise(1_usize, "entry"), "1 entry");
        assert_eq!([0_u32, 2].map(|number| pluralise(number, "entry")), ["0 entries", "2 entries"]);
        assert_eq!(pluralise_as(1_u64, "cell is decided", "cells are decided"), "1 cell is decided");
        assert_eq!(pluralise_as(3_u64, "cell is decided", "cells are decided"), "3 cells are decided");
    }

    #[test]
    fn plurals_follow_the_last_letters() {
        let nouns = ["run", "try", "day", "process", "branch", "freeze", "sample project"];
        let plurals = ["runs", "tries", "days", "processes", "branches", "freezes", "sample projects"];
        assert_eq!(nouns.map(plural), plurals);
    }
}
