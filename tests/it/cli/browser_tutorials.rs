//! Every command of every page in docs/tutorials is run, in a copy of the checkout, as a reader would run it.
//!
//! Commands stand in blocks of `sh`; one that ends with `# exit code N` must end so, and all others with 0. A page is one
//! shell from its beginning to its end. Of the two long pages each has its day.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use crate::support::program::{binary, link};
use crate::support::{of_the_day, root};

/// The port that the tutorials name.
const PORT: &str = "8641";

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The commands of a page in their order: lines that belong together are one.
fn commands(page: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let (mut inside, mut here_document) = (false, false);
    for line in page.lines() {
        if !here_document && (line == "```sh" || (inside && line == "```")) {
            inside = !inside;
        } else if inside {
            let goes_on = here_document || commands.last().is_some_and(|command| command.ends_with('\\'));
            here_document = if here_document { line != "END" } else { line.ends_with("<<'END'") };
            match commands.last_mut().filter(|_| goes_on) {
                Some(command) => write!(command, "\n{line}").unwrap(),
                None => commands.push(line.to_owned()),
            }
        }
    }
    commands.retain(|command| !command.trim().is_empty());
    commands
}

/// A script that stops at the first command that does not end as the page says.
fn script(commands: &[String]) -> String {
    let mut script = String::from("set -m\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n");
    for command in commands {
        let expected = command.rsplit_once("# exit code ").map_or("0", |(_, code)| code.trim());
        let name = command.lines().next().unwrap_or_default().replace('\'', "\"");
        write!(
            script,
            "{command}\ncode=$?\nif [ $code -ne {expected} ]; then echo 'ended with' $code: '{name}' >&2; exit 99; fi\n"
        )
        .unwrap();
    }
    script
}

/// A checkout whose tasks and runs may be written to.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    link(folder.path(), &["scratch-gui", "assets", ".cache", "Cargo.toml"]);
    for name in ["tasks", "eval-scripts"] {
        let copied = Command::new("cp").arg("-r").arg(root().join(name)).arg(folder.path()).status().unwrap();
        assert!(copied.success());
    }
    folder
}

fn follow(page: &str) {
    let text = std::fs::read_to_string(root().join("docs/tutorials").join(page)).unwrap();
    // A reader has one server; here others may have its port.
    let commands = commands(&text.replace(PORT, &free_port().to_string()));
    assert!(commands.iter().filter(|command| command.contains("scratchbed ")).count() >= 4, "{commands:?}");
    let folder = checkout();
    let path = format!("{}:{}", binary().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &script(&commands)])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("SCRATCHBED_ALLOW_ROOT", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{page}: {}\n{}", told[0], told[1]);
}

#[test]
fn an_agent_is_connected() {
    follow("agents.md");
}

#[test]
fn a_task_is_written_or_the_benchmarks_are_run() {
    for &page in of_the_day(&["authors.md", "researchers.md"], 1) {
        follow(page);
    }
}

#[test]
fn every_tutorial_is_followed() {
    let pages = std::fs::read_dir(root().join("docs/tutorials")).unwrap();
    let mut pages: Vec<_> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    assert_eq!(pages, ["agents.md", "authors.md", "researchers.md"]);
    let page = "a\n```sh\none \\\n  two\ncat <<'END'\n```\nEND\nthree   # exit code 1\n```\nfour\n";
    assert_eq!(commands(page), ["one \\\n  two", "cat <<'END'\n```\nEND", "three   # exit code 1"]);
}
