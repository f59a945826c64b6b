//! Programs of users end with all that they have started, whatever it has cleared and closed, and nobody else does.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use scratchbed::agent::{
    Agent as _, Asker as _, Decision, FreeProgram, ProcessAgent, ProcessAsker, Program, Question, RunAs, View,
};
use scratchbed::model::Mode;
use tempfile::TempDir;
use tokio::process::Command;

use super::browser_outside::is_alive;
use crate::support::program::{binary, until};
use crate::support::root;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A folder for a program and its output, which every user can enter.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::copy(root().join("tests/it/support/programs/daemon.py"), folder.path().join("daemon.py")).unwrap();
    fs::create_dir(folder.path().join("home")).unwrap();
    folder
}

/// A guarded program that leaves a process behind, with what it does besides.
fn daemon(folder: &Path, how: &str, besides: &str) -> Program {
    let (daemon, ids) = (folder.join("daemon.py"), ids_of(folder));
    let command = format!("python3 -B {} {} {how}{besides}", daemon.display(), ids.display());
    Program::new(&command).guarded_by(binary().to_owned())
}

/// Where the program notes its processes.
fn ids_of(folder: &Path) -> PathBuf {
    folder.join("home/ids")
}

/// The processes that a program has noted.
async fn noted(folder: &Path) -> Vec<String> {
    let ids = ids_of(folder);
    until("the program leaves a process behind", || ids.exists()).await;
    fs::read_to_string(ids).unwrap().split_whitespace().map(str::to_owned).collect()
}

async fn started(folder: &Path, user: Option<RunAs>) -> FreeProgram {
    let program = daemon(folder, "stay", "").running_as(user);
    FreeProgram::start(&program, &folder.join("home"), folder).await.unwrap()
}

#[tokio::test]
async fn what_has_left_group_session_and_environment_ends_with_its_program_and_nobody_else_does() {
    let (one, other) = (folder(), folder());
    let (first, second) = tokio::join!(started(one.path(), None), started(other.path(), None));
    let mut bystander = Command::new("sleep").arg("600").stdin(Stdio::null()).kill_on_drop(true).spawn().unwrap();
    let (left, spared) = (noted(one.path()).await, noted(other.path()).await);
    assert!(left.iter().chain(&spared).all(|id| is_alive(id)), "{left:?} {spared:?}");
    first.end().await;
    assert!(!left.iter().any(|id| is_alive(id)), "when the attempt is over, not some time later: {left:?}");
    assert!(spared.iter().all(|id| is_alive(id)), "those of another program go on: {spared:?}");
    second.end().await;
    assert!(!spared.iter().any(|id| is_alive(id)), "{spared:?}");
    assert!(bystander.try_wait().unwrap().is_none(), "what no program has started goes on");
}

/// As root, as in CI and in containers; others can't change users.
#[tokio::test]
async fn the_processes_of_another_user_end_with_their_program() {
    let Ok(nobody) = RunAs::named("nobody") else { return };
    let folder = folder();
    let program = started(folder.path(), Some(nobody)).await;
    let left = noted(folder.path()).await;
    assert!(left.iter().all(|id| is_alive(id)), "{left:?}");
    program.end().await;
    assert!(!left.iter().any(|id| is_alive(id)), "{left:?}");
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_when_it_ends_by_itself_and_its_status_is_told() {
    let folder = folder();
    let program = daemon(folder.path(), "go", "; exit 3");
    let mut running = FreeProgram::start(&program, &folder.path().join("home"), folder.path()).await.unwrap();
    assert_eq!(running.ended().await.unwrap().code(), Some(3));
    let left = noted(folder.path()).await;
    assert!(!left.iter().any(|id| is_alive(id)), "{left:?}");
    running.end().await;
    assert_eq!(fs::read_to_string(folder.path().join("stdout.txt")).unwrap(), "it is there\n");
}

#[tokio::test]
async fn a_program_that_is_dropped_ends_too() {
    let folder = folder();
    let program = started(folder.path(), None).await;
    let left = noted(folder.path()).await;
    drop(program);
    until("a program that is dropped ends", || !left.iter().any(|id| is_alive(id))).await;
}

/// Questions of drags, of perception and of repairs, and attempts at tasks by the line.
#[tokio::test]
async fn programs_that_are_asked_leave_nothing_behind_either() {
    let (asked, acting) = (folder(), folder());
    let asker = ProcessAsker::new(daemon(asked.path(), "go", ""), LIMIT);
    let answer = asker.ask(&Question::default()).await.unwrap();
    assert_eq!(answer.text, "it is there\n");
    let left = noted(asked.path()).await;
    assert!(!left.iter().any(|id| is_alive(id)), "an answer is one once the program has ended: {left:?}");

    let call = r#" >&2; read line; echo '{"api": "done"}'; sleep 600"#;
    let mut agent = ProcessAgent::new(daemon(acting.path(), "go", call), Mode::Composite, LIMIT, None);
    let view = View { instruction: "Make it hop", step: 1, steps: 9, observation: None, last: None };
    let Ok(Decision::Act(decided)) = agent.decide(view).await else { panic!("no call") };
    assert_eq!(decided.api, "done");
    let left = noted(acting.path()).await;
    assert!(is_alive(&left[0]), "the attempt goes on: {left:?}");
    drop(agent);
    until("a program that acts by the line ends", || !left.iter().any(|id| is_alive(id))).await;
}
