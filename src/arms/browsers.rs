//! The browsers of a subcommand, with the editor that this process serves to them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::signs::{bar, spinner};
use crate::flags::failure::Failure;
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::compile::Workbench;
use scratchbed::http::editor::{EditorFiles, serve_to_ourselves};
use scratchbed::model::{EditorGeneration, with_causes};
use scratchbed::ocr::Recognizer;
use scratchbed::page::code_cache::prepare;
use scratchbed::page::{CodeCache, LaunchOptions};
use scratchbed::session::{BrowserPool, Fleet, FleetOptions};
use scratchbed::setup::{self, Done};

/// Pages a browser carries at most.
const SESSIONS_PER_BROWSER: usize = 4;

/// Which editor a server's sessions show.
#[derive(Debug, Clone, Copy, Args)]
pub struct ShownArgs {
    /// Which editor sessions show: the current one, or the one of the published figures, from which it differs as
    /// docs/COMPATIBILITY.md says. Projects are built and judged in the current one.
    #[arg(long, value_name = "EDITOR", default_value_t, value_parser = named::<EditorGeneration>())]
    pub editor: EditorGeneration,
}

/// The browsers of a server.
pub struct Browsers {
    /// Those that sessions have, with the editor that was asked for.
    pub shown: Fleet,
    /// Those for building and judging, with the current editor; the same if that is shown.
    pub workshop: Fleet,
}

impl Browsers {
    /// Starts them; `warm` ready pages are kept for sessions.
    pub async fn start(args: ShownArgs, settings: &Settings, warm: usize) -> Result<Self, Failure> {
        let shown = start_in(args.editor, settings, warm).await?;
        // A server says at once if it reads no text, and its first session does not wait for it.
        let reading = shown.clone();
        tokio::task::spawn_blocking(move || drop(reading.recognizer()));
        let workshop = if args.editor.is_current() { shown.clone() } else { start(settings, 0).await? };
        Ok(Self { shown, workshop })
    }
}

/// A fleet that keeps `warm` ready pages in reserve. Chromium must be there.
pub async fn start(settings: &Settings, warm: usize) -> Result<Fleet, Failure> {
    start_in(EditorGeneration::Current, settings, warm).await
}

/// The same with an editor of that generation; the older one is fetched on first use.
pub async fn start_in(editor: EditorGeneration, settings: &Settings, warm: usize) -> Result<Fleet, Failure> {
    if editor == EditorGeneration::Reference {
        fetch_reference(settings).await?;
    }
    let launch = launch_options(editor, settings)?;
    launch.find_chromium()?;
    let editor_url = serve(editor, settings).await?;
    let pool = BrowserPool::new(launch, SESSIONS_PER_BROWSER);
    let fleet = Fleet::start(pool, FleetOptions { editor_url, editor, warm });
    let models = settings.root.ocr_models();
    Ok(fleet.reading_by(move || recognizer(&models)))
}

/// What reads text. Observations say that it was not read, so its absence is not silent.
fn recognizer(models: &Path) -> Option<Arc<Recognizer>> {
    let loaded = Recognizer::load(models).map(Arc::new);
    loaded.inspect_err(|error| tracing::warn!(%error, "no text recognition; `scratchbed setup` prepares it")).ok()
}

/// How browsers that show this editor are launched: with its compiled code, if set-up has made it.
pub fn launch_options(editor: EditorGeneration, settings: &Settings) -> Result<LaunchOptions, Failure> {
    let code = Some(CodeCache::of_checkout(&settings.root, editor));
    Ok(LaunchOptions { code, ..settings.launch_options()? })
}

async fn serve(editor: EditorGeneration, settings: &Settings) -> Result<String, Failure> {
    let files = EditorFiles::of_checkout(&settings.root, editor);
    serve_to_ourselves(&files).await.map_err(|error| Failure::infrastructure("no_port", &error))
}

/// Compiles an editor for this machine's browser unless its code is kept already. Without the code pages open all the
/// same, more slowly, so that failing is worth a line and no error.
pub async fn compile_editor(editor: EditorGeneration, settings: &Settings) -> Result<Done, Failure> {
    let launch = launch_options(editor, settings)?;
    let url = serve(editor, settings).await?;
    let cache = CodeCache::of_checkout(&settings.root, editor);
    Ok(compiled(editor, prepare(&launch, &url, &cache).await))
}

/// What came of compiling: whether it was done now, or why it was not.
fn compiled<E: std::error::Error>(editor: EditorGeneration, found: Result<bool, E>) -> Done {
    match found {
        Ok(false) => Done::Already(format!("the {editor} editor is compiled for this browser")),
        Ok(true) => Done::Now(format!("compiled the {editor} editor for this browser")),
        Err(error) => Done::Failed(format!("pages compile the {editor} editor themselves: {}", with_causes(&error))),
    }
}

/// Fetches the reference editor unless it is there, and shows that it does.
async fn fetch_reference(settings: &Settings) -> Result<(), Failure> {
    let place = settings.place();
    if setup::has_reference_editor(&place) {
        return Ok(());
    }
    let _lock = setup::lock(&place)?;
    let step = setup::reference_editor_step();
    let progress = spinner(step.doing);
    let done = step.carry_out(&place);
    let compiled = match done {
        Ok(_) => compile_editor(EditorGeneration::Reference, settings).await.map(|_| ()),
        Err(error) => Err(error.into()),
    };
    progress.finish_and_clear();
    compiled
}

/// Where built projects are kept.
pub fn built_projects(settings: &Settings) -> PathBuf {
    settings.root.projects()
}

/// Builds those of the project texts that were not built before, and shows how far it is. After that
/// `cache` has each project, or the error in its text.
pub async fn build_ahead(fleet: &Fleet, cache: &Path, texts: &BTreeSet<PathBuf>) {
    let bench = Workbench::new(fleet.clone(), cache.to_owned());
    let progress = bar("projects built", 0);
    bench
        .build_ahead(texts, |done, of| {
            progress.set_length(of as u64);
            progress.set_position(done as u64);
        })
        .await;
    progress.finish_and_clear();
    bench.clear().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_that_was_not_compiled_is_told_as_failed() {
        let of = |found| compiled(EditorGeneration::Current, found);
        assert_eq!([of(Ok(false)), of(Ok(true))].map(|done| done.mark()), ['=', '+']);
        let failed = of(Err(std::io::Error::other("the disk is full")));
        assert_eq!(failed.mark(), '!');
        assert!(failed.detail().ends_with("themselves: the disk is full"), "{}", failed.detail());
    }
}
