//! Renders a session's log as video: its pictures, with the pointer and its drags drawn in.
//!
//! A picture stands until the next one; in between the pointer moves as the page received it. Long pauses are cut
//! short. Frames go to a zip with an index, or, where `ffmpeg` is installed, to a WebM or MP4 file.

use std::io::{Cursor, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use image::{ImageFormat, Rgb, RgbImage};
use imageproc::drawing::{draw_filled_circle_mut, draw_hollow_circle_mut, draw_line_segment_mut};
use serde::Serialize;
use zip::write::SimpleFileOptions;

use crate::model::{Blame, Coded, EventKind};
use crate::store::{StoreError, StoredLog};

/// Longest time that one frame stands, in milliseconds: agents think for much longer than anyone wants to watch.
const LONGEST_MS: f64 = 1500.0;
/// Shortest time, in milliseconds: one frame of 50 a second.
const SHORTEST_MS: f64 = 20.0;
/// How long the last frame stands, in milliseconds.
const LAST_MS: f64 = 1000.0;
/// Colour of the pointer, and of what it does with a button down.
const FREE: Rgb<u8> = Rgb([30, 110, 230]);
const PRESSED: Rgb<u8> = Rgb([220, 40, 40]);

/// Why no video could be made.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// A picture of the log can't be read.
    #[error(transparent)]
    Log(#[from] StoreError),
    /// A picture is not an image.
    #[error("a picture of the log can't be read")]
    Picture(#[from] image::ImageError),
    /// The log has no picture of the whole page.
    #[error("the log has no picture of the whole page")]
    NoPictures,
    /// The file can't be written.
    #[error("{} can't be written", .path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// The archive can't be written.
    #[error("the archive can't be written")]
    Archive(#[from] zip::result::ZipError),
    /// ffmpeg failed.
    #[error("ffmpeg failed: {0}")]
    Encoder(String),
}

impl Coded for VideoError {
    fn code(&self) -> &str {
        if matches!(self, Self::NoPictures) { "no_pictures" } else { "no_video" }
    }

    fn hint(&self) -> Option<String> {
        let hint = "`scratchbed run --keep-pictures all`, or `\"record\": true` in POST /sessions, has a picture taken after each action";
        matches!(self, Self::NoPictures).then(|| hint.to_owned())
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::NoPictures) { Blame::Input } else { Blame::Testbed }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frame {
    /// Name of its file in the archive.
    pub file: String,
    /// When it is on the session's clock, in milliseconds.
    pub at_ms: f64,
    /// How long it stands, in milliseconds.
    pub duration_ms: f64,
    /// The picture under the pointer, by its digest.
    pub image: String,
    #[serde(skip)]
    media_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<(f64, f64)>,
    /// The path of the pointer since the button went down; empty while none is down.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drag: Vec<(f64, f64)>,
}

/// The frames of a log, in the order of the session's clock.
pub fn frames(log: &StoredLog) -> Vec<Frame> {
    let mut events: Vec<_> = log.events.iter().collect();
    // What the page received is noted after the picture that it led to.
    events.sort_by(|a, b| a.at_ms.total_cmp(&b.at_ms));
    let mut frames: Vec<Frame> = Vec::new();
    let (mut picture, mut pointer, mut drag) = (None, None, Vec::new());
    for event in events {
        match &event.what {
            EventKind::Observation(seen) if seen.place.is_none() => {
                let Some(image) = seen.image.clone() else { continue };
                picture = Some((image, seen.media_type.clone().unwrap_or_default()));
            }
            EventKind::Frame(frame) => picture = Some((frame.image.clone(), frame.media_type.clone())),
            EventKind::Input(input) => {
                let (Some(x), Some(y)) = (input.x, input.y) else { continue };
                pointer = Some((x, y));
                match (input.name.as_str(), input.buttons.unwrap_or_default()) {
                    ("pointerup", _) | (_, 0) => drag.clear(),
                    _ => drag.push((x, y)),
                }
            }
            _ => continue,
        }
        let Some((image, media_type)) = picture.clone() else { continue };
        if let Some(last) = frames.last_mut() {
            last.duration_ms = (event.at_ms - last.at_ms).clamp(SHORTEST_MS, LONGEST_MS);
        }
        let file = format!("frame-{:06}.jpg", frames.len() + 1);
        let (at_ms, drag) = (event.at_ms, drag.clone());
        frames.push(Frame { file, at_ms, duration_ms: LAST_MS, image, media_type, pointer, drag });
    }
    frames
}

/// Draws the frames of a log and hands each to `take` with its JPEG file.
///
/// # Errors
/// When there is no picture, or one can't be read; what `take` fails with.
pub fn draw(
    log: &StoredLog,
    mut take: impl FnMut(&Frame, &[u8]) -> Result<(), VideoError>,
) -> Result<Vec<Frame>, VideoError> {
    let frames = frames(log);
    if frames.is_empty() {
        return Err(VideoError::NoPictures);
    }
    let mut open: Option<(String, RgbImage)> = None;
    for frame in &frames {
        if open.as_ref().is_none_or(|(sha, _)| *sha != frame.image) {
            let bytes = log.image(&frame.image, &frame.media_type)?;
            open = Some((frame.image.clone(), image::load_from_memory(&bytes)?.to_rgb8()));
        }
        let Some((_, picture)) = &open else { continue };
        let mut drawn = picture.clone();
        draw_pointer(&mut drawn, frame);
        let mut jpeg = Cursor::new(Vec::new());
        drawn.write_to(&mut jpeg, ImageFormat::Jpeg)?;
        take(frame, jpeg.get_ref())?;
    }
    Ok(frames)
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a page")]
fn draw_pointer(picture: &mut RgbImage, frame: &Frame) {
    for pair in frame.drag.windows(2) {
        let ends = [pair[0], pair[1]].map(|(x, y)| (x as f32, y as f32));
        draw_line_segment_mut(picture, ends[0], ends[1], PRESSED);
    }
    let Some((x, y)) = frame.pointer.map(|(x, y)| (x.round() as i32, y.round() as i32)) else { return };
    let colour = if frame.drag.is_empty() { FREE } else { PRESSED };
    draw_filled_circle_mut(picture, (x, y), 4, colour);
    draw_hollow_circle_mut(picture, (x, y), 9, colour);
    draw_hollow_circle_mut(picture, (x, y), 10, colour);
}

/// Writes the frames and `index.json` into a zip.
///
/// # Errors
/// As [`draw`]; when the file can't be written.
pub fn write_archive(log: &StoredLog, file: &Path) -> Result<usize, VideoError> {
    let unwritable = |source| VideoError::Unwritable { path: file.to_owned(), source };
    // Moved into place when it is complete.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let readable = std::fs::Permissions::from_mode(0o666);
    let whole = tempfile::Builder::new().permissions(readable).tempfile_in(folder).map_err(unwritable)?;
    let mut archive = zip::ZipWriter::new(whole.as_file().try_clone().map_err(unwritable)?);
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let frames = draw(log, |frame, jpeg| {
        archive.start_file(frame.file.clone(), options)?;
        archive.write_all(jpeg).map_err(unwritable)
    })?;
    archive.start_file("index.json", options)?;
    let index = serde_json::to_vec_pretty(&frames).map_err(|error| unwritable(error.into()))?;
    archive.write_all(&index).map_err(unwritable)?;
    archive.finish()?;
    whole.persist(file).map_err(|error| unwritable(error.error))?;
    Ok(frames.len())
}

/// Whether `ffmpeg` can be called.
pub fn has_encoder() -> bool {
    let asked = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Has `ffmpeg` make a video of the frames; the ending of the file's name says of which kind, `.webm` or `.mp4`.
///
/// # Errors
/// As [`draw`]; when `ffmpeg` is missing or fails.
pub fn encode(log: &StoredLog, file: &Path) -> Result<usize, VideoError> {
    let unwritable = |source| VideoError::Unwritable { path: file.to_owned(), source };
    let folder = tempfile::tempdir().map_err(unwritable)?;
    let frames = draw(log, |frame, jpeg| std::fs::write(folder.path().join(&frame.file), jpeg).map_err(unwritable))?;
    let mut list: String = frames
        .iter()
        .flat_map(|frame| [format!("file '{}'\n", frame.file), format!("duration {:.3}\n", frame.duration_ms / 1000.0)])
        .collect();
    // The list's last duration only counts when a file follows.
    if let Some(last) = frames.last() {
        list.extend([format!("file '{}'\n", last.file)]);
    }
    let concat = folder.path().join("frames.txt");
    std::fs::write(&concat, list).map_err(unwritable)?;
    let done = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i"])
        .arg(&concat)
        .args(["-vsync", "vfr", "-pix_fmt", "yuv420p"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| VideoError::Encoder(error.to_string()))?;
    if done.status.success() {
        return Ok(frames.len());
    }
    Err(VideoError::Encoder(String::from_utf8_lossy(&done.stderr).trim().to_owned()))
}
