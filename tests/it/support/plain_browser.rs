//! A browser as a person has it, for tests of our own pages: real key events, and a record of what the page
//! asked for and complained about.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chromiumoxide::browser::{Browser, BrowserConfig};
use chromiumoxide::cdp::browser_protocol::browser::{SetDownloadBehaviorBehavior, SetDownloadBehaviorParams};
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
};
use chromiumoxide::cdp::browser_protocol::input::{DispatchKeyEventParams, DispatchKeyEventType};
use chromiumoxide::cdp::browser_protocol::log::{EnableParams as EnableLog, EventEntryAdded};
use chromiumoxide::cdp::browser_protocol::network::EventRequestWillBeSent;
use chromiumoxide::cdp::js_protocol::runtime::{
    CallArgument, CallFunctionOnParams, EvaluateParams, EventConsoleApiCalled, EventExceptionThrown,
};
use chromiumoxide::error::CdpError;
use chromiumoxide::page::ScreenshotParams;
use chromiumoxide::{Command, Page};
use futures::{Stream, StreamExt as _};
use scratchbed::page::KeyStroke;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{launch_options, root};

/// How long a page may take to show what a test waits for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The functions that tests ask the live view's page.
const LIVE_PAGE: &str = include_str!("js/live-page.js");

type Lines = Arc<Mutex<Vec<String>>>;

/// A browser with one page.
pub struct PlainBrowser {
    browser: Browser,
    page: Page,
    /// Addresses that the page asked for.
    pub requests: Lines,
    /// Console messages above information, and exceptions.
    pub complaints: Lines,
    _profile: TempDir,
}

/// Writes a line for each event that has one.
fn record<E: Send + 'static>(
    mut events: impl Stream<Item = E> + Send + Unpin + 'static,
    lines: &Lines,
    line: impl Fn(E) -> Option<String> + Send + 'static,
) {
    let lines = Arc::clone(lines);
    tokio::spawn(async move {
        while let Some(event) = events.next().await {
            lines.lock().unwrap().extend(line(event));
        }
    });
}

impl PlainBrowser {
    pub async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let config = BrowserConfig::builder()
            .chrome_executable(launch_options().find_chromium().unwrap())
            .new_headless_mode()
            .no_sandbox()
            .user_data_dir(profile.path())
            .window_size(1280, 900)
            .viewport(None)
            .build()
            .unwrap();
        let (browser, mut handler) = Browser::launch(config).await.unwrap();
        tokio::spawn(async move { while handler.next().await.is_some() {} });
        let page = browser.new_page("about:blank").await.unwrap();
        let (requests, complaints) = (Lines::default(), Lines::default());
        page.execute(EnableLog::default()).await.unwrap();
        record(page.event_listener::<EventRequestWillBeSent>().await.unwrap(), &requests, |event| {
            Some(event.request.url.clone())
        });
        record(page.event_listener::<EventExceptionThrown>().await.unwrap(), &complaints, |event| {
            Some(format!("{:?}", event.exception_details))
        });
        record(page.event_listener::<EventConsoleApiCalled>().await.unwrap(), &complaints, |event| {
            Some(format!("{:?}: {:?}", event.r#type, event.args))
        });
        record(page.event_listener::<EventEntryAdded>().await.unwrap(), &complaints, |event| {
            Some(format!("{:?}: {} {:?}", event.entry.level, event.entry.text, event.entry.url))
        });
        Self { browser, page, requests, complaints, _profile: profile }
    }

    async fn send<C: Command>(&self, command: C) {
        self.page.execute(command).await.unwrap();
    }

    pub async fn open(&self, url: &str) {
        self.page.goto(url).await.unwrap();
    }

    /// Has the browser put files that pages give into a folder, under the names that pages give them.
    pub async fn download_into(&self, folder: &Path) {
        let behaviour = SetDownloadBehaviorParams::builder()
            .behavior(SetDownloadBehaviorBehavior::Allow)
            .download_path(folder.display().to_string());
        self.browser.execute(behaviour.build().unwrap()).await.unwrap();
    }

    /// Asks the page one of the fixed questions.
    pub async fn ask(&self, about: &str) -> Value {
        self.try_ask(about).await.unwrap()
    }

    /// The same; no answer from a page that is being left for another one.
    async fn try_ask(&self, about: &str) -> Result<Value, CdpError> {
        let declaration =
            format!("function(about){{const module={{exports:{{}}}};{LIVE_PAGE}\n;return module.exports(about)}}");
        let call = CallFunctionOnParams {
            arguments: Some(vec![CallArgument { value: Some(about.into()), ..CallArgument::default() }]),
            await_promise: Some(true),
            return_by_value: Some(true),
            ..CallFunctionOnParams::new(declaration)
        };
        Ok(self.page.evaluate_function(call).await?.into_value().unwrap())
    }

    /// Waits until the page's state is as wanted, and gives it.
    pub async fn until(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = self.try_ask("state").await;
            match state {
                Ok(state) if wanted(&state) => return state,
                state => assert!(Instant::now() < deadline, "{what}: {state:#?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses and lets go of a key.
    pub async fn press(&self, name: &str) {
        let key = KeyStroke::parse(name).unwrap();
        let event = |kind| DispatchKeyEventParams {
            key: Some(key.key().to_owned()),
            code: Some(key.code().to_owned()),
            windows_virtual_key_code: Some(key.key_code()),
            text: key.text().filter(|_| kind == DispatchKeyEventType::KeyDown),
            ..DispatchKeyEventParams::new(kind)
        };
        self.send(event(DispatchKeyEventType::KeyDown)).await;
        self.send(event(DispatchKeyEventType::KeyUp)).await;
    }

    /// Types a text into whatever has the focus.
    pub async fn type_text(&self, text: &str) {
        for character in text.chars() {
            self.press(&character.to_string()).await;
        }
    }

    /// Goes on with Tab until what has the focus begins with a text.
    pub async fn tab_to(&self, label: &str) {
        let mut passed = Vec::new();
        for _ in 0..60 {
            self.press("Tab").await;
            let focused = self.ask("state").await["focused"].as_str().unwrap().trim().to_owned();
            if focused.starts_with(label) {
                let outline = self.ask("outline").await;
                assert!(outline.as_str().unwrap().starts_with("solid 3px"), "focus on {label} is not seen: {outline}");
                return;
            }
            passed.push(focused.chars().take(30).collect::<String>());
        }
        panic!("{label} can't be reached with Tab: {passed:?}");
    }

    /// Light or dark, wide or narrow.
    pub async fn look(&self, scheme: &str, width: i64) {
        let features = Some(vec![MediaFeature::new("prefers-color-scheme", scheme)]);
        self.send(SetEmulatedMediaParams { features, ..SetEmulatedMediaParams::default() }).await;
        self.send(SetDeviceMetricsOverrideParams::new(width, 900, 1.0, false)).await;
    }

    /// Has axe look for barriers, in light and dark, wide and narrow.
    pub async fn assert_accessible(&self, what: &str) {
        let axe = root().join("scratch-gui/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(axe).expect("axe-core comes with `scratchbed setup`");
        self.send(EvaluateParams::new(axe)).await;
        for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 390)] {
            self.look(scheme, width).await;
            let found = self.ask("accessibility").await;
            assert!(found.as_array().is_some_and(Vec::is_empty), "{what}, {scheme}, {width} wide: {found:#}");
            assert_eq!(self.ask("overflow").await, false, "{what} is wider than {width}");
            self.keep_picture(&format!("{what}, {scheme}, {width}")).await;
        }
        self.look("light", 1280).await;
    }

    /// Keeps a picture of the page for a person to look at, where `SCRATCHBED_TEST_PICTURES` names a folder.
    async fn keep_picture(&self, what: &str) {
        let Some(folder) = std::env::var_os("SCRATCHBED_TEST_PICTURES") else { return };
        let file = Path::new(&folder).join(format!("{}.png", what.replace([' ', ','], "_")));
        let whole = ScreenshotParams::builder().full_page(true).build();
        self.page.save_screenshot(whole, file).await.unwrap();
    }

    /// Asserts that nothing was asked of anybody but one server, and that nothing was complained about.
    pub fn assert_quiet(&self, base: &str) {
        self.assert_quiet_but(base, &[]);
    }

    /// The same, apart from complaints with these words, which are about the test and not about the page.
    pub fn assert_quiet_but(&self, base: &str, expected: &[&str]) {
        let foreign: Vec<String> =
            self.requests.lock().unwrap().iter().filter(|url| !is_own(url, base)).cloned().collect();
        assert!(foreign.is_empty(), "{foreign:?}");
        let mut complaints = self.complaints.lock().unwrap().clone();
        complaints.retain(|text| !expected.iter().any(|words| text.contains(words)));
        assert!(complaints.is_empty(), "{complaints:#?}");
    }

    pub async fn close(mut self) {
        self.browser.close().await.unwrap();
        self.browser.wait().await.unwrap();
    }
}

fn is_own(url: &str, base: &str) -> bool {
    url.starts_with(base) || url.starts_with(&format!("blob:{base}")) || url == "about:blank"
}
