//! Outcomes as models name them: a signal, and how it deviates (ScratchEval, section 6.2).

use serde::{Deserialize, Serialize};

use super::event::canonical;
use crate::bugs::ChainOutcome;
use crate::model::{Assertion, Feature};

/// How a signal deviates from what it should be.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Deviation {
    Missing,
    Extra,
    WrongValue,
    NotReset,
    TooEarly,
    TooLate,
    Accumulates,
    NeverEnds,
    Stuck,
}

impl Deviation {
    /// Whether two of a signal count as one.
    pub fn is_compatible(self, other: Self, signal: &str) -> bool {
        let value = [Self::NotReset, Self::Accumulates, Self::WrongValue];
        let silence = [Self::Missing, Self::NeverEnds, Self::Stuck];
        let both = |kin: [Self; 3]| kin.contains(&self) && kin.contains(&other);
        self == other || both(silence) || signal.starts_with("variable:") && both(value)
    }
}

/// A signal with its deviation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Outcome {
    /// Such as `variable:score`; canonical.
    pub signal: String,
    pub deviation: Deviation,
}

impl Outcome {
    /// Whether an answer names the same.
    pub fn is_named_by(&self, signal: &str, deviation: Deviation) -> bool {
        canonical_signal(signal) == self.signal && self.deviation.is_compatible(deviation, &self.signal)
    }
}

/// Kinds of signals under other names.
fn canonical_signal(text: &str) -> String {
    let text = canonical(text);
    match text.split_once(':') {
        Some(("var", name)) => format!("variable:{name}"),
        Some(("x" | "y", sprite)) => format!("position:{sprite}"),
        Some(("message", name)) => format!("broadcast:{name}"),
        Some(("backdrop", _)) => "backdrop".to_owned(),
        Some(("program", _)) => "program".to_owned(),
        _ => text,
    }
}

/// What an assertion is about, in the words of answers; nothing of signals that there is no word for.
fn signal(trace: &str) -> Option<String> {
    let named = |kind: &str, name: &str| Some(format!("{kind}:{}", canonical(name)));
    if let Some((kind, name)) = trace.strip_prefix("events/").and_then(|event| event.split_once(':')) {
        return match kind {
            "broadcast" => named("broadcast", name),
            "say" | "think" => named("says", name.split_once(": ")?.0),
            _ => Some("program".to_owned()),
        };
    }
    if let Some(sprite) = trace.strip_prefix("clones/") {
        return named("clones", sprite);
    }
    let (target, what) = trace.split_once('/')?;
    match (target, what.split_once('/')) {
        (_, Some(("variable", name))) => named("variable", name),
        (_, Some(("list", name))) => named("list", name),
        _ => match what {
            "costume" if target == "Stage" => Some("backdrop".to_owned()),
            "x" | "y" => named("position", target),
            "bubble" => named("says", target),
            "visible" | "costume" | "direction" | "size" => named(what, target),
            _ => None,
        },
    }
}

/// What a player notices, in the words of answers; nothing of what there is no word for.
pub fn named(noticed: &ChainOutcome) -> Vec<Outcome> {
    let Some(signal) = signal(&noticed.signal) else { return Vec::new() };
    let deviations = noticed.deviations.iter().filter_map(|deviation| deviation.parse().ok());
    deviations.map(|deviation| Outcome { signal: signal.clone(), deviation }).collect()
}

/// What an assertion that the fault breaks says of it. Where one feature may break in two ways, both count.
pub fn outcomes(assertion: &Assertion) -> Vec<Outcome> {
    let Some(signal) = signal(&assertion.feature.signal()) else { return Vec::new() };
    let deviations: &[Deviation] = match &assertion.feature {
        Feature::Event { .. } | Feature::Reached { .. } => &[Deviation::Missing, Deviation::TooLate],
        Feature::NeverEvent { .. } => &[Deviation::Extra],
        Feature::Never { .. } => &[Deviation::WrongValue, Deviation::Extra],
        Feature::EventCount { .. } => &[Deviation::Missing, Deviation::Extra],
        Feature::Before { .. } => &[Deviation::TooEarly, Deviation::TooLate],
        Feature::AtMost { .. } if signal.starts_with("clones:") => &[Deviation::Accumulates, Deviation::WrongValue],
        Feature::Changed { same: false, .. } => &[Deviation::Stuck, Deviation::WrongValue],
        _ => &[Deviation::WrongValue],
    };
    deviations.iter().map(|deviation| Outcome { signal: signal.clone(), deviation: *deviation }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_signals_and_kin_of_deviations_count_as_one() {
        let score = Outcome { signal: "variable:high_score".to_owned(), deviation: Deviation::WrongValue };
        assert!(score.is_named_by("variable:High Score", Deviation::NotReset));
        assert!(score.is_named_by("var:high_score", Deviation::Accumulates));
        assert!(!score.is_named_by("variable:high_score", Deviation::Missing));
        assert!(!score.is_named_by("list:high_score", Deviation::WrongValue));
        let lost = Outcome { signal: "broadcast:win".to_owned(), deviation: Deviation::Missing };
        assert!(lost.is_named_by("message:WIN", Deviation::NeverEnds));
        assert!(!lost.is_named_by("broadcast:win", Deviation::Extra));
    }

    #[test]
    fn what_is_noticed_has_all_words_that_are_right_for_it() {
        let noticed = |signal: &str| ChainOutcome {
            signal: signal.to_owned(),
            deviations: ["missing", "wrong_value", "no word"].map(str::to_owned).to_vec(),
        };
        let found = named(&noticed("Card/visible"));
        assert!(found.iter().all(|outcome| outcome.signal == "visible:card"), "{found:?}");
        let deviations: Vec<Deviation> = found.iter().map(|outcome| outcome.deviation).collect();
        assert_eq!(deviations, [Deviation::Missing, Deviation::WrongValue]);
        assert_eq!(named(&noticed("Card/effect/ghost")), []);
    }

    #[test]
    fn signals_of_traces_have_words() {
        for (trace, wanted) in [
            ("Moth/variable/High Score", Some("variable:high_score")),
            ("Stage/costume", Some("backdrop")),
            ("Moth/x", Some("position:moth")),
            ("events/broadcast:game over", Some("broadcast:game_over")),
            ("events/say:Owl: who: you", Some("says:owl")),
            ("clones/Moth", Some("clones:moth")),
            ("Moth/volume", None),
        ] {
            assert_eq!(signal(trace).as_deref(), wanted, "{trace}");
        }
    }
}
