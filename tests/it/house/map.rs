//! docs/MAP.md lists every module of every room with the first sentence of its documentation.

use std::fmt::Write as _;
use std::path::Path;

use crate::house::rooms::LEVELS;
use crate::support::root;

const HEAD: &str = "# Map of the rooms

Every module, with the first sentence of its documentation. `make gen` generates this file from the sources, and a test
fails if it is stale. [ARCHITECTURE.md](ARCHITECTURE.md) says which room may use which, and what each leaves out.
";

/// The first sentence of a file's documentation, on one line.
fn subject(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    paragraph.split_once(". ").map_or(paragraph.clone(), |(first, _)| format!("{first}."))
}

/// The modules of a folder by name, each a file or a folder with a `mod.rs`; files of tests are not among them.
fn modules(folder: &Path) -> Vec<(String, std::path::PathBuf)> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            let file = if path.is_dir() { path.join("mod.rs") } else { path };
            let is_module = file.is_file() && file.extension().is_some_and(|extension| extension == "rs");
            let is_test =
                name == "tests" || name == "fakes" || name.ends_with("_tests") || name == "mod" || name == "lib";
            (is_module && !is_test).then_some((name, file))
        })
        .collect();
    found.sort();
    found
}

fn list(map: &mut String, folder: &Path, indent: usize) {
    for (name, file) in modules(folder) {
        writeln!(map, "{}- `{name}`: {}", " ".repeat(indent), subject(&file)).unwrap();
        if file.file_name().is_some_and(|file| file == "mod.rs") {
            list(map, file.parent().unwrap(), indent + 2);
        }
    }
}

fn map() -> String {
    let mut map = HEAD.to_owned();
    for (room, level) in LEVELS {
        let folder = root().join("src").join(room);
        // One room is a crate of its own.
        let file = ["mod.rs", "lib.rs"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file()).unwrap();
        writeln!(map, "\n## `{room}` (level {level})\n{}\n", subject(&file)).unwrap();
        list(&mut map, &folder, 0);
    }
    map
}

#[test]
fn the_map_names_every_module() {
    let (file, wanted) = (root().join("docs/MAP.md"), map());
    if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap_or_default() == wanted, "docs/MAP.md is stale: run `make gen`");
}
