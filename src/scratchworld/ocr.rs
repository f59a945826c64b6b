//! The text recognition service of the reference, with the testbed's own recognition.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::multipart::Field;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request, State};
use axum::handler::Handler as _;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use image::{ImageReader, Limits, RgbaImage};
use serde_json::{Value, json};

use super::app::{Reply, Table};
use super::fault::Fault;
use super::state::ScratchWorld;
use crate::http::Problem;
use crate::http::extract::body;
use crate::ocr::{MIN_CONFIDENCE, Recognizer, Word};

/// Bytes of a picture with its form.
const PICTURE_LIMIT: usize = 16 << 20;
const SIDE_LIMIT: u32 = 4096;
/// Bytes that a picture may take while it is decoded.
const MEMORY_LIMIT: u64 = 128 << 20;

/// Adds the routes of this file.
pub fn routes(table: Table) -> Table {
    table
        .add(&Method::POST, "/ocr/detect", detect.layer(DefaultBodyLimit::max(PICTURE_LIMIT)))
        .add(&Method::GET, "/health", health)
        .add(&Method::GET, "/info", info)
}

async fn detect(State(dialect): State<Arc<ScratchWorld>>, request: Request) -> Reply {
    let (parts, body) = request.into_parts();
    let whole = body::read(Request::from_parts(parts.clone(), body), PICTURE_LIMIT).await?;
    let (bytes, _room) = whole.into_parts();
    let form = Multipart::from_request(Request::from_parts(parts, Body::from(bytes)), &()).await;
    let form = form.map_err(|refused| bad(StatusCode::UNPROCESSABLE_ENTITY, refused.body_text()))?;
    read(&dialect, form).await
}

fn bad(status: StatusCode, text: impl Into<String>) -> Fault {
    Fault::new(status, "bad_picture", text)
}

async fn read(dialect: &ScratchWorld, mut form: Multipart) -> Reply {
    let (mut picture, mut confidence) = (None, f64::from(MIN_CONFIDENCE));
    while let Some(field) = form.next_field().await.map_err(|error| bad(error.status(), error.body_text()))? {
        match field.name() {
            Some("file") => picture = Some(picture_of(field).await?),
            Some("confidence") => confidence = number_of(field).await?,
            _ => {}
        }
    }
    let picture = picture.ok_or_else(|| bad(StatusCode::UNPROCESSABLE_ENTITY, "Field required: file"))?;
    let Some(recognizer) = dialect.api.sessions.fleet().recognizer() else {
        let error = "this testbed runs without text recognition (scratchbed setup)";
        return Ok(Json(json!({"success": false, "elements": [], "total_elements": 0, "error": error})).into_response());
    };
    let elements = elements(dialect, recognizer, picture, confidence).await?;
    let total = elements.len();
    let reply = json!({"success": true, "elements": elements, "total_elements": total, "error": null});
    Ok(Json(reply).into_response())
}

async fn picture_of(field: Field<'_>) -> Result<Bytes, Fault> {
    if field.content_type().is_some_and(|kind| !kind.starts_with("image/")) {
        return Err(bad(StatusCode::BAD_REQUEST, "File must be an image"));
    }
    field.bytes().await.map_err(|error| bad(error.status(), error.body_text()))
}

async fn number_of(field: Field<'_>) -> Result<f64, Fault> {
    let text = field.text().await.map_err(|error| bad(error.status(), error.body_text()))?;
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| bad(StatusCode::UNPROCESSABLE_ENTITY, "confidence must be a number"))
}

async fn elements(
    dialect: &ScratchWorld,
    recognizer: Arc<Recognizer>,
    picture: Bytes,
    confidence: f64,
) -> Result<Vec<Value>, Fault> {
    let broken = |error: String| Fault::Problem(Problem::internal(error));
    let _turn = dialect.reading.acquire().await.map_err(|error| broken(error.to_string()))?;
    let task = tokio::task::spawn_blocking(move || {
        let picture = decoded(&picture)?;
        recognizer.recognize(&picture).map_err(|error| Fault::Problem(Problem::internal(error.to_string())))
    });
    let words = task.await.map_err(|error| broken(error.to_string()))??;
    let sure = |word: &Word| word.confidence.is_none_or(|sure| f64::from(sure) >= confidence);
    Ok(words.iter().filter(|word| sure(word)).map(shown).collect())
}

fn decoded(bytes: &[u8]) -> Result<RgbaImage, Fault> {
    let undecodable =
        |error: &dyn std::fmt::Display| bad(StatusCode::BAD_REQUEST, format!("File must be an image: {error}"));
    let mut reader =
        ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format().map_err(|e| undecodable(&e))?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_LIMIT);
    limits.max_image_height = Some(SIDE_LIMIT);
    limits.max_alloc = Some(MEMORY_LIMIT);
    reader.limits(limits);
    Ok(reader.decode().map_err(|e| undecodable(&e))?.to_rgba8())
}

fn shown(word: &Word) -> Value {
    let (text, at) = (&word.text, word.position);
    json!({
        "text": text, "confidence": word.confidence, "x": at.x, "y": at.y, "width": at.width, "height": at.height,
        "element_type": kind_of(text),
    })
}

/// The reference's guess about a word.
fn kind_of(text: &str) -> &'static str {
    let folded = text.to_lowercase();
    if ["button", "click", "ok", "cancel"].iter().any(|word| folded.contains(word)) {
        "button"
    } else if text.ends_with(':') {
        "label"
    } else {
        "text"
    }
}

async fn health(State(dialect): State<Arc<ScratchWorld>>) -> Json<Value> {
    let ready = dialect.api.sessions.fleet().recognizer().is_some();
    Json(json!({"status": if ready { "healthy" } else { "unavailable" }, "ocr_ready": ready}))
}

async fn info() -> Json<Value> {
    Json(json!({
        "name": "scratchbed text recognition", "version": env!("CARGO_PKG_VERSION"), "language": "en",
        "min_confidence": MIN_CONFIDENCE, "max_bytes": PICTURE_LIMIT, "max_side": SIDE_LIMIT,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_guessed_to_be_buttons_labels_or_text() {
        assert_eq!(["Cancel", "Name:", "Motion", "Booking"].map(kind_of), ["button", "label", "text", "button"]);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let Err(Fault::Problem(problem)) = decoded(b"<svg/>") else { panic!("it was taken") };
        assert_eq!(problem.status, 400);
    }
}
