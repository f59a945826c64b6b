//! The OpenAPI 3.1 document, made from the routes' descriptions; there is no other list.

use std::sync::Arc;

use schemars::generate::SchemaSettings;
use schemars::{SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::extract::query;
use super::problem::{MEDIA_TYPE, Problem};
use super::route::{Content, Operation};

const ABOUT: &str = "A testbed for agents that program in Scratch: sessions of the real editor, acted on by \
    mouse and keyboard (primitive mode) or by operations on blocks (composite mode). A failed action is a reply \
    with `success: false` and status 200; everything else that goes wrong is a problem document (RFC 9457) \
    with a stable `code`.";

/// Headings in the order of the page, with their texts.
const TAGS: &[(&str, &str)] = &[
    ("server", "The server itself."),
    ("tasks", "What can be worked on."),
    ("sessions", "One session is one editor with one project. Its calls are carried out one after another."),
    ("projects", "A session's project and picture."),
    ("primitive", "Mouse and keyboard on pixels."),
    ("composite", "Operations on blocks."),
    ("live", "Watching sessions without disturbing them."),
    ("runs", "Finished runs, for researchers: agents do not get here."),
    ("experiments", "Experiments of the server's ledger, for researchers: arms, cells, spend, orders."),
];

/// Path parameters: the address they follow, name, description, type.
const PATH_PARAMETERS: &[(&str, &str, &str)] = &[
    ("/tasks id", "The task's name.", "string"),
    ("/sessions id", "The session's name.", "string"),
    ("/runs id", "The run's name.", "string"),
    ("/experiments id", "The experiment's name.", "string"),
    ("attempt", "The attempt's name.", "string"),
    ("sha", "SHA-256 of the picture, in hexadecimal.", "string"),
    ("call", "Number of the call in the attempt's record, from 0.", "integer"),
];

pub fn document(operations: impl Iterator<Item = Operation>) -> Value {
    // OpenAPI 3.1 takes JSON Schema 2020-12 as it is; only the place of the named types differs.
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let problem = generator.subschema_for::<Problem>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations {
        let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        path[operation.method.as_str().to_ascii_lowercase()] = describe(&operation, &mut generator);
    }
    let tags: Vec<Value> = TAGS.iter().map(|(name, doc)| json!({"name": name, "description": doc})).collect();
    let failure = json!({"description": "What went wrong.", "content": {MEDIA_TYPE: {"schema": problem}}});
    let mut later = failure.clone();
    later["description"] = "Why it can't be done now.".into();
    later["headers"] = json!({"Retry-After": {
        "description": "Seconds after which the same call may succeed, where that is known.",
        "schema": {"type": "integer", "minimum": 0},
    }});
    json!({
        "openapi": "3.1.0",
        "info": {"title": "scratchbed", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT},
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": {"Problem": failure, "Later": later},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        // No token is needed on the loopback interface.
        "security": [{}, {"token": []}],
    })
}

fn describe(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut success = json!({"description": "Success."});
    if let Some(content) = &operation.gives {
        success["content"] = media([content].into_iter(), generator);
    }
    let mut described = json!({
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.doc,
    });
    let parameters = parameters(operation, generator);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if !operation.takes.is_empty() {
        described["requestBody"] =
            json!({"required": !operation.optional, "content": media(operation.takes.iter(), generator)});
    }
    let mut responses = Map::from_iter([(operation.status.as_str().to_owned(), success)]);
    if let Some((status, content)) = &operation.or_gives {
        let content = media([content].into_iter(), generator);
        responses.insert(status.as_str().to_owned(), json!({"description": "Success.", "content": content}));
    }
    for status in problems(operation) {
        let response = if RETRIED.contains(&status) { "Later" } else { "Problem" };
        responses.insert(status.to_string(), json!({"$ref": format!("#/components/responses/{response}")}));
    }
    described["responses"] = responses.into();
    described
}

/// Statuses that may come with a `Retry-After` header.
const RETRIED: [u16; 2] = [429, 503];

/// The statuses of the problems that a call can meet. Every call can meet some of them: the layers that hold for
/// all routes answer 401, 403, 429 and 503, and a fault of ours is a 500.
fn problems(operation: &Operation) -> Vec<u16> {
    let mut statuses = vec![400, 401, 403, 429, 500, 503];
    // A server that shows no runs has nothing at their list's address either.
    if operation.path.contains('{')
        || ["create_session", "create_experiment", "list_runs"].contains(&operation.name.as_str())
    {
        statuses.push(404);
    }
    if operation.path.starts_with("/sessions") {
        statuses.extend([410, 504]);
    }
    if !operation.takes.is_empty() {
        statuses.extend([408, 413, 415, 422]);
        if operation.path.starts_with("/experiments") {
            statuses.push(409);
        }
    }
    statuses.sort_unstable();
    statuses
}

fn media<'a>(contents: impl Iterator<Item = &'a Content>, generator: &mut SchemaGenerator) -> Value {
    let entries = contents.map(|content| match content {
        Content::Json(schema) => ("application/json".to_owned(), json!({"schema": schema(generator)})),
        Content::Bytes(kind) => ((*kind).to_owned(), json!({"schema": bytes()})),
        Content::Events => ("text/event-stream".to_owned(), json!({"schema": server_sent_event()})),
    });
    Value::Object(entries.collect())
}

/// One event of a stream, as readers of streams hand it on.
fn server_sent_event() -> schemars::Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "event": {"type": "string"},
            "data": {"type": "string", "contentMediaType": "application/json"},
        },
        "required": ["data"],
    })
}

/// A file, as Swagger UI wants it to offer a file chooser.
fn bytes() -> schemars::Schema {
    json_schema!({"type": "string", "format": "binary"})
}

fn parameters(operation: &Operation, generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut parameters = Vec::new();
    for (name, of, schema) in PATH_PARAMETERS {
        let (starts, name) = name.split_once(' ').unwrap_or(("", name));
        if operation.path.starts_with(starts) && operation.path.contains(&format!("{{{name}}}")) {
            parameters.push(json!({
                "name": name, "in": "path", "required": true, "description": of, "schema": {"type": schema}
            }));
        }
    }
    let Some(options) = &operation.query else { return parameters };
    let schema = Arc::clone(options)(generator).to_value();
    for (name, schema) in query::properties(&schema, generator.definitions()) {
        let description = schema.get("description").cloned().unwrap_or_default();
        parameters.push(json!({
            "name": name, "in": "query", "required": false, "description": description, "schema": schema
        }));
    }
    parameters
}
