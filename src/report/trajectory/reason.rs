//! Why an attempt got its plan: the row of the controller's table that chose it, in words.

use crate::model::{ControllerMode, Layer, PlanId, RepairAttempt, Trajectory};
use crate::trajectory::{Before, Situation, plan};

/// The reason of an attempt's plan. `forced` is the plan that all attempts of the run were given, if they were.
pub(super) fn reason(trajectory: &Trajectory, attempt: &RepairAttempt, forced: Option<PlanId>) -> String {
    if let Some(forced) = forced {
        return format!("all attempts of this run were given {forced}, whatever the controller would choose");
    }
    let earlier = trajectory.attempts.iter().take_while(|one| one.a < attempt.a).last();
    let before = earlier.map(|one| Before {
        plan: one.plan,
        layer: one.layer,
        is_no_change: one.code.as_deref() == Some("no_change"),
    });
    let signals = &trajectory.probe.signals;
    let profile = trajectory.profile.parse().unwrap_or_default();
    let now = Situation::of(trajectory.mode, signals, profile, before);
    let (chosen, with_pictures) = (plan(now), plan(Situation { images_available: u32::MAX, ..now }));
    let row = match before {
        None => first(trajectory, with_pictures),
        Some(before) => later(trajectory.mode, before, with_pictures),
    };
    let instead = if chosen == with_pictures {
        String::new()
    } else {
        let why = if signals.images_available == 0 { "there are no pictures" } else { "no picture shows what differs" };
        format!("; {why}, so {chosen} stands for {with_pictures}")
    };
    if chosen == attempt.plan {
        return format!("{row}{instead}");
    }
    format!("chosen by another version of the controller: this one would say {chosen} ({row}{instead})")
}

fn first(trajectory: &Trajectory, plan: PlanId) -> String {
    let (mode, signals) = (trajectory.mode, &trajectory.probe.signals);
    match mode {
        ControllerMode::TextOnly => format!("{mode} has the smallest text plan, {plan}, for every attempt"),
        ControllerMode::AlwaysOn => format!("{mode} has the largest plan with pictures, {plan}, for every attempt"),
        ControllerMode::Fixed => format!("{mode} has one plan with pictures, {plan}, for every attempt"),
        ControllerMode::Heuristic | ControllerMode::Value => {
            let flags = match signals.flags.as_slice() {
                [] => "no flag".to_owned(),
                flags => flags.join(", "),
            };
            format!("{mode} begins by the level of the signals: {} ({flags}) is {plan}", signals.level)
        }
    }
}

fn later(mode: ControllerMode, before: Before, plan: PlanId) -> String {
    let was = before.plan;
    if !matches!(mode, ControllerMode::Heuristic | ControllerMode::Value) {
        return format!("{mode} never changes its plan");
    }
    match before.layer {
        Layer::Precheck | Layer::Full => format!("after a candidate that failed its checks: {was} → {plan}"),
        Layer::Application if before.is_no_change => format!("after a patch that changed nothing: {was} → {plan}"),
        Layer::Application => {
            format!("after a patch that could not be applied, the broader plan of its kind: {was} → {plan}")
        }
        layer => format!("after an attempt that ended at {layer}, the same plan again"),
    }
}
