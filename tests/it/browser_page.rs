//! The page room against the real Chromium and editor.

use std::time::{Duration, Instant};

use scratchbed::page::{Chromium, Loss, PageError, scripts};

use crate::support::{launch_options, serve_editor};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_opens_with_the_editor_ready_and_takes_pictures() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open(&serve_editor().await).await.unwrap();
    assert!(page.call(&scripts::READY, &()).await.unwrap());
    let png = page.screenshot().await.unwrap();
    let picture = image::load_from_memory(&png).unwrap();
    assert_eq!((picture.width(), picture.height()), (1280, 720));
    chromium.close(page).await;
    chromium.shutdown().await;
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

fn kill(chromium: &Chromium) {
    let id = nix::unistd::Pid::from_raw(i32::try_from(chromium.process_id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL).unwrap();
}
