//! Real mouse and keyboard input over CDP, each event awaited: events sent without waiting are merged
//! by the browser (15 sent, 2 seen).
//!
//! What is held down is remembered, so that [`Page::release_all`] can undo it after any failure. The
//! shape of a drag is the `action` room's decision.

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType, InsertTextParams,
    MouseButton,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::{KeyError, KeyStroke, modifiers};
use super::{Page, PageError, chords};
use crate::model::Point;

/// A mouse button by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ButtonName")]
pub enum Button {
    /// The main button.
    #[default]
    Left,
    /// Opens context menus.
    Right,
    /// The wheel.
    Middle,
}

impl Button {
    const fn cdp(self) -> MouseButton {
        match self {
            Self::Left => MouseButton::Left,
            Self::Right => MouseButton::Right,
            Self::Middle => MouseButton::Middle,
        }
    }

    /// Bit in `MouseEvent.buttons`.
    const fn bit(self) -> i64 {
        match self {
            Self::Left => 1,
            Self::Right => 2,
            Self::Middle => 4,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MouseInput {
    /// The pointer goes to a point.
    Move(Point),
    /// A button goes down; the count is 1 for a click and 2 for the second of a double click.
    Down(Point, Button, u8),
    Up(Point, Button, u8),
    /// The wheel turns by these many CSS pixels to the right and down.
    Wheel(Point, f64, f64),
}

/// What is held down now.
#[derive(Debug, Default)]
pub(super) struct Held {
    pointer: Option<Point>,
    button: Option<Button>,
    keys: Vec<KeyStroke>,
    /// Those of the keys that stay down until they are released one by one.
    kept: Vec<KeyStroke>,
}

impl Held {
    /// The last key that is down and not to stay so.
    fn stray(&self) -> Option<&KeyStroke> {
        self.keys.iter().rfind(|key| !self.kept.contains(key))
    }

    fn modifiers(&self) -> i64 {
        modifiers(&self.keys)
    }
}

impl Page {
    /// Sends one mouse event and waits until the page has handled it.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn mouse(&mut self, input: MouseInput) -> Result<(), PageError> {
        let (kind, at) = match input {
            MouseInput::Move(at) => (DispatchMouseEventType::MouseMoved, at),
            MouseInput::Down(at, ..) => (DispatchMouseEventType::MousePressed, at),
            MouseInput::Up(at, ..) => (DispatchMouseEventType::MouseReleased, at),
            MouseInput::Wheel(at, ..) => (DispatchMouseEventType::MouseWheel, at),
        };
        let mut params = DispatchMouseEventParams::new(kind, at.x, at.y);
        params.modifiers = Some(self.held.modifiers());
        match input {
            MouseInput::Move(_) => params.button = Some(self.held.button.map_or(MouseButton::None, Button::cdp)),
            MouseInput::Down(_, button, count) | MouseInput::Up(_, button, count) => {
                params.button = Some(button.cdp());
                params.click_count = Some(count.into());
            }
            MouseInput::Wheel(_, right, down) => {
                params.delta_x = Some(right);
                params.delta_y = Some(down);
            }
        }
        // Remembered before it is sent: an event whose answer is lost may still have arrived.
        if let MouseInput::Down(_, button, _) = input {
            self.held.button = Some(button);
        }
        self.held.pointer = Some(at);
        let held_after = if matches!(input, MouseInput::Up(..)) { None } else { self.held.button };
        params.buttons = Some(held_after.map_or(0, Button::bit));
        self.send("sending mouse input", params).await?;
        self.held.button = held_after;
        Ok(())
    }

    /// Whether these keys may be pressed one after the other, in addition to those that are held.
    ///
    /// # Errors
    /// [`KeyError::NotAllowed`] when the browser would take one of them for itself.
    pub fn check_keys(&self, keys: &[KeyStroke]) -> Result<(), KeyError> {
        chords::check(&self.held.keys, keys)
    }

    /// Presses a key and keeps it down.
    ///
    /// # Errors
    /// When it is not for the page, and when the page is lost or does not answer.
    pub async fn key_down(&mut self, key: &KeyStroke) -> Result<(), PageError> {
        self.check_keys(std::slice::from_ref(key))?;
        self.held.keys.push(key.clone());
        let modifiers = self.held.modifiers();
        // With Control, Alt or Meta held a key makes no text.
        let text = if modifiers & !KeyStroke::SHIFT == 0 { key.text() } else { None };
        let kind = if text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown };
        let mut params = key_event(kind, key, modifiers);
        params.text = text.clone();
        params.unmodified_text = text;
        self.send("pressing a key", params).await.map(|_| ())
    }

    /// Presses a key that [`Page::release_all`] leaves down.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn key_down_for_good(&mut self, key: &KeyStroke) -> Result<(), PageError> {
        self.check_keys(std::slice::from_ref(key))?;
        if !self.held.kept.contains(key) {
            self.held.kept.push(key.clone());
        }
        self.key_down(key).await
    }

    /// Lets a key go.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn key_up(&mut self, key: &KeyStroke) -> Result<(), PageError> {
        let still_held: Vec<KeyStroke> = self.held.keys.iter().filter(|held| *held != key).cloned().collect();
        let modifiers = modifiers(&still_held);
        self.send("releasing a key", key_event(DispatchKeyEventType::KeyUp, key, modifiers)).await?;
        self.held.keys = still_held;
        self.held.kept.retain(|kept| kept != key);
        Ok(())
    }

    /// Enters text that no key of the keyboard has, as an input method would.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn insert_text(&self, text: &str) -> Result<(), PageError> {
        self.send("entering text", InsertTextParams::new(text)).await.map(|_| ())
    }

    /// Where the pointer was last.
    pub const fn pointer(&self) -> Option<Point> {
        self.held.pointer
    }

    /// Whether a button or key is still down that is not to stay so.
    pub fn holds_anything(&self) -> bool {
        self.held.button.is_some() || self.held.stray().is_some()
    }

    /// Lets every button and key go, after a failure in the middle of an action; keys that were pressed for good stay.
    ///
    /// # Errors
    /// When the page is lost or does not answer.
    pub async fn release_all(&mut self) -> Result<(), PageError> {
        while let Some(key) = self.held.stray().cloned() {
            self.key_up(&key).await?;
        }
        if let (Some(button), Some(at)) = (self.held.button, self.held.pointer) {
            self.mouse(MouseInput::Up(at, button, 1)).await?;
        }
        Ok(())
    }
}

fn key_event(kind: DispatchKeyEventType, key: &KeyStroke, modifiers: i64) -> DispatchKeyEventParams {
    let mut params = DispatchKeyEventParams::new(kind);
    params.key = Some(key.key().to_owned());
    params.code = Some(key.code().to_owned());
    params.windows_virtual_key_code = Some(key.key_code());
    params.native_virtual_key_code = Some(key.key_code());
    params.modifiers = Some(modifiers);
    params.commands = key.editing_command(modifiers).map(|command| vec![command.to_owned()]);
    params
}
