//! What the crates of this project depend on: each dependency is used, each package comes from crates.io with its digest, and each one that
//! is linked has a licence that deny.toml allows. `cargo deny` says more, and must be installed for it.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{root, texts_below};

fn manifest(path: &str) -> toml::Table {
    std::fs::read_to_string(root().join(path)).unwrap().parse().unwrap()
}

/// What cargo knows of all packages.
pub fn metadata() -> Value {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .current_dir(root())
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    serde_json::from_slice(&cargo.stdout).unwrap()
}

/// The name by which sources call a package.
fn library(packages: &Value, package: &str) -> String {
    let of = |found: &Value| {
        let targets = found["targets"].as_array().unwrap();
        let library = targets.iter().find(|target| target["kind"][0] == "lib" || target["kind"][0] == "proc-macro");
        library.map_or(package, |target| target["name"].as_str().unwrap()).replace('-', "_")
    };
    let found = packages["packages"].as_array().unwrap().iter().find(|found| found["name"] == package);
    of(found.unwrap_or_else(|| panic!("{package} is no package")))
}

/// Dependencies of a manifest that no source below these folders names.
fn unused(path: &str, sections: &[&str], folders: &[&Path]) -> Vec<String> {
    let (manifest, packages) = (manifest(path), metadata());
    let sources: String = folders.iter().flat_map(|folder| texts_below(folder, "rs")).map(|(_, text)| text).collect();
    let names = sections.iter().flat_map(|section| manifest[*section].as_table().unwrap().keys());
    names.filter(|name| !is_named(&sources, &library(&packages, name))).cloned().collect()
}

/// Whether a crate is named as a whole word.
fn is_named(sources: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    sources
        .match_indices(name)
        .any(|(at, _)| !part(sources[..at].chars().next_back()) && !part(sources[at + name.len()..].chars().next()))
}

#[test]
fn every_dependency_is_used() {
    let rooms = manifest("Cargo.toml")["workspace"]["members"].clone();
    let rooms: Vec<String> = rooms.try_into().unwrap();
    for room in &rooms {
        let folder = root().join(room);
        let path = format!("{room}/Cargo.toml");
        let sections =
            ["dependencies", "dev-dependencies"].into_iter().filter(|name| manifest(&path).contains_key(*name));
        assert_eq!(unused(&path, &sections.collect::<Vec<_>>(), &[&folder]), [""; 0], "{room}");
    }
    let own: Vec<PathBuf> = std::fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let own = own.iter().filter(|path| rooms.iter().all(|room| **path != root().join(room)));
    let own: Vec<&Path> = own.map(PathBuf::as_path).collect();
    assert_eq!(unused("Cargo.toml", &["dependencies"], &own), [""; 0]);
    let tests = root().join("tests/it");
    assert_eq!(unused("Cargo.toml", &["dev-dependencies"], &[own.as_slice(), &[&tests]].concat()), [""; 0]);
}

#[test]
fn every_package_is_of_this_checkout_or_of_crates_io_and_has_a_digest() {
    let lock = manifest("Cargo.lock");
    let packages = lock["package"].as_array().unwrap();
    let crates_io = "registry+https://github.com/rust-lang/crates.io-index";
    let foreign = packages.iter().filter(|package| match package.get("source") {
        Some(source) => source.as_str() != Some(crates_io) || package.get("checksum").is_none(),
        None => !package["name"].as_str().unwrap().starts_with("scratchbed"),
    });
    assert_eq!(foreign.map(|package| package["name"].to_string()).collect::<Vec<_>>(), [""; 0]);
    assert!(packages.len() > 100, "{} packages", packages.len());
}

#[test]
fn every_linked_package_has_a_licence_that_is_allowed() {
    let rules = manifest("deny.toml");
    let allowed: BTreeSet<&str> =
        rules["licenses"]["allow"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let clarified = |package: &Value| {
        let all = rules["licenses"]["clarify"].as_array().unwrap().iter();
        let mut of = all.filter(|one| Some(one["crate"].as_str().unwrap()) == package["name"].as_str());
        of.next().map(|one| one["expression"].as_str().unwrap().to_owned())
    };
    let told = metadata();
    let linked: HashSet<&str> =
        told["resolve"]["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect();
    let packages = told["packages"].as_array().unwrap().iter();
    let refused: Vec<String> = packages
        .filter(|package| linked.contains(package["id"].as_str().unwrap()))
        .filter(|package| {
            let licence = package["license"].as_str().map(str::to_owned).or_else(|| clarified(package));
            !is_allowed(&licence.unwrap_or_default(), &allowed)
        })
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert_eq!(refused, [""; 0]);
    assert!(linked.len() > 100);
}

fn is_allowed(licence: &str, allowed: &BTreeSet<&str>) -> bool {
    let lax = spdx::ParseMode::LAX;
    spdx::Expression::parse_mode(licence, lax)
        .is_ok_and(|expression| expression.evaluate(|wanted| allowed.contains(wanted.to_string().as_str())))
}

#[test]
fn what_is_not_allowed_is_refused() {
    let allowed = BTreeSet::from(["MIT", "Apache-2.0"]);
    assert!(is_allowed("MIT OR GPL-3.0-only", &allowed) && is_allowed("MIT/Apache-2.0", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0-only", &allowed) && !is_allowed("", &allowed));
    assert!(is_named("use spdx::Expression;", "spdx") && !is_named("spdx_more::x", "spdx"));
}
