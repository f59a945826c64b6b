//! Which plan an attempt gets, and when a trajectory ends (EcoScratch, section 4). Pure: what was spent and seen is handed in.

use super::plans::Profile;
use crate::model::{ControllerMode, Layer, PlanId, Signals};

/// What was before this attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    pub plan: PlanId,
    pub layer: Layer,
    /// Whether the patch was applied and changed nothing.
    pub is_no_change: bool,
}

/// What a choice depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    pub mode: ControllerMode,
    /// Flags of the signals, 0 to 3.
    pub level: u8,
    /// The attempt before; none for the first.
    pub before: Option<Before>,
    pub images_available: u32,
}

impl Situation {
    /// What a choice depends on before the next attempt at a case with these signals. In profile `own` there are no pictures where
    /// nothing that differs can be seen: a picture would not show it (EcoScratch, section 12.11).
    pub fn of(mode: ControllerMode, signals: &Signals, profile: Profile, before: Option<Before>) -> Self {
        let is_hidden = profile == Profile::Own && signals.visible_share <= 0.0 && !signals.hung;
        let images_available = if is_hidden { 0 } else { signals.images_available };
        Self { mode, level: signals.level, before, images_available }
    }
}

/// What is tried again.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Retry {
    /// Every failure, as the paper's Algorithm 1 has it.
    #[default]
    All,
    /// Requests without an answer alone, which fits the paper's mean number of attempts.
    Request,
}

/// Rules of stopping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub max_attempts: u32,
    pub retry: Retry,
    /// Whether a patch that was there before ends it: profile `own`.
    pub stops_at_repeats: bool,
}

/// The plan of the next attempt.
pub fn plan(now: Situation) -> PlanId {
    let chosen = match now.before {
        None => first(now.mode, now.level),
        Some(before) => later(now.mode, before),
    };
    if now.images_available == 0 { without_images(now.mode, chosen) } else { chosen }
}

fn first(mode: ControllerMode, level: u8) -> PlanId {
    match mode {
        ControllerMode::TextOnly => PlanId::T0,
        ControllerMode::AlwaysOn => PlanId::M2,
        ControllerMode::Fixed => PlanId::M1,
        ControllerMode::Heuristic | ControllerMode::Value => {
            [PlanId::T1, PlanId::T2, PlanId::M1, PlanId::M2][usize::from(level.min(3))]
        }
    }
}

/// Escalation is the heuristic's alone: more evidence where a candidate was wrong, more of the project where it could not be applied.
fn later(mode: ControllerMode, before: Before) -> PlanId {
    let escalates = matches!(mode, ControllerMode::Heuristic | ControllerMode::Value);
    match before.layer {
        Layer::Precheck | Layer::Full if escalates => next(before.plan),
        Layer::Application if escalates && before.is_no_change => next(before.plan),
        Layer::Application if escalates => wider(before.plan),
        _ => before.plan,
    }
}

const fn next(plan: PlanId) -> PlanId {
    match plan {
        PlanId::T0 => PlanId::T1,
        PlanId::T1 => PlanId::T2,
        PlanId::T2 => PlanId::M1,
        PlanId::M1 | PlanId::M2 => PlanId::M2,
    }
}

const fn wider(plan: PlanId) -> PlanId {
    match plan {
        PlanId::T0 | PlanId::T1 => PlanId::T2,
        PlanId::M1 => PlanId::M2,
        PlanId::T2 | PlanId::M2 => plan,
    }
}

/// What stands for a plan with pictures where there are none: the broad text plan, but for `fixed`, whose plan is not broad.
const fn without_images(mode: ControllerMode, plan: PlanId) -> PlanId {
    match (plan, mode) {
        (PlanId::M1, ControllerMode::Fixed) => PlanId::T1,
        (PlanId::M1 | PlanId::M2, _) => PlanId::T2,
        _ => plan,
    }
}

/// Why a trajectory ends after an attempt, with how many were made; `None` where another one follows. Budgets are asked elsewhere.
pub const fn stop(rules: Rules, made: u32, layer: Layer, is_repeat: bool) -> Option<&'static str> {
    if layer.is_strict() {
        return Some("strict_success");
    }
    if made >= rules.max_attempts {
        return Some("exhausted");
    }
    if is_repeat && rules.stops_at_repeats {
        return Some("no_new_candidate");
    }
    if matches!(rules.retry, Retry::Request) && !matches!(layer, Layer::Request) {
        return Some("not_retried");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControllerMode::{AlwaysOn, Fixed, Heuristic, TextOnly};
    use PlanId::{M1, M2, T0, T1, T2};

    fn now(mode: ControllerMode, level: u8, before: Option<(PlanId, Layer)>, images_available: u32) -> PlanId {
        let before = before.map(|(plan, layer)| Before { plan, layer, is_no_change: false });
        plan(Situation { mode, level, before, images_available })
    }

    #[test]
    fn the_first_plan_is_the_modes_and_only_the_heuristic_looks_at_the_level() {
        for level in 0..4 {
            assert_eq!([TextOnly, AlwaysOn, Fixed].map(|mode| now(mode, level, None, 3)), [T0, M2, M1]);
        }
        assert_eq!([0, 1, 2, 3].map(|level| now(Heuristic, level, None, 3)), [T1, T2, M1, M2]);
        assert_eq!([0, 1, 2, 3].map(|level| now(Heuristic, level, None, 0)), [T1, T2, T2, T2]);
        assert_eq!([TextOnly, AlwaysOn, Fixed].map(|mode| now(mode, 0, None, 0)), [T0, T2, T1]);
    }

    #[test]
    fn only_the_heuristic_escalates_and_only_where_more_may_help() {
        let after = |mode, plan, layer| now(mode, 1, Some((plan, layer)), 3);
        assert_eq!([T1, T2, M1, M2].map(|plan| after(Heuristic, plan, Layer::Full)), [T2, M1, M2, M2]);
        assert_eq!([T1, T2, M1, M2].map(|plan| after(Heuristic, plan, Layer::Application)), [T2, T2, M2, M2]);
        for layer in [Layer::Request, Layer::Extraction, Layer::Schema] {
            assert_eq!([T1, T2, M1, M2].map(|plan| after(Heuristic, plan, layer)), [T1, T2, M1, M2]);
        }
        assert_eq!([after(TextOnly, T0, Layer::Full), after(Fixed, M1, Layer::Full)], [T0, M1]);
        let same = Before { plan: T1, layer: Layer::Application, is_no_change: true };
        assert_eq!(plan(Situation { mode: Heuristic, level: 0, before: Some(same), images_available: 3 }), T2);
    }

    #[test]
    fn pictures_are_none_where_they_would_not_show_what_differs() {
        let of = |profile, visible_share, hung| {
            let signals = Signals { level: 2, visible_share, hung, images_available: 3, ..Signals::default() };
            plan(Situation::of(Heuristic, &signals, profile, None))
        };
        assert_eq!([of(Profile::Own, 0.0, false), of(Profile::Own, 0.5, false)], [T2, M1]);
        assert_eq!([of(Profile::Paper, 0.0, false), of(Profile::Own, 0.0, true)], [M1, M1]);
    }

    #[test]
    fn a_trajectory_ends_for_one_reason() {
        let rules = Rules { max_attempts: 2, retry: Retry::All, stops_at_repeats: true };
        assert_eq!(stop(rules, 1, Layer::StrictSuccess, false), Some("strict_success"));
        assert_eq!(stop(rules, 1, Layer::Full, false), None);
        assert_eq!(stop(rules, 2, Layer::Full, false), Some("exhausted"));
        assert_eq!(stop(rules, 1, Layer::Full, true), Some("no_new_candidate"));
        let once = Rules { retry: Retry::Request, ..rules };
        assert_eq!(stop(once, 1, Layer::Schema, false), Some("not_retried"));
        assert_eq!(stop(once, 1, Layer::Request, false), None);
    }
}
