//! type, key and hotkey.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionError, Context, Done, NoData};
use crate::model::Mode;
use crate::page::{KeyStroke, Page};

/// Characters one call may type. Every one is a pair of real key events, which takes 14 to 28 ms, so that a call takes no
/// more than about 10 seconds.
const MAX_TEXT: usize = 300;
/// Keys one hotkey may have.
const MAX_KEYS: usize = 6;

/// What to type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeArgs {
    /// At most 300 characters. A line break presses Enter, without waiting for the program: answer its questions one call each.
    #[schemars(length(max = 300))]
    pub text: String,
}

/// Types into the focused element.
#[derive(Debug)]
pub struct Type;

impl Action for Type {
    const NAME: &'static str = "type";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Type text into the focused field, key by key.";
    type Args = TypeArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: TypeArgs) -> Result<Done<NoData>, ActionError> {
        let length = args.text.chars().count();
        if length > MAX_TEXT {
            return Err(ActionError::refused(
                "text_too_long",
                format!("{length} characters, at most {MAX_TEXT} in one call"),
                "type the text in several calls",
            ));
        }
        let page = context.live.page();
        for character in args.text.chars().filter(|character| *character != '\r') {
            match KeyStroke::for_char(character) {
                Some(key) => stroke(page, &key).await?,
                None => page.insert_text(&character.to_string()).await?,
            }
        }
        Ok(Done::new(NoData {}))
    }
}

/// Which key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyArgs {
    /// A key name such as `Enter`, `ArrowLeft` or `ctrl`, or one character.
    pub key: String,
}

#[derive(Debug)]
pub struct Key;

impl Action for Key {
    const NAME: &'static str = "key";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Press and release one key.";
    type Args = KeyArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: KeyArgs) -> Result<Done<NoData>, ActionError> {
        let key = KeyStroke::parse(&args.key)?;
        stroke(context.live.page(), &key).await?;
        Ok(Done::new(NoData {}).executed_as(&KeyArgs { key: key.key().to_owned() }))
    }
}

/// Which keys, in the order they go down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotkeyArgs {
    /// Two to six keys, such as `["ctrl", "z"]`.
    #[schemars(length(min = 2, max = 6))]
    pub keys: Vec<String>,
}

#[derive(Debug)]
pub struct Hotkey;

impl Action for Hotkey {
    const NAME: &'static str = "hotkey";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Press several keys together: all but the last are held while the last is pressed.";
    type Args = HotkeyArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: HotkeyArgs) -> Result<Done<NoData>, ActionError> {
        if !(2..=MAX_KEYS).contains(&args.keys.len()) {
            return Err(ActionError::invalid(format!("a hotkey has 2 to {MAX_KEYS} keys")));
        }
        // All names are checked before the first key goes down.
        let keys = args.keys.iter().map(|name| KeyStroke::parse(name)).collect::<Result<Vec<_>, _>>()?;
        let page = context.live.page();
        page.check_keys(&keys)?;
        for key in &keys {
            page.key_down(key).await?;
        }
        for key in keys.iter().rev() {
            page.key_up(key).await?;
        }
        let names = keys.iter().map(|key| key.key().to_owned()).collect();
        Ok(Done::new(NoData {}).executed_as(&HotkeyArgs { keys: names }))
    }
}

async fn stroke(page: &mut Page, key: &KeyStroke) -> Result<(), ActionError> {
    page.key_down(key).await?;
    page.key_up(key).await?;
    Ok(())
}
