//! Hands compiled code to a page.
//!
//! The command goes right into Chromium's pipe: the DevTools client would copy its 12 MB several times on the way, in Base64.
//! Its reply says nothing of use and is dropped. What a page is told next comes after it in the same pipe.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::CodeCache;
use super::file::CompiledScript;
use crate::devtools::around_data;

/// The number of each of these commands, beyond all that the client uses.
const ID: u32 = 2_000_000_000;
/// How replies to these commands begin.
pub(in crate::page) const REPLY_PREFIX: &str = "{\"id\":2000000000,";

/// A command for Chromium.
#[derive(Debug)]
pub(in crate::page) struct SeedCommand {
    /// What comes before the code, and what after it.
    around: [Vec<u8>; 2],
    compiled: Arc<CompiledScript>,
}

impl SeedCommand {
    /// The bytes of the message, in order.
    pub(in crate::page) fn parts(&self) -> [&[u8]; 3] {
        let [head, tail] = &self.around;
        [head, &self.compiled.code, tail]
    }
}

/// The way into one browser's pipe, with the code for its pages.
#[derive(Debug)]
pub(in crate::page) struct Seeder {
    compiled: Arc<CompiledScript>,
    path: &'static str,
    commands: mpsc::UnboundedSender<SeedCommand>,
}

impl Seeder {
    /// `None` if there is no code, or none that this browser compiled.
    pub(in crate::page) async fn new(
        cache: Option<&CodeCache>,
        browser: &str,
        commands: mpsc::UnboundedSender<SeedCommand>,
    ) -> Option<Self> {
        let cache = cache?;
        let compiled = cache.read().await?;
        if compiled.browser != browser {
            tracing::debug!(browser, compiled_by = compiled.browser, "`scratchbed setup` compiles the editor anew");
            return None;
        }
        Some(Self { compiled, path: cache.inner.path, commands })
    }

    /// Hands the code to the page of a DevTools session, which is about to go to the editor at `url`.
    pub(in crate::page) fn seed(&self, session: &str, url: &str) {
        let Some(script) = self.address(url) else { return };
        let parameters = [("url", script.as_str())];
        let around =
            around_data(ID, session, "Page.addCompilationCache", &parameters, "data", self.compiled.code.len());
        // A browser that is gone needs none.
        let _ = self.commands.send(SeedCommand { around, compiled: Arc::clone(&self.compiled) });
    }

    /// The script's address on the server that has the page.
    fn address(&self, url: &str) -> Option<String> {
        let host = url.find("://")? + "://".len();
        let end = url[host..].find('/').map_or(url.len(), |at| host + at);
        Some(format!("{}{}", &url[..end], self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devtools::to_json;

    #[test]
    fn the_command_is_one_message_for_one_session_and_script() {
        let compiled = Arc::new(CompiledScript { browser: "Chrome/1".into(), code: vec![0; 3] });
        let (commands, mut sent) = mpsc::unbounded_channel();
        let seeder = Seeder { compiled, path: "/gui/x.js", commands };
        seeder.seed("5E55", "http://127.0.0.1:4000/editor?driven");
        let command = sent.try_recv().unwrap();
        let message: serde_json::Value = serde_json::from_str(&to_json(&command.parts().concat()).unwrap()).unwrap();
        let wanted = serde_json::json!({
            "id": ID, "sessionId": "5E55", "method": "Page.addCompilationCache",
            "params": {"url": "http://127.0.0.1:4000/gui/x.js", "data": "AAAA"}
        });
        assert_eq!(message, wanted);
        assert!(REPLY_PREFIX.contains(&ID.to_string()));
    }
}
