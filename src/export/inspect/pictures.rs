//! Pictures as attachments of a sample: each once, by the digest that messages name.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::model::md5_hex;

/// The attachments of one sample.
#[derive(Debug, Default)]
pub(super) struct Pictures(BTreeMap<String, String>);

impl Pictures {
    /// Adds a picture; a piece of content that shows it.
    pub(super) fn add(&mut self, bytes: &[u8], media_type: &str) -> Value {
        // Inspect takes names of 32 hexadecimal digits for attachments.
        let name = md5_hex(bytes);
        self.0.entry(name.clone()).or_insert_with(|| format!("data:{media_type};base64,{}", STANDARD.encode(bytes)));
        json!({"type": "image", "image": format!("attachment://{name}"), "detail": "auto"})
    }

    /// Adds a picture in base64; nothing where it is none.
    pub(super) fn add_encoded(&mut self, encoded: &str, media_type: &str) -> Option<Value> {
        Some(self.add(&STANDARD.decode(encoded).ok()?, media_type))
    }

    pub(super) fn attachments(&self) -> Map<String, Value> {
        self.0.iter().map(|(name, data)| (name.clone(), json!(data))).collect()
    }
}

/// The media type of a file by the ending of its name.
pub(super) fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("webp") => "image/webp",
        Some("jpg" | "jpeg") => "image/jpeg",
        _ => "image/png",
    }
}
