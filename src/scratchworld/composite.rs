//! `composite/execute`: block operations go to the registry, with the reference's numbers put into its.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::app::Reply;
use super::envelope::{Acted, Failure, reply};
use super::params::Params;
use super::state::{Scope, ScratchWorld, ScratchWorldOptions};
use super::{block_data, codes};
use crate::action::scratchworld::{
    OPERATIONS, OperationFault, known, operate, page_script, read_blocks, run_project, select_category,
};
use crate::action::{ACTION_LIMIT, ActionError};
use crate::http::noted;
use crate::model::{Mode, RequestEvent};
use crate::session::{Live, SessionError};

/// Carries out one call.
pub async fn execute(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let started = Instant::now();
    let mut fields = params.body()?;
    let (api, requested) = (fields.text("api"), fields.object("args"));
    fields.done()?;
    let handle = dialect.session(&scope).await?;
    let api = api.trim().to_owned();
    let executed = known(&api, &requested);
    let (call, options) =
        (Call { api: api.clone(), args: requested.clone(), known: executed.clone() }, dialect.options);
    let request = labelled(&api, &requested);
    let job = noted(move |live| Box::pin(carry_out(live, call, options)));
    let outcome = match handle.run_as(request, ACTION_LIMIT, job).await {
        Ok(outcome) => outcome,
        Err(error @ (SessionError::Unknown(_) | SessionError::Ended(_) | SessionError::ShuttingDown)) => {
            return Err(scope.fault(error));
        }
        Err(error) => Err(page_fault(&error.into())),
    };
    Ok(reply(&scope, Acted { api, requested, executed }, outcome, started))
}

/// What can be called besides [`OPERATIONS`].
const OTHERS: [&str; 5] =
    ["run_project", "stop_project", "get_blocks_pseudocode", "get_blocks_structure", "select_category"];

/// The call for the session's log. Scripts of the caller have a name of their own there, and all names that callers make
/// up share one: each would be a metric of its own for ever.
fn labelled(api: &str, args: &Map<String, Value>) -> RequestEvent {
    let (api, mode) = match api {
        "custom_js" => ("page_script", None),
        api if OTHERS.contains(&api) || OPERATIONS.contains(&api) => (api, Some(Mode::Composite)),
        _ => ("unknown", Some(Mode::Composite)),
    };
    RequestEvent { api: api.to_owned(), mode, args: args.clone(), ..RequestEvent::default() }
}

struct Call {
    api: String,
    args: Map<String, Value>,
    known: Map<String, Value>,
}

fn page_fault(error: &ActionError) -> Failure {
    codes::of_blocks(error.body())
}

async fn carry_out(live: &mut Live, call: Call, options: ScratchWorldOptions) -> Result<Value, Failure> {
    let done = match call.api.as_str() {
        "" => return Err(Failure::new("INVALID_ARG", "api must not be blank")),
        "run_project" => run_project(live, true).await.map(|()| json!({"value": "started"})),
        "stop_project" => run_project(live, false).await.map(|()| json!({"value": "stopped"})),
        "get_blocks_pseudocode" => read_blocks(live, false).await,
        "get_blocks_structure" => read_blocks(live, true).await,
        "select_category" => {
            let given = ["category", "category_name"].iter().find_map(|name| call.args.get(*name)?.as_str());
            let category = given.map(str::trim).filter(|text| !text.is_empty());
            let Some(category) = category else { return Err(Failure::new("INVALID_ARG", "category is required")) };
            select_category(live, category.to_owned()).await.map(|id| json!({"category": id}))
        }
        "custom_js" => return script(live, call.args, options).await,
        api if OPERATIONS.contains(&api) => return operation(live, call).await,
        api => return Err(Failure::new("UNSUPPORTED", format!("Unsupported api: {api}"))),
    };
    done.map_err(|error| page_fault(&error))
}

async fn script(live: &mut Live, mut args: Map<String, Value>, options: ScratchWorldOptions) -> Result<Value, Failure> {
    if !options.page_scripts {
        return Err(Failure::new("UNSUPPORTED", "this server runs no page scripts (serve --allow-page-scripts)"));
    }
    let given = ["fn", "function", "code"].iter().find_map(|name| args.get(*name)?.as_str().map(str::to_owned));
    let source = given.filter(|source| !source.trim().is_empty());
    let Some(source) = source else { return Err(Failure::new("INVALID_ARG", "fn is required")) };
    let payload = args.remove("payload").unwrap_or_default();
    // Even if the script changed the blocks: numbers are looked up by block when they are used.
    let value = page_script(live, source, payload).await.map_err(|error| page_fault(&error))?;
    Ok(block_data::evened("custom_js", value))
}

async fn operation(live: &mut Live, call: Call) -> Result<Value, Failure> {
    let Call { api, known, .. } = call;
    let reply = operate(live, &api, &known).await.map_err(|fault| match fault {
        OperationFault::Args(fault) => Failure::new(fault.code, fault.message),
        OperationFault::Action(error) => page_fault(&error),
    })?;
    if let Some(error) = reply.error {
        return Err(codes::of_blocks(error));
    }
    Ok(block_data::of_operation(&api, &known, &reply.data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    #[test]
    fn names_that_callers_make_up_share_one_label() {
        let label = |api: &str| labelled(api, &Map::new()).api;
        for made_up in ["foo1", "", "add_block ", &"x".repeat(1 << 20)] {
            assert_eq!(label(made_up), "unknown");
        }
        for known in OTHERS.iter().chain(&OPERATIONS) {
            assert_eq!(label(known), *known);
        }
        assert_eq!(label("custom_js"), "page_script");
    }

    #[test]
    fn a_refusal_is_recorded_by_its_code() {
        assert_eq!(Failure::new("UNSUPPORTED", "no").code(), "UNSUPPORTED");
        let error = ActionError::invalid("x must be a number");
        assert_eq!(page_fault(&error).code(), "invalid_arguments", "the log has our own codes where there are any");
    }
}
