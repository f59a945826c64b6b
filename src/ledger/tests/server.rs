//! A Postgres server for one test: its own folder, a Unix socket and no port, every commit on the disk, as an unprivileged user.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where Debian has the programs of its versions.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The user `nobody`, for tests that run as root: the server refuses to.
const NOBODY: u32 = 65_534;
const START: Duration = Duration::from_secs(60);

/// A running server; it ends with the value.
pub struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    user: Option<u32>,
    process: Child,
}

impl Server {
    pub fn start() -> Self {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        let is_root = folder.path().metadata().unwrap().uid() == 0;
        let user = is_root.then_some(NOBODY);
        if let Some(user) = user {
            chown(folder.path(), Some(user), Some(user)).unwrap();
        }
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let data = folder.path().join("data");
        let made = as_user(&programs.join("initdb"), user, folder.path())
            .args(["--auth=trust", "--username=scratchbed", "--no-instructions", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .status();
        assert!(made.unwrap().success(), "initdb failed");
        let process = as_user(&programs.join("postgres"), user, folder.path())
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-c", "listen_addresses=", "-c", "max_connections=200"])
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let server = Self { folder, programs, user, process };
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
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Carries out a statement, and says whether that worked.
    pub fn psql(&self, database: &str, sql: &str) -> bool {
        let mut command = as_user(&self.programs.join("psql"), self.user, self.folder.path());
        command.arg("-h").arg(self.folder.path()).args(["-U", "scratchbed", "-q", "-c", sql, database]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    /// The address of a new database.
    pub fn database(&self, name: &str) -> String {
        assert!(self.psql("postgres", &format!("CREATE DATABASE {name}")), "{}", self.log());
        format!("postgres:///{name}?host={}&user=scratchbed", self.folder.path().display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A quick end: nobody needs the data.
        let pid = self.process.id().to_string();
        let _ = Command::new("kill").args(["-QUIT", &pid]).status();
        let _ = self.process.wait();
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
