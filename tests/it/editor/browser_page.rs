//! The page room against the real Chromium and editor.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use scratchbed::page::results::Readiness;
use scratchbed::page::scripts::PageFn;
use scratchbed::page::{Chromium, Loss, PageError, scripts};
use serde::Deserialize;

use crate::support::browsers::{fleet, fleet_at, in_shared_browsers, serve_editor, served_editor};
use crate::support::launch_options;

#[test]
fn a_page_opens_with_the_editor_ready_and_takes_pictures() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        assert_eq!(page.call(&scripts::READY, &()).await.unwrap(), Readiness::Ready);
        let png = page.screenshot().await.unwrap();
        let picture = image::load_from_memory(&png).unwrap();
        assert_eq!((picture.width(), picture.height()), (1280, 720));
        fleet.release(lease).await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_browser_is_noticed_at_once() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&serve_editor().await).await.unwrap();
    let started = Instant::now();
    kill(&chromium);
    let loss = tokio::time::timeout(Duration::from_secs(5), page.wait_lost()).await.expect("the loss was not noticed");
    assert_eq!(loss, Loss::Browser);
    assert!(started.elapsed() < Duration::from_secs(5));
    let error = page.screenshot().await.unwrap_err();
    assert!(matches!(error, PageError::Lost(Loss::Browser)), "{error}");
}

#[test]
fn no_name_elsewhere_resolves() {
    in_shared_browsers(async {
        // A name that every browser takes for this machine, were it allowed to look names up.
        let fleet = fleet_at(&served_editor().await.replace("127.0.0.1", "elsewhere.localhost"));
        let error = fleet.acquire().await.unwrap_err();
        assert!(error.to_string().contains("ERR_NAME_NOT_RESOLVED"), "{error}");
    });
}

/// What a page did while nothing ran, and how it played a sound then.
#[derive(Debug, Deserialize)]
struct Rest {
    idle_steps: u32,
    running_contexts: u32,
    sound_seconds: f64,
    waited_seconds: f64,
}

const REST: PageFn<(), Rest> = PageFn::new("rest", include_str!("../support/js/rest.js"));

#[test]
fn a_page_where_nothing_runs_does_nothing_and_still_plays_sounds_in_full() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let rest = page.call(&REST, &()).await.unwrap();
        assert_eq!((rest.idle_steps, rest.running_contexts), (0, 0), "{rest:?}");
        // The output asks for samples a buffer ahead, so the end comes up to a buffer early.
        assert!(rest.sound_seconds > 0.5 && rest.waited_seconds > 0.9 * rest.sound_seconds, "{rest:?}");
        fleet.release(lease).await;
    });
}

const IN_A_ROOM: PageFn<(), u32> = PageFn::new("drag/in-a-room", include_str!("../support/js/in-a-room.js"));

#[test]
fn a_room_comes_with_the_first_call_that_needs_it_and_no_call_runs_twice() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let calls = (0..4).map(|_| page.call(&IN_A_ROOM, &()));
        let told = futures::future::join_all(calls).await.into_iter().map(Result::unwrap);
        assert_eq!(told.collect::<BTreeSet<_>>(), BTreeSet::from([1, 2, 3, 4]));
        for _ in 0..2 {
            page.bring(IN_A_ROOM.room()).await.unwrap();
            page.bring(&scripts::COMPOSITE).await.unwrap();
        }
        assert_eq!(page.call(&IN_A_ROOM, &()).await.unwrap(), 5);
        fleet.release(lease).await;
    });
}

fn kill(chromium: &Chromium) {
    let id = nix::unistd::Pid::from_raw(i32::try_from(chromium.process_id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL).unwrap();
}
