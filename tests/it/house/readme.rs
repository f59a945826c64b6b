//! What the README promises of its two commands is what the Makefile does: a newcomer's first quarter of an hour.

use std::collections::BTreeMap;

use scratchbed::taskset::TaskSet;

use crate::support::root;

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The words of each command line that `make <target>` runs with the program.
fn recipe(target: &str) -> Vec<Vec<String>> {
    let makefile = text("Makefile");
    let lines = makefile.lines().skip_while(|line| !line.starts_with(&format!("{target}:"))).skip(1);
    let commands = lines.take_while(|line| line.starts_with('\t'));
    commands.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// The word after a flag.
fn value<'a>(words: &'a [String], flag: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word == flag)?;
    words.get(at + 1).map(String::as_str)
}

/// How many tasks a command line runs.
fn tasks_of(words: &[String]) -> usize {
    if let Some(split) = value(words, "--split") {
        let splits: BTreeMap<String, Vec<String>> = serde_json::from_str(&text("tasks/splits.json")).unwrap();
        return splits[split].len();
    }
    if words.iter().any(|word| word == "--all") {
        return TaskSet::read(root()).unwrap().all().len();
    }
    words.iter().filter(|word| *word == "--task").count()
}

/// The numbers in the comment that the README puts behind a command, in order.
fn promised(command: &str) -> Vec<usize> {
    let readme = text("README.md");
    let line = readme.lines().find(|line| line.starts_with(command)).unwrap();
    let comment = line.split_once('#').unwrap().1;
    comment.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

#[test]
fn make_run_attempts_as_many_tasks_as_the_readme_says() {
    let commands = recipe("run");
    let of_mode = |mode: &str| -> usize {
        commands.iter().filter(|words| value(words, "--mode") == Some(mode)).map(|words| tasks_of(words)).sum()
    };
    let all = TaskSet::read(root()).unwrap().all().len();
    assert_eq!(promised("make run"), [of_mode("composite"), all, of_mode("primitive")]);
}

/// The minutes that the Makefile names for a phase of `make run`.
fn minutes(name: &str) -> String {
    let makefile = text("Makefile");
    let line = makefile.lines().find_map(|line| line.strip_prefix(&format!("{name} := "))).unwrap();
    line.to_owned()
}

#[test]
fn the_readme_names_the_minutes_that_make_run_announces() {
    let readme = text("README.md").replace('\n', " ");
    let [build, setup, first, later] = ["FIRST_BUILD", "FIRST_SETUP", "FIRST_RUN", "LATER_RUN"].map(minutes);
    for promise in [
        format!("`make run` takes about {first} minutes the first time on two cores, and about {later} minute later."),
        format!(
            "the build (about {build} minutes the first time), set-up (about {setup}), the 15 tasks (about {later})"
        ),
    ] {
        assert!(readme.contains(&promise), "{promise}");
    }
}

#[test]
fn the_task_played_with_the_mouse_is_one_of_the_split() {
    let splits: BTreeMap<String, Vec<String>> = serde_json::from_str(&text("tasks/splits.json")).unwrap();
    let commands = recipe("run");
    let split = commands.iter().find_map(|words| value(words, "--split")).unwrap();
    let task = commands.iter().find_map(|words| value(words, "--task")).unwrap();
    assert!(splits[split].iter().any(|name| name == task), "{task} is not in {split}");
}
