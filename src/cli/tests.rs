//! Tests of the command line as a whole.

use super::*;

#[test]
fn the_arguments_are_consistent() {
    command().debug_assert();
}

#[test]
fn json_may_stand_after_the_subcommand() {
    assert!(Cli::parse_from(["scratchbed", "doctor", "--json"]).global.json);
}
