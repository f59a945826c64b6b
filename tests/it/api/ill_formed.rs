//! Addresses that can't be read: whoever may not call a route learns nothing by them.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use scratchbed::http::app;
use scratchbed::scratchworld::{self, ScratchWorld, ScratchWorldOptions};
use tower::ServiceExt as _;

use crate::api::security::{AGENT, guarded};
use crate::support::route_table::{DIALECT, May, ROUTES};

/// What stands for each name and number of an address: no number, and no text.
const PARTS: [&str; 2] = ["x", "%ff"];

/// The status of a call with this at each name of its address, and an option that no route has.
async fn status(app: Router, route: &str, part: &str, token: Option<&str>) -> u16 {
    let (method, path) = route.split_once(' ').unwrap();
    let pieces = path.split('/').map(|piece| if piece.starts_with('{') { part } else { piece });
    let address = format!("{}?nonsense=1", pieces.collect::<Vec<_>>().join("/"));
    let request = Request::builder().method(method).uri(address).header("host", "localhost");
    let request =
        token.into_iter().fold(request, |request, token| request.header("authorization", format!("Bearer {token}")));
    app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn who_may_not_call_is_refused_before_the_address_is_read() {
    let state = guarded();
    let dialect = ScratchWorld::new(state.clone(), ScratchWorldOptions::default());
    let own = app(state);
    let other = scratchworld::app(dialect);
    for (app, rows) in [(own, ROUTES), (other, DIALECT)] {
        for (may, route) in rows {
            for part in PARTS {
                assert_eq!(status(app.clone(), route, part, None).await, 401, "{route} with {part} by nobody");
                if *may == May::Researcher {
                    let answer = status(app.clone(), route, part, Some(AGENT)).await;
                    assert_eq!(answer, 403, "{route} with {part} by an agent");
                }
            }
        }
    }
}
