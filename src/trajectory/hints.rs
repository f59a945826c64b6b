//! Localisation hints (EcoScratch, section 3, E3): what of the project a report names, which takes nothing hidden, and where traces may be
//! told, which blocks they speak against.

use serde_json::Value;

use super::localise::Suspect;
use crate::project::view::{TargetView, targets};

/// Lines at most, and characters.
const LINES: usize = 5;
const LONGEST: usize = 300;
/// Suspects that are named.
const SUSPECTS: usize = 5;

/// Names that a report says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    pub targets: Vec<String>,
    /// Variables and lists.
    pub values: Vec<String>,
    pub messages: Vec<String>,
    /// Blocks that traces speak against: leak level 3.
    pub suspects: Vec<String>,
}

impl Hints {
    /// What of a project some words name.
    pub fn of(project: &Value, words: &str) -> Self {
        let words = words.to_lowercase();
        let mut hints = Self::default();
        let add = |names: &mut Vec<String>, name: &str| {
            if says(&words, &name.to_lowercase()) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        };
        for target in targets(project) {
            add(&mut hints.targets, target.sprite_id());
            for name in named(target, "variables").chain(named(target, "lists")) {
                add(&mut hints.values, name);
            }
            for (_, name) in target.entries("broadcasts") {
                add(&mut hints.messages, name.as_str().unwrap_or_default());
            }
        }
        hints
    }

    /// With the first of these suspects.
    #[must_use]
    pub fn against(mut self, suspects: &[Suspect]) -> Self {
        self.suspects = suspects.iter().take(SUSPECTS).map(|one| format!("{} ({})", one.block, one.opcode)).collect();
        self
    }

    /// The hints as lines; none where nothing is named.
    pub fn lines(&self) -> Vec<String> {
        let line = |kind: &str, names: &[String]| (!names.is_empty()).then(|| format!("{kind}: {}", names.join(", ")));
        let all = [
            line("sprites", &self.targets),
            line("variables", &self.values),
            line("messages", &self.messages),
            line("suspected blocks", &self.suspects),
        ];
        let mut left = LONGEST;
        let mut fits = |line: &String| {
            let length = line.chars().count();
            let is_fit = length <= left;
            left = left.saturating_sub(length);
            is_fit
        };
        all.into_iter().flatten().filter(|line| fits(line)).take(LINES).collect()
    }
}

fn named<'a>(target: TargetView<'a>, key: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    target.entries(key).filter_map(|(_, value)| value.get(0)?.as_str())
}

/// Whether words name something: as whole words.
fn says(words: &str, name: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    !name.trim().is_empty()
        && words.match_indices(name).any(|(at, _)| {
            !is_letter(words[..at].chars().next_back()) && !is_letter(words[at + name.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_whole_names_are_hints() {
        let project = json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"a": ["score", 0], "b": ["core", 0]}, "lists": {},
             "broadcasts": {"m": "game over"}},
            {"isStage": false, "name": "Moth", "variables": {}, "lists": {"l": ["best", []]}, "broadcasts": {}},
        ]});
        let hints =
            Hints::of(&project, "After the second flag the Score is 3. The moths should have sent \"Game Over\".");
        assert_eq!((hints.targets.len(), hints.values.as_slice()), (0, ["score".to_owned()].as_slice()));
        assert_eq!(hints.lines(), ["variables: score", "messages: game over"]);
        assert_eq!(Hints::of(&project, "nothing").lines(), Vec::<String>::new());
        let suspect = Suspect {
            target: "Moth".to_owned(),
            block: "m1".to_owned(),
            opcode: "data_setvariableto".to_owned(),
            points: 1.0,
        };
        let told = Hints::of(&project, "nothing").against(&[suspect]);
        assert_eq!(told.lines(), ["suspected blocks: m1 (data_setvariableto)"]);
    }
}
