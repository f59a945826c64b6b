//! Whether an evaluation script looks at sprites, or at what they say, rather than at variables, lists and sounds alone.

use std::sync::LazyLock;

use regex::Regex;

use super::EvaluationSources;

/// What the helpers call it, and those that do it for a script.
static SIGHT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:sprite|speech|clones|motion|targets|dialogue|base_\w+)\b").ok());

impl EvaluationSources {
    /// Whether its script looks at sprites. Of the helpers only those count that it names: all scripts reach most of them.
    pub fn reads_sprites(&self) -> bool {
        SIGHT.as_ref().is_none_or(|sight| {
            std::iter::once(&self.script).chain(&self.prelude).any(|file| sight.is_match(&file.source))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taskset::SourceFile;

    #[test]
    fn a_script_looks_at_sprites_by_itself_or_by_a_helper_that_it_names() {
        let reads = |source: &str| {
            let file = |source: &str| SourceFile { name: "one.js".to_owned(), source: source.to_owned() };
            let helpers = vec![file("player.sprite(name)")];
            EvaluationSources { script: file(source), prelude: None, helpers }.reads_sprites()
        };
        for source in [
            "expectAt(player.sprite('Boat'), 0, 0);",
            "const {speech} = player;",
            "await player.motion.reaches(boat, point, 900);",
            "require('./lib/dialogue.js')",
            "require('./lib/base_mole_maze.js')",
            "vm.runtime.targets.find(isBoat)",
        ] {
            assert!(reads(source), "{source}");
        }
        assert!(!reads("expectEqual(player.variable('sold'), 3, 'sold');"));
    }
}
