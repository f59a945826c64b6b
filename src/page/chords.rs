//! Which key combinations reach the page. Those that Chromium takes for itself (reloading, tabs, zoom, menus, developer
//! tools) would end or change the page under a session: only keys that the editor or a text field knows are let
//! through.

use super::keys::{KeyError, KeyStroke, modifiers};

const CONTROL: i64 = 2;
const META: i64 = 4;

/// Keys without a character of their own that pages know, alone or with Shift.
pub(super) const PLAIN: [&str; 14] = [
    "Enter",
    "Tab",
    "Backspace",
    "Delete",
    "Insert",
    "Escape",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
];
/// With Control, or with Meta as on a Mac: clipboard, undo, groups in the paint editor, leaps in text.
const COMMANDS: [&str; 16] = [
    "a",
    "c",
    "g",
    "v",
    "x",
    "y",
    "z",
    "Enter",
    "Backspace",
    "Delete",
    "Home",
    "End",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
];
/// With Shift besides: redo, ungroup, plain paste, selecting in leaps.
const SHIFTED_COMMANDS: [&str; 9] = ["g", "v", "z", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/// Whether a key, pressed while others are held, is for the page and not for the browser around it.
fn is_for_the_page(held: &[KeyStroke], key: &KeyStroke) -> bool {
    let modifiers = modifiers(held);
    let name = key.key().to_ascii_lowercase();
    let listed = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(&name));
    if key.modifier_bit() != 0 {
        return true;
    }
    match (modifiers & !KeyStroke::SHIFT, modifiers & KeyStroke::SHIFT != 0) {
        (0, false) => key.text().is_some() || listed(&PLAIN),
        // Shift+Escape is Chromium's task manager.
        (0, true) => key.text().is_some() || (listed(&PLAIN) && name != "escape"),
        (CONTROL | META, false) => listed(&COMMANDS),
        (CONTROL | META, true) => listed(&SHIFTED_COMMANDS),
        // Alt opens menus and goes back in the history.
        _ => false,
    }
}

/// Checks keys that go down one after the other and stay so, while others are held.
///
/// # Errors
/// [`KeyError::NotAllowed`] with the chord as written, such as `Control+t`.
pub(super) fn check(held: &[KeyStroke], keys: &[KeyStroke]) -> Result<(), KeyError> {
    let mut down = held.to_vec();
    for key in keys {
        if !is_for_the_page(&down, key) {
            let names: Vec<&str> = down.iter().chain([key]).map(KeyStroke::key).collect();
            return Err(KeyError::NotAllowed(names.join("+")));
        }
        down.push(key.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(chord: &[&str]) -> Result<(), KeyError> {
        let keys: Vec<KeyStroke> = chord.iter().map(|name| KeyStroke::parse(name).unwrap()).collect();
        check(&[], &keys)
    }

    #[test]
    fn keys_of_the_editor_are_let_through() {
        for chord in [
            &["a"][..],
            &["?"],
            &[" "],
            &["Escape"],
            &["shift", "a"],
            &["shift", "ArrowLeft"],
            &["ctrl", "c"],
            &["ctrl", "C"],
            &["cmd", "v"],
            &["ctrl", "shift", "z"],
            &["shift", "ctrl", "z"],
            &["ctrl", "Enter"],
            &["ctrl"],
            &["ctrl", "alt"],
        ] {
            assert_eq!(checked(chord), Ok(()), "{chord:?}");
        }
    }

    #[test]
    fn keys_of_the_browser_are_not_and_are_named() {
        for (chord, named) in [
            (&["F5"][..], "F5"),
            (&["F12"], "F12"),
            (&["ctrl", "r"], "Control+r"),
            (&["ctrl", "shift", "R"], "Control+Shift+R"),
            (&["ctrl", "F5"], "Control+F5"),
            (&["alt", "Home"], "Alt+Home"),
            (&["alt", "Left"], "Alt+ArrowLeft"),
            (&["ctrl", "t"], "Control+t"),
            (&["ctrl", "w"], "Control+w"),
            (&["ctrl", "+"], "Control++"),
            (&["ctrl", "Tab"], "Control+Tab"),
            (&["ctrl", "PageDown"], "Control+PageDown"),
            (&["shift", "Escape"], "Shift+Escape"),
            (&["ctrl", "shift", "Delete"], "Control+Shift+Delete"),
            (&["ContextMenu"], "ContextMenu"),
            (&["ctrl", "alt", "c"], "Control+Alt+c"),
        ] {
            assert_eq!(checked(chord), Err(KeyError::NotAllowed(named.to_owned())));
        }
    }

    #[test]
    fn a_key_that_is_held_for_good_counts() {
        let held = [KeyStroke::parse("ctrl").unwrap()];
        assert!(check(&held, &[KeyStroke::parse("w").unwrap()]).is_err());
        assert!(check(&held, &[KeyStroke::parse("c").unwrap()]).is_ok());
    }

    #[test]
    fn bits_are_those_of_the_input_domain() {
        for (name, bit) in [("alt", 1), ("ctrl", CONTROL), ("meta", META)] {
            assert_eq!(KeyStroke::parse(name).unwrap().modifier_bit(), bit);
        }
    }
}
