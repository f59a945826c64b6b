//! A route with its description: the router and the OpenAPI document are both made from these.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use axum::routing::MethodRouter;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::state::AppState;

/// Writes the schema of a body, using shared components.
pub type SchemaOf = Arc<dyn Fn(&mut SchemaGenerator) -> Schema + Send + Sync>;

/// The schema of a type.
pub fn schema<T: JsonSchema>() -> SchemaOf {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method's own path would want T to be 'static")]
    Arc::new(|generator| generator.subschema_for::<T>())
}

/// What a request or reply carries.
#[derive(Clone)]
pub enum Content {
    Json(SchemaOf),
    /// Bytes of this media type.
    Bytes(&'static str),
    /// Server-sent events whose data is JSON.
    Events,
}

/// A route as the document shows it.
#[derive(Clone)]
pub struct Operation {
    pub method: Method,
    /// The address, with `{id}` for a session or task; axum and OpenAPI write it the same way.
    pub path: String,
    /// Unique name of the operation.
    pub name: String,
    /// The heading that it is under.
    pub tag: &'static str,
    pub doc: String,
    /// Options in the query, as an object schema.
    pub query: Option<SchemaOf>,
    /// The bodies it takes; any one of them.
    pub takes: Vec<Content>,
    /// Whether the body may be left out.
    pub optional: bool,
    /// The status of a success.
    pub status: StatusCode,
    /// What a success carries.
    pub gives: Option<Content>,
    /// What it may carry instead, with another status.
    pub or_gives: Option<(StatusCode, Content)>,
}

/// An operation with what carries it out.
pub struct Route {
    pub operation: Operation,
    pub handler: MethodRouter<AppState>,
}

impl Route {
    /// A route without bodies that answers 200.
    pub fn new(method: Method, path: &str, name: &str, handler: MethodRouter<AppState>) -> Self {
        let operation = Operation {
            method,
            path: path.to_owned(),
            name: name.to_owned(),
            tag: "sessions",
            doc: String::new(),
            query: None,
            takes: Vec::new(),
            optional: false,
            status: StatusCode::OK,
            gives: None,
            or_gives: None,
        };
        Self { operation, handler }
    }

    /// Sets the heading and the doc.
    pub fn doc(mut self, tag: &'static str, doc: impl Into<String>) -> Self {
        self.operation.tag = tag;
        self.operation.doc = doc.into();
        self
    }

    /// Adds a body that it takes.
    pub fn takes(mut self, content: Content) -> Self {
        self.operation.takes.push(content);
        self
    }

    /// The body may be left out.
    pub fn optional(mut self) -> Self {
        self.operation.optional = true;
        self
    }

    pub fn query(mut self, options: SchemaOf) -> Self {
        self.operation.query = Some(options);
        self
    }

    /// What a success carries.
    pub fn gives(mut self, status: StatusCode, content: Option<Content>) -> Self {
        self.operation.status = status;
        self.operation.gives = content;
        self
    }

    /// What another success carries.
    pub fn or_gives(mut self, status: StatusCode, content: Content) -> Self {
        self.operation.or_gives = Some((status, content));
        self
    }

    /// A success is JSON of this type.
    pub fn gives_json<T: JsonSchema>(self) -> Self {
        self.gives(StatusCode::OK, Some(Content::Json(schema::<T>())))
    }
}
