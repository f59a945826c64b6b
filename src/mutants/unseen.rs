//! Unseen mutants: golden projects in which one sprite is never shown, and does all else that it did. A judge that asks what a player
//! sees of the sprite refuses such a program.

use serde_json::{Value, json};

use crate::project::Project;
use crate::project::view::{TargetView, targets};

/// What the names of such mutants begin with.
const UNSEEN: &str = "unseen:";

const SHOW: &str = "looks_show";
const HIDE: &str = "looks_hide";

/// A golden project with one sprite that is never seen.
#[derive(Debug, Clone, PartialEq)]
pub struct UnseenMutant {
    /// Its name: `unseen:sprite`.
    pub id: String,
    /// The sprite's name.
    pub sprite: String,
    json: Value,
}

impl UnseenMutant {
    /// The project file's content: the mutant's targets with the golden project's assets.
    pub fn project(&self, golden: &Project) -> Project {
        Project { json: self.json.clone(), assets: golden.assets.clone() }
    }
}

/// One mutant for each sprite that shows when the project starts, or that a block shows; in the order of the sprites.
pub fn unseen(golden: &Project) -> Vec<UnseenMutant> {
    let sprites = targets(&golden.json).enumerate().filter(|(_, target)| !target.is_stage() && shows(*target));
    let mutants = sprites.filter_map(|(index, target)| {
        let sprite = target.name().to_owned();
        Some(UnseenMutant { id: format!("{UNSEEN}{sprite}"), json: hidden(&golden.json, index)?, sprite })
    });
    mutants.collect()
}

/// Whether a sprite is ever shown.
fn shows(target: TargetView<'_>) -> bool {
    // The editor shows a sprite of which the file does not say it.
    let from_the_start = target.get("visible").and_then(Value::as_bool).unwrap_or(true);
    from_the_start || target.blocks().any(|block| block.opcode == SHOW)
}

/// The project with a sprite that is hidden from the start, and that each block hides that showed it.
fn hidden(golden: &Value, index: usize) -> Option<Value> {
    let mut project = golden.clone();
    let target = project.get_mut("targets")?.get_mut(index)?.as_object_mut()?;
    target.insert("visible".to_owned(), json!(false));
    for block in target.get_mut("blocks")?.as_object_mut()?.values_mut() {
        if let Some(opcode) = block.get_mut("opcode").filter(|opcode| **opcode == SHOW) {
            *opcode = json!(HIDE);
        }
    }
    Some(project)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::tests::{flag, node, project};

    /// A sprite with one script of these blocks, which shows from the start or does not.
    fn sprite(visible: Option<bool>, opcodes: &[&'static str]) -> Project {
        let script = std::iter::once(flag()).chain(opcodes.iter().copied().map(node)).collect();
        let mut found = project(&[script]);
        if let Some(visible) = visible {
            found.json["targets"][1]["visible"] = json!(visible);
        }
        found
    }

    fn opcodes(project: &Project) -> Vec<&str> {
        let blocks = project.json["targets"][1]["blocks"].as_object().unwrap();
        blocks.values().filter_map(|block| block["opcode"].as_str()).collect()
    }

    #[test]
    fn a_sprite_is_hidden_from_the_start_and_nothing_shows_it_again() {
        let golden = sprite(Some(true), &["looks_hide", "looks_show", "looks_nextcostume", "looks_show"]);
        let mutants = unseen(&golden);
        assert_eq!(mutants.len(), 1);
        let mutant = &mutants[0];
        let name = golden.json["targets"][1]["name"].as_str().unwrap();
        assert_eq!((mutant.sprite.as_str(), mutant.id.as_str()), (name, format!("unseen:{name}").as_str()));
        let hidden = mutant.project(&golden);
        assert_eq!(hidden.json["targets"][1]["visible"], json!(false));
        let wanted = ["event_whenflagclicked", "looks_hide", "looks_hide", "looks_nextcostume", "looks_hide"];
        assert_eq!(opcodes(&hidden), wanted);
        assert!(hidden.check().is_ok());
        assert_eq!(hidden.json["targets"][0], golden.json["targets"][0], "the stage is left alone");
    }

    #[test]
    fn a_sprite_counts_if_it_shows_from_the_start_or_a_block_shows_it() {
        let count = |visible: Option<bool>, opcodes: &[&'static str]| unseen(&sprite(visible, opcodes)).len();
        assert_eq!(count(None, &[]), 1);
        assert_eq!(count(Some(true), &["looks_hide"]), 1);
        assert_eq!(count(Some(false), &["looks_show"]), 1);
        assert_eq!(count(Some(false), &["looks_hide", "looks_nextcostume"]), 0);
    }
}
