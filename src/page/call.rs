//! Calls a typed page function, and injects the scripts that the call needs.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chromiumoxide::cdp::js_protocol::runtime::{CallArgument, CallFunctionOnParams, ExceptionDetails};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::scripts::{PageFn, Room, bundle};
use super::{Page, PageError};

/// How much later than the caller of a page function the connection gives up: the caller's error is more precise.
const CALL_MARGIN: Duration = Duration::from_secs(5);

impl Page {
    /// How long a page function may take unless the caller sets a limit: less than a command.
    const fn call_limit(&self) -> Duration {
        self.command_limit.saturating_sub(CALL_MARGIN)
    }

    /// Calls a page function with the usual limit, which is 5 s below [`LaunchOptions::command_limit`](super::LaunchOptions::command_limit).
    ///
    /// # Errors
    /// [`PageError::Refused`] when the function refuses; others when it breaks or the page is lost.
    pub async fn call<A: Serialize, R: DeserializeOwned>(
        &self,
        function: &PageFn<A, R>,
        args: &A,
    ) -> Result<R, PageError> {
        self.call_within(function, args, self.call_limit()).await
    }

    /// Calls a page function that may take at most `limit`; limits over ten minutes have no effect.
    ///
    /// # Errors
    /// As [`Page::call`].
    pub async fn call_within<A: Serialize, R: DeserializeOwned>(
        &self,
        function: &PageFn<A, R>,
        args: &A,
        limit: Duration,
    ) -> Result<R, PageError> {
        let name = function.name();
        let shape = |what| move |source| PageError::Shape { name: name.to_owned(), what, source };
        let value = serde_json::to_value(args).map_err(shape("arguments"))?;
        let answer = self.call_in_its_room(function, &value, limit);
        let answer = tokio::time::timeout(limit, answer).await.map_err(|_| {
            self.doubtful.store(true, Ordering::Relaxed);
            PageError::Timeout { what: name.to_owned(), limit }
        })??;
        let tagged: Tagged = serde_json::from_value(answer).map_err(shape("results"))?;
        if !tagged.ok {
            return Err(PageError::Refused { code: tagged.code, message: tagged.message, hint: tagged.hint });
        }
        serde_json::from_value(tagged.value).map_err(shape("results"))
    }

    /// Brings a room's scripts into the page; what is there already stays. A call does this by itself when it has to.
    ///
    /// # Errors
    /// When the page is lost.
    pub async fn bring(&self, room: &'static Room) -> Result<(), PageError> {
        self.evaluate(room.name(), bundle(room), None, self.call_limit()).await.map(|_| ())
    }

    /// The function's tagged outcome. A page that lacks its room is the only one that is asked twice, and has done nothing.
    async fn call_in_its_room<A, R>(
        &self,
        function: &PageFn<A, R>,
        args: &Value,
        limit: Duration,
    ) -> Result<Value, PageError> {
        let call = || self.evaluate(function.name(), function.declaration(), Some(args.clone()), limit);
        let answer = call().await?;
        if answer.get("missing").is_none() {
            return Ok(answer);
        }
        self.bring(function.room()).await?;
        call().await
    }

    async fn evaluate(
        &self,
        name: &str,
        declaration: String,
        args: Option<Value>,
        limit: Duration,
    ) -> Result<Value, PageError> {
        let call = CallFunctionOnParams {
            object_id: Some(self.global.clone()),
            arguments: args.map(|value| vec![CallArgument { value: Some(value), ..CallArgument::default() }]),
            await_promise: Some(true),
            return_by_value: Some(true),
            ..CallFunctionOnParams::new(declaration)
        };
        let reply = self.send_within("calling a page function", call, limit + CALL_MARGIN).await?;
        match reply.exception_details {
            Some(details) => Err(PageError::Script { name: name.to_owned(), message: describe(&details) }),
            None => Ok(reply.result.value.unwrap_or(Value::Null)),
        }
    }
}

/// What the prelude's `run` returns.
#[derive(serde::Deserialize)]
struct Tagged {
    ok: bool,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    hint: Option<String>,
}

/// The exception's own text, which has its stack and so its place.
fn describe(details: &ExceptionDetails) -> String {
    let thrown = details.exception.as_ref().and_then(|exception| exception.description.clone());
    thrown.unwrap_or_else(|| details.text.clone())
}
