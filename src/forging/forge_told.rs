//! What `scratchbed forge` tells while it goes on and at its end.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use crate::arms::output::Output;
use scratchbed::bugs::Bench;
use scratchbed::forge::{Forged, News, Part, Plays};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;

/// What is told of something that happened.
pub(super) fn line(news: &News) -> String {
    match news {
        News::Trial { project, fault, discarded: None, .. } => format!("{project}  accepted  {fault}"),
        News::Trial { project, fault, discarded: Some(why), detail } => format!("{project}  {why}  {fault}: {detail}"),
        News::Covered { project, live, ran, found } => covered(project, *live, *ran, *found),
        News::Kept { project, instances } => {
            format!("{project}  done before: {}", pluralise(instances.len(), "instance"))
        }
        News::Measured { project, fault, share, wanted } => {
            format!("{project}  rejects {share:.3} of damage elsewhere, wanted {wanted}  {fault}")
        }
        News::Best { project, fault, share, wanted } => {
            format!("{project}  kept as the best below {wanted}: rejects {share:.3} of damage elsewhere  {fault}")
        }
        News::Spent { project } => {
            format!("{project}  nothing more is tried: its budget is spent (--budget raises it)")
        }
        News::Without { project, why } => format!("{project}  without an instance: {why}"),
        News::Step { project, step } => format!("{project}  {step} …"),
        News::Planning { .. } | News::Planned { .. } | News::Project { .. } | News::Measuring { .. } => String::new(),
    }
}

/// How much of a program runs in its scenarios.
pub(super) fn covered(project: &str, live: usize, ran: usize, found: usize) -> String {
    let low = if (ran + found) * 2 < live { ": low coverage" } else { "" };
    let searched = if found > 0 { format!(", {found} of them by search") } else { String::new() };
    format!("{project}  {} of {live} live statements run{searched}{low}", ran + found)
}

/// Tells what a run came to.
pub(super) fn show(forged: &Forged, bench: &Bench, plays: &Plays, seconds: f64, out: Output) {
    let rows = bench
        .entries()
        .iter()
        .map(|entry| [entry.id.clone(), entry.pattern.clone(), entry.operator.clone(), entry.difficulty.to_string()]);
    out.say(table(&["instance", "pattern", "operator", "difficulty"], rows).to_string());
    let rows = Part::iter().map(|part| {
        let spent = plays.spent(part);
        [part.to_string(), spent.loads.to_string(), spent.ticks.to_string(), format!("{:.1}", spent.seconds)]
    });
    out.say(table(&["part", "loads", "ticks", "lane s"], rows).to_string());
    for (why, number) in &forged.discarded {
        out.say(format!("{} discarded: {why}", pluralise_as(*number, "fault was", "faults were")));
    }
    for (project, why) in &forged.without {
        out.say(format!("{project} gave no instance: {why}"));
    }
    if !forged.over_budget.is_empty() {
        out.say(format!("the budget of {} was spent; --budget raises it", forged.over_budget.join(", ")));
    }
    if let Some(told) = adequacy(forged) {
        out.say(told);
    }
    let (instances, projects) = (pluralise(forged.instances, "instance"), pluralise(forged.projects, "project"));
    out.say(format!("{instances} of {projects} in {seconds:.0} s"));
    if let Some(why) = forged.mostly_invalid() {
        out.say(format!("{why}. `scratchbed forge try PROJECT` tells of each fault what is wrong with it"));
    }
}

/// What runs have cost, by what they were for.
pub(super) fn spent(plays: &Plays) -> Value {
    Part::iter()
        .map(|part| {
            let spent = plays.spent(part);
            (part.to_string(), json!({"loads": spent.loads, "ticks": spent.ticks, "lane_seconds": spent.seconds}))
        })
        .collect::<serde_json::Map<String, Value>>()
        .into()
}

/// How many instances have suites that reject as much as was asked for, and which ones do not; nothing where nothing was asked for.
fn adequacy(forged: &Forged) -> Option<String> {
    let wanted = forged.adequate?;
    let below: Vec<String> = forged.inadequate.iter().map(|(id, share)| format!("{id} ({share:.3})")).collect();
    let reached = forged.instances.saturating_sub(below.len());
    let all = pluralise_as(forged.instances, "suite rejects", "suites reject");
    let less = if below.is_empty() { String::new() } else { format!("; less: {}", below.join(", ")) };
    Some(format!("{reached} of {all} at least {wanted} of damage elsewhere{less}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn suites_that_reject_too_little_are_counted_and_named() {
        let forged = Forged { instances: 3, ..Forged::default() };
        assert_eq!(adequacy(&forged), None);
        let forged = Forged { adequate: Some(0.9), ..forged };
        assert_eq!(adequacy(&forged).as_deref(), Some("3 of 3 suites reject at least 0.9 of damage elsewhere"));
        let inadequate = BTreeMap::from([("owl".to_owned(), 0.75)]);
        let told = adequacy(&Forged { inadequate, ..forged }).unwrap();
        assert_eq!(told, "2 of 3 suites reject at least 0.9 of damage elsewhere; less: owl (0.750)");
    }
}
