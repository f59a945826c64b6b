//! `scratchbed repair probe`: signals of cases, where the fault stands among the suspects, and whether pictures leave the run as it is.

use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use crate::arms::cases::CasesArgs;
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::{Signals, pluralise};
use scratchbed::trajectory::{Case, Localised, OracleError, Plans, Probe, Rank, rank, ticks};

/// Which cases are probed.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    cases: CasesArgs,
    /// Draw the pictures of each case, too, twice, and compare: drawing must change neither the trace nor a pixel.
    #[arg(long)]
    frames: bool,
}

/// What a probe of a case says.
struct Told {
    signals: Signals,
    /// Where the fault stands among the suspects; none where no statement differs from gold.
    rank: Option<Rank>,
    frames: Option<Frames>,
}

/// Pictures that were drawn twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Frames {
    drawn: usize,
    /// Whether both were the same, to the byte. The trace is compared by the oracle.
    are_same: bool,
}

/// Probes cases and prints their signals.
pub async fn probe(args: &ProbeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let plans = args.cases.plans()?;
    let house = House::start(settings, 1).await?;
    let made = probed(args, &plans, &house, out).await;
    house.close().await;
    let (all, is_sound) = made?;
    out.answer(&all);
    Ok(Status::of(is_sound))
}

async fn probed(args: &ProbeArgs, plans: &Arc<Plans>, house: &House, out: Output) -> Result<(Value, bool), Failure> {
    let (cases, _) = args.cases.open(house)?;
    let (mut all, mut ranks, mut frames, mut is_sound) = (Vec::new(), Vec::new(), Vec::new(), true);
    out.say(format!("{:<24} level  p_b   p_g   mis   inst  first  fault     flags", "case"));
    for item in cases.items() {
        let probed = match cases.open(&item.id).await? {
            Ok(case) => told(&case, plans, args.frames).await,
            Err(error) => Err(error),
        };
        let told = match probed {
            Ok(told) => {
                out.say(line(item.id.as_str(), &told));
                ranks.extend(told.rank);
                frames.extend(told.frames);
                json!({"case": item.id, "mechanism": item.mechanism, "signals": told.signals, "rank": told.rank,
                    "frames": told.frames})
            }
            Err(error) => {
                is_sound = false;
                out.say(format!("{:<24} {error}", item.id));
                json!({"case": item.id, "mechanism": item.mechanism, "error": error.to_string()})
            }
        };
        all.push(told);
    }
    let localised = Localised::of(&ranks);
    sum_up(&localised, &frames, out);
    is_sound &= frames.iter().all(|one| one.are_same);
    Ok((json!({"probes": all, "localised": localised}), is_sound))
}

async fn told(case: &Case, plans: &Plans, draws: bool) -> Result<Told, OracleError> {
    let probe = case.oracle.probe(plans).await?;
    let frames = if draws { drawn_twice(case, &probe).await? } else { None };
    let rank = rank(&case.buggy.json, &case.golden.json, &probe.signals.differing);
    Ok(Told { signals: probe.signals, rank, frames })
}

async fn drawn_twice(case: &Case, probe: &Probe) -> Result<Option<Frames>, OracleError> {
    let Some(seen) = &probe.seen else { return Ok(None) };
    let ticks = ticks(seen, probe.signals.div_tick);
    let (first, again) = (case.oracle.frames(seen, &ticks).await?, case.oracle.frames(seen, &ticks).await?);
    Ok(Some(Frames { drawn: first.len(), are_same: first == again }))
}

fn sum_up(localised: &Localised, frames: &[Frames], out: Output) {
    if let Some(exam) = localised.exam {
        let Localised { cases, top_1, top_5, top_10, .. } = localised;
        out.say(format!(
            "fault     first suspect in {top_1} of {}, among 5 in {top_5}, among 10 in {top_10}; EXAM {exam:.3}",
            pluralise(*cases, "case")
        ));
    }
    if !frames.is_empty() {
        let (drawn, same) =
            (frames.iter().map(|one| one.drawn).sum::<usize>(), frames.iter().filter(|one| one.are_same));
        out.say(format!(
            "frames    {} of {}, drawn twice: the same in {}, traces as without them",
            pluralise(drawn, "picture"),
            pluralise(frames.len(), "case"),
            same.count()
        ));
    }
}

fn line(case: &str, told: &Told) -> String {
    let Told { signals, rank, frames } = told;
    let first = signals.div_tick.map_or_else(|| "-".to_owned(), |tick| tick.to_string());
    let rank = rank.map_or_else(|| "-".to_owned(), |rank| format!("{}/{}", rank.rank, rank.of));
    let other = if frames.is_some_and(|frames| !frames.are_same) { "  pictures differ" } else { "" };
    format!(
        "{case:<24} {:>5}  {:.2}  {:.2}  {:.2}  {:.2}  {first:>5}  {rank:<8}  {}{other}",
        signals.level,
        signals.p_b,
        signals.p_g,
        signals.mis,
        signals.inst,
        signals.flags.join(", ")
    )
}
