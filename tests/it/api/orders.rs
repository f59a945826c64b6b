//! Who may have a server begin, change and end work, or judge: every such route, for every set of tokens, with open runs and without,
//! by every caller. What is expected is what docs/MATRIX.md and docs/HTTP.md say.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use scratchbed::http::{Access, AppState, Scope};

use crate::api::routes::{api_with, call, no_browser, request};
use crate::api::security::{ADMIN, AGENT, RESEARCHER};
use crate::support::route_table::{May, ROUTES};

/// What the documents say of a route.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Where there is any token, it takes a researcher's or an administrator's, whether runs are open or not. Where there is none, it
    /// takes `--open-runs`.
    Orders,
    /// It takes a researcher's or an administrator's token, of which there must be one.
    Verdicts,
}

const WORK: [(Rule, &str); 6] = [
    (Rule::Orders, "POST /experiments"),
    (Rule::Orders, "POST /experiments/{id}/orders"),
    (Rule::Orders, "POST /repairs"),
    (Rule::Orders, "DELETE /repairs/{id}"),
    (Rule::Verdicts, "POST /tasks/{id}/verdict"),
    (Rule::Verdicts, "POST /runs/{id}/attempts/{attempt}/verdict"),
];

/// Callers without a token, with a wrong one, and with those of an agent, a researcher and an administrator.
const CALLERS: [Option<&str>; 5] = [None, Some("wrong-wrong-wrong"), Some(AGENT), Some(RESEARCHER), Some(ADMIN)];

/// What becomes of the calls of [`CALLERS`] on a server with these tokens: orders without `--open-runs` and with it, verdicts in
/// either case. A token that the server does not know is as good as a wrong one.
const EXPECTED: [(&[Scope], [&str; 3]); 6] = [
    (&[], ["403 403 403 403 403", "ok ok ok ok ok", "403 403 403 403 403"]),
    (&[Scope::Agent], ["401 401 403 401 401"; 3]),
    (&[Scope::Researcher], ["403 403 403 ok 403"; 3]),
    (&[Scope::Admin], ["403 403 403 403 ok"; 3]),
    (&[Scope::Agent, Scope::Researcher], ["401 401 403 ok 401"; 3]),
    (&[Scope::Agent, Scope::Researcher, Scope::Admin], ["401 401 403 ok ok"; 3]),
];

fn server(scopes: &[Scope], open: bool) -> AppState {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), None).unwrap();
    let access = scopes.iter().fold(access, |access, scope| {
        let token = match scope {
            Scope::Researcher => RESEARCHER,
            Scope::Admin => ADMIN,
            Scope::Guest | Scope::Agent => AGENT,
        };
        access.admitting(*scope, token).unwrap()
    });
    api_with(no_browser(), if open { access.opening_runs() } else { access }).into()
}

fn ask(route: &str, token: Option<&str>) -> Request<Body> {
    let (method, path) = route.split_once(' ').unwrap();
    let asked = request(method, &path.replace("{id}", "stuck_ferry").replace("{attempt}", "one"));
    let asked = token.into_iter().fold(asked, |asked, token| asked.header("authorization", format!("Bearer {token}")));
    match route {
        "POST /tasks/{id}/verdict" => asked.header("content-type", "application/octet-stream").body("no zip".into()),
        _ if method == "DELETE" => asked.body(Body::empty()),
        _ => asked.header("content-type", "application/json").body("{}".into()),
    }
    .unwrap()
}

/// What becomes of a call: the status of a refusal, or `ok` for one that was let in, whatever came of it.
async fn fate(state: &AppState, route: &str, token: Option<&str>) -> String {
    match call(state.clone(), ask(route, token)).await.status().as_u16() {
        refused @ (401 | 403) => refused.to_string(),
        _ => "ok".to_owned(),
    }
}

#[test]
fn every_route_that_begins_changes_or_ends_work_or_judges_has_its_rule() {
    let known: BTreeSet<&str> = WORK.iter().map(|(_, route)| *route).collect();
    let there = ROUTES.iter().filter(|(may, route)| *may == May::Researcher && !route.starts_with("GET "));
    assert_eq!(there.map(|(_, route)| *route).collect::<BTreeSet<_>>(), known);
}

#[tokio::test]
async fn orders_and_verdicts_take_the_token_that_the_documents_say() {
    for (scopes, [closed, opened, verdicts]) in EXPECTED {
        for (open, orders) in [(false, closed), (true, opened)] {
            let state = server(scopes, open);
            for (rule, route) in WORK.into_iter().chain([(Rule::Orders, "POST /experiments?dry_run=true")]) {
                let mut fates = Vec::new();
                for token in CALLERS {
                    fates.push(fate(&state, route, token).await);
                }
                let expected = match rule {
                    Rule::Orders => orders,
                    Rule::Verdicts => verdicts,
                };
                assert_eq!(fates.join(" "), expected, "{route}, tokens for {scopes:?}, open runs: {open}");
            }
        }
    }
}
