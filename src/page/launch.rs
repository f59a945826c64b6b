//! Starts Chromium through the guard: program, flags, environment, and its last output.
//!
//! How it is spoken to is in `pipe.rs`; what is done with it is in `chromium.rs`.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use super::guard::{ENDED, FAILURE_PREFIX, PROFILE_PREFIX, STARTED_PREFIX};
use super::pipe::{CHROMIUM_READS, CHROMIUM_WRITES};
use super::{CodeCache, PageError};

/// Where Chromium is looked for when nothing is configured.
const USUAL_PLACES: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"];
/// Chromium answers in about a second; a loaded machine needs more.
pub(super) const LAUNCH_LIMIT: Duration = Duration::from_secs(30);
/// How long a page may take to answer a command, unless [`LaunchOptions::command_limit`] says otherwise.
const COMMAND_LIMIT: Duration = Duration::from_secs(30);

/// Flags that every launch gets: headless, software WebGL, sound allowed, nothing that phones home.
///
/// Without a GPU it is faster to paint and compose the page on the processor than through software GL:
/// pictures take 0.4 of the time and moves 0.6. Debian's package sets the opposite, so it is explicit here.
/// The two omnibox features would each keep a renderer alive for an invisible address bar; with the last one,
/// scrolling left where nothing scrolls would go back in the history and leave the editor.
const FLAGS: [&str; 27] = [
    "--headless=new",
    // Its own first window would load the page of a new tab, with frames and scripts that nobody sees.
    "--no-startup-window",
    "--remote-debugging-pipe=cbor",
    // A page that wants more is beyond any Scratch project, and must not take the machine's memory with it.
    "--js-flags=--max-old-space-size=1024",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // No name but our own resolves: what a project or a page script asks for elsewhere is not there.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--disable-breakpad",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
    // Partially repainted areas may differ by a shade at their edges, depending on what was painted before.
    "--disable-partial-raster",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--autoplay-policy=no-user-gesture-required",
    "--force-color-profile=srgb",
    // Published coordinates were taken without native scroll bars: they shift what is centred next to them.
    "--hide-scrollbars",
];

/// Features that every launch is without; the last flag of the kind counts, so there is one.
const DISABLED_FEATURES: [&str; 8] = [
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    "AutofillServerCommunication",
    "CalculateNativeWinOcclusion",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "OverscrollHistoryNavigation",
];
/// With compiled code also without these: a script that is compiled while it arrives takes no code, and a page that gets a
/// frame of its own for each document loses what it was given before.
const DISABLED_WITH_CODE: [&str; 2] = ["ScriptStreaming", "RenderDocument"];

/// What a launch needs to know.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The Chromium program; `None` looks at the usual places.
    pub chromium: Option<PathBuf>,
    /// Our own binary, which has the `guard` subcommand.
    pub guard: PathBuf,
    /// Compiled code of the editor; without it each page compiles for itself.
    pub code: Option<CodeCache>,
    /// How long a page may take to answer a command.
    pub command_limit: Duration,
}

impl LaunchOptions {
    /// Chromium as `chromium` names it, with the usual limit of commands and without compiled code.
    pub const fn new(chromium: Option<PathBuf>, guard: PathBuf) -> Self {
        Self { chromium, guard, code: None, command_limit: COMMAND_LIMIT }
    }

    /// The Chromium that would be started.
    ///
    /// # Errors
    /// [`PageError::ChromiumMissing`] when there is none.
    pub fn find_chromium(&self) -> Result<PathBuf, PageError> {
        let candidates: Vec<PathBuf> =
            self.chromium.clone().map_or_else(|| USUAL_PLACES.iter().map(PathBuf::from).collect(), |path| vec![path]);
        let found = candidates.iter().find(|path| path.is_file()).cloned();
        found.ok_or_else(|| PageError::ChromiumMissing {
            looked_for: candidates.iter().map(|path| path.display().to_string()).collect(),
        })
    }
}

/// What Chromium and its guard may see of our environment: where programs, libraries and fonts are, and the language.
/// They get no keys and tokens.
const ENVIRONMENT: [&str; 10] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "FONTCONFIG_PATH",
    "FONTCONFIG_FILE",
    "TMPDIR",
];

/// A guard with its Chromium, which may not answer yet.
pub(super) struct Started {
    /// Its standard input is the leash: when it closes, the guard kills Chromium.
    pub(super) guard: Child,
    /// Process id of Chromium, which leads a process group of its own.
    pub(super) process_id: u32,
    /// The guard's output; it ends when Chromium does.
    pub(super) words: GuardWords,
    /// Chromium's user data, which the guard removes at the end.
    pub(super) profile: PathBuf,
}

/// The guard's lines after the first.
pub(super) struct GuardWords(Lines<BufReader<ChildStdout>>);

/// How a Chromium ended.
#[derive(Debug, Default)]
pub(super) struct End {
    /// What Chromium wrote last on its standard error.
    pub(super) last_words: Option<String>,
    /// Whether the guard saw to it that all of Chromium is gone; a guard that was killed itself did not.
    pub(super) killed: bool,
}

impl GuardWords {
    /// Waits until the guard falls silent, which it does when Chromium has ended.
    pub(super) async fn end(&mut self) -> End {
        let mut end = End::default();
        while let Ok(Some(line)) = self.0.next_line().await {
            end.killed |= line == ENDED;
            end.last_words = line.strip_prefix(FAILURE_PREFIX).map(str::to_owned).or(end.last_words);
        }
        end
    }
}

fn disabled_features(has_code: bool) -> String {
    let more: &[&str] = if has_code { &DISABLED_WITH_CODE } else { &[] };
    format!("--disable-features={}", [&DISABLED_FEATURES, more].concat().join(","))
}

/// Starts the guard, which starts Chromium at the other end of `pipe`.
pub(super) async fn start(options: &LaunchOptions, pipe: [OwnedFd; 2]) -> Result<Started, PageError> {
    let chromium = options.find_chromium()?;
    // Short, because the path of a socket in it may have no more than 108 characters.
    let (name, ..) = uuid::Uuid::new_v4().as_fields();
    let profile = std::env::temp_dir().join(format!("{PROFILE_PREFIX}{name:08x}"));
    let mut guard = spawn_guard(options, &chromium, &profile, pipe)?;
    let Some(stdout) = guard.stdout.take() else {
        return Err(PageError::LaunchFailed { reason: "the guard has no output".into() });
    };
    let mut lines = BufReader::new(stdout).lines();
    let line = tokio::time::timeout(LAUNCH_LIMIT, lines.next_line())
        .await
        .map_err(|_| PageError::LaunchFailed { reason: format!("no word of the guard within {LAUNCH_LIMIT:?}") })?;
    let line = line.ok().flatten().unwrap_or_default();
    match (line.strip_prefix(STARTED_PREFIX).and_then(|id| id.parse().ok()), line.strip_prefix(FAILURE_PREFIX)) {
        (Some(process_id), _) => Ok(Started { guard, process_id, words: GuardWords(lines), profile }),
        (None, Some(reason)) => Err(PageError::LaunchFailed { reason: reason.to_owned() }),
        (None, None) => Err(PageError::LaunchFailed { reason: "the guard ended without output".into() }),
    }
}

fn spawn_guard(
    options: &LaunchOptions,
    chromium: &Path,
    profile: &Path,
    pipe: [OwnedFd; 2],
) -> Result<Child, PageError> {
    let failed = |source| PageError::GuardFailed { program: options.guard.clone(), source };
    let mut command = Command::new(&options.guard);
    command.arg("guard").arg("--chromium").arg(chromium).arg("--profile").arg(profile).arg("--").args(FLAGS);
    command.arg(disabled_features(options.code.as_ref().is_some_and(CodeCache::is_there)));
    if nix::unistd::geteuid().is_root() {
        // Chromium's sandbox refuses to run as root.
        command.arg("--no-sandbox");
    }
    let [reads, writes] = pipe;
    // The guard inherits both and hands them on.
    let mappings = vec![
        FdMapping { parent_fd: reads, child_fd: CHROMIUM_READS },
        FdMapping { parent_fd: writes, child_fd: CHROMIUM_WRITES },
    ];
    // A group of its own: Ctrl-C in a terminal must not end Chromium before we have ended its sessions.
    command
        .env_clear()
        .envs(ENVIRONMENT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    command.fd_mappings(mappings).map_err(|error| failed(std::io::Error::other(error)))?;
    command.spawn().map_err(failed)
}
