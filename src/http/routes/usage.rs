//! What the models of an agent needed, as the agent reports it.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::routing::post;

use crate::http::extract::body;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::AppState;
use crate::model::ReportedUsage;

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/sessions/{id}/usage", "report_usage", post(report))
            .doc(
                "sessions",
                "Report requests and tokens of the agent's models since the last report. Returns the sum of all reports. \
                 Nothing depends on it but the costs in the record of a run.",
            )
            .takes(Content::Json(schema::<ReportedUsage>()))
            .gives_json::<ReportedUsage>(),
    ]
}

async fn report(
    State(api): State<AppState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<ReportedUsage>, Problem> {
    let session = api.sessions.get(&id).await?;
    let reported: ReportedUsage = body::json(request).await?;
    if let Some(field) = reported.out_of_range() {
        let detail = format!("`{field}` is larger than any attempt's");
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", detail));
    }
    Ok(Json(session.report_usage(reported)))
}
