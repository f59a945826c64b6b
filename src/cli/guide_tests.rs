//! Tests of `guide`.

use super::super::command;
use super::*;

#[test]
fn each_subcommand_is_in_one_group() {
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let command = command();
    let mut all: Vec<&str> =
        command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
    let long =
        command.get_subcommands().filter(|sub| sub.get_about().is_some_and(|about| about.to_string().len() > 80));
    assert_eq!(long.map(Command::get_name).collect::<Vec<_>>(), [""; 0], "one line each");
}

#[test]
fn what_is_suggested_can_be_called() {
    for (call, _) in NEXT {
        let parsed = command().try_get_matches_from(call.split_whitespace());
        let is_fine = parsed.map_or_else(|error| error.kind() == clap::error::ErrorKind::DisplayHelp, |_| true);
        assert!(is_fine, "{call}");
    }
}

#[test]
fn the_reference_is_what_the_program_says() {
    let committed = include_str!("../../docs/CLI.md");
    assert!(committed == reference(command()), "docs/CLI.md is stale: run `make gen`");
}

#[test]
fn completions_name_the_subcommands() {
    let mut script = Vec::new();
    clap_complete::generate(Shell::Bash, &mut command(), PROGRAM, &mut script);
    assert!(String::from_utf8_lossy(&script).contains("demonstrations"));
}
