//! Counts the values of a JSON text without building any of them.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::ProjectError;

/// A value takes two bytes of text at least: itself and the sign that parts it from the next.
const BYTES_PER_VALUE: usize = 2;

/// Checks that a JSON text holds at most `limit` values. The parser refuses text that is not JSON.
///
/// # Errors
/// [`ProjectError::TooLarge`].
pub(super) fn count_values(json: &[u8], limit: usize) -> Result<(), ProjectError> {
    if json.len().div_ceil(BYTES_PER_VALUE) <= limit {
        return Ok(());
    }
    let left = Cell::new(limit + 1);
    let _ = Counter(&left).deserialize(&mut serde_json::Deserializer::from_slice(json));
    if left.get() == 0 {
        return Err(ProjectError::TooLarge(format!("project.json holds over {limit} values")));
    }
    Ok(())
}

/// Counts down with each value, and gives up at zero.
#[derive(Clone, Copy)]
struct Counter<'a>(&'a Cell<usize>);

impl Counter<'_> {
    fn one<E: de::Error>(self) -> Result<(), E> {
        self.0.set(self.0.get().saturating_sub(1));
        if self.0.get() == 0 { Err(E::custom("too many values")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Counter<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counter<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.one()
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.one()
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.one()
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.one()
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        self.one()
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.one()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.one()?;
        while seq.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.one()?;
        while map.next_key_seed(self)?.is_some() {
            map.next_value_seed(self)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_count_once_and_so_do_keys() {
        let json = br#"{"a": [1, -2, 0.5, "x", null, true, {}], "b": []}"#;
        // The object, two keys, two lists and the seven in the first.
        assert!(count_values(json, 11).is_err());
        assert!(count_values(json, 12).is_ok());
        assert!(count_values(b"[1,2,3,", 3).is_err());
        assert!(count_values(b"[oh, no]", 2).is_ok(), "no JSON is for the parser to refuse");
    }
}
