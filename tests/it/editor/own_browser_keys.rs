//! Every key with every combination of modifiers: the page stays, and the browser opens no tab.

use std::collections::BTreeMap;

use scratchbed::page::scripts::PageFn;
use scratchbed::page::{Chromium, KeyError, KeyStroke, PageError};
use serde_json::Value;

use crate::support::browsers::serve_editor;
use crate::support::{day, everything, launch_options};

const PAGE_STATE: PageFn<(), Value> = PageFn::new("page-state", include_str!("../support/js/page-state.js"));

const MODIFIERS: [&str; 4] = ["ctrl", "alt", "meta", "shift"];
/// Keys that have a name. Those that may move the focus come last.
const NAMED: [&str; 29] = [
    "Insert",
    "Delete",
    "Backspace",
    "Escape",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "CapsLock",
    "NumLock",
    "ScrollLock",
    "Pause",
    "PrintScreen",
    "ContextMenu",
    "Help",
    "ZoomOut",
    "AudioVolumeUp",
    "MediaPlayPause",
    "MediaTrackNext",
    "Power",
    "Select",
    "Play",
    " ",
    "Enter",
    "Tab",
];

fn key(name: &str) -> KeyStroke {
    KeyStroke::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

/// Every key that a keyboard has: letters in both cases, digits, signs, function keys, and those with a name.
fn keys() -> Vec<KeyStroke> {
    let signs = ('!'..='~').map(|sign| key(&sign.to_string()));
    let functions = (1..=24).map(|number| key(&format!("F{number}")));
    signs.chain(functions).chain(NAMED.into_iter().map(key)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_with_any_modifiers_changes_the_page_or_leaves_it() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let mut page = chromium.open(&serve_editor().await).await.unwrap();
    let tabs = chromium.open_tabs().await.unwrap();
    let before = page.call(&PAGE_STATE, &()).await.unwrap();
    let keys = keys();
    let mut pressed: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for held in 0..1 << MODIFIERS.len() {
        let held: Vec<&str> =
            (0..MODIFIERS.len()).filter(|bit| held >> bit & 1 == 1).map(|bit| MODIFIERS[bit]).collect();
        let counts = pressed.entry(held.join("+")).or_default();
        // With Alt all are refused, which every sixth key shows, another one each day; of the sets that are not counted
        // below, every second key.
        let step = match held.as_slice() {
            _ if everything() => 1,
            [] | ["ctrl"] | ["ctrl", "shift"] => 1,
            _ if held.contains(&"alt") => 6,
            _ => 2,
        };
        for key in keys.iter().skip(day() % step).step_by(step) {
            for modifier in &held {
                page.key_down(&self::key(modifier)).await.unwrap();
            }
            let chord = format!("{}+{}", held.join("+"), key.key());
            let is_pressed = match page.key_down(key).await {
                Ok(()) => true,
                Err(PageError::Key(KeyError::NotAllowed(_))) => false,
                Err(error) => panic!("{chord}: {error}"),
            };
            counts[usize::from(!is_pressed)] += 1;
            page.release_all().await.unwrap();
            assert_eq!(page.loss(), None, "{chord}");
            // A key that is refused does not get to the page.
            if is_pressed {
                assert_eq!(page.call(&PAGE_STATE, &()).await.unwrap(), before, "{chord}");
            }
        }
        assert_eq!(page.call(&PAGE_STATE, &()).await.unwrap(), before, "with {held:?}");
        assert_eq!(chromium.open_tabs().await.unwrap(), tabs, "with {held:?}");
    }
    println!("held, pressed, refused: {pressed:?}");
    let refused = |held: &str| pressed[held][1];
    // Function keys, media keys and locks; with Control all but the editor's own; with Alt all.
    assert!(refused("") >= 24 && refused("ctrl") > 100 && refused("ctrl+shift") > 100, "{pressed:?}");
    assert_eq!(pressed["alt"][0] + pressed["ctrl+alt"][0] + pressed["alt+shift"][0], 0, "{pressed:?}");
    chromium.close(page).await;
    chromium.shutdown().await;
}
