//! Both stages side by side at the moments that matter: before the runs part, where they part, and where an assertion is decided.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::seconds;
use super::signals::{agree, checkpoints, named, seen_in, told};
use crate::forge::says;
use crate::judge::Played;
use crate::model::{Assertion, Scenario};

/// Ticks from the parting to the picture of what came of it.
const LATER: u64 = 30;
/// Why the first differences are shown, where they are two.
const NOT_SEEN: &str = "first difference, not yet on the stage";
const SEEN: &str = "first difference on the stage";
/// Pixels between what differs and the box around it.
const ROOM: u32 = 6;
/// Differences that are told of a moment.
const TOLD: usize = 5;

/// The pictures of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Film {
    scenario: String,
    /// The template that it was made of.
    template: String,
    /// The scenario's inputs in words.
    inputs: Vec<String>,
    frames: Vec<Frame>,
}

/// A moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Frame {
    at: String,
    tick: u64,
    /// Why it is shown.
    why: String,
    /// Gold's stage and the buggy project's, PNGs in base64.
    stages: [String; 2],
    /// Whether the stages look the same.
    is_alike: bool,
    /// Around all that differs on the stages, in pixels: left, top, width, height. Absent where most of it does.
    around: Option<[u32; 4]>,
    /// What differs: its name, gold's value, the buggy project's.
    differences: Vec<[String; 3]>,
    /// Differences beyond those.
    more: usize,
}

impl Film {
    /// With stages of half the width, for pages with many films: they are shown at less than that. What can't be read stays as it is.
    pub(super) fn small(mut self) -> Self {
        for stage in self.frames.iter_mut().flat_map(|frame| &mut frame.stages) {
            let small = STANDARD.decode(stage.as_bytes()).ok().and_then(|png| halved(&png));
            if let Some(small) = small {
                *stage = STANDARD.encode(small);
            }
        }
        self
    }
}

/// A picture of half the width and height.
fn halved(png: &[u8]) -> Option<Vec<u8>> {
    let whole = image::load_from_memory(png).ok()?.into_rgb8();
    let (width, height) = (whole.width() / 2, whole.height() / 2);
    let half = image::imageops::resize(&whole, width, height, image::imageops::FilterType::Triangle);
    let mut small = std::io::Cursor::new(Vec::new());
    half.write_to(&mut small, image::ImageFormat::Png).ok()?;
    Some(small.into_inner())
}

/// Ticks after which the stages are drawn, so that moments can be chosen.
pub(super) fn drawn(scenario: &Scenario, assertion: &Assertion, every: u64) -> Vec<u64> {
    let decided = assertion.feature.decided_after().unwrap_or(scenario.length);
    checkpoints(every, (decided + LATER).min(scenario.length)).collect()
}

/// The film of two runs with pictures.
pub(super) fn film(scenario: &Scenario, assertion: &Assertion, every: u64, [gold, buggy]: [&Played; 2]) -> Film {
    let ticks = drawn_ticks([gold, buggy]);
    let parted = ticks.iter().copied().find(|tick| !differing([gold, buggy], *tick).is_empty());
    let seen = ticks.iter().copied().find(|tick| !looks_alike([gold, buggy], *tick));
    let decided = assertion.feature.decided_after().unwrap_or(scenario.length);
    let asserted = assertion.feature.signal();
    let frames = moments(&ticks, every, parted, seen, decided).into_iter();
    Film {
        scenario: scenario.id.clone(),
        template: scenario.template.clone(),
        inputs: says::reproduce(scenario, decided),
        frames: frames.map(|(tick, why)| frame((tick, why), [gold, buggy], &asserted)).collect(),
    }
}

/// The moment at which two runs with pictures first look different on the stage; nothing where no picture differs.
pub(super) fn parting(scenario: &Scenario, [gold, other]: [&Played; 2]) -> Option<Film> {
    let ticks = drawn_ticks([gold, other]);
    let tick = ticks.into_iter().find(|tick| !looks_alike([gold, other], *tick))?;
    Some(Film {
        scenario: scenario.id.clone(),
        template: scenario.template.clone(),
        inputs: says::reproduce(scenario, tick),
        frames: vec![frame((tick, SEEN.to_owned()), [gold, other], "")],
    })
}

/// Ticks after which both stages were drawn.
fn drawn_ticks([gold, other]: [&Played; 2]) -> BTreeSet<u64> {
    gold.pictures.keys().copied().filter(|tick| other.pictures.contains_key(tick)).collect()
}

fn looks_alike([gold, other]: [&Played; 2], tick: u64) -> bool {
    gold.pictures.get(&tick) == other.pictures.get(&tick)
}

/// Signals in which two runs differ then.
fn differing([gold, other]: [&Played; 2], tick: u64) -> Vec<String> {
    let signals = seen_in(gold.run(), other.run()).into_iter();
    signals.filter(|signal| !agree(gold.run(), other.run(), signal, tick)).collect()
}

/// A moment of two runs; of what differs, this signal is told first.
fn frame((tick, why): (u64, String), [gold, other]: [&Played; 2], first: &str) -> Frame {
    let mut differing = differing([gold, other], tick);
    differing.sort_by_key(|signal| signal != first);
    let told = differing
        .iter()
        .take(TOLD)
        .map(|signal| [named(signal), told(gold.run(), signal, tick), told(other.run(), signal, tick)]);
    Frame {
        at: seconds(tick),
        tick,
        why,
        stages: [gold, other]
            .map(|run| STANDARD.encode(run.pictures.get(&tick).map(Vec::as_slice).unwrap_or_default())),
        is_alike: looks_alike([gold, other], tick),
        around: match (gold.pictures.get(&tick), other.pictures.get(&tick)) {
            (Some(gold), Some(other)) => around(gold, other),
            _ => None,
        },
        more: differing.len().saturating_sub(TOLD),
        differences: told.collect(),
    }
}

/// Ticks with the reasons for which they are shown, in their order.
fn moments(
    ticks: &BTreeSet<u64>,
    every: u64,
    parted: Option<u64>,
    seen: Option<u64>,
    decided: u64,
) -> BTreeMap<u64, String> {
    let mut found: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    let mut note = |tick: u64, why: &'static str| {
        if ticks.contains(&tick) {
            found.entry(tick).or_default().push(why);
        }
    };
    let first = [parted, seen].into_iter().flatten().min();
    if let Some(first) = first {
        note(first.saturating_sub(every), "both runs are still the same");
    }
    match (parted, seen) {
        (Some(parted), Some(seen)) if parted == seen => note(parted, "first difference"),
        _ => {
            for (tick, why) in [(parted, NOT_SEEN), (seen, SEEN)] {
                if let Some(tick) = tick {
                    note(tick, why);
                }
            }
        }
    }
    note(decided, "the assertion is decided");
    if let Some(later) = first.map(|first| first + LATER).filter(|later| ticks.contains(later)) {
        found.entry(later).or_insert_with(|| vec!["a second later"]);
    }
    found.into_iter().map(|(tick, whys)| (tick, whys.join("; "))).collect()
}

/// A box around what differs between two pictures of the same size; nothing where they are the same, or it would be most of the stage.
fn around(gold: &[u8], buggy: &[u8]) -> Option<[u32; 4]> {
    let [gold, buggy] = [gold, buggy].map(|png| image::load_from_memory(png).map(image::DynamicImage::into_rgb8));
    let (gold, buggy) = (gold.ok()?, buggy.ok()?);
    let (width, height) = gold.dimensions();
    let pairs = gold.enumerate_pixels().zip(buggy.pixels());
    let differing = pairs.filter(|((.., one), other)| one != other).map(|((x, y, _), _)| (x, y));
    let [left, top, right, bottom] = differing.fold([width, height, 0, 0], |[left, top, right, bottom], (x, y)| {
        [left.min(x), top.min(y), right.max(x), bottom.max(y)]
    });
    let grown =
        [left.saturating_sub(ROOM), top.saturating_sub(ROOM), (right + ROOM).min(width), (bottom + ROOM).min(height)];
    let [left, top, right, bottom] = grown;
    let is_some = left < right && top < bottom;
    let size = is_some.then(|| [left, top, right - left, bottom - top])?;
    (u64::from(size[2]) * u64::from(size[3]) * 2 < u64::from(width) * u64::from(height)).then_some(size)
}
