//! What an action is: its types, its doc, how it is carried out; and the same without types, as transports see it. Which
//! actions there are is in `registry`.

use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ActionError, arguments};
use crate::model::Mode;
use crate::session::Live;

/// What an action needs beside its arguments.
#[derive(Debug)]
pub struct Context<'a> {
    /// The session's page, project and memory.
    pub live: &'a mut Live,
}

/// The result of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Done<T> {
    /// The arguments as carried out: defaults filled in, indexes resolved. `None` means as they came.
    pub executed: Option<Map<String, Value>>,
    pub data: T,
}

impl<T> Done<T> {
    /// A result of an action that was carried out as it came.
    pub const fn new(data: T) -> Self {
        Self { executed: None, data }
    }

    /// Says how the action was carried out.
    pub fn executed_as(mut self, args: &impl Serialize) -> Self {
        if let Ok(Value::Object(map)) = serde_json::to_value(args) {
            self.executed = Some(map);
        }
        self
    }
}

/// Arguments of an action that takes none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArgs {}

/// Data of an action that returns nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoData {}

/// What an entry is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Changes something; the editor is settled afterwards.
    Act,
    /// Ends the attempt; nothing is carried out.
    End,
    Observe,
}

/// One action: its types, its doc and how it is carried out.
pub trait Action: Send + 'static {
    /// The name agents use.
    const NAME: &'static str;
    /// The mode it belongs to.
    const MODE: Mode;
    const KIND: Kind = Kind::Act;
    /// Whether only extended sessions have it: it is not an action of the published benchmark.
    const EXTENDED: bool = false;
    /// What it does, for catalogues: one or two sentences.
    const DOC: &'static str;
    /// Its arguments; unknown fields are errors.
    type Args: DeserializeOwned + Serialize + JsonSchema + Send;
    type Data: Serialize + JsonSchema + Send;

    /// Carries it out. The caller settles the editor and wraps the result.
    fn perform(
        context: Context<'_>,
        args: Self::Args,
    ) -> impl Future<Output = Result<Done<Self::Data>, ActionError>> + Send;
}

type Perform = for<'a> fn(Context<'a>, &'a Map<String, Value>) -> BoxFuture<'a, Result<Done<Value>, ActionError>>;

/// An action without its types, as transports see it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name agents use.
    pub name: &'static str,
    /// The mode it belongs to.
    pub mode: Mode,
    pub kind: Kind,
    /// Whether only extended sessions have it.
    pub extended: bool,
    pub doc: &'static str,
    /// JSON Schema of its arguments.
    pub args_schema: fn(&mut SchemaGenerator) -> Schema,
    /// JSON Schema of what it returns.
    pub data_schema: fn(&mut SchemaGenerator) -> Schema,
    pub(super) perform: Perform,
}

impl Entry {
    pub const fn of<A: Action>() -> Self {
        Self {
            name: A::NAME,
            mode: A::MODE,
            kind: A::KIND,
            extended: A::EXTENDED,
            doc: A::DOC,
            args_schema: |generator| generator.subschema_for::<A::Args>(),
            data_schema: |generator| generator.subschema_for::<A::Data>(),
            perform: |context, args| Box::pin(perform_typed::<A>(context, args)),
        }
    }
}

async fn perform_typed<A: Action>(context: Context<'_>, args: &Map<String, Value>) -> Result<Done<Value>, ActionError> {
    let args = arguments::read(A::NAME, args)?;
    let done = A::perform(context, args).await.map_err(|error| arguments::explained::<A::Args>(A::NAME, error))?;
    let data = serde_json::to_value(done.data).map_err(|error| ActionError::invalid(error.to_string()))?;
    Ok(Done { executed: done.executed, data })
}
