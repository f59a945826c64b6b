//! The routes of actions and observations, made by walking the registry.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, Method, StatusCode, Uri};
use axum::routing::{get, post};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::action::{ActionError, Entry, Kind, Report, Resolved, registry, unknown_action};
use crate::http::extract::{JsonBody, Options, query};
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, SchemaOf, schema};
use crate::http::state::AppState;
use crate::model::{ActionCall, ActionReply, Mode, Timing};

/// The entry that has its mode's observation address to itself.
const OBSERVE: &str = "observe";

/// What an action was decided on, where the body has only its arguments.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Decided {
    /// The id of the observation that the action was decided on; refused when it is no longer the newest.
    #[serde(default)]
    observation: Option<String>,
    /// Why, in the agent's own words, for people who watch.
    #[serde(default)]
    note: Option<String>,
    /// Whether the reply's data is to have a `report` of what the action met and changed; as in the session when
    /// absent.
    #[serde(default)]
    report: Option<bool>,
}

const MODES: [Mode; 2] = [Mode::Primitive, Mode::Composite];

/// The routes of this file: an envelope route a mode, and a route an entry.
pub fn routes() -> Vec<Route> {
    let mut routes: Vec<Route> = MODES.into_iter().map(envelope_route).collect();
    routes.extend(registry().iter().map(entry_route));
    routes.extend(registry().iter().filter(|entry| entry.kind == Kind::Observe).map(observation_route));
    routes
}

fn envelope_route(mode: Mode) -> Route {
    let path = format!("/sessions/{{id}}/act/{mode}");
    let handler = post(
        move |State(api): State<AppState>, Path(id): Path<String>, JsonBody(call): JsonBody<ActionCall>| async move {
            carry_out(&api, &id, Resolved::of(mode, call).map_err(|error| unknown(&error))?).await
        },
    );
    Route::new(Method::POST, &path, &format!("act_{mode}"), handler)
        .doc(mode.into(), format!("Carry out a {mode} action given as `{{\"api\": name, \"args\": {{}}}}`."))
        .takes(Content::Json(schema::<ActionCall>()))
        .gives_json::<ActionReply>()
}

fn entry_route(entry: &'static Entry) -> Route {
    let path = format!("/sessions/{{id}}/{}/{}", entry.mode, entry.name);
    let handler = post(
        move |State(api): State<AppState>,
              Path(id): Path<String>,
              Options(decided): Options<Decided>,
              JsonBody(args): JsonBody<Map<String, Value>>| async move {
            let Decided { observation, note, report } = decided;
            let call = ActionCall { observation, note, report, ..ActionCall::new(entry.name, args) };
            carry_out(&api, &id, Resolved { entry, call }).await
        },
    );
    Route::new(Method::POST, &path, &format!("{}_{}", entry.mode, entry.name), handler)
        .doc(entry.mode.into(), entry.doc)
        .query(schema::<Decided>())
        .takes(Content::Json(std::sync::Arc::new(entry.args_schema)))
        .optional()
        .gives(StatusCode::OK, Some(Content::Json(reply_schema(entry))))
}

fn observation_route(entry: &'static Entry) -> Route {
    let below = if entry.name == OBSERVE { String::new() } else { format!("/{}", entry.name) };
    let path = format!("/sessions/{{id}}/observation/{}{below}", entry.mode);
    let handler = get(move |State(api): State<AppState>, Path(id): Path<String>, uri: Uri| async move {
        let args = query::arguments(entry, &uri)?;
        carry_out(&api, &id, Resolved { entry, call: ActionCall::new(entry.name, args) }).await
    });
    Route::new(Method::GET, &path, &format!("get_{}_{}", entry.mode, entry.name), handler)
        .doc(entry.mode.into(), entry.doc)
        .query(std::sync::Arc::new(entry.args_schema))
        .gives(StatusCode::OK, Some(Content::Json(reply_schema(entry))))
}

/// The addresses of actions that no mode has; the error lists those that exist.
pub fn unknown_action_routes() -> axum::Router<AppState> {
    MODES.into_iter().fold(axum::Router::new(), |router, mode| {
        let handler =
            post(move |Path((_, name)): Path<(String, String)>| async move { unknown(&unknown_action(mode, &name)) });
        router.route(&format!("/sessions/{{id}}/{mode}/{{action}}"), handler)
    })
}

/// A reply with where its time went, in a header that tools know.
type Timed = ([(HeaderName, String); 1], Json<ActionReply>);

async fn carry_out(api: &AppState, id: &str, resolved: Resolved) -> Result<Timed, Problem> {
    let handle = api.sessions.get(id).await?.by("http");
    let reply = resolved.perform(&handle).await?;
    let Timing { wait_ms, action_ms, settle_ms, .. } = reply.timing;
    let timing = format!("wait;dur={wait_ms:.1}, action;dur={action_ms:.1}, settle;dur={settle_ms:.1}");
    Ok(([(HeaderName::from_static("server-timing"), timing)], Json(reply)))
}

/// What no action has for its name is an address that is not there.
fn unknown(error: &ActionError) -> Problem {
    Problem::of(StatusCode::NOT_FOUND, error)
}

/// The reply envelope with the data of this entry.
fn reply_schema(entry: &'static Entry) -> SchemaOf {
    let build = |generator: &mut SchemaGenerator| -> Schema {
        let (envelope, data) = (generator.subschema_for::<ActionReply>(), (entry.data_schema)(generator));
        let data = match entry.kind {
            // A report is there when it was asked for.
            Kind::Act => {
                let report = generator.subschema_for::<Report>();
                json_schema!({ "allOf": [data, { "properties": { "report": report } }] })
            }
            Kind::End | Kind::Observe => data,
        };
        // A failed action has an empty object for its data.
        json_schema!({ "allOf": [
            envelope,
            { "properties": { "data": { "anyOf": [data, { "type": "object", "maxProperties": 0 }] } } },
        ] })
    };
    std::sync::Arc::new(build)
}
