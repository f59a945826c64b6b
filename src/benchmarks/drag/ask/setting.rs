//! What help an agent gets (paper, section 4.2).

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

/// What the list of elements adds to a setting's name.
const ELEMENTS: &str = "+elements";

/// What an agent gets beside the instruction and the screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Help {
    Baseline,
    /// Where to press: a mark in the picture, and the coordinates in words.
    GtStart,
    /// Rules of thumb for both ends (paper, appendix K).
    Knowledge,
    #[strum(to_string = "gt_start+knowledge")]
    GtStartKnowledge,
}

impl Help {
    /// Whether it reveals where to press.
    pub const fn gives_start(self) -> bool {
        matches!(self, Self::GtStart | Self::GtStartKnowledge)
    }

    /// Whether it has the rules of thumb.
    pub const fn has_knowledge(self) -> bool {
        matches!(self, Self::Knowledge | Self::GtStartKnowledge)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    pub help: Help,
    /// Whether the list of elements comes with the screenshot.
    pub element_list: bool,
}

impl Setting {
    /// The place of a setting of this name in tables; those that are not known come last.
    pub fn rank(name: &str) -> (bool, usize) {
        let (help, element_list) = name.strip_suffix(ELEMENTS).map_or((name, false), |help| (help, true));
        (element_list, Help::iter().position(|one| one.to_string() == help).unwrap_or(usize::MAX))
    }

    /// Its name in records: `baseline`, `knowledge+elements` and so on.
    pub fn name(self) -> String {
        let list = if self.element_list { ELEMENTS } else { "" };
        format!("{}{list}", self.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_settings_apart() {
        let name = |help, element_list| Setting { help, element_list }.name();
        assert_eq!(
            (name(Help::Baseline, false), name(Help::GtStart, true)),
            ("baseline".into(), "gt_start+elements".into())
        );
        assert_eq!(name(Help::GtStartKnowledge, true), "gt_start+knowledge+elements");
        let mut names = ["baseline+elements", "other", "gt_start+knowledge", "knowledge", "baseline"];
        names.sort_by_key(|name| Setting::rank(name));
        assert_eq!(names, ["baseline", "knowledge", "gt_start+knowledge", "other", "baseline+elements"]);
    }
}
