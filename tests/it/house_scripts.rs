//! The rules of page scripts: each file is used exactly once and exercised by a test; nothing names a registry.

use std::path::Path;

use crate::support::root;

pub fn texts_below(folder: &Path, extension: &str) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(texts_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    texts
}

/// Base names of the JavaScript files in a folder.
fn scripts(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no scripts in {folder}");
    names
}

/// The name of the constant that a page function is bound to, as in `const READY: PageFn<…> = page_fn!("ready")`.
fn constant(sources: &[(String, String)], name: &str) -> Option<String> {
    let call = format!("page_fn!(\"{name}\")");
    let (_, text) = sources.iter().find(|(_, text)| text.contains(&call))?;
    let before = &text[..text.find(&call)?];
    let declaration = &before[before.rfind("const ")? + "const ".len()..];
    declaration.split(':').next().map(|name| name.trim().to_owned())
}

#[test]
fn every_page_function_is_in_a_table_exactly_once() {
    let sources = texts_below(&root().join("src"), "rs");
    let mut faults = Vec::new();
    for name in scripts("src/page/js/fn") {
        let call = format!("page_fn!(\"{name}\")");
        let uses: usize = sources.iter().map(|(_, text)| text.matches(&call).count()).sum();
        if uses != 1 {
            faults.push(format!("{name}.js is declared {uses} times"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_shared_script_is_in_the_prelude() {
    let prelude = scratchbed::page::scripts::prelude();
    for name in scripts("src/page/js/lib") {
        assert!(prelude.contains(&format!("define(\"{name}\",")), "lib/{name}.js is not in the LIB table");
    }
}

/// A page function is exercised by a test of its own, or by a browser test that names it, its constant or
/// the action that calls it.
#[test]
fn every_page_function_is_exercised() {
    let sources = texts_below(&root().join("src"), "rs");
    let browser_tests: String = texts_below(&root().join("tests/it"), "rs")
        .into_iter()
        .filter(|(path, _)| !path.contains("house_"))
        .map(|(_, text)| text)
        .collect();
    let faults: Vec<String> = scripts("src/page/js/fn")
        .into_iter()
        .filter(|name| {
            let own = root().join(format!("src/page/js/test/{name}.test.js")).is_file();
            let mut words = vec![name.clone(), name.replace('-', "_")];
            words.extend(constant(&sources, name));
            !own && !words.iter().any(|word| browser_tests.contains(word.as_str()))
        })
        .collect();
    assert!(faults.is_empty(), "page functions without a test: {}", faults.join(", "));
}

#[test]
fn the_lockfile_names_no_registry() {
    let lock = std::fs::read_to_string(root().join("scratch-gui/package-lock.json")).unwrap();
    assert!(!lock.contains("\"resolved\""), "regenerate the lockfile with the settings of scratch-gui/.npmrc");
}
