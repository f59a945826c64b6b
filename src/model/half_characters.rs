//! Texts of JavaScript that hold half a character.
//!
//! JavaScript's texts are sequences of 16-bit units, and `letter (1) of [😀]` gives the first unit of two, which is no character
//! (a lone surrogate). Rust, UTF-8 and most readers of JSON have no such thing. Within scratchbed each of the 2,048 halves is one
//! of the last 2,048 characters of Unicode's private use area, U+10F800 to U+10FFFF; page and project file have the half itself.
//! Those characters can't be used for anything else: a file that holds one is refused, and a page's is read as U+FFFD.

use std::borrow::Cow;

/// The character that stands for the half U+D800.
const FIRST: u32 = 0x0010_F800;
/// The first half of all.
const FIRST_HALF: u16 = 0xD800;
/// How many halves there are.
const HALVES: u32 = 0x800;

/// One of the characters that stand for halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the character U+{0:X} is among those that stand for halves of characters (U+10F800 to U+10FFFF)")]
pub struct ReservedCharacter(pub u32);

/// The character that stands for half a character; U+FFFD for a unit that is none.
pub fn of_half(unit: u16) -> char {
    let stands = unit.checked_sub(FIRST_HALF).map(u32::from).filter(|at| *at < HALVES);
    stands.and_then(|at| char::from_u32(FIRST + at)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The half that a character stands for.
pub fn half_of(character: char) -> Option<u16> {
    let at = u32::from(character).checked_sub(FIRST)?;
    u16::try_from(at).ok().map(|at| FIRST_HALF + at)
}

/// A text of 16-bit units, with a character for each half; what stands for halves elsewhere is read as U+FFFD.
pub fn from_units(units: impl Iterator<Item = u16>) -> String {
    let each = char::decode_utf16(units).map(|unit| match unit {
        Ok(character) if half_of(character).is_some() => char::REPLACEMENT_CHARACTER,
        Ok(character) => character,
        Err(half) => of_half(half.unpaired_surrogate()),
    });
    each.collect()
}

/// The 16-bit units of a text, with the halves that characters stand for.
pub fn to_units(text: &str) -> impl Iterator<Item = u16> {
    text.chars().flat_map(|character| {
        let mut units = [0; 2];
        let count = match half_of(character) {
            Some(half) => {
                units[0] = half;
                1
            }
            None => character.encode_utf16(&mut units).len(),
        };
        units.into_iter().take(count)
    })
}

/// The four hexadecimal digits of an escape such as `\ud83d`, if one begins there.
fn escape_at(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// JSON as a page or a project file has it, with characters in the place of escaped halves.
///
/// # Errors
/// When it holds one of the characters that stand for halves.
pub fn read_json(json: &[u8]) -> Result<Cow<'_, [u8]>, ReservedCharacter> {
    let mut out: Option<Vec<u8>> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = json.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'\\' | 0xF4))) {
        at += found;
        if json[at] == 0xF4 {
            reserved(
                std::str::from_utf8(json.get(at..at + 4).unwrap_or_default()).ok().and_then(|text| text.chars().next()),
            )?;
            at += 1;
            continue;
        }
        let Some(unit) = escape_at(json, at) else {
            // A backslash and what it escapes.
            at += 2;
            continue;
        };
        let pair = escape_at(json, at + 6);
        if let Some(Ok(character)) = char::decode_utf16([unit].into_iter().chain(pair)).next() {
            reserved(Some(character))?;
            at += 6 * character.len_utf16();
        } else {
            let out = out.get_or_insert_with(|| Vec::with_capacity(json.len()));
            out.extend_from_slice(&json[copied..at]);
            out.extend_from_slice(of_half(unit).encode_utf8(&mut [0; 4]).as_bytes());
            at += 6;
            copied = at;
        }
    }
    Ok(match out {
        None => Cow::Borrowed(json),
        Some(mut out) => {
            out.extend_from_slice(&json[copied..]);
            Cow::Owned(out)
        }
    })
}

fn reserved(character: Option<char>) -> Result<(), ReservedCharacter> {
    character.filter(|one| half_of(*one).is_some()).map_or(Ok(()), |one| Err(ReservedCharacter(u32::from(one))))
}

/// JSON for a page or a project file: the halves that characters stand for, escaped.
pub fn write_json(json: Vec<u8>) -> Vec<u8> {
    let is_half = |at: usize| {
        let text = json.get(at..at + 4).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.and_then(|text| text.chars().next()).and_then(half_of)
    };
    let halves: Vec<(usize, u16)> =
        (0..json.len()).filter(|at| json[*at] == 0xF4).filter_map(|at| Some((at, is_half(at)?))).collect();
    if halves.is_empty() {
        return json;
    }
    let mut out = Vec::with_capacity(json.len() + 2 * halves.len());
    let mut copied = 0;
    for (at, half) in halves {
        out.extend_from_slice(&json[copied..at]);
        out.extend_from_slice(format!("\\u{half:04x}").as_bytes());
        copied = at + 4;
    }
    out.extend_from_slice(&json[copied..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_come_back_as_they_were() {
        for json in [r#""\ud83d""#, r#"["a\ude00b","\\ud83d","\ud83d\ud83d"]"#, r#"{"\ude00\ud83d":1}"#, r#""\ud83dx""#]
        {
            let read = read_json(json.as_bytes()).unwrap().into_owned();
            let value: serde_json::Value = serde_json::from_slice(&read).unwrap();
            let written = write_json(serde_json::to_vec(&value).unwrap());
            assert_eq!(String::from_utf8(written).unwrap(), json);
        }
    }

    #[test]
    fn whole_characters_stay_as_they_are() {
        for json in [r#""\ud83d\ude00""#, "\"😀\"", r#""\\""#, r#""a\u0041\n""#, r#""\"#, r#""\u12"#] {
            assert!(matches!(read_json(json.as_bytes()), Ok(Cow::Borrowed(_))), "{json}");
            assert_eq!(write_json(json.as_bytes().to_vec()), json.as_bytes());
        }
    }

    #[test]
    fn a_character_that_stands_for_a_half_is_refused() {
        assert_eq!(read_json("\"\u{10F83D}\"".as_bytes()), Err(ReservedCharacter(0x10_F83D)));
        assert_eq!(read_json(br#""\udbfe\udc3d""#), Err(ReservedCharacter(0x10_F83D)));
        assert_eq!(from_units("\u{10F83D}".encode_utf16()), "\u{FFFD}");
    }

    #[test]
    fn units_and_texts_carry_halves() {
        let units = [0x61, 0xD83D, 0x62, 0xDE00, 0xD83D, 0xDE00];
        let text = from_units(units.into_iter());
        assert_eq!(text, "a\u{10F83D}b\u{10FE00}😀");
        assert_eq!(to_units(&text).collect::<Vec<_>>(), units);
    }
}
