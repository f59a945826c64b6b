//! Key names: aliases of the reference implementation, DOM key names and single characters.

use chromiumoxide::keys::{KeyDefinition, get_key_definition};

/// A key on a US keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStroke {
    key: String,
    code: String,
    key_code: i64,
    text: Option<String>,
}

/// Why a key can't be pressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A name that no key has.
    #[error("`{0}` is no key")]
    Unknown(String),
    /// The browser would handle it itself, or it is unknown.
    #[error("`{0}` is not for the editor: such keys belong to the browser around it, and are not pressed")]
    NotAllowed(String),
}

impl KeyStroke {
    /// Bit of the Shift key in a modifier mask.
    pub const SHIFT: i64 = 8;

    /// Finds a key by name: an alias such as `ctrl`, a DOM name such as `ArrowLeft`, or one character.
    ///
    /// # Errors
    /// [`KeyError::Unknown`].
    pub fn parse(name: &str) -> Result<Self, KeyError> {
        let resolved = alias(name).unwrap_or_else(|| name.trim().to_owned());
        // A single space is a key, although trimming leaves nothing of it.
        let resolved = if resolved.is_empty() && name.contains(' ') { " ".to_owned() } else { resolved };
        get_key_definition(&resolved).map(Self::from).ok_or_else(|| KeyError::Unknown(name.to_owned()))
    }

    /// Names of keys other than characters, for hints.
    pub fn names() -> Vec<&'static str> {
        super::chords::PLAIN.into_iter().chain(["Return", "Space", "Control", "Shift", "Alt"]).collect()
    }

    /// The key that types this character, if the keyboard has one.
    pub fn for_char(character: char) -> Option<Self> {
        match character {
            '\n' => get_key_definition("Enter").map(Self::from),
            '\t' => get_key_definition("Tab").map(Self::from),
            _ => get_key_definition(character.to_string()).map(Self::from),
        }
    }

    /// `KeyboardEvent.key`.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// `KeyboardEvent.code`.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Windows virtual key code.
    pub const fn key_code(&self) -> i64 {
        self.key_code
    }

    /// What the key types when no modifier but Shift is held.
    pub fn text(&self) -> Option<String> {
        match (&self.text, self.key.chars().count()) {
            (Some(text), _) => Some(text.clone()),
            (None, 1) => Some(self.key.clone()),
            (None, _) => None,
        }
    }

    /// Bit in a modifier mask: Alt 1, Control 2, Meta 4, Shift 8; 0 for other keys (CDP, Input domain).
    pub fn modifier_bit(&self) -> i64 {
        match self.key.as_str() {
            "Alt" => 1,
            "Control" => 2,
            "Meta" => 4,
            "Shift" => Self::SHIFT,
            _ => 0,
        }
    }

    /// Editing command that a desktop binds to this key with Control held. Headless Chromium has no
    /// desktop, so the command goes along with the event.
    pub fn editing_command(&self, modifiers: i64) -> Option<&'static str> {
        match (modifiers, self.key.to_ascii_lowercase().as_str()) {
            (2, "a") => Some("selectAll"),
            (2, "c") => Some("copy"),
            (2, "x") => Some("cut"),
            (2, "v") => Some("paste"),
            (2, "z") => Some("undo"),
            (10, "z") | (2, "y") => Some("redo"),
            _ => None,
        }
    }
}

/// The modifier mask of keys that are held together.
pub(super) fn modifiers(held: &[KeyStroke]) -> i64 {
    held.iter().map(KeyStroke::modifier_bit).fold(0, |all, bit| all | bit)
}

impl From<&'static KeyDefinition> for KeyStroke {
    fn from(definition: &'static KeyDefinition) -> Self {
        Self {
            key: definition.key.to_owned(),
            code: definition.code.to_owned(),
            key_code: definition.key_code,
            text: definition.text.map(ToOwned::to_owned),
        }
    }
}

/// The reference implementation's alias table, case and punctuation ignored.
fn alias(name: &str) -> Option<String> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let key = match plain.as_str() {
        "ctrl" | "control" => "Control",
        "cmd" | "command" | "meta" | "win" | "windows" => "Meta",
        "alt" | "option" => "Alt",
        "shift" => "Shift",
        "esc" | "escape" => "Escape",
        "enter" | "return" => "Enter",
        "tab" => "Tab",
        "space" | "spacebar" => " ",
        "backspace" | "bksp" => "Backspace",
        "delete" | "del" => "Delete",
        "insert" | "ins" => "Insert",
        "home" => "Home",
        "end" => "End",
        "pageup" | "pgup" => "PageUp",
        "pagedown" | "pgdn" => "PageDown",
        "left" | "arrowleft" => "ArrowLeft",
        "right" | "arrowright" => "ArrowRight",
        "up" | "arrowup" => "ArrowUp",
        "down" | "arrowdown" => "ArrowDown",
        _ => return function_key(&plain),
    };
    Some(key.to_owned())
}

fn function_key(plain: &str) -> Option<String> {
    let number: u8 = plain.strip_prefix('f')?.parse().ok()?;
    (1..=24).contains(&number).then(|| format!("F{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_names_and_characters_are_found() {
        for (name, key) in [
            ("ctrl", "Control"),
            ("Page-Up", "PageUp"),
            ("space", " "),
            (" ", " "),
            ("a", "a"),
            ("A", "A"),
            ("f5", "F5"),
            ("?", "?"),
            ("ArrowLeft", "ArrowLeft"),
        ] {
            assert_eq!(KeyStroke::parse(name).unwrap().key(), key, "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        assert_eq!(KeyStroke::parse("hyperspace"), Err(KeyError::Unknown("hyperspace".into())));
        assert!(KeyStroke::parse("").is_err());
    }

    #[test]
    fn letters_type_themselves_and_arrows_type_nothing() {
        assert_eq!(KeyStroke::parse("q").unwrap().text().as_deref(), Some("q"));
        assert_eq!(KeyStroke::parse("Left").unwrap().text(), None);
    }
}
