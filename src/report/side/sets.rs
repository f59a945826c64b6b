//! What keeps runs from comparing: other items, other versions, attempts that are owed. Tables say so.

use crate::model::{ItemId, RunRecord, pluralise, pluralise_as};

/// Letters of a digest that are shown.
const SHOWN: usize = 12;

/// The rows of a table as far as they compare.
pub(super) struct Sets {
    /// A letter for each run; empty where all have the same items.
    pub(super) marks: Vec<String>,
    /// What is to be said below the table.
    pub(super) notes: Vec<String>,
}

type Key<'a> = (&'a str, Vec<&'a ItemId>);

fn key(run: &RunRecord) -> Key<'_> {
    let mut items: Vec<&ItemId> = run.items.iter().collect();
    items.sort_unstable_by_key(|item| item.as_str());
    (run.set.as_str(), items)
}

/// Compares runs of one benchmark, each with its name in the table and how many of its attempts count.
pub(super) fn sets(runs: &[(&RunRecord, &str, usize)]) -> Sets {
    let mut kinds: Vec<Key<'_>> = Vec::new();
    let mut places = Vec::new();
    for (run, _, _) in runs {
        let key = key(run);
        let place = kinds.iter().position(|known| *known == key).unwrap_or_else(|| {
            kinds.push(key);
            kinds.len() - 1
        });
        places.push(place);
    }
    let differ = kinds.len() > 1;
    let mut notes = Vec::new();
    if differ {
        let described = kinds.iter().enumerate().map(|(place, (set, items))| {
            let short: String = set.chars().take(SHOWN).collect();
            format!("{}: {} of set {short}", letter(place), pluralise(items.len(), "item"))
        });
        let described: Vec<String> = described.collect();
        notes.push(format!(
            "The rows are of different sets, and figures of different sets do not compare. {}",
            described.join("; ")
        ));
    }
    notes.extend(apart(runs));
    let mark = |place: usize| if differ { letter(place) } else { String::new() };
    Sets { marks: places.into_iter().map(mark).collect(), notes }
}

/// What else keeps runs from comparing, of whatever items they are.
pub(super) fn apart(runs: &[(&RunRecord, &str, usize)]) -> Vec<String> {
    let each = runs.iter().flat_map(|(run, name, counted)| of_run(run, name, *counted));
    versions(runs).into_iter().chain(prompts(runs)).chain(each).collect()
}

fn letter(place: usize) -> String {
    let letter = u8::try_from(place).ok().filter(|place| *place < 26).map(|place| char::from(b'A' + place));
    letter.map_or_else(|| format!("set {}", place + 1), String::from)
}

fn versions(runs: &[(&RunRecord, &str, usize)]) -> Option<String> {
    let mut versions: Vec<&str> = runs.iter().map(|(run, _, _)| run.version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    (versions.len() > 1).then(|| {
        format!(
            "Made by versions {} of scratchbed: what the changelog has under Scores may keep them from comparing",
            versions.join(", ")
        )
    })
}

/// The same layout in other words: a prompt of ours has been changed between the runs.
fn prompts(runs: &[(&RunRecord, &str, usize)]) -> Option<String> {
    let mut found: Vec<(String, &str)> =
        runs.iter().filter_map(|(run, ..)| Some((run.prompt()?, run.options["prompt"]["digest"].as_str()?))).collect();
    found.sort_unstable();
    found.dedup();
    let twice = found.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
    Some(format!("The words of the {} prompt differ between runs, which may keep them from comparing", twice[0].0))
}

/// What sets a run apart from a plain and complete one.
fn of_run(run: &RunRecord, name: &str, counted: usize) -> Vec<String> {
    let mut notes: Vec<String> = run.notes.iter().map(|note| format!("{name}: {note}")).collect();
    let limits = &run.options["limits"];
    if limits.as_object().is_some_and(|limits| !limits.is_empty()) {
        notes.push(format!("{name}: limits instead of the tasks' own: {limits}"));
    }
    let wanted = run.items.len() * run.attempts as usize;
    // Predictions may have fewer for some tasks.
    if counted < wanted && run.setting != "predictions" {
        let owed = pluralise_as(wanted, "attempt does not count or is owed", "attempts do not count or are owed");
        notes.push(format!("{name}: {} of {owed}", wanted - counted));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes;

    #[test]
    fn other_words_of_a_prompt_are_said() {
        let run = |wording: &str, digest: &str| RunRecord {
            options: serde_json::json!({"prompt": {"wording": wording, "own": false, "digest": digest}}),
            ..fakes::run(&["a"])
        };
        let [one, same, other, changed] =
            [run("paper", "aa"), run("paper", "aa"), run("scratchbed", "bb"), run("paper", "cc")];
        assert!(sets(&[(&one, "m", 1), (&same, "n", 1), (&other, "o", 1)]).notes.is_empty());
        let notes = sets(&[(&one, "m", 1), (&other, "o", 1), (&changed, "n", 1)]).notes;
        assert!(notes[0].starts_with("The words of the paper prompt differ"), "{notes:?}");
    }

    #[test]
    fn other_items_other_sets_and_owed_attempts_are_said() {
        let all = fakes::run(&["a", "b"]);
        let one = fakes::run(&["b"]);
        let other = RunRecord { set: "x".repeat(64), version: "1".to_owned(), ..fakes::run(&["b", "a"]) };
        let same = sets(&[(&all, "m", 2), (&fakes::run(&["b", "a"]), "n", 2)]);
        assert!(same.notes.is_empty() && same.marks == ["", ""], "{:?}", same.notes);
        let found = sets(&[(&all, "m", 1), (&one, "n", 1), (&other, "o", 2)]);
        assert_eq!(found.marks, ["A", "B", "C"]);
        assert!(found.notes[0].contains("A: 2 items of set abc; B: 1 item of set abc; C: 2 items of set xxxxxxxxxxxx"));
        assert!(found.notes[1].contains("versions 0, 1"), "{:?}", found.notes);
        assert_eq!(found.notes[2], "m: 1 of 2 attempts do not count or are owed");
    }
}
