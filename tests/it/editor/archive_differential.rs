//! Our reading of archives against that of JSZip, which is what the editor and the VM read them with: an archive that we
//! accept means the same to both, and after it was written anew nothing else is possible.

use std::io::{Cursor, Write};
use std::process::Command;

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use scratchbed::project::Project;
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::support::root;

/// Archives in one run.
const ARCHIVES: usize = 300;
/// Names that unpackers may understand in different ways, and some that they can't.
const NAMES: [&str; 14] = [
    "project.json",
    "game/project.json",
    "a/b/project.json",
    "./project.json",
    "a/../project.json",
    "/project.json",
    "..\\project.json",
    "PROJECT.JSON",
    "project.json/",
    "0123456789abcdef0123456789abcdef.svg",
    "game/0123456789abcdef0123456789abcdef.svg",
    "a/../0123456789abcdef0123456789abcdef.svg",
    "__MACOSX/._project.json",
    "notes.txt",
];

fn archive(random: &mut Pcg64) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..random.random_range(1..5) {
        let name = NAMES.choose(random).unwrap();
        let method = if random.random_bool(0.5) { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method);
        // The zip writer itself refuses a name twice; such an archive is then without the second.
        if name.ends_with('/') || zip.start_file(*name, options).is_err() {
            continue;
        }
        write!(zip, "{{\"targets\":[],\"number\":{number}}}").unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn what_we_accept_means_the_same_to_jszip() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Pcg64::seed_from_u64(16);
    let mut accepted = Vec::new();
    for number in 0..ARCHIVES {
        let bytes = archive(&mut random);
        if let Ok(project) = Project::read(&bytes) {
            std::fs::write(folder.path().join(format!("{number}.given.zip")), &bytes).unwrap();
            std::fs::write(folder.path().join(format!("{number}.anew.zip")), project.pack().unwrap()).unwrap();
            accepted.push((number, project.json));
        }
    }
    assert!(accepted.len() > ARCHIVES / 10, "only {} were accepted", accepted.len());
    let read = Command::new("node")
        .arg(root().join("tests/it/support/js/read-with-jszip.js"))
        .arg(root().join("scratch-gui"))
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let theirs: Value = serde_json::from_slice(&read.stdout).unwrap();
    for (number, ours) in accepted {
        for kind in ["given", "anew"] {
            assert_eq!(theirs[format!("{number}.{kind}.zip")], ours, "archive {number}, {kind}");
        }
    }
}
