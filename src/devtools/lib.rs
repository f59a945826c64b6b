//! DevTools messages in CBOR, as Chromium's pipe has them after `--remote-debugging-pipe=cbor`, and in JSON, as DevTools
//! clients have them. CBOR carries binary data as it is: 12 MB of compiled code cost a page 0.15 s instead of 0.4 s.
//!
//! The format is RFC 8949 with the habits of Chromium's `crdtp` library: each map and array is of indefinite length and lies
//! in an envelope, a tag 24 with the length of what follows in four bytes; text is UTF-8 (type 3), or UTF-16 in a byte
//! string (type 2) if it is not ASCII; binary data, which JSON has in Base64, are a byte string with tag 22.
//!
//! The messages of all pages pass through here, so this is built apart, with optimisation.

mod reader;
mod writer;

pub use reader::{HEADER, frame_length, to_json};
pub use writer::{around_data, to_cbor};

/// Why a message can't be carried over.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The text is no JSON, or no object.
    #[error("the message is no JSON object: {0}")]
    Json(#[from] serde_json::Error),
    /// The bytes are no CBOR as Chromium writes it.
    #[error("unexpected byte {byte:#04x} at {at} of a message")]
    Byte { byte: u8, at: usize },
    /// The message ends too early.
    #[error("a message is cut off")]
    CutOff,
    /// Text is not UTF-8, or has an odd number of bytes where it is UTF-16.
    #[error("a message has text that is none, at {at}")]
    Text { at: usize },
    /// Maps and arrays are nested deeper than Chromium nests them.
    #[error("a message is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// How deep maps and arrays are nested at most (`kStackLimit` of `crdtp`).
const MAX_DEPTH: usize = 300;

/// A tag, whose number comes in the next byte.
const TAG: u8 = 0xd8;
/// The number of the tag of envelopes, 24.
const ENVELOPE: u8 = 0x18;
/// A byte string with its length in four bytes.
const BYTES_32: u8 = 0x5a;
/// Tag 22: binary data, which JSON has in Base64.
const BINARY: u8 = 0xd6;
const MAP: u8 = 0xbf;
const ARRAY: u8 = 0x9f;
const END: u8 = 0xff;
const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;
const NULL: u8 = 0xf6;
const DOUBLE: u8 = 0xfb;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn there_and_back(message: &Value) -> Value {
        let cbor = to_cbor(&message.to_string()).unwrap();
        assert_eq!(frame_length(&cbor).unwrap(), cbor.len());
        serde_json::from_str(&to_json(&cbor).unwrap()).unwrap()
    }

    #[test]
    fn a_command_is_the_cbor_of_crdtp() {
        let cbor = to_cbor(r#"{"id":7,"method":"A.b","params":{"n":-1,"x":[true,null]}}"#).unwrap();
        let wanted = [
            &[0xd8, 0x18, 0x5a, 0, 0, 0, 49, 0xbf][..],
            b"\x62id\x07\x66method\x63A.b\x66params",
            &[0xd8, 0x18, 0x5a, 0, 0, 0, 18, 0xbf],
            b"\x61n\x20\x61x",
            &[0xd8, 0x18, 0x5a, 0, 0, 0, 4, 0x9f, 0xf5, 0xf6, 0xff, 0xff, 0xff],
        ];
        assert_eq!(cbor, wanted.concat());
    }

    #[test]
    fn an_answer_with_binary_data_has_them_in_base64() {
        // {"id": 1, "result": {"data": 22(h'00ff10'), "ü": 1.5}}, with the older envelope that has no tag number of its own.
        let result = [
            &[0xbf][..],
            b"\x64data",
            &[0xd6, 0x43, 0, 0xff, 0x10],
            &[0x42, 0xfc, 0],
            &[0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xff],
        ];
        let result = result.concat();
        let mut message =
            [&[0xbf][..], b"\x62id\x01\x66result", &[0xd8, 0x5a, 0, 0, 0, u8::try_from(result.len()).unwrap()]]
                .concat();
        message.extend(result);
        message.push(0xff);
        let mut whole = vec![0xd8, 0x18, 0x5a, 0, 0, 0, u8::try_from(message.len()).unwrap()];
        whole.extend(message);
        assert_eq!(frame_length(&whole[..HEADER]).unwrap(), whole.len());
        assert_eq!(to_json(&whole).unwrap(), r#"{"id":1,"result":{"data":"AP8Q","ü":1.5}}"#);
    }

    #[test]
    fn data_come_between_the_two_parts_of_a_command() {
        let data = [1_u8, 2, 3];
        let [head, tail] =
            around_data(9, "S1", "Page.addCompilationCache", &[("url", "http://a/b.js")], "data", data.len());
        let whole = [head.as_slice(), &data, &tail].concat();
        assert_eq!(frame_length(&whole).unwrap(), whole.len());
        let message: Value = serde_json::from_str(&to_json(&whole).unwrap()).unwrap();
        let wanted = json!({"id": 9, "sessionId": "S1", "method": "Page.addCompilationCache",
            "params": {"url": "http://a/b.js", "data": "AQID"}});
        assert_eq!(message, wanted);
    }

    #[test]
    fn numbers_keep_their_values() {
        let numbers = json!({"a": [0, 23, 24, 255, 256, 65_535, 65_536, 2_147_483_647, -1, -24, -25, -2_147_483_648_i64,
            4_294_967_296_i64, 1_795_824_893_123_i64, 0.1, -0.5, 1e300, 5e-324, 9_007_199_254_740_991_i64]});
        assert_eq!(there_and_back(&numbers), numbers);
    }

    #[test]
    fn half_a_character_is_one_that_stands_for_it_and_comes_back() {
        let message = [0xd8, 0x18, 0x5a, 0, 0, 0, 7, 0xbf, 0x61, b'a', 0x42, 0x3d, 0xd8, 0xff];
        let json = to_json(&message).unwrap();
        assert_eq!(json, "{\"a\":\"\u{10f83d}\"}");
        assert_eq!(to_json(&to_cbor(&json).unwrap()).unwrap(), json);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        assert!(matches!(to_cbor("[1"), Err(MessageError::Json(_))));
        let good = to_cbor(r#"{"id":1,"result":{"a":[1,2,{"b":"ü"}]}}"#).unwrap();
        for end in 0..good.len() {
            assert!(to_json(&good[..end]).is_err(), "{end}");
        }
        let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(to_cbor(&deep(MAX_DEPTH)).is_err());
        let deepest = deep(MAX_DEPTH - 1);
        assert_eq!(to_json(&to_cbor(&deepest).unwrap()).unwrap(), deepest);
        assert!(frame_length(b"{\"id\":1").is_err());
    }

    /// The same with decimal fractions for all numbers, as JavaScript has them: 1.0 is written as 1.
    fn with_fractions(value: Value) -> Value {
        match value {
            Value::Number(number) => json!(number.as_f64()),
            Value::Array(items) => items.into_iter().map(with_fractions).collect(),
            Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, with_fractions(value))).collect(),
            other => other,
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f64>().prop_filter_map("finite", |number| serde_json::Number::from_f64(number).map(Value::Number)),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_message_comes_back(value in value()) {
            let message = json!({"id": 1, "params": value});
            prop_assert_eq!(with_fractions(there_and_back(&message)), with_fractions(message));
        }

        #[test]
        fn no_bytes_are_too_odd_to_be_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = to_json(&bytes);
            let mut framed = vec![0xd8, 0x18, 0x5a, 0, 0, 0, u8::try_from(bytes.len()).unwrap()];
            framed.extend(bytes);
            let _ = to_json(&framed);
        }
    }
}
