//! Tests of `exposure`.

use std::fs::{Permissions, create_dir, set_permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

use super::*;

/// A place for folders of a ledger, its path without links.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

fn made(folder: PathBuf, mode: u32) -> PathBuf {
    create_dir(&folder).unwrap();
    set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
    folder
}

/// Users of groups that others are in as well.
fn in_groups() -> Trusted {
    Trusted { program: None, private_group: None, ..Trusted::here() }
}

/// The folder or link that exposes a file, and why.
fn exposed(file: &Path) -> Option<(PathBuf, Exposure)> {
    match own_place(file, in_groups()) {
        Ok(_) => None,
        Err(LedgerError::Exposed { path, why }) => Some((path.into(), why)),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn who_may_change_any_folder_above_a_ledger_may_exchange_it() {
    let (_held, root) = place();
    let above = made(root.join("above"), 0o755);
    let between = made(above.join("between"), 0o755);
    let file = made(between.join("own"), 0o700).join("ledger.sqlite");
    assert_eq!(exposed(&file), None);
    for open in [&above, &between] {
        for mode in [0o777, 0o775, 0o757, 0o722] {
            set_permissions(open, Permissions::from_mode(mode)).unwrap();
            assert_eq!(exposed(&file), Some((open.clone(), Exposure::Writable)), "{mode:o}");
        }
        for mode in [0o1777, 0o1775, 0o755, 0o700] {
            set_permissions(open, Permissions::from_mode(mode)).unwrap();
            assert_eq!(exposed(&file), None, "{mode:o}: nobody else may exchange what is in it");
        }
    }
}

#[test]
fn beside_a_ledger_nobody_else_may_put_files() {
    let (_held, root) = place();
    let own = made(root.join("own"), 0o700);
    for mode in [0o777, 0o1777, 0o775, 0o1775, 0o702] {
        set_permissions(&own, Permissions::from_mode(mode)).unwrap();
        assert_eq!(exposed(&own.join("ledger.sqlite")), Some((own.clone(), Exposure::Writable)), "{mode:o}");
    }
}

#[test]
fn links_are_followed_one_by_one() {
    let (_held, root) = place();
    let (open, closed) = (made(root.join("open"), 0o777), made(root.join("closed"), 0o700));
    let own = made(closed.join("own"), 0o700);
    // To the folder by way of an open one, and to the file in it.
    symlink(&own, open.join("way")).unwrap();
    symlink(open.join("way"), closed.join("link")).unwrap();
    symlink("../open/way/ledger.sqlite", closed.join("ledger.sqlite")).unwrap();
    let ways = [open.join("way/ledger.sqlite"), closed.join("link/ledger.sqlite"), closed.join("ledger.sqlite")];
    for way in &ways {
        assert_eq!(exposed(way), Some((open.clone(), Exposure::Writable)), "{}", way.display());
    }
    set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
    for way in &ways {
        assert_eq!(own_place(way, in_groups()).unwrap(), own.join("ledger.sqlite"), "{}", way.display());
    }
    symlink("loop", closed.join("loop")).unwrap();
    assert_eq!(exposed(&closed.join("loop")), None, "opening it says what is wrong");
    assert_eq!(own_place(&own.join("../own/./x"), in_groups()).unwrap(), own.join("x"));
    assert_eq!(exposed(&own.join("missing/deep/ledger.sqlite")), None);
}

#[test]
fn nobody_but_root_and_ourselves_may_own_a_folder_above_it() {
    let (_held, root) = place();
    let above = made(root.join("above"), 0o755);
    let file = made(above.join("own"), 0o700).join("ledger.sqlite");
    let trusted = Trusted { me: 4_000_000, unmapped: None, program: None, private_group: None };
    assert!(trusted.is(0) && trusted.is(4_000_000) && !trusted.is(1_000) && !trusted.is(65_534));
    assert!(Trusted { unmapped: Some(65_534), ..trusted }.is(65_534));
    assert!(Trusted { program: Some(1_000), ..trusted }.is(1_000), "who can exchange the program");
    if geteuid().is_root() {
        chown(&above, Some(4_000_001), None).unwrap();
        assert_eq!(exposed(&file), Some((above.clone(), Exposure::Owned)));
        chown(&above, Some(0), None).unwrap();
        assert_eq!(exposed(&file), None);
    } else {
        let error = own_place(&file, trusted).unwrap_err();
        assert!(matches!(error, LedgerError::Exposed { why: Exposure::Owned, .. }), "{error}");
    }
}

#[test]
fn a_group_of_ones_own_is_not_others() {
    let (_held, root) = place();
    let above = made(root.join("above"), 0o775);
    let file = above.join("ledger.sqlite");
    let group = metadata(&above).unwrap().gid();
    let alone = Trusted { private_group: Some(group), ..in_groups() };
    let among_others = Trusted { private_group: Some(group + 1), ..alone };
    assert!(own_place(&file, alone).is_ok() && own_place(&file, among_others).is_err());
    set_permissions(&above, Permissions::from_mode(0o777)).unwrap();
    assert!(own_place(&file, alone).is_err(), "all others may write");
}

#[test]
fn the_folder_is_named_with_what_helps() {
    use scratchbed_model::Coded as _;
    let error = Exposure::Writable.of(Path::new("/data/shared"));
    assert!(error.to_string().contains(": /data/shared can be changed by other users"), "{error}");
    assert!(error.hint().unwrap().starts_with("`chmod go-w /data/shared`"));
    assert_eq!(error.code(), "ledger_exposed");
}
