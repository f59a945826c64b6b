//! The doctor: checks everything that set-up makes, and the editor in a real page. It repairs nothing.

use serde::{Deserialize, Serialize};

use super::{Place, has_reference_editor, packages, postgres, reference_version, system};
use crate::model::EditorGeneration;
use crate::ocr;
use crate::page::{Chromium, LaunchOptions, PageError, PageFn};
use crate::page_fn;

const EDITOR_FACTS: PageFn<(), EditorFacts> = page_fn!("page", "editor-facts").in_every_editor();

/// What to do when something is missing.
const RUN_SETUP: &str = "run `scratchbed setup`";

/// The finding on one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: &'static str,
    /// Whether it is as it must be.
    pub ok: bool,
    pub detail: String,
    /// What to do about it, when it is not as it must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Check {
    /// A check whose finding is a value or the lack of one.
    pub fn new(name: &'static str, found: Result<String, String>, hint: &str) -> Self {
        match found {
            Ok(detail) => Self { name, ok: true, detail, hint: None },
            Err(detail) => Self { name, ok: false, detail, hint: Some(hint.to_owned()) },
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EditorFacts {
    scratch_blocks: bool,
    palette_blocks: u32,
    targets: u32,
    webgl: Option<String>,
}

/// Looks at programs and files.
pub fn check_files(place: &Place) -> Vec<Check> {
    let (chromium, font) = system::found(place);
    let shown = |path: Option<std::path::PathBuf>| path.map(|path| path.display().to_string());
    vec![
        Check::new("chromium", shown(chromium).ok_or("not found".into()), RUN_SETUP),
        Check::new("font", shown(font).ok_or("Liberation Sans is not installed".into()), RUN_SETUP),
        Check::new("editor package", editor_package(place), RUN_SETUP),
        Check::new("reference editor", Ok(reference_editor(place)), ""),
        Check::new("recognition", recognition(place), RUN_SETUP),
        Check::new("postgres", Ok(postgres()), ""),
    ]
}

/// Nothing is wrong without it: only published drags need it, and fetch it.
fn reference_editor(place: &Place) -> String {
    let version = reference_version();
    if has_reference_editor(place) {
        return format!("version {version}");
    }
    format!("version {version} is not installed; what needs it fetches it, or `scratchbed setup --reference-editor`")
}

/// Nothing is wrong without it: most work needs no database server.
fn postgres() -> String {
    match postgres::found() {
        Some(programs) => programs.display().to_string(),
        None => "not installed; fleets and the ledger's tests need it (`scratchbed setup --postgres`)".to_owned(),
    }
}

fn editor_package(place: &Place) -> Result<String, String> {
    match packages::editor_versions(place) {
        (Some(pinned), Some(installed)) if pinned == installed => Ok(format!("version {installed}")),
        (Some(pinned), Some(installed)) => Err(format!("version {installed} is installed, {pinned} is pinned")),
        (Some(pinned), None) => Err(format!("version {pinned} is not installed")),
        (None, _) => Err("scratch-gui/package.json names no editor".into()),
    }
}

fn recognition(place: &Place) -> Result<String, String> {
    let folder = place.checkout.ocr_models();
    ocr::check(&folder).map(|()| folder.display().to_string()).map_err(|error| error.to_string())
}

/// Opens the editor of a generation at `url` in a real page and looks at its handles and its drawing.
pub async fn check_editor(options: &LaunchOptions, url: &str, editor: EditorGeneration) -> Vec<Check> {
    let [browser, handled, webgl] = match editor {
        EditorGeneration::Current => ["browser", "editor handles", "webgl"],
        EditorGeneration::Reference => ["reference browser", "reference handles", "reference webgl"],
    };
    match look_inside(options, url).await {
        Ok((product, facts)) => vec![
            Check::new(browser, Ok(product), ""),
            Check::new(handled, handles(&facts), "the pinned editor version differs from the one we know"),
            Check::new(
                webgl,
                facts.webgl.ok_or("the stage has no WebGL context".into()),
                "use Chromium with SwiftShader",
            ),
        ],
        Err(error) => {
            let hint = match error {
                PageError::ChromiumMissing { .. } => RUN_SETUP,
                _ => "see the log with SCRATCHBED_LOG=debug",
            };
            vec![Check::new(browser, Err(error.to_string()), hint)]
        }
    }
}

async fn look_inside(options: &LaunchOptions, url: &str) -> Result<(String, EditorFacts), PageError> {
    let chromium = Chromium::launch(options).await?;
    let looked = match chromium.open(url).await {
        Ok(page) => page.call(&EDITOR_FACTS, &()).await,
        Err(error) => Err(error),
    };
    let product = chromium.product().to_owned();
    chromium.shutdown().await;
    looked.map(|facts| (product, facts))
}

fn handles(facts: &EditorFacts) -> Result<String, String> {
    let EditorFacts { scratch_blocks, palette_blocks, targets, .. } = facts;
    let text = format!("ScratchBlocks {scratch_blocks}, {palette_blocks} palette blocks, {targets} targets");
    if *scratch_blocks && *palette_blocks > 0 && *targets > 0 { Ok(text) } else { Err(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn an_empty_checkout_fails_with_a_hint_each() {
        let root = tempfile::tempdir().unwrap();
        let place = Place { checkout: Checkout::at(root.path()), chromium: Some("/no/such/chromium".into()) };
        let checks = check_files(&place);
        for name in ["chromium", "editor package"] {
            let check = checks.iter().find(|check| check.name == name).unwrap();
            assert!(!check.ok && check.hint.as_deref() == Some(RUN_SETUP), "{check:?}");
        }
        let reference = checks.iter().find(|check| check.name == "reference editor").unwrap();
        assert!(reference.ok && reference.detail.contains("setup --reference-editor"), "{reference:?}");
    }

    #[test]
    fn an_editor_without_its_workspace_is_not_healthy() {
        let facts =
            |blocks, palette_blocks| EditorFacts { scratch_blocks: blocks, palette_blocks, targets: 2, webgl: None };
        assert!(handles(&facts(true, 20)).is_ok());
        assert!(handles(&facts(false, 20)).is_err());
        assert!(handles(&facts(true, 0)).is_err());
    }
}
