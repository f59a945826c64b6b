//! Compiled code of the editor: it is compiled once, V8 takes it, nothing else travels with it, and what does not match is
//! thrown away. Nothing that one page leaves reaches another, either. The page script `storage` lists what a page finds in its
//! context.

use std::fs;
use std::path::{Path, PathBuf};

use scratchbed::files::Checkout;
use scratchbed::model::EditorGeneration;
use scratchbed::page::code_cache::prepare;
use scratchbed::page::{Chromium, CodeCache, LaunchOptions, PageFn};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::support::browsers::serve_editor;
use crate::support::{launch_options, root};

const STORAGE: PageFn<(), Value> = PageFn::new("storage", include_str!("../support/js/storage.js"));
const LEAVE_TRACES: PageFn<(), ()> = PageFn::new("leave-traces", include_str!("../support/js/leave-traces.js"));

/// A checkout with the editor of this one and a cache of its own.
fn checkout(folder: &Path) -> Checkout {
    std::os::unix::fs::symlink(root().join("scratch-gui"), folder.join("scratch-gui")).unwrap();
    Checkout::at(folder)
}

fn code_file(checkout: &Checkout) -> PathBuf {
    checkout.compiled_editors().join("current.code")
}

/// The file that set-up made, as another browser would have made it.
fn foreign_code() -> Vec<u8> {
    let mut file = fs::read(code_file(&Checkout::at(root()))).expect("`scratchbed setup` compiles the editor");
    let browser = file.windows(7).position(|name| name == b"Chrome/").unwrap();
    file[browser..browser + 7].copy_from_slice(b"Others/");
    file
}

fn write_code(checkout: &Checkout, file: &[u8]) {
    fs::create_dir_all(checkout.compiled_editors()).unwrap();
    fs::write(code_file(checkout), file).unwrap();
}

/// What a page finds in a browser that is started in this way.
async fn storage(launch: &LaunchOptions, url: &str) -> Value {
    let chromium = Chromium::launch(launch).await.unwrap();
    let page = chromium.open(url).await.unwrap();
    let found = page.call(&STORAGE, &()).await.unwrap();
    chromium.close(page).await;
    chromium.shutdown().await;
    found
}

/// What a page finds in a browser without compiled code, which the tests share.
async fn plain_storage(url: &str) -> &'static Value {
    static FOUND: OnceCell<Value> = OnceCell::const_new();
    FOUND.get_or_init(|| async { storage(&launch_options(), url).await }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_compiled_once_and_nothing_but_its_code_reaches_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let url = serve_editor().await;
    let cache = || CodeCache::of_checkout(&checkout, EditorGeneration::Current);
    write_code(&checkout, &foreign_code());
    // True means that the foreign code was replaced, and that V8 took the new one when it was tried.
    assert!(prepare(&launch_options(), &url, &cache()).await.unwrap());
    let first = fs::read(code_file(&checkout)).unwrap();
    assert!(!prepare(&launch_options(), &url, &cache()).await.unwrap(), "what is there is compiled again");
    assert!(fs::read(code_file(&checkout)).unwrap() == first);
    let with_code = LaunchOptions { code: Some(cache()), ..launch_options() };
    let seeded = storage(&with_code, &url).await;
    assert_eq!(&seeded, plain_storage(&url).await, "a page finds something that a fresh context lacks");
    assert!(seeded["loaded"].as_array().unwrap().iter().any(|file| file[0] == "/gui/scratch-gui-standalone.js"));
    assert!(seeded["loaded"].as_array().unwrap().iter().all(|file| file[1] == "network"), "{seeded:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn code_of_another_browser_or_a_damaged_file_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let url = serve_editor().await;
    let plain = plain_storage(&url).await;
    let cache = || CodeCache::of_checkout(&checkout, EditorGeneration::Current);
    let foreign = foreign_code();
    let cut = &foreign[..foreign.len() / 2];
    for (file, stays) in [(foreign.as_slice(), true), (cut, false)] {
        write_code(&checkout, file);
        let launch = LaunchOptions { code: Some(cache()), ..launch_options() };
        assert_eq!(&storage(&launch, &url).await, plain);
        assert_eq!(code_file(&checkout).exists(), stays, "{} bytes", file.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_leaves_reaches_no_other_page_of_its_browser() {
    let url = serve_editor().await;
    let plain = plain_storage(&url).await;
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&url).await.unwrap();
    page.call(&LEAVE_TRACES, &()).await.unwrap();
    let left = page.call(&STORAGE, &()).await.unwrap();
    for store in ["cookies", "local", "session", "caches", "databases"] {
        assert_ne!(left[store], plain[store], "nothing was left in {store}, so this shows nothing");
    }
    let beside = chromium.open(&url).await.unwrap();
    assert_eq!(&beside.call(&STORAGE, &()).await.unwrap(), plain, "beside the page");
    chromium.close(page).await;
    let later = chromium.open(&url).await.unwrap();
    assert_eq!(&later.call(&STORAGE, &()).await.unwrap(), plain, "after the page");
    chromium.shutdown().await;
}
