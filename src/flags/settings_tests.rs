//! Tests of `settings`.

use super::*;

fn checkout() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("scratch-gui")).unwrap();
    std::fs::write(root.path().join("scratch-gui/package.json"), b"{}").unwrap();
    root
}

#[test]
fn the_checkout_is_found_from_a_folder_inside_it() {
    let root = checkout();
    let settings = Settings::resolve(&GlobalArgs::default(), &root.path().join("scratch-gui")).unwrap();
    assert_eq!(&*settings.root, root.path());
    assert_eq!(settings.chromium, None);
    let lost = tempfile::tempdir().unwrap();
    assert_eq!(Settings::resolve(&GlobalArgs::default(), lost.path()).unwrap_err().code(), "no_checkout");
}

#[test]
fn a_flag_wins_over_the_file() {
    let root = checkout();
    std::fs::write(root.path().join("scratchbed.toml"), "chromium = '/from/file'").unwrap();
    let of_file = Settings::resolve(&GlobalArgs::default(), root.path()).unwrap();
    assert_eq!(of_file.chromium, Some("/from/file".into()));
    let args = GlobalArgs { chromium: Some("/from/flag".into()), ..GlobalArgs::default() };
    assert_eq!(Settings::resolve(&args, root.path()).unwrap().chromium, Some("/from/flag".into()));
}

#[test]
fn misspelt_settings_and_absent_named_files_are_errors() {
    let root = checkout();
    std::fs::write(root.path().join("scratchbed.toml"), "cromium = 'x'").unwrap();
    let error = Settings::resolve(&GlobalArgs::default(), root.path()).unwrap_err();
    assert_eq!(error.code(), "config_invalid");
    let args = GlobalArgs { config: Some(root.path().join("other.toml")), ..GlobalArgs::default() };
    assert_eq!(Settings::resolve(&args, root.path()).unwrap_err().code(), "config_unreadable");
}
