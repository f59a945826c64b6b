//! The rules of page scripts: each file is used exactly once and exercised by a test; nothing names a registry.

use std::path::Path;

use scratchbed::page::scripts::{ROOMS, Room};

use crate::support::{root, texts_below};

/// Rooms and base names of all page functions.
fn page_functions() -> Vec<(&'static str, String)> {
    let mut functions = Vec::new();
    for room in ROOMS.map(Room::name) {
        for (path, _) in texts_below(&root().join("src/page/js").join(room).join("fn"), "js") {
            functions.push((room, Path::new(&path).file_stem().unwrap().to_str().unwrap().to_owned()));
        }
    }
    assert!(!functions.is_empty(), "no page functions");
    functions
}

/// How a page function is declared.
fn declaration(room: &str, name: &str) -> String {
    format!("page_fn!(\"{room}\", \"{name}\")")
}

/// The name of the constant that a page function is bound to, as in `const READY: PageFn<…> = page_fn!("page", "ready")`.
fn constant(sources: &[(String, String)], call: &str) -> Option<String> {
    let (_, text) = sources.iter().find(|(_, text)| text.contains(call))?;
    let before = &text[..text.find(call)?];
    let declaration = &before[before.rfind("const ")? + "const ".len()..];
    declaration.split(':').next().map(|name| name.trim().to_owned())
}

#[test]
fn every_page_function_is_in_a_table_exactly_once() {
    let sources = texts_below(&root().join("src"), "rs");
    let mut faults = Vec::new();
    for (room, name) in page_functions() {
        let call = declaration(room, &name);
        let uses: usize = sources.iter().map(|(_, text)| text.matches(&call).count()).sum();
        if uses != 1 {
            faults.push(format!("{room}/fn/{name}.js is declared {uses} times"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Modules are found by their base names, and the names of page functions stand alone in messages.
#[test]
fn base_names_of_page_scripts_are_unique() {
    for kind in ["fn", "lib"] {
        let folders = ROOMS.map(|room| root().join("src/page/js").join(room.name()).join(kind));
        let paths = folders.iter().flat_map(|folder| texts_below(folder, "js")).map(|(path, _)| path);
        let mut names: Vec<String> = paths.map(|path| path.rsplit('/').next().unwrap().to_owned()).collect();
        names.sort();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(names.len() > 40 && twice.is_empty(), "{kind}: {twice:?}");
    }
}

/// What is said to work in every editor is called in both, each on its days: a test that goes through them names it.
#[test]
fn page_functions_for_every_editor_are_tested_in_both() {
    let sources = texts_below(&root().join("src"), "rs");
    let goes_through =
        |text: &str| ["todays_editors()", "in_todays_editors(async"].iter().any(|word| text.contains(word));
    let tests: String = texts_below(&root().join("tests/it"), "rs")
        .into_iter()
        .filter(|(path, text)| path.contains("browser_") && goes_through(text))
        .map(|(_, text)| text)
        .collect();
    let everywhere: Vec<String> = page_functions()
        .into_iter()
        .filter(|(room, name)| {
            let call = format!("{}.in_every_editor()", declaration(room, name));
            sources.iter().any(|(_, text)| text.contains(&call))
        })
        .map(|(_, name)| name)
        .collect();
    let untested: Vec<_> = everywhere.iter().filter(|name| !tests.contains(&format!("`{name}`"))).collect();
    assert!(everywhere.len() > 10 && untested.is_empty(), "{untested:?}");
}

/// A page function is exercised by a test of its own, or by a browser test that names it, its constant or
/// the action that calls it.
#[test]
fn every_page_function_is_exercised() {
    let sources = texts_below(&root().join("src"), "rs");
    let browser_tests: String = texts_below(&root().join("tests/it"), "rs")
        .into_iter()
        .filter(|(path, _)| !path.contains("/house/"))
        .map(|(_, text)| text)
        .collect();
    let faults: Vec<String> = page_functions()
        .into_iter()
        .filter(|(room, name)| {
            let own = root().join(format!("src/page/js/{room}/test/{name}.test.js")).is_file();
            let mut words = vec![name.clone(), name.replace('-', "_")];
            words.extend(constant(&sources, &declaration(room, name)));
            !own && !words.iter().any(|word| browser_tests.contains(word.as_str()))
        })
        .map(|(room, name)| format!("{room}/{name}"))
        .collect();
    assert!(faults.is_empty(), "page functions without a test: {}", faults.join(", "));
}

#[test]
fn the_lockfile_names_no_registry() {
    let lock = std::fs::read_to_string(root().join("scratch-gui/package-lock.json")).unwrap();
    assert!(!lock.contains("\"resolved\""), "regenerate the lockfile with the settings of scratch-gui/.npmrc");
}
