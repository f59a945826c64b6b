//! A Postgres server for all tests of a process: its own folder, a Unix socket and no port, every commit on the disk, as an unprivileged
//! user. Each test has databases of its own in it. It ends with the process, however that ends.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Where Debian has the programs of its versions.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The user `nobody`, for tests that run as root: the server refuses to.
const NOBODY: u32 = 65_534;
const START: Duration = Duration::from_secs(60);

/// Runs the server until its standard input is closed, then ends it without waiting for clients and removes its folder.
const UNTIL_CLOSED: &str = r#""$@" & server=$!; cat > /dev/null; kill -QUIT $server; wait $server; rm -rf "$FOLDER""#;

/// A running server.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    user: Option<u32>,
    databases: AtomicUsize,
    /// Its standard input is open as long as this process lives.
    _process: Child,
}

static SHARED: LazyLock<Server> = LazyLock::new(Server::start);

impl Server {
    /// The server of this process, started on first use.
    pub fn shared() -> &'static Self {
        &SHARED
    }

    fn start() -> Self {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap().keep();
        let is_root = folder.metadata().unwrap().uid() == 0;
        let user = is_root.then_some(NOBODY);
        if let Some(user) = user {
            chown(&folder, Some(user), Some(user)).unwrap();
        }
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
        let data = folder.join("data");
        let made = as_user(&programs.join("initdb"), user, &folder)
            .args(["--auth=trust", "--username=scratchbed", "--no-instructions", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .status();
        assert!(made.unwrap().success(), "initdb failed");
        let process = as_user(Path::new("sh"), user, &folder)
            .args(["-c", UNTIL_CLOSED, "sh"])
            .arg(programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&folder)
            .args(["-c", "listen_addresses=", "-c", "max_connections=400"])
            .env("FOLDER", &folder)
            // Ctrl-C in a terminal is for the tests; the server ends after them.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap();
        let server = Self { folder, programs, user, databases: AtomicUsize::new(0), _process: process };
        server.wait();
        server
    }

    fn wait(&self) {
        let since = Instant::now();
        while !self.psql("postgres", "SELECT 1") {
            assert!(since.elapsed() < START, "the server does not answer: {}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Carries out a statement, and says whether that worked.
    fn psql(&self, database: &str, sql: &str) -> bool {
        let mut command = as_user(&self.programs.join("psql"), self.user, &self.folder);
        command.arg("-h").arg(&self.folder).args(["-U", "scratchbed", "-q", "-c", sql, database]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    /// The address of a new database. `name` is the beginning of its name, for people who read the log.
    pub fn database(&self, name: &str) -> String {
        // Postgres cuts longer names off.
        let name = format!("{}_{}", &name[..name.len().min(50)], self.databases.fetch_add(1, Ordering::Relaxed));
        assert!(self.psql("postgres", &format!("CREATE DATABASE {name}")), "{}", self.log());
        format!("postgres:///{name}?host={}&user=scratchbed", self.folder.display())
    }
}

fn as_user(program: &Path, user: Option<u32>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("LC_ALL", "C");
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    command
}

/// The folder with the newest version's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let version = |bin: &PathBuf| bin.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.filter(|bin| bin.join("initdb").is_file()).max_by_key(version);
    newest.unwrap_or_else(|| panic!("no Postgres in {DEBIAN}: run `scratchbed setup --postgres`"))
}
