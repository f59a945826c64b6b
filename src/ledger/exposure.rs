//! Who may exchange the file of a ledger: whoever may change a folder on the way to it, however far above it.

use std::ffi::OsString;
use std::fs::{metadata, read_link, read_to_string, symlink_metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use nix::unistd::{Group, User, getegid, geteuid};

use super::LedgerError;

/// What lets the group, and what lets all others, change a folder.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
/// In such a folder only the owner of an entry may exchange it, or that of the folder. New ones may be put there all the same.
const STICKY: u32 = 0o1000;
/// As many links are followed as the system does.
const MOST_LINKS: u32 = 40;
/// In a namespace that has all users, this many are mapped.
const ALL_USERS: &str = "4294967295";

/// What lets other users of this machine read or exchange a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Exposure {
    #[strum(to_string = "can be changed by other users, who may put another ledger in its place")]
    Writable,
    #[strum(to_string = "belongs to another user, who may put another ledger in its place")]
    Owned,
    #[strum(to_string = "can be read or written by everybody")]
    Open,
}

impl Exposure {
    /// How the owner of the machine keeps others out of this folder or file.
    pub(super) fn hint(self, path: &str) -> String {
        let help = match self {
            Self::Writable => format!("`chmod go-w {path}` keeps others out"),
            Self::Owned => format!("`chown` gives {path} to you or to root"),
            Self::Open => format!("`chmod o= {path}` keeps others out"),
        };
        format!("{help}; or name a file in a folder of your own with --ledger or SCRATCHBED_LEDGER")
    }

    pub(super) fn of(self, path: &Path) -> LedgerError {
        LedgerError::Exposed { path: path.display().to_string(), why: self }
    }
}

/// Whose folders and files are as good as our own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trusted {
    me: u32,
    /// Whom files belong to whose owner this process's namespace does not have: root outside of it among others, and nobody in it.
    unmapped: Option<u32>,
    /// Who owns this program: whoever can exchange it can do all that we can.
    program: Option<u32>,
    /// The group that nobody but the user of this process is in, if there is one. Where users have such groups, their folders are
    /// often open to it.
    private_group: Option<u32>,
}

impl Trusted {
    /// Root, the user of this process, and whoever owns the program.
    pub(super) fn here() -> Self {
        let program = metadata("/proc/self/exe").ok().map(|program| program.uid());
        Self { me: geteuid().as_raw(), unmapped: unmapped(), program, private_group: private_group() }
    }

    /// What of a folder's mode lets others change it, where its group is this one.
    const fn others_write(self, group: u32) -> u32 {
        match self.private_group {
            Some(own) if own == group => OTHERS_WRITE,
            _ => GROUP_WRITES | OTHERS_WRITE,
        }
    }

    /// Whether this user could do what we do anyway.
    pub(super) fn is(self, owner: u32) -> bool {
        [Some(0), Some(self.me), self.unmapped, self.program].contains(&Some(owner))
    }
}

/// The primary group of this process, if it has the user's name and nobody else as a further member: the convention of user
/// private groups. Who has it as a primary group without being named in it is not looked for.
fn private_group() -> Option<u32> {
    let (group, user) = (Group::from_gid(getegid()).ok()??, User::from_uid(geteuid()).ok()??);
    let is_own = group.name == user.name && group.mem.iter().all(|member| *member == user.name);
    is_own.then(|| group.gid.as_raw())
}

fn unmapped() -> Option<u32> {
    let users = read_to_string("/proc/self/uid_map").ok()?;
    if users.lines().any(|line| line.split_whitespace().nth(2) == Some(ALL_USERS)) {
        return None;
    }
    read_to_string("/proc/sys/kernel/overflowuid").ok()?.trim().parse().ok()
}

/// Where a file lies without links, each of which is resolved on its own: who may exchange one, or a folder above it, leads us
/// elsewhere. The file need not be there.
///
/// # Errors
/// [`LedgerError::Exposed`] names the first folder or link on the way that others may change.
pub(super) fn own_place(file: &Path, trusted: Trusted) -> Result<PathBuf, LedgerError> {
    // Whatever is wrong with a path that leads nowhere, opening the file tells.
    let Ok(whole) = std::path::absolute(file) else { return Ok(file.to_owned()) };
    let (mut left, mut at, mut links) = (reversed(&whole), PathBuf::from("/"), 0);
    while let Some(name) = left.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&name);
        let link = symlink_metadata(&next).ok().filter(std::fs::Metadata::is_symlink);
        refuse_changeable(&at, left.is_empty() && link.is_none(), trusted)?;
        let Some(link) = link else {
            at = next;
            continue;
        };
        if !trusted.is(link.uid()) {
            return Err(Exposure::Owned.of(&next));
        }
        links += 1;
        let target = read_link(&next).ok().filter(|_| links <= MOST_LINKS);
        let Some(target) = target else { return Ok(file.to_owned()) };
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        left.extend(reversed(&target));
    }
    Ok(at)
}

/// The steps of a path, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    let step = |step: Component<'_>| match step {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().rev().filter_map(step).collect()
}

/// Refuses a folder in which others may exchange an entry; or, where it holds the ledger, put files beside it, which `SQLite` would take
/// for its own.
fn refuse_changeable(folder: &Path, holds_ledger: bool, trusted: Trusted) -> Result<(), LedgerError> {
    let Ok(found) = metadata(folder) else { return Ok(()) };
    if !trusted.is(found.uid()) {
        return Err(Exposure::Owned.of(folder));
    }
    let is_open = found.mode() & trusted.others_write(found.gid()) != 0 && (holds_ledger || found.mode() & STICKY == 0);
    if is_open { Err(Exposure::Writable.of(folder)) } else { Ok(()) }
}

#[cfg(test)]
#[path = "exposure_tests.rs"]
mod tests;
