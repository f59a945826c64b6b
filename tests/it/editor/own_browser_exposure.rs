//! What of a running Chromium others on the machine can reach, and what is left when its guard is killed.

use std::collections::HashSet;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use scratchbed::agent::http_client;
use scratchbed::model::Point;
use scratchbed::page::scripts::PageFn;
use scratchbed::page::{Button, Chromium, Loss, MouseInput};
use serde_json::json;

use crate::support::browsers::serve_editor;
use crate::support::launch_options;
use crate::support::program::Scratchbed;

/// The user `nobody`, and its group, as Debian and most others number them.
const NOBODY: u32 = 65534;
/// State of a socket that listens, in `/proc/net/tcp`.
const LISTENING: &str = "0A";

/// Ports that processes below `root` listen on.
fn listening_ports(root: u32) -> HashSet<u16> {
    let inodes: HashSet<String> = tree(root).into_iter().flat_map(sockets).collect();
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    lines
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let listens = fields[3] == LISTENING && inodes.contains(fields[9]);
            listens.then(|| u16::from_str_radix(fields[1].rsplit(':').next()?, 16).ok())?
        })
        .collect()
}

/// The process and all that descend from it.
pub fn tree(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", found[next])).into_iter().flatten().flatten();
        let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        let ids: Vec<u32> = lists.flat_map(|list| numbers(&list)).collect();
        assert!(found.len() < 1000, "the process tree never ends");
        found.extend(ids);
        next += 1;
    }
    found
}

fn numbers(list: &str) -> Vec<u32> {
    list.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// Inodes of the sockets that a process holds.
fn sockets(process: u32) -> Vec<String> {
    let entries = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let links = entries.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    links.filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())).collect()
}

/// The profile of a Chromium, from its command line.
fn profile(chromium: &Chromium) -> PathBuf {
    let line = std::fs::read_to_string(format!("/proc/{}/cmdline", chromium.process_id())).unwrap();
    let flag = line.split('\0').find_map(|argument| argument.strip_prefix("--user-data-dir="));
    PathBuf::from(flag.expect("Chromium was given a profile"))
}

/// The guard: the parent of Chromium.
fn guard(chromium: &Chromium) -> Pid {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", chromium.process_id())).unwrap();
    let after_name = stat.rsplit(')').next().unwrap();
    Pid::from_raw(after_name.split_whitespace().nth(1).unwrap().parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_listens_on_no_port_and_its_profile_is_nobody_elses() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&serve_editor().await).await.unwrap();
    let ports = listening_ports(chromium.process_id());
    assert!(ports.is_empty(), "Chromium listens on {ports:?}");
    let profile = profile(&chromium);
    let mode = std::fs::metadata(&profile).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "the profile's mode is {mode:o}");
    if nix::unistd::geteuid().is_root() {
        reaches_nothing_as_nobody(chromium.process_id(), &profile);
    }
    chromium.close(page).await;
    chromium.shutdown().await;
    assert!(!profile.exists());
}

/// Only root can be somebody else for a moment; for others the modes above say the same.
fn reaches_nothing_as_nobody(process: u32, profile: &Path) {
    let as_nobody = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).uid(NOBODY).gid(NOBODY).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().unwrap().success()
    };
    assert!(as_nobody("test -r /etc/passwd"), "nobody can do nothing at all here, so this shows nothing");
    for script in [
        format!("ls {}", profile.display()),
        format!("cat {}/*", profile.display()),
        format!("cat /proc/{process}/environ"),
        format!("ls /proc/{process}/fd/3"),
        format!("echo > /proc/{process}/fd/3"),
        format!("kill -STOP {process}"),
    ] {
        assert!(!as_nobody(&script), "nobody may do this: {script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_and_its_guard_see_none_of_our_secrets() {
    // cargo itself sets this one for every test, and neither of them has use for it.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    for process in [chromium.process_id(), u32::try_from(guard(&chromium).as_raw()).unwrap()] {
        let environment = std::fs::read_to_string(format!("/proc/{process}/environ")).unwrap();
        let names: Vec<&str> =
            environment.split('\0').filter_map(|pair| pair.split_once('=')).map(|pair| pair.0).collect();
        assert!(!names.iter().any(|name| name.starts_with("CARGO") || name.contains("TOKEN")), "{names:?}");
    }
    chromium.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_guard_takes_chromium_with_it_and_the_next_one_sweeps_its_profile() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&serve_editor().await).await.unwrap();
    let (process, profile) = (chromium.process_id(), profile(&chromium));
    kill(guard(&chromium), Signal::SIGKILL).unwrap();
    let loss = tokio::time::timeout(Duration::from_secs(5), page.wait_lost()).await.expect("the loss was not noticed");
    assert_eq!(loss, Loss::Browser);
    let deadline = Instant::now() + Duration::from_secs(5);
    while runs(process) {
        assert!(Instant::now() < deadline, "Chromium outlived its guard");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(profile.exists(), "nobody could have removed it yet");
    Chromium::launch(&launch_options()).await.unwrap().shutdown().await;
    assert!(!profile.exists(), "the profile was left");
}

/// Whether the process runs; one that has ended and was not waited for does not.
fn runs(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

const PLANT_LINK: PageFn<&str, ()> = PageFn::new("plant-link", include_str!("../support/js/plant-link.js"));

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_opens_beside_itself_is_closed() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let mut page = chromium.open(&serve_editor().await).await.unwrap();
    let before = chromium.open_tabs().await.unwrap();
    assert_eq!(before, 1, "Chromium has no tab of its own, which would load the page of a new tab");
    let middle = Point { x: 640.0, y: 360.0 };
    // With and without a word on which page has opened it.
    for (opened, rel) in [(1, "opener"), (2, "noopener noreferrer")] {
        page.call(&PLANT_LINK, &rel).await.unwrap();
        page.mouse(MouseInput::Move(middle)).await.unwrap();
        page.mouse(MouseInput::Down(middle, Button::Left, 1)).await.unwrap();
        page.mouse(MouseInput::Up(middle, Button::Left, 1)).await.unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        while chromium.tabs_closed() < opened || chromium.open_tabs().await.unwrap() != before {
            assert!(Instant::now() < deadline, "{rel}: no second tab was opened, or it stays open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(page.loss(), None, "the page itself is still there");
    }
    chromium.close(page).await;
    chromium.shutdown().await;
}

const REACH_FILE: PageFn<String, Vec<String>> = PageFn::new("reach-file", include_str!("../support/js/reach-file.js"));

#[tokio::test(flavor = "multi_thread")]
async fn a_page_gets_no_file_of_the_machine() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&serve_editor().await).await.unwrap();
    let file = tempfile::Builder::new().suffix(".svg").tempfile().unwrap();
    std::fs::write(&file, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>secret</text></svg>")
        .unwrap();
    let address = format!("file://{}", file.path().display());
    assert_eq!(page.call(&REACH_FILE, &address).await.unwrap(), Vec::<String>::new());
    chromium.close(page).await;
    chromium.shutdown().await;
}

/// The server with a browser and a session in it: what listens are the ports that it announces, and as another user
/// nobody gets more from the machine than these.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_listens_on_the_ports_that_it_announces_and_on_no_other() {
    let serve = ["serve", "--port", "0", "--warm", "0", "--token", "agent-agent-agent"];
    let (server, answer) = Scratchbed::new().call(&serve).announced().await;
    let url = answer["url"].as_str().unwrap().to_owned();
    let client = http_client().no_proxy().build().unwrap();
    let created = client.post(format!("{url}/sessions")).bearer_auth("agent-agent-agent").json(&json!({})).send();
    assert_eq!(created.await.unwrap().status(), 201);
    let announced: HashSet<u16> = ["url", "editor", "sessions_editor"]
        .into_iter()
        .map(|name| {
            let address = answer[name].as_str().unwrap_or_else(|| panic!("{name} in {answer}"));
            reqwest::Url::parse(address).unwrap().port().unwrap()
        })
        .collect();
    assert_eq!(listening_ports(server.id()), announced);
    server.stop().await;
}
