//! Names similar to an unknown one, for hints: a few of them and their number, never the whole list.

/// How many names a hint shows.
const SHOWN: usize = 3;

/// The names most like the one asked for, the most alike first, and how many there are in all; `kind` is what has them,
/// such as `tasks`.
pub fn nearest(kind: &str, asked: &str, known: &[String]) -> String {
    let asked = asked.to_lowercase();
    let mut names: Vec<(f64, &String)> =
        known.iter().map(|name| (strsim::jaro_winkler(&asked, &name.to_lowercase()), name)).collect();
    // Stable: names that are alike in the same degree keep their order.
    names.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let shown: Vec<&str> = names.iter().take(SHOWN).map(|(_, name)| name.as_str()).collect();
    match known.len() {
        0 => format!("there are no {kind}"),
        count if count <= SHOWN => format!("the {kind} are {}", shown.join(", ")),
        count => format!("the nearest of {count} names are {}", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_three_that_are_most_alike_are_told_and_how_many_there_are() {
        let known = names(&["bow", "endless_sparks", "stuck_ferry", "stuck_door", "whale_choir"]);
        let hint = nearest("tasks", "Stuck_Fery", &known);
        assert!(hint.starts_with("the nearest of 5 names are stuck_ferry, stuck_door, "), "{hint}");
        assert_eq!(hint.split(", ").count(), 3);
    }

    #[test]
    fn a_few_are_all_told() {
        assert_eq!(nearest("tasks", "wave", &names(&["bow", "waver"])), "the tasks are waver, bow");
        assert_eq!(nearest("tasks", "wave", &[]), "there are no tasks");
    }
}
