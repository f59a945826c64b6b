//! The way into the command line: what to do next, subcommands by who uses them, completions of shells, and the
//! reference of all help texts (docs/CLI.md).

use std::fmt::Write as _;

use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::{Value, json};

use crate::arms::output::Output;
use crate::flags::failure::Status;
use crate::flags::settings::Settings;
use scratchbed::setup::doctor;

/// Subcommands by who uses them; each visible one is in exactly one group.
const GROUPS: &[(&str, &[&str])] = &[
    ("Get ready", &["setup", "doctor", "completions"]),
    ("Connect an agent", &["serve", "mcp"]),
    (
        "Run benchmarks and read results",
        &[
            "run",
            "experiment",
            "report",
            "compare",
            "regrade",
            "judge",
            "drag",
            "perception",
            "log",
            "trace",
            "demonstrations",
            "export",
            "leaderboard",
        ],
    ),
    ("Write tasks and prove them sound", &["task", "check"]),
    ("Forge debugging benchmarks", &["intake", "forge", "bugs", "lint", "repair", "explain"]),
    ("Operate", &["worker", "fleet", "bench"]),
];

/// What each kind of user tries first.
const NEXT: &[(&str, &str)] = &[
    ("scratchbed run --agent oracle --mode composite --task fourth_drum", "see a task attempted and judged"),
    ("scratchbed serve", "let an agent connect over HTTP, and watch it live"),
    ("scratchbed mcp --task fourth_drum", "give an MCP host the editor as tools"),
    ("scratchbed task list", "see the tasks"),
    ("scratchbed task new --help", "write a task of your own"),
    ("scratchbed --help", "see everything else"),
];

/// The name that completions and help texts are made for.
const PROGRAM: &str = "scratchbed";
/// Columns of the help texts in docs/CLI.md.
const COLUMNS: usize = 100;

/// For which shell.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Subcommands in groups in place of clap's one list.
pub(super) fn grouped(command: Command) -> Command {
    let mut list = String::new();
    for (heading, names) in GROUPS {
        // Writing to a String can't fail.
        let _ = writeln!(list, "{heading}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about).cloned().unwrap_or_default();
            let _ = writeln!(list, "  {name:<15} {about}");
        }
        list.push('\n');
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}");
    command.help_template(template)
}

/// Writes the completions of a shell to standard output.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command, out: Output) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, PROGRAM, &mut script);
    let script = String::from_utf8_lossy(&script);
    out.say(script.trim_end());
    out.answer(&json!({"shell": args.shell.to_string(), "script": script}));
    Status::Success
}

/// Says what to do next: set the machine up first, if it is not ready.
pub(super) fn welcome(settings: &Settings, out: Output) -> Status {
    let missing: Vec<_> = doctor::check_files(&settings.place()).into_iter().filter(|check| !check.ok).collect();
    out.say(format!("{PROGRAM} {}: a testbed for AI agents that program in Scratch\n", env!("CARGO_PKG_VERSION")));
    let setup = [("scratchbed setup", "fetch the editor and what text recognition needs: about a minute")];
    let (heading, next) = if missing.is_empty() {
        ("Ready. What to do next:".to_owned(), NEXT)
    } else {
        let names: Vec<_> = missing.iter().map(|check| check.name).collect();
        (format!("This machine is not ready ({} missing). Begin with:", names.join(", ")), setup.as_slice())
    };
    out.say(heading);
    let widest = next.iter().map(|(call, _)| call.len()).max().unwrap_or_default();
    for (call, why) in next {
        out.say(format!("  {call:<widest$}  {why}"));
    }
    let calls: Vec<Value> = next.iter().map(|(call, why)| json!({"command": call, "purpose": why})).collect();
    out.answer(&json!({"ready": missing.is_empty(), "next": calls}));
    Status::Success
}

/// The help texts of all visible subcommands, as a page.
pub(super) fn reference(command: Command) -> String {
    let mut page = String::from(
        "# Command line\n\nAll help texts, generated from the program: `make gen` rewrites this page, and a test fails while it is stale.\n",
    );
    let mut command = command.term_width(COLUMNS);
    command.build();
    describe(&mut page, &mut command, PROGRAM);
    page
}

fn describe(page: &mut String, command: &mut Command, name: &str) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    // Writing to a String can't fail.
    let _ = write!(page, "\n## `{name}`\n```text\n{}\n```\n", help.join("\n").trim_end());
    let is_shown = |sub: &&mut Command| !sub.is_hide_set() && sub.get_name() != "help";
    for sub in command.get_subcommands_mut().filter(is_shown) {
        let name = format!("{name} {}", sub.get_name());
        // What all subcommands take stands once, with the program's own help.
        let mut own = std::mem::take(sub).mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
        describe(page, &mut own, &name);
    }
}

#[cfg(test)]
#[path = "guide_tests.rs"]
mod tests;
