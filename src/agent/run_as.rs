//! The user as whom a program of the user's runs, and what that user can read.

use std::path::{Component, Path, PathBuf};
use std::process::Stdio;

use nix::unistd::{User, chown, geteuid};
use tokio::process::Command;

use crate::model::{Blame, Coded};

/// Paths in one call: a command line has a longest length.
const AT_ONCE: usize = 200;
/// Prints those of its arguments that can be read, or, of folders, entered. A name has no line break here.
const PROBE: &str =
    r#"for path do if [ -r "$path" ] || { [ -d "$path" ] && [ -x "$path" ]; }; then printf '%s\n' "$path"; fi; done"#;

/// A user of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAs {
    name: String,
    user: User,
}

/// Why programs can't run as a user.
#[derive(Debug, thiserror::Error)]
pub enum RunAsError {
    #[error("there is no user `{0}` on this machine")]
    NoSuchUser(String),
    /// The operating system lets only root change users.
    #[error("only root can run a program as the user `{0}`")]
    NotRoot(String),
    #[error("what the user `{name}` can read is not known")]
    NotChecked {
        name: String,
        #[source]
        source: std::io::Error,
    },
}

impl Coded for RunAsError {
    fn code(&self) -> &'static str {
        match self {
            Self::NoSuchUser(_) => "no_such_user",
            Self::NotRoot(_) => "not_root",
            Self::NotChecked { .. } => "isolation_not_checked",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchUser(_) => Some("`useradd --system NAME` makes one".to_owned()),
            Self::NotRoot(_) => Some("run as root, or give --isolation none, which every report then shows".to_owned()),
            Self::NotChecked { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::NoSuchUser(_) => Blame::Input,
            Self::NotRoot(_) => Blame::Caller,
            Self::NotChecked { .. } => Blame::Testbed,
        }
    }
}

impl RunAs {
    /// The user of this name.
    ///
    /// # Errors
    /// When there is none, or this process may not become it.
    pub fn named(name: &str) -> Result<Self, RunAsError> {
        let found = User::from_name(name).ok().flatten();
        let user = found.ok_or_else(|| RunAsError::NoSuchUser(name.to_owned()))?;
        if !geteuid().is_root() {
            return Err(RunAsError::NotRoot(name.to_owned()));
        }
        Ok(Self { name: name.to_owned(), user })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ids of the user and of its main group.
    pub(super) fn ids(&self) -> (u32, u32) {
        (self.user.uid.as_raw(), self.user.gid.as_raw())
    }

    /// Has a command run as this user, with its main group and no other.
    pub(super) fn apply(&self, command: &mut Command) {
        // The standard library drops all other groups of root's when it changes the user.
        let (user, group) = self.ids();
        command.uid(user).gid(group);
    }

    /// Gives a file or folder to this user.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn give(&self, path: &Path) -> std::io::Result<()> {
        chown(path, Some(self.user.uid), Some(self.user.gid)).map_err(Into::into)
    }

    /// Those of the paths that this user can read, or, of folders, enter; found out as this user.
    ///
    /// # Errors
    /// When no process can be started as this user.
    pub async fn readable(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, RunAsError> {
        let not_checked = |source| RunAsError::NotChecked { name: self.name.clone(), source };
        let paths = paths.iter().map(|path| from_anywhere(path)).collect::<std::io::Result<Vec<_>>>();
        let paths = paths.map_err(not_checked)?;
        let mut readable = Vec::new();
        for paths in paths.chunks(AT_ONCE) {
            let mut command = Command::new("sh");
            command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
            command.arg("-c").arg(PROBE).arg("sh").args(paths).current_dir("/").stdin(Stdio::null());
            self.apply(&mut command);
            let output = command.output().await.map_err(not_checked)?;
            if !output.status.success() {
                return Err(not_checked(std::io::Error::other(output.status.to_string())));
            }
            readable.extend(String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from));
        }
        Ok(readable)
    }
}

/// A path as it is found from any folder: the process that looks starts elsewhere, and its user may not pass the folder that we are in.
fn from_anywhere(path: &Path) -> std::io::Result<PathBuf> {
    let is_plain = path.is_absolute() && path.components().all(|part| part != Component::ParentDir);
    // What is not there can't be read.
    if is_plain { Ok(path.to_owned()) } else { path.canonicalize().or_else(|_| std::path::absolute(path)) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_is_asked_about_is_found_from_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().canonicalize().unwrap();
        fs::create_dir(place.join("private")).unwrap();
        assert_eq!(from_anywhere(&place.join("private/..")).unwrap(), place, "nothing private is passed");
        let here = std::env::current_dir().unwrap();
        assert_eq!(from_anywhere(Path::new(".")).unwrap(), here.canonicalize().unwrap());
        assert_eq!(from_anywhere(Path::new("not-there")).unwrap(), here.join("not-there"));
        assert_eq!(from_anywhere(&place.join("not-there")).unwrap(), place.join("not-there"));
    }

    /// As root, as in CI and in containers, the check is made for real; others can't change users, and are told so.
    #[tokio::test]
    async fn what_a_user_can_read_is_found_out_as_that_user() {
        assert_eq!(RunAs::named("no such user").unwrap_err().code(), "no_such_user");
        let folder = tempfile::tempdir().unwrap();
        let nobody = match RunAs::named("nobody") {
            Ok(nobody) => nobody,
            Err(error) => return assert_eq!((error.code(), geteuid().is_root()), ("not_root", false)),
        };
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let file = |name: &str, mode: u32| {
            let path = folder.path().join(name);
            fs::write(&path, b"x").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let (open, closed) = (file("open", 0o644), file("closed", 0o600));
        let (entered, given) = (folder.path().join("entered"), file("given", 0o600));
        fs::create_dir(&entered).unwrap();
        fs::set_permissions(&entered, fs::Permissions::from_mode(0o711)).unwrap();
        nobody.give(&given).unwrap();
        let paths = [open.clone(), closed, entered.clone(), given.clone(), folder.path().join("absent")];
        assert_eq!(nobody.readable(&paths).await.unwrap(), [open, entered, given]);
    }
}
