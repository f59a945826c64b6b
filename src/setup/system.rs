//! Debian packages: Chromium, and the one font that decides where text lies in the editor.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::run::{exists, run};
use super::{Done, Place, SetupError};
use crate::page::LaunchOptions;

/// The sandbox is only a recommendation of the Debian package, but Chromium won't start for a user without it.
const CHROMIUM_PACKAGES: [&str; 2] = ["chromium", "chromium-sandbox"];
/// Liberation Sans stands in for Helvetica and Arial, which the editor asks for.
const FONT_PACKAGE: &str = "fonts-liberation";
/// The file that shows that the font is installed.
const FONT_FILE: &str = "LiberationSans-Regular.ttf";
/// How deep fonts lie below a font folder.
const FONT_DEPTH: u32 = 4;

/// Installs what is missing, where we may.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    let missing = missing(place);
    if missing.is_empty() {
        return Ok(Done::Already("Chromium and Liberation Sans are installed".into()));
    }
    install(missing)
}

/// Installs Debian packages, where we may.
pub(super) fn install(missing: Vec<String>) -> Result<Done, SetupError> {
    if let Some(reason) = why_not_install() {
        return Err(SetupError::SystemPackages { missing, reason });
    }
    run("apt-get", apt().arg("update"))?;
    run("apt-get", apt().args(["install", "-y", "--no-install-recommends"]).args(&missing))?;
    Ok(Done::Now(format!("installed {}", missing.join(", "))))
}

/// The Chromium that would be started, and the folder of the font, if they are there.
pub(super) fn found(place: &Place) -> (Option<PathBuf>, Option<PathBuf>) {
    let options = LaunchOptions::new(place.chromium.clone(), PathBuf::new());
    (options.find_chromium().ok(), find_font())
}

fn missing(place: &Place) -> Vec<String> {
    let (chromium, font) = found(place);
    let mut missing: Vec<&str> = Vec::new();
    if chromium.is_none() {
        missing.extend(CHROMIUM_PACKAGES);
    }
    if font.is_none() {
        missing.push(FONT_PACKAGE);
    }
    missing.into_iter().map(str::to_owned).collect()
}

/// Why installing has to be left to a person.
fn why_not_install() -> Option<&'static str> {
    if !exists("apt-get") {
        Some("there is no apt-get here")
    } else if !nix::unistd::geteuid().is_root() {
        Some("only root may install packages")
    } else {
        None
    }
}

fn apt() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn find_font() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let folders = [
        "/usr/share/fonts".into(),
        "/usr/local/share/fonts".into(),
        home.join(".fonts"),
        home.join(".local/share/fonts"),
    ];
    folders.iter().find_map(|folder| find_file(folder, FONT_DEPTH))
}

fn find_file(folder: &Path, depth: u32) -> Option<PathBuf> {
    if folder.join(FONT_FILE).is_file() {
        return Some(folder.join(FONT_FILE));
    }
    let entries = std::fs::read_dir(folder).ok().filter(|_| depth > 0)?;
    entries.flatten().filter(|entry| entry.path().is_dir()).find_map(|entry| find_file(&entry.path(), depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn a_configured_chromium_that_is_absent_is_missing() {
        let place = Place { checkout: Checkout::at(""), chromium: Some("/no/such/chromium".into()) };
        assert!(missing(&place).contains(&"chromium".to_owned()));
    }

    #[test]
    fn the_font_is_found_below_a_folder_but_not_too_deep() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join(FONT_FILE), b"").unwrap();
        assert!(find_file(folder.path(), 2).is_some());
        assert!(find_file(folder.path(), 1).is_none());
    }
}
