//! The compiled code of the editor's largest script, kept between browsers.
//!
//! Compiling the 17 MB of the editor takes longer than all else when a page opens, and each page has a context of its own,
//! without any cache. So the code is compiled once (`prepare.rs`), kept in one file (`file.rs`), and handed to each page
//! before it goes to the editor (`seed.rs`, `Page.addCompilationCache`). Nothing else travels with it. V8 compares version,
//! flags and length of the script; we compare the browser, the digest of the script and that of the code. A file that
//! does not match is as good as none, and so is code that V8 refuses (`verify.rs`): pages then compile for themselves.

mod entry;
mod file;
mod prepare;
mod seed;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::OnceCell;

pub use prepare::prepare;
pub(super) use seed::{REPLY_PREFIX, SeedCommand, Seeder};

use self::file::CompiledScript;
use crate::files::Checkout;
use crate::model::EditorGeneration;

/// Where compiled code is kept, and what it is compiled from; cheap to clone, read at most once.
#[derive(Debug, Clone)]
pub struct CodeCache {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// The script, and its path in addresses.
    script: PathBuf,
    path: &'static str,
    file: PathBuf,
    read: OnceCell<Option<Arc<CompiledScript>>>,
}

impl CodeCache {
    /// The code of an editor's largest script, kept in a checkout's cache folder.
    pub fn of_checkout(checkout: &Checkout, editor: EditorGeneration) -> Self {
        let (path, name) = match editor {
            EditorGeneration::Current => ("/gui/scratch-gui-standalone.js", "scratch-gui-standalone.js"),
            EditorGeneration::Reference => ("/gui/scratch-gui.js", "scratch-gui.js"),
        };
        let script = checkout.editor(editor).1.join(name);
        let file = checkout.compiled_editors().join(format!("{editor}.code"));
        Self { inner: Arc::new(Inner { script, path, file, read: OnceCell::new() }) }
    }

    /// Whether there is a file, which may still not match.
    pub(super) fn is_there(&self) -> bool {
        self.inner.file.is_file()
    }

    /// The same cache as if it had not been looked at.
    fn anew(&self) -> Self {
        let Inner { script, path, file, .. } = &*self.inner;
        let inner = Inner { script: script.clone(), path, file: file.clone(), read: OnceCell::new() };
        Self { inner: Arc::new(inner) }
    }

    /// The kept code, if it is whole and of this script.
    pub(super) async fn read(&self) -> Option<Arc<CompiledScript>> {
        let read = || async {
            let (file, script) = (self.inner.file.clone(), self.inner.script.clone());
            let read = tokio::task::spawn_blocking(move || CompiledScript::read(&file, &script)).await;
            read.ok().flatten().map(Arc::new)
        };
        self.inner.read.get_or_init(read).await.clone()
    }
}
