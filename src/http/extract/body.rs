//! Request bodies: bounded, of a declared kind, decoded with errors that say what and where.

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use http_body_util::BodyExt as _;
use serde::de::DeserializeOwned;

use super::bodies::{Bodies, Held};
use super::options::in_words;
use crate::http::problem::Problem;
use crate::model::shown_name;

/// Bytes of a JSON body: a megabyte of text to type fits, with its escapes.
pub const JSON_LIMIT: usize = 2 << 20;
/// Bytes of a project file; the bounds of unpacking are the project room's.
pub const PROJECT_LIMIT: usize = 64 << 20;
/// The media type of .sb3 files, as scratch-gui names it.
pub const PROJECT_TYPE: &str = "application/x.scratch.sb3";
/// Media types under which a project file is taken.
const PROJECT_TYPES: [&str; 3] = [PROJECT_TYPE, "application/octet-stream", "application/zip"];

/// The declared content of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Json,
    Project,
    /// The request declares no type.
    Unsaid,
}

/// The declared type of a request's body.
///
/// # Errors
/// `unsupported_media_type` for anything but JSON and project files.
pub fn kind(request: &Request) -> Result<Kind, Problem> {
    let Some(value) = request.headers().get(CONTENT_TYPE) else { return Ok(Kind::Unsaid) };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if essence == "application/json" {
        Ok(Kind::Json)
    } else if PROJECT_TYPES.contains(&essence.as_str()) {
        Ok(Kind::Project)
    } else {
        Err(unsupported(&essence))
    }
}

fn unsupported(essence: &str) -> Problem {
    let detail = match essence {
        "" => "a body whose type is not declared is not taken here".to_owned(),
        essence => format!("a body of type `{}` is not taken here", shown_name(essence)),
    };
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)
        .hinted(format!("send application/json, or a project file as {}", PROJECT_TYPES.join(", ")))
}

/// The whole body.
///
/// # Errors
/// `body_too_large` above `limit` bytes, `too_many_bytes` when all bodies together take too much, `body_too_slow` when
/// the client takes too long, `body_unreadable` when it breaks off.
pub async fn read(request: Request, limit: usize) -> Result<Held, Problem> {
    announces(&request, limit)?;
    let bodies = request.extensions().get::<Bodies>().cloned();
    let mut held = bodies.map_or_else(Held::default, |bodies| bodies.begin(limit, JSON_LIMIT));
    let mut body = request.into_body();
    while let Some(frame) = body.frame().await {
        let Ok(part) = frame.map_err(|error| broken(&error))?.into_data() else { continue };
        if held.len() + part.len() > limit {
            return Err(too_large(limit));
        }
        held.push(&part)?;
    }
    Ok(held)
}

/// Refuses a body that is too large by its own declaration.
fn announces(request: &Request, limit: usize) -> Result<(), Problem> {
    let size = request.body().size_hint().lower();
    if size > limit as u64 { Err(too_large(limit)) } else { Ok(()) }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", format!("the body is over {limit} bytes"))
}

fn broken(error: &axum::Error) -> Problem {
    if is_caused_by::<tower_http::timeout::TimeoutError>(error) {
        return Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", "the body took too long to arrive");
    }
    Problem::new(StatusCode::BAD_REQUEST, "body_unreadable", "the body could not be read to its end")
}

fn is_caused_by<E: std::error::Error + 'static>(error: &dyn std::error::Error) -> bool {
    std::iter::successors(error.source(), |error| error.source()).any(<dyn std::error::Error>::is::<E>)
}

/// A JSON body.
///
/// # Errors
/// The rejection is that of [`json`].
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        json(request).await.map(Self)
    }
}

/// A JSON body; an empty one counts as an empty object.
///
/// # Errors
/// As [`read`] and [`decode`]; `unsupported_media_type` when another type is declared.
pub async fn json<T: DeserializeOwned>(request: Request) -> Result<T, Problem> {
    let kind = kind(&request)?;
    let bytes = read(request, JSON_LIMIT).await?;
    match kind {
        Kind::Json => decode(&bytes),
        Kind::Unsaid if bytes.is_empty() => decode(b"{}"),
        Kind::Project => Err(unsupported(PROJECT_TYPE)),
        Kind::Unsaid => Err(unsupported("")),
    }
}

/// Refuses a request that declares no project file, or too large a one, before anything is read.
///
/// # Errors
/// `unsupported_media_type` or `body_too_large`.
pub fn announces_project(request: &Request) -> Result<(), Problem> {
    if kind(request)? == Kind::Json {
        return Err(unsupported("application/json"));
    }
    announces(request, PROJECT_LIMIT)
}

/// A project file.
///
/// # Errors
/// As [`read`] and [`announces_project`].
pub async fn project(request: Request) -> Result<Held, Problem> {
    announces_project(&request)?;
    read(request, PROJECT_LIMIT).await
}

/// Decodes JSON text.
///
/// # Errors
/// `bad_utf8`, `malformed_json` with the place, `invalid_body` with the field that does not fit.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("the body is not UTF-8 from byte {}", error.valid_up_to());
        Problem::new(StatusCode::BAD_REQUEST, "bad_utf8", detail)
    })?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (path, cause) = (shown_name(&error.path().to_string()), error.inner());
        if !cause.is_data() {
            return malformed(cause);
        }
        let words = in_words(&cause.to_string());
        let at = match (path.as_str(), words.starts_with("must ")) {
            (".", true) => "the body ".to_owned(),
            (".", false) => String::new(),
            (_, true) => format!("`{path}` "),
            (_, false) => format!("`{path}`: "),
        };
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", format!("{at}{words}"))
            .hinted("the body must have the shape that /docs shows")
    })?;
    reader.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed_json", format!("the body is no JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ActionCall;

    fn code(bytes: &[u8]) -> String {
        decode::<ActionCall>(bytes).unwrap_err().code
    }

    #[test]
    fn each_fault_has_its_code() {
        assert_eq!(code(b"{\"api\":\"click\xff\"}"), "bad_utf8");
        assert_eq!(code(b"{\"api\":"), "malformed_json");
        assert_eq!(code(b"{\"api\":\"click\"} x"), "malformed_json");
        assert_eq!(code(b"{\"api\":\"click\",\"extra\":1}"), "invalid_body");
        assert_eq!(code(b""), "invalid_body");
        assert!(decode::<ActionCall>(b"{\"api\":\"click\"}").is_ok());
    }

    #[test]
    fn little_of_a_body_is_repeated_and_nothing_that_a_terminal_obeys() {
        let text = format!("{}\\u001b[2J", "q".repeat(5000));
        for body in
            [format!("{{\"api\":\"click\",\"{text}\":1}}"), format!("{{\"api\":\"click\",\"args\":\"{text}\"}}")]
        {
            let detail = decode::<ActionCall>(body.as_bytes()).unwrap_err().detail;
            // The place and the message name it.
            assert!(detail.contains('q') && detail.matches('q').count() <= 160, "{detail}");
            assert!(!detail.contains(char::is_control), "{detail}");
        }
    }
}
