//! An attempt as one self-contained HTML file: it makes no requests, which its content security policy enforces.

use std::collections::HashMap;
use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use serde_json::{Value, json};

use super::{Playback, bundle};
use crate::model::sha256_hex;

/// Bytes that the pictures of a file may have together.
const PICTURE_BYTES: usize = 12 << 20;
/// Width in pixels and quality that pictures are given, the first that fits.
const SIZES: [(u32, u8); 4] = [(1280, 80), (960, 75), (640, 70), (480, 60)];
/// Sample of pictures that predicts the size of the others.
const SAMPLE: usize = 6;

const STYLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/live.css"));
const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/replay.html"));

/// A file with facts about its content.
#[derive(Debug, Clone)]
pub struct ReplayFile {
    pub html: String,
    /// Different pictures that it has.
    pub pictures: usize,
    /// Pictures for which there was no room.
    pub left_out: usize,
    /// Width of the pictures in pixels, at most.
    pub width: u32,
}

/// Makes the file. Pictures become JPEG, and smaller the more there are; this takes some milliseconds for each.
pub fn replay_file(playback: &Playback) -> ReplayFile {
    let Packed { files, of_calls, left_out, width } = packed(playback);
    let mut details = playback.details.clone();
    for (call, file) in details.calls.iter_mut().zip(&of_calls) {
        call["picture"] = file.is_some().into();
    }
    let data = json!({
        "details": details, "program": playback.program(), "files": files, "of_calls": of_calls, "left_out": left_out,
        "turns": playback.turns().unwrap_or_default(), "width": width, "version": env!("CARGO_PKG_VERSION"),
    });
    ReplayFile { html: page(&data, &playback.details.record.task), pictures: files.len(), left_out, width }
}

fn page(data: &Value, task: &str) -> String {
    let script = bundle::script();
    let policy = format!(
        "default-src 'none'; img-src blob: data:; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(&script)
    );
    // Within an element nothing may look like a tag.
    let data = data.to_string().replace('<', "\\u003c");
    let title: String = task.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let parts = [("{{policy}}", policy.as_str()), ("{{title}}", &title), ("{{style}}", STYLE), ("{{script}}", &script)];
    let page = parts.iter().fold(PAGE.to_owned(), |page, (name, part)| page.replacen(name, part, 1));
    // Last: what agents wrote must not be taken for a place of the template.
    page.replacen("{{data}}", &data, 1)
}

/// The source expression of a policy for a text.
fn hash(text: &str) -> String {
    let hex = sha256_hex(text.as_bytes());
    let bytes: Vec<u8> =
        (0..hex.len()).step_by(2).filter_map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
    format!("sha256-{}", STANDARD.encode(bytes))
}

/// Pictures as a file has them, each once.
struct Packed {
    /// As base64 with their media types.
    files: Vec<Value>,
    /// The picture of each call, by its place among the files.
    of_calls: Vec<Option<usize>>,
    left_out: usize,
    width: u32,
}

fn packed(playback: &Playback) -> Packed {
    let calls = playback.pictures.len();
    let taken: Vec<usize> = (0..calls).filter(|call| playback.pictures[*call].is_some()).collect();
    let (width, quality) = size_for(playback, &taken);
    let mut packed = Packed { files: Vec::new(), of_calls: vec![None; calls], left_out: 0, width };
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut bytes = 0;
    for call in taken {
        let Some(picture) = playback.picture(call) else { continue };
        let digest = sha256_hex(&picture);
        if let Some(file) = known.get(&digest) {
            packed.of_calls[call] = Some(*file);
            continue;
        }
        let Some(small) = shrunk(&picture, width, quality) else { continue };
        if bytes + small.len() > PICTURE_BYTES {
            packed.left_out += 1;
            continue;
        }
        bytes += small.len();
        known.insert(digest, packed.files.len());
        packed.of_calls[call] = Some(packed.files.len());
        packed.files.push(json!({"type": "image/jpeg", "base64": STANDARD.encode(&small)}));
    }
    packed
}

/// The largest size at which all pictures should fit, from some of them.
fn size_for(playback: &Playback, taken: &[usize]) -> (u32, u8) {
    let apart = (taken.len() / SAMPLE).max(1);
    let sample: Vec<Vec<u8>> = taken.iter().step_by(apart).filter_map(|call| playback.picture(*call)).collect();
    let fits = |&(width, quality): &(u32, u8)| {
        let bytes: usize =
            sample.iter().filter_map(|picture| shrunk(picture, width, quality)).map(|small| small.len()).sum();
        bytes * taken.len() <= PICTURE_BYTES * sample.len().max(1)
    };
    SIZES.into_iter().find(|size| fits(size)).unwrap_or(SIZES[SIZES.len() - 1])
}

/// A picture as JPEG, no wider than this; `None` if it is not a picture.
fn shrunk(picture: &[u8], width: u32, quality: u8) -> Option<Vec<u8>> {
    let mut image = image::load_from_memory(picture).ok()?;
    if image.width() > width {
        image = image.resize(width, u32::MAX, FilterType::Triangle);
    }
    let mut out = Cursor::new(Vec::new());
    image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut out, quality)).ok()?;
    Some(out.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::SessionLog;

    /// An attempt with as many different pictures of noise.
    fn noisy(pictures: u32) -> Playback {
        let log = SessionLog::start("s");
        let mut events = Vec::new();
        for number in 0..pictures {
            let mut seed = number * 7919 + 1;
            let noise = image::RgbImage::from_fn(1280, 720, |_, _| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                image::Rgb([seed.to_be_bytes()[0]; 3])
            });
            let mut png = Cursor::new(Vec::new());
            JpegEncoder::new_with_quality(&mut png, 30).encode_image(&noise).unwrap();
            let sha = log.keep_image("image/jpeg", png.get_ref());
            let seq = u64::from(number) * 2 + 1;
            events.push(
                json!({"seq": seq, "at_ms": 0.0, "kind": "request", "api": "click", "mode": "primitive", "args": {},
                "note": "</script>{{style}}<script>", "caller": "http", "waited_ms": 0.0}),
            );
            events.push(json!({"seq": seq + 1, "at_ms": 0.0, "request": seq, "kind": "frame", "image": sha, "media_type": "image/jpeg"}));
        }
        let events: Vec<crate::model::Event> = serde_json::from_value(Value::Array(events)).unwrap();
        Playback::of_memory(&log, &events, false, None)
    }

    #[test]
    fn the_file_holds_all_and_nothing_in_it_can_be_taken_for_a_tag() {
        let file = replay_file(&noisy(2));
        assert_eq!((file.pictures, file.left_out), (2, 0));
        assert_eq!(file.html.matches("</script>").count(), 2, "that of the data and that of the script");
        assert!(file.html.contains("\\u003c/script>{{style}}\\u003cscript>"));
        assert!(!file.html.contains("src=") && !file.html.contains("href=\"http"), "it names nothing elsewhere");
        for text in [STYLE, &bundle::script()] {
            assert!(file.html.contains(&hash(text)));
        }
    }

    #[test]
    fn a_picture_is_made_smaller_and_anything_else_is_none() {
        let mut png = Cursor::new(Vec::new());
        image::RgbImage::new(1280, 720).write_to(&mut png, image::ImageFormat::Png).unwrap();
        let small = shrunk(png.get_ref(), 640, 70).unwrap();
        let read = image::load_from_memory(&small).unwrap();
        assert_eq!((read.width(), read.height()), (640, 360));
        assert_eq!(shrunk(b"no picture", 640, 70), None);
    }
}
