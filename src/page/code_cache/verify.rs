//! Whether V8 takes the code that a page is handed. It says so in a trace only.

use std::time::Duration;

use chromiumoxide::Browser;
use chromiumoxide::cdp::browser_protocol::tracing::{
    EndParams, EventDataCollected, EventTracingComplete, StartParams, TraceConfig,
};
use futures::StreamExt as _;
use serde_json::Value;

use crate::page::{Chromium, PageError};

/// Categories of the trace in which V8 reports what it deserialises.
const CATEGORIES: [&str; 2] = ["v8", "disabled-by-default-v8.compile"];
/// What V8 does with code once it has found it sound.
const TAKEN: &str = "V8.FinalizeDeserialization";
/// How long Chromium may take to hand out its trace.
const TRACE_LIMIT: Duration = Duration::from_secs(20);

/// Opens the editor at `url` and returns whether V8 took compiled code for it.
///
/// # Errors
/// When the editor does not mount, or Chromium does not hand out its trace.
pub(super) async fn is_code_taken(chromium: &Chromium, url: &str) -> Result<bool, PageError> {
    let browser = chromium.client();
    let config =
        TraceConfig { included_categories: Some(CATEGORIES.map(str::to_owned).to_vec()), ..TraceConfig::default() };
    let start = StartParams { trace_config: Some(config), ..StartParams::default() };
    browser.execute(start).await.map_err(PageError::protocol("starting a trace"))?;
    let page = chromium.open(url).await?;
    let names = tokio::time::timeout(TRACE_LIMIT, trace_names(browser)).await;
    chromium.close(page).await;
    let late = |_| PageError::Timeout { what: "reading a trace".to_owned(), limit: TRACE_LIMIT };
    Ok(names.map_err(late)??.iter().any(|name| name == TAKEN))
}

/// Ends the trace and returns the names of all events in it.
async fn trace_names(browser: &Browser) -> Result<Vec<String>, PageError> {
    let failed = || PageError::protocol("reading a trace");
    let mut collected = browser.event_listener::<EventDataCollected>().await.map_err(failed())?;
    let mut complete = browser.event_listener::<EventTracingComplete>().await.map_err(failed())?;
    browser.execute(EndParams::default()).await.map_err(failed())?;
    let mut names = Vec::new();
    loop {
        tokio::select! {
            biased;
            Some(part) = collected.next() => names.extend(part.value.iter().filter_map(name)),
            _ = complete.next() => return Ok(names),
        }
    }
}

fn name(event: &Value) -> Option<String> {
    event["name"].as_str().map(str::to_owned)
}
