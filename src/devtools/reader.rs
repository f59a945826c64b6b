//! From CBOR to JSON.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use scratchbed_model::half_characters::from_units;

use super::{ARRAY, BINARY, BYTES_32, DOUBLE, END, ENVELOPE, FALSE, MAP, MAX_DEPTH, MessageError, NULL, TAG, TRUE};

/// Bytes of a message that tell its length.
pub const HEADER: usize = 7;

/// The length of a message, header included, by its first [`HEADER`] bytes.
///
/// # Errors
/// When it begins with anything but an envelope.
pub fn frame_length(head: &[u8]) -> Result<usize, MessageError> {
    let mut reader = Reader { bytes: head, at: 0, out: String::new(), depth: 0 };
    let length = reader.envelope()?;
    Ok(reader.at + length)
}

/// Carries a message over.
///
/// # Errors
/// When it is not a whole message as Chromium writes it.
pub fn to_json(cbor: &[u8]) -> Result<String, MessageError> {
    let mut reader = Reader { bytes: cbor, at: 0, out: String::with_capacity(cbor.len() + cbor.len() / 4), depth: 0 };
    let length = reader.envelope()?;
    if reader.at + length != cbor.len() {
        return Err(MessageError::CutOff);
    }
    reader.content()?;
    if reader.at != cbor.len() {
        return Err(MessageError::CutOff);
    }
    Ok(reader.out)
}

/// Reads one message and writes its JSON.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    out: String,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<u8, MessageError> {
        let byte = *self.bytes.get(self.at).ok_or(MessageError::CutOff)?;
        self.at += 1;
        Ok(byte)
    }

    fn peek(&self) -> Result<u8, MessageError> {
        self.bytes.get(self.at).copied().ok_or(MessageError::CutOff)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], MessageError> {
        let end = self.at.checked_add(length).ok_or(MessageError::CutOff)?;
        let taken = self.bytes.get(self.at..end).ok_or(MessageError::CutOff)?;
        self.at = end;
        Ok(taken)
    }

    fn odd<T>(&self, byte: u8) -> Result<T, MessageError> {
        Err(MessageError::Byte { byte, at: self.at - 1 })
    }

    /// The length of what an envelope has; older ones lack the number of their tag.
    fn envelope(&mut self) -> Result<usize, MessageError> {
        let tag = self.next()?;
        if tag != TAG {
            return self.odd(tag);
        }
        let mut byte = self.next()?;
        if byte == ENVELOPE {
            byte = self.next()?;
        }
        if byte != BYTES_32 {
            return self.odd(byte);
        }
        self.number(BYTES_32)
    }

    /// The map or array of an envelope.
    fn content(&mut self) -> Result<(), MessageError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(MessageError::TooDeep);
        }
        match self.next()? {
            MAP => self.list('{', '}', |own| {
                own.text()?;
                own.out.push(':');
                own.value()
            })?,
            ARRAY => self.list('[', ']', Self::value)?,
            byte => return self.odd(byte),
        }
        self.depth -= 1;
        Ok(())
    }

    fn list(
        &mut self,
        open: char,
        close: char,
        mut entry: impl FnMut(&mut Self) -> Result<(), MessageError>,
    ) -> Result<(), MessageError> {
        self.out.push(open);
        let mut is_first = true;
        while self.peek()? != END {
            if !is_first {
                self.out.push(',');
            }
            is_first = false;
            entry(self)?;
        }
        self.at += 1;
        self.out.push(close);
        Ok(())
    }

    fn value(&mut self) -> Result<(), MessageError> {
        match self.peek()? {
            TAG => {
                self.envelope()?;
                self.content()
            }
            0x40..0x80 => self.text(),
            byte => {
                self.at += 1;
                self.plain(byte)
            }
        }
    }

    /// What is neither text nor a map or an array.
    fn plain(&mut self, byte: u8) -> Result<(), MessageError> {
        match byte {
            BINARY => self.data()?,
            FALSE => self.out.push_str("false"),
            TRUE => self.out.push_str("true"),
            NULL => self.out.push_str("null"),
            DOUBLE => self.fraction()?,
            // Writing to a text does not fail.
            0..0x20 => {
                let number = self.number(byte)?;
                let _ = write!(self.out, "{number}");
            }
            0x20..0x40 => {
                let number = self.number(byte)?.saturating_add(1);
                let _ = write!(self.out, "-{number}");
            }
            _ => return self.odd(byte),
        }
        Ok(())
    }

    fn data(&mut self) -> Result<(), MessageError> {
        let head = self.next()?;
        if !(0x40..0x60).contains(&head) {
            return self.odd(head);
        }
        let length = self.number(head)?;
        self.out.push('"');
        STANDARD.encode_string(self.take(length)?, &mut self.out);
        self.out.push('"');
        Ok(())
    }

    fn fraction(&mut self) -> Result<(), MessageError> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8)?);
        // As JSON.stringify has it.
        match serde_json::Number::from_f64(f64::from_be_bytes(bytes)) {
            Some(number) => {
                let text = number.to_string();
                self.out.push_str(text.strip_suffix(".0").unwrap_or(&text));
            }
            None => self.out.push_str("null"),
        }
        Ok(())
    }

    /// The number in a first byte or after it: a value, or a length.
    fn number(&mut self, head: u8) -> Result<usize, MessageError> {
        let size = match head & 0x1f {
            small @ 0..=23 => return Ok(usize::from(small)),
            24 => 1,
            25 => 2,
            26 => 4,
            27 => 8,
            _ => return self.odd(head),
        };
        let mut bytes = [0; 8];
        bytes[8 - size..].copy_from_slice(self.take(size)?);
        usize::try_from(u64::from_be_bytes(bytes)).map_err(|_| MessageError::CutOff)
    }

    fn text(&mut self) -> Result<(), MessageError> {
        let start = self.at;
        let head = self.next()?;
        if !(0x40..0x80).contains(&head) {
            return self.odd(head);
        }
        let length = self.number(head)?;
        let bytes = self.take(length)?;
        if head >= 0x60 {
            let text = std::str::from_utf8(bytes).map_err(|_| MessageError::Text { at: start })?;
            return self.quote(text);
        }
        let (units, []) = bytes.as_chunks::<2>() else { return Err(MessageError::Text { at: start }) };
        self.quote(&from_units(units.iter().map(|unit| u16::from_le_bytes(*unit))))
    }

    fn quote(&mut self, text: &str) -> Result<(), MessageError> {
        // Most has nothing to escape.
        if text.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
            self.out.push('"');
            self.out.push_str(text);
            self.out.push('"');
        } else {
            self.out.push_str(&serde_json::to_string(text)?);
        }
        Ok(())
    }
}
