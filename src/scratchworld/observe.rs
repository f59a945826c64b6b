//! Screenshots, HTML and elements of the page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::app::Reply;
use super::fault::Fault;
use super::params::Params;
use super::state::{Scope, ScratchWorld};
use crate::action::ActionError;
use crate::action::scratchworld::{ElementRow, ElementSelector, list_elements, page_html};
use crate::http::Problem;
use crate::http::noted;
use crate::model::VIEWPORT;
use crate::session::SessionError;

/// How long a look may take, waiting for other calls not counted.
const LIMIT: Duration = Duration::from_secs(30);

/// `screenshot`: always the viewport, regardless of `full_page`: nothing scrolls the page.
pub async fn screenshot(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let mut query = params.query();
    let format = query.text_or("format", "base64");
    query.flag_or("full_page", true);
    query.done()?;
    let handle = dialect.session(&scope).await?;
    if format != "base64" {
        return Err(Fault::gone("this server writes no files: ask for format=base64"));
    }
    let fault = |error| scope.fault(error);
    let job = noted(|live| Box::pin(async { live.page().screenshot().await.map_err(SessionError::from) }));
    let png = handle.run(LIMIT, job).await.map_err(fault)?.map_err(fault)?;
    Ok(Json(json!({"screenshot": STANDARD.encode(png), "format": "base64"})).into_response())
}

/// `html`.
pub async fn html(dialect: Arc<ScratchWorld>, scope: Scope, _: Params) -> Reply {
    let handle = dialect.session(&scope).await?;
    let html = handle.run(LIMIT, noted(|live| Box::pin(page_html(live)))).await.map_err(|error| scope.fault(error))?;
    Ok(Json(json!({"html": html.map_err(page_fault)?})).into_response())
}

/// `viewport_size`.
pub async fn viewport_size(dialect: Arc<ScratchWorld>, scope: Scope, _: Params) -> Reply {
    dialect.session(&scope).await?;
    let (width, height) = VIEWPORT;
    let size = json!({"width": width, "height": height});
    Ok(Json(json!({"width": width, "height": height, "viewport_size": size})).into_response())
}

/// `elements`: one selector, with the places among its matches.
pub async fn elements(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let mut query = params.query();
    let selector = query.text("selector");
    query.done()?;
    let rows = rows(&dialect, &scope, vec![ElementSelector { name: String::new(), selector }]).await?;
    let elements: Vec<_> =
        rows.into_iter().map(|row| json!({"index": row.index, "position": row.position, "text": row.text})).collect();
    Ok(Json(json!({"count": elements.len(), "elements": elements})).into_response())
}

/// `elements_batch`: several selectors, numbered through.
pub async fn elements_batch(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let started = Instant::now();
    let mut query = params.query();
    let selectors = query.text("selectors");
    query.done()?;
    let selectors = batch(&selectors);
    let total = selectors.len();
    let mut elements = rows(&dialect, &scope, selectors).await?;
    for (index, row) in (0..).zip(&mut elements) {
        row.index = index;
    }
    let elapsed = started.elapsed().as_secs_f64();
    Ok(Json(json!({"elements": elements, "total_selectors": total, "elapsed_time": elapsed})).into_response())
}

async fn rows(
    dialect: &ScratchWorld,
    scope: &Scope,
    selectors: Vec<ElementSelector>,
) -> Result<Vec<ElementRow>, Fault> {
    let handle = dialect.session(scope).await?;
    let job = noted(|live| Box::pin(list_elements(live, selectors)));
    handle.run(LIMIT, job).await.map_err(|error| scope.fault(error))?.map_err(page_fault)
}

fn page_fault(error: ActionError) -> Fault {
    match error {
        ActionError::Session(error) => Fault::Problem(error.into()),
        ActionError::Page(error) => Fault::Problem(SessionError::from(error).into()),
        error => Fault::Problem(Problem::internal(error.to_string())),
    }
}

/// Reads `name::selector` pairs. The reference splits them at every comma; here one within brackets, parentheses
/// or quotes belongs to its selector.
fn batch(text: &str) -> Vec<ElementSelector> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0_u32, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let pair = |part: &str| {
        let (name, selector) = part.split_once("::").unwrap_or((part, part));
        ElementSelector { name: name.trim().to_owned(), selector: selector.trim().to_owned() }
    };
    parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_selectors_unless_they_belong_to_one() {
        let shown: Vec<(String, String)> = batch("stage::[data-testid='a,b'], inputs::input,.plain,x:::is(a, b)")
            .into_iter()
            .map(|s| (s.name, s.selector))
            .collect();
        let pair = |name: &str, selector: &str| (name.to_owned(), selector.to_owned());
        assert_eq!(
            shown,
            [
                pair("stage", "[data-testid='a,b']"),
                pair("inputs", "input"),
                pair(".plain", ".plain"),
                pair("x", ":is(a, b)")
            ]
        );
    }
}
