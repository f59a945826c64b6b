//! From JSON to CBOR.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use scratchbed_model::half_characters::to_units;

use super::{ARRAY, BINARY, BYTES_32, DOUBLE, END, ENVELOPE, FALSE, MAP, MAX_DEPTH, MessageError, NULL, TAG, TRUE};

/// Type 0: a whole number from 0.
const POSITIVE: u8 = 0x00;
/// Type 1: a whole number below 0.
const NEGATIVE: u8 = 0x20;
const BYTES: u8 = 0x40;
const TEXT: u8 = 0x60;
/// What follows has the number, in one byte, in two, in four.
const IN_ONE: u8 = 0x18;
const IN_TWO: u8 = 0x19;
const IN_FOUR: u8 = 0x1a;

/// Carries a message over.
///
/// # Errors
/// When the text is no JSON object, or nested too deeply.
pub fn to_cbor(json: &str) -> Result<Vec<u8>, MessageError> {
    let mut writer = Writer { out: Vec::with_capacity(json.len() + 64), depth: 0 };
    let mut deserializer = serde_json::Deserializer::from_str(json);
    // The writer counts the levels itself: more are allowed than by default.
    deserializer.disable_recursion_limit();
    deserializer.deserialize_map(Seed(&mut writer))?;
    deserializer.end()?;
    Ok(writer.out)
}

/// A command to a session whose last parameter has binary data: what comes before the data and what after them. `parameters`
/// are texts.
pub fn around_data(
    id: u32,
    session: &str,
    method: &str,
    parameters: &[(&str, &str)],
    name: &str,
    length: usize,
) -> [Vec<u8>; 2] {
    let mut writer = Writer { out: Vec::new(), depth: 0 };
    let message = writer.open(MAP);
    writer.text("id");
    writer.head(POSITIVE, u64::from(id));
    for (key, value) in [("sessionId", session), ("method", method)] {
        writer.text(key);
        writer.text(value);
    }
    writer.text("params");
    let inner = writer.open(MAP);
    for (key, value) in parameters {
        writer.text(key);
        writer.text(value);
    }
    writer.text(name);
    writer.out.push(BINARY);
    writer.out.push(BYTES_32);
    writer.out.extend(length_of(length));
    let tail = vec![END; 2];
    // Each envelope has the data in it, and an end; the outer one also the end of the inner.
    for (start, ends) in [(inner, 1), (message, 2)] {
        writer.measure(start, length + ends);
    }
    [writer.out, tail]
}

/// Writes one message.
struct Writer {
    out: Vec<u8>,
    depth: usize,
}

impl Writer {
    /// Begins a map or an array, and returns where its content begins.
    fn open(&mut self, kind: u8) -> usize {
        self.out.extend([TAG, ENVELOPE, BYTES_32, 0, 0, 0, 0]);
        let start = self.out.len();
        self.out.push(kind);
        start
    }

    fn close(&mut self, start: usize) {
        self.out.push(END);
        self.measure(start, 0);
    }

    /// Writes the length of an envelope, with so many bytes that are yet to come.
    fn measure(&mut self, start: usize, to_come: usize) {
        let length = length_of(self.out.len() - start + to_come);
        self.out[start - 4..start].copy_from_slice(&length);
    }

    fn head(&mut self, kind: u8, number: u64) {
        let bytes = number.to_be_bytes();
        match number {
            0..=23 => self.out.push(kind | bytes[7]),
            24..=0xff => self.out.extend([kind | IN_ONE, bytes[7]]),
            0x100..=0xffff => {
                self.out.push(kind | IN_TWO);
                self.out.extend(&bytes[6..]);
            }
            _ => {
                self.out.push(kind | IN_FOUR);
                self.out.extend(&bytes[4..]);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_ascii() {
            self.head(TEXT, text.len() as u64);
            self.out.extend(text.as_bytes());
        } else {
            let units: Vec<u8> = to_units(text).flat_map(u16::to_le_bytes).collect();
            self.head(BYTES, units.len() as u64);
            self.out.extend(units);
        }
    }

    fn whole(&mut self, number: i64) {
        // Others than those of 32 bits are decimal fractions for Chromium.
        match i32::try_from(number) {
            Ok(_) if number >= 0 => self.head(POSITIVE, number.unsigned_abs()),
            Ok(_) => self.head(NEGATIVE, number.unsigned_abs() - 1),
            #[expect(clippy::cast_precision_loss, reason = "as JavaScript has it")]
            Err(_) => self.fraction(number as f64),
        }
    }

    fn fraction(&mut self, number: f64) {
        self.out.push(DOUBLE);
        self.out.extend(number.to_be_bytes());
    }
}

/// Four bytes; no message is longer.
fn length_of(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes()
}

/// Writes the next value of a JSON text.
struct Seed<'a>(&'a mut Writer);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a DevTools message")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.out.push(NULL);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.out.push(if value { TRUE } else { FALSE });
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.whole(value);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.0.whole(value),
            #[expect(clippy::cast_precision_loss, reason = "as JavaScript has it")]
            Err(_) => self.0.fraction(value as f64),
        }
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.fraction(value);
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.0.text(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let start = enter(self.0, ARRAY)?;
        while items.next_element_seed(Seed(self.0))?.is_some() {}
        leave(self.0, start);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let start = enter(self.0, MAP)?;
        while entries.next_key_seed(Seed(self.0))?.is_some() {
            entries.next_value_seed(Seed(self.0))?;
        }
        leave(self.0, start);
        Ok(())
    }
}

fn enter<E: Error>(writer: &mut Writer, kind: u8) -> Result<usize, E> {
    writer.depth += 1;
    if writer.depth > MAX_DEPTH {
        return Err(E::custom(MessageError::TooDeep));
    }
    Ok(writer.open(kind))
}

fn leave(writer: &mut Writer, start: usize) {
    writer.depth -= 1;
    writer.close(start);
}
