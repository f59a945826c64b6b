//! Streams of sessions: one caller's take no place from another's.

use axum::body::Body;
use axum::http::Response;

use crate::api::isolation::Doors;
use crate::api::routes::{call, problem, request};
use crate::api::security::{AGENT, RESEARCHER};
use crate::support::browsers::{in_shared_browsers, sessions};

async fn open(doors: &Doors, token: &str, id: &str, below: &str) -> Response<Body> {
    let asked = request("GET", &format!("/sessions/{id}/{below}")).header("authorization", format!("Bearer {token}"));
    call(doors.state.clone(), asked.body(Body::empty()).unwrap()).await
}

#[test]
fn a_caller_has_eight_streams_and_four_of_one_session() {
    in_shared_browsers(async {
        let doors = Doors::over(sessions(2).await);
        let (one, other) = (doors.begin(None).await, doors.begin(None).await);
        let mut opened = Vec::new();
        for id in [&one, &other] {
            for _ in 0..4 {
                let stream = open(&doors, AGENT, id, "events/stream").await;
                assert_eq!(stream.status(), 200);
                opened.push(stream);
            }
            let refused = problem(open(&doors, AGENT, id, "events/stream").await).await;
            assert_eq!((refused.status, refused.code.as_str()), (429, "too_many_streams"));
        }
        assert_eq!(open(&doors, RESEARCHER, &one, "events/stream").await.status(), 200, "its own places");
        assert_eq!(open(&doors, AGENT, &one, "events?wait_ms=1").await.status(), 200, "waiting is counted apart");
        drop(opened);
        assert_eq!(open(&doors, AGENT, &one, "events/stream").await.status(), 200);
        doors.state.drain().await;
    });
}
