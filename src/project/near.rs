//! "Did you mean": the nearest of some names, by the rule of `src/page/js/shared/lib/nearest.js`.

/// Letters that a word must have to be the beginning of a name.
const SHORTEST_BEGINNING: usize = 4;
/// Letters of a word that are compared. Words come from files anybody may have written, and comparing takes as long as both are.
const LONGEST: usize = 200;

/// The nearest name; `None` when none is near: more than a third of the letters differ. Upper and lower case count as the
/// same, and the shortest name that begins with the word is nearer than any other.
pub fn near<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = compared(word);
    let letters = word.chars().count();
    let names: Vec<(String, &str)> = names.into_iter().map(|name| (name.to_lowercase(), name)).collect();
    let longer = names.iter().filter(|(lower, _)| letters >= SHORTEST_BEGINNING && lower.starts_with(&word));
    if let Some((_, name)) = longer.min_by_key(|(lower, _)| lower.len()) {
        return Some(name);
    }
    let far = (letters / 3).max(1);
    let found = names.iter().map(|(lower, name)| (strsim::osa_distance(&word, lower), *name));
    found.filter(|(distance, _)| *distance <= far).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The names that are nearest, the nearest first, at most `count`; even those that are far. Upper and lower case count as the same.
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>, count: usize) -> Vec<&'n str> {
    let word = compared(word);
    let mut names: Vec<(usize, &str)> =
        names.into_iter().map(|name| (strsim::osa_distance(&word, &name.to_lowercase()), name)).collect();
    names.sort_by_key(|(distance, _)| *distance);
    names.into_iter().take(count).map(|(_, name)| name).collect()
}

/// A word as it is compared.
fn compared(word: &str) -> String {
    word.chars().take(LONGEST).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_letters_may_differ() {
        let names = ["position", "size", "hidden", "Score"];
        for (word, found) in [
            ("positon", Some("position")),
            ("szie", Some("size")),
            ("hidd", Some("hidden")),
            ("score", Some("Score")),
            ("wings", None),
            ("", None),
        ] {
            assert_eq!(near(word, names), found, "{word}");
        }
    }

    #[test]
    fn the_nearest_come_first_in_the_order_given() {
        assert_eq!(nearest("nxt", ["parent", "next", "text", "NXT"], 3), ["NXT", "next", "text"]);
        assert_eq!(nearest("x", [], 3), [""; 0]);
    }
}
