//! Which scenarios of a project are played: few that reach much, by static reach (ScratchEval, section 4.1).

use std::collections::BTreeSet;

use super::templates::Instance;
use crate::model::Scenario;
use crate::project::reach::Reach;

/// Instances that are looked at.
const MOST_INSTANCES: usize = 24;
/// Scenarios of a project.
const MOST: usize = 8;
/// Those that every project has.
const ALWAYS: [&str; 2] = ["idle", "restart"];
/// Those that fill up what is left, in this order.
const FILLING: [&str; 3] = ["play", "keys", "stop"];

/// What an instance can reach: scripts by their places, and what running scripts ask for.
type Cover = (BTreeSet<usize>, BTreeSet<String>);

/// Chooses scenarios and names them `s1`, `s2` and so on.
pub fn choose(instances: Vec<Instance>, reach: &Reach) -> Vec<Scenario> {
    let mut chosen: Vec<Instance> = Vec::new();
    let mut seen: Cover = Cover::default();
    let mut take = |at: usize, left: &mut Vec<(Instance, Cover)>, seen: &mut Cover| {
        let (instance, cover) = left.remove(at);
        seen.0.extend(cover.0);
        seen.1.extend(cover.1);
        chosen.push(instance);
        chosen.len()
    };
    let mut open: Vec<(Instance, Cover)> = distinct(instances)
        .into_iter()
        .map(|instance| {
            let cover = (reach.reached_by(&instance.starts), instance.sensed.iter().cloned().collect());
            (instance, cover)
        })
        .collect();
    for template in ALWAYS {
        if let Some(at) = open.iter().position(|(instance, _)| instance.scenario.template == template) {
            take(at, &mut open, &mut seen);
        }
    }
    while let Some(at) = best(&open, &seen, reach) {
        if take(at, &mut open, &mut seen) == MOST {
            break;
        }
    }
    for template in FILLING {
        let at = open.iter().position(|(instance, _)| instance.scenario.template == template);
        if at.is_some_and(|at| take(at, &mut open, &mut seen) >= MOST) {
            break;
        }
    }
    chosen.truncate(MOST);
    named(chosen)
}

/// Instances with other steps than those before them; one whose length is a tick has no inputs.
fn distinct(instances: Vec<Instance>) -> Vec<Instance> {
    let mut kept: Vec<Instance> = Vec::new();
    for instance in instances {
        let same = |other: &Instance| {
            other.scenario.steps == instance.scenario.steps && other.scenario.length >= instance.scenario.length
        };
        if instance.scenario.length > 1 && !kept.iter().any(same) {
            kept.push(instance);
        }
    }
    // Those that are always played, and those that fill up, come last in the table.
    let (own, shared): (Vec<Instance>, Vec<Instance>) = kept.into_iter().partition(|instance| {
        !ALWAYS.contains(&instance.scenario.template.as_str())
            && !FILLING.contains(&instance.scenario.template.as_str())
    });
    own.into_iter().take(MOST_INSTANCES - ALWAYS.len() - FILLING.len()).chain(shared).collect()
}

/// The one that reaches most of what is left: scripts first, then their blocks, then what is asked for.
fn best(open: &[(Instance, Cover)], seen: &Cover, reach: &Reach) -> Option<usize> {
    let gain = |(_, cover): &(Instance, Cover)| {
        let scripts: Vec<usize> = cover.0.difference(&seen.0).copied().collect();
        let blocks: usize = scripts.iter().map(|at| reach.scripts[*at].blocks.len()).sum();
        (scripts.len(), blocks, cover.1.difference(&seen.1).count())
    };
    let mut best = None;
    for (at, instance) in open.iter().enumerate() {
        let gain = gain(instance);
        if gain > best.map_or((0, 0, 0), |(_, gain)| gain) {
            best = Some((at, gain));
        }
    }
    best.map(|(at, _)| at)
}

fn named(chosen: Vec<Instance>) -> Vec<Scenario> {
    let named = chosen
        .into_iter()
        .zip(1..)
        .map(|(instance, number)| Scenario { id: format!("s{number}"), ..instance.scenario });
    named.collect()
}
