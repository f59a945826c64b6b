//! Compiles an editor once: a browser of its own opens it until Chromium has put the code into its cache on disk.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::CodeCache;
use super::entry::compiled;
use super::file::CompiledScript;
use super::verify::is_code_taken;
use crate::page::{Chromium, LaunchOptions, PageError};

/// Where Chromium keeps compiled code in its profile.
const CACHE: &str = "Default/Code Cache/js";
/// How often the editor is opened at most: Chromium keeps what it compiled on the second visit or a later one, and keeps
/// more of it once functions have run.
const VISITS: usize = 6;
/// How long the code may take to be on the disk after a visit, and to stay as it is there.
const WRITE_LIMIT: Duration = Duration::from_secs(5);
const STEADY: Duration = Duration::from_secs(1);
/// Pages in which V8 may refuse the code before it is given up.
const TRIALS: usize = 3;
const WRITE_POLL: Duration = Duration::from_millis(50);

/// Compiles the editor at `url` and keeps its code, unless this browser's code of the same script is there already. Returns
/// whether it was compiled anew.
///
/// # Errors
/// When the browser can't be started, the editor does not mount, or Chromium keeps no code that we can read.
pub async fn prepare(options: &LaunchOptions, url: &str, cache: &CodeCache) -> Result<bool, PageError> {
    let kept = cache.read().await;
    let chromium = Chromium::launch(&LaunchOptions { code: None, ..options.clone() }).await?;
    let is_current = kept.is_some_and(|kept| kept.browser == chromium.product());
    let compiled = if is_current { Ok(()) } else { compile(&chromium, url, cache).await };
    chromium.shutdown().await;
    compiled?;
    if is_current {
        return Ok(false);
    }
    let chromium = Chromium::launch(&LaunchOptions { code: Some(cache.anew()), ..options.clone() }).await?;
    let mut taken = Ok(false);
    // On a busy machine a page may compile before it has got its code.
    for _ in 0..TRIALS {
        taken = is_code_taken(&chromium, url).await;
        if !matches!(taken, Ok(false)) {
            break;
        }
    }
    chromium.shutdown().await;
    if matches!(taken, Ok(true)) {
        return Ok(true);
    }
    // Handing it over would only cost time.
    let _ = fs::remove_file(&cache.inner.file);
    taken.and(Err(PageError::CodeNotKept { reason: "the browser refuses it".to_owned() }))
}

async fn compile(chromium: &Chromium, url: &str, cache: &CodeCache) -> Result<(), PageError> {
    let unreadable = |source: std::io::Error| PageError::CodeNotKept { reason: source.to_string() };
    let script = &cache.inner.script;
    let length = fs::read_to_string(script).map_err(unreadable)?.encode_utf16().count();
    let mut kept: Option<Vec<u8>> = None;
    for _ in 0..VISITS {
        let page = chromium.open_unisolated(url).await?;
        let found = steady_code(&chromium.profile().join(CACHE), length).await;
        chromium.close_unisolated(&page).await;
        let has_grown = found.as_ref().map(Vec::len) != kept.as_ref().map(Vec::len);
        kept = found;
        if kept.is_some() && !has_grown {
            break;
        }
    }
    let nothing =
        || PageError::CodeNotKept { reason: format!("nothing of that script in {CACHE} after {VISITS} visits") };
    let data = kept.ok_or_else(nothing)?;
    CompiledScript::write(&cache.inner.file, script, chromium.product(), &data).map_err(unreadable)
}

/// The code of a script of that length on the disk, once it no longer changes; `None` when there is none in time.
async fn steady_code(folder: &Path, length: usize) -> Option<Vec<u8>> {
    let deadline = Instant::now() + WRITE_LIMIT;
    let (mut found, mut since) = (None, Instant::now());
    loop {
        let entries = entries(folder);
        let found_now = entries.iter().filter_map(|entry| compiled(entry, length)).max_by_key(|data| data.len());
        let now = found_now.map(<[u8]>::to_vec);
        if now != found {
            (found, since) = (now, Instant::now());
        }
        // The first visit leaves none, which is known as soon as there is time for it.
        if since.elapsed() > STEADY || Instant::now() > deadline {
            return found;
        }
        tokio::time::sleep(WRITE_POLL).await;
    }
}

fn entries(folder: &Path) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|path| path.is_file()).filter_map(|path| fs::read(path).ok()).collect()
}
