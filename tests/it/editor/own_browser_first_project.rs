//! A page that waits for the project that it is to begin with.

use scratchbed::page::results::Readiness;
use scratchbed::page::{Chromium, PageFn, scripts};
use serde_json::{Value, json};

use crate::support::browsers::serve_editor;
use crate::support::launch_options;

const AT_REST: PageFn<(), Value> = PageFn::new("at-rest", include_str!("../support/js/at-rest.js"));

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_waits_for_its_project_is_at_rest() {
    let chromium = Chromium::launch(&launch_options()).await.unwrap();
    let page = chromium.open_to_begin(&serve_editor().await).await.unwrap();
    assert_eq!(page.call(&scripts::READY, &()).await.unwrap(), Readiness::AwaitsProject);
    assert_eq!(page.call(&AT_REST, &()).await.unwrap(), json!({"moving": [], "is_covered": false}));
    page.begin_with_default().await.unwrap();
    assert_eq!(page.call(&scripts::READY, &()).await.unwrap(), Readiness::Ready);
    chromium.shutdown().await;
}
