//! Events as models name them, in the one form that answers are compared in (ScratchEval, section 6.2).

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

/// Similarity of names from which on they are taken for one: the normalised Levenshtein distance counts (the paper's conservative fuzzy match).
const ALIKE: f64 = 0.9;

/// An event: a kind, and for most kinds a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    pub kind: &'static str,
    /// Canonical: lower case, blanks as `_`. Empty of kinds without one.
    pub name: String,
}

/// Kinds without a name, by how they are called.
const ALONE: [(&str, &str); 17] = [
    ("green_flag", "green_flag"),
    ("flag", "green_flag"),
    ("green_flag_clicked", "green_flag"),
    ("flag_clicked", "green_flag"),
    ("when_flag_clicked", "green_flag"),
    ("when_green_flag_clicked", "green_flag"),
    ("click_green_flag", "green_flag"),
    ("event_whenflagclicked", "green_flag"),
    ("stop", "stop"),
    ("stop_sign", "stop"),
    ("stop_clicked", "stop"),
    ("mouse", "mouse"),
    ("mouse_move", "mouse"),
    ("answer", "answer"),
    ("timer", "timer"),
    ("loudness", "loudness"),
    ("when_stage_clicked", "click"),
];

/// Beginnings of names, the longest of a kind first.
const BEGINNINGS: [(&str, &str); 24] = [
    ("when_i_receive", "broadcast"),
    ("when_receive", "broadcast"),
    ("receive", "broadcast"),
    ("broadcast", "broadcast"),
    ("message", "broadcast"),
    ("key_pressed", "key"),
    ("key_press", "key"),
    ("keypress", "key"),
    ("press", "key"),
    ("hold", "key"),
    ("key", "key"),
    ("when_this_sprite_clicked", "click"),
    ("sprite_clicked", "click"),
    ("clicked", "click"),
    ("click", "click"),
    ("when_backdrop_switches_to", "backdrop"),
    ("backdrop_switches_to", "backdrop"),
    ("backdrop", "backdrop"),
    ("when_i_start_as_a_clone", "clone_start"),
    ("start_as_clone", "clone_start"),
    ("clone_start", "clone_start"),
    ("clone", "clone_start"),
    ("touching", "touch"),
    ("touch", "touch"),
];

/// Ends that keys and clicks are given.
const ENDINGS: [&str; 5] = ["_key_is_pressed", "_key_pressed", "_is_pressed", "_pressed", "_key"];

impl Event {
    /// Of a kind, and a name as a project has it.
    pub fn of(kind: &'static str, name: &str) -> Self {
        Self { kind, name: named(kind, &canonical(name)) }
    }

    /// The event that a text means, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = canonical(text);
        if let Some((_, kind)) = ALONE.into_iter().find(|(name, _)| *name == text) {
            return Some(if kind == "click" { Self::of("click", "stage") } else { Self::of(kind, "") });
        }
        let begun = BEGINNINGS.into_iter().find_map(|(beginning, kind)| {
            let rest = text.strip_prefix(beginning)?.strip_prefix([':', '_'])?;
            Some(Self { kind, name: named(kind, rest) })
        });
        let ended = || {
            let text = text.strip_prefix("when_").unwrap_or(&text);
            if let Some(sprite) = text.strip_suffix("_clicked") {
                return Some(Self { kind: "click", name: sprite.to_owned() });
            }
            let key = ENDINGS.into_iter().find_map(|ending| text.strip_suffix(ending))?;
            Some(Self { kind: "key", name: named("key", key) })
        };
        begun.or_else(ended).filter(|event| !event.name.is_empty())
    }

    /// The one of these that it is, or that is alike and the only one that is: never one of another kind.
    pub fn among<'a>(&self, known: impl IntoIterator<Item = &'a Self>) -> Option<&'a Self> {
        let same: Vec<&Self> = known.into_iter().filter(|other| other.kind == self.kind).collect();
        let exact = same.iter().find(|other| other.name == self.name);
        let alike = || {
            let mut alike =
                same.iter().filter(|other| strsim::normalized_levenshtein(&other.name, &self.name) >= ALIKE);
            alike.next().filter(|_| alike.next().is_none())
        };
        exact.or_else(alike).copied()
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => formatter.write_str(self.kind),
            name => write!(formatter, "{}:{name}", self.kind),
        }
    }
}

/// NFKC, lower case, one `_` for blanks, no quotes.
pub fn canonical(text: &str) -> String {
    let folded: String = text.nfkc().collect::<String>().to_lowercase();
    let plain: String = folded.chars().filter(|letter| !matches!(letter, '"' | '\'' | '`' | '[' | ']')).collect();
    let words: Vec<&str> = plain.split(|letter: char| letter.is_whitespace() || letter == '_').collect();
    let joined = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    joined.split(':').map(|part| part.trim_matches('_')).collect::<Vec<_>>().join(":")
}

/// Arrows have one name, and what touches is told in either order.
fn named(kind: &str, name: &str) -> String {
    let name = name.trim_matches([':', '_']);
    match kind {
        "key" => {
            let key = ENDINGS.into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
            match key {
                "right" | "arrow_right" | "arrowright" => "right_arrow".to_owned(),
                "left" | "arrow_left" | "arrowleft" => "left_arrow".to_owned(),
                "up" | "arrow_up" | "arrowup" => "up_arrow".to_owned(),
                "down" | "arrow_down" | "arrowdown" => "down_arrow".to_owned(),
                "spacebar" | "space_bar" => "space".to_owned(),
                other => other.to_owned(),
            }
        }
        "touch" => {
            let mut both: Vec<&str> = name.split(':').collect();
            both.sort_unstable();
            both.join(":")
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn means(text: &str, wanted: &str) {
        let event = Event::parse(text).map(|event| event.to_string());
        assert_eq!(event.as_deref(), Some(wanted).filter(|wanted| !wanted.is_empty()), "{text}");
    }

    #[test]
    fn the_words_of_models_are_one_event() {
        means("green_flag", "green_flag");
        means("When Flag Clicked", "green_flag");
        means("press space", "key:space");
        means("key:Right Arrow", "key:right_arrow");
        means("when right arrow key pressed", "key:right_arrow");
        means("key:arrow_up", "key:up_arrow");
        means("broadcast:Game Over", "broadcast:game_over");
        means("when I receive \"game over\"", "broadcast:game_over");
        means("click:Moth", "click:moth");
        means("when stage clicked", "click:stage");
        means("Moth clicked", "click:moth");
        means("clone_start:Moth", "clone_start:moth");
        means("touch:Owl:Moth", "touch:moth:owl");
        means("ｋｅｙ：ａ", "key:a");
        means("the score", "");
        means("key:", "");
    }

    #[test]
    fn a_slip_of_the_pen_is_forgiven_if_only_one_event_is_meant() {
        let known = ["broadcast:next_level_reached", "broadcast:game_over", "key:a", "key:b"]
            .map(|text| Event::parse(text).unwrap());
        let among = |text: &str| Event::parse(text).unwrap().among(&known).map(ToString::to_string);
        assert_eq!(among("broadcast:next_level_reachd").as_deref(), Some("broadcast:next_level_reached"));
        assert_eq!(among("broadcast:game_ovr"), None, "8 of 9 letters are too few");
        assert_eq!(among("key:next_level_reached"), None);
        let twins =
            ["broadcast:next_level_reached1", "broadcast:next_level_reached2"].map(|text| Event::parse(text).unwrap());
        assert_eq!(Event::parse("broadcast:next_level_reached").unwrap().among(&twins), None);
    }
}
