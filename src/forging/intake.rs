//! `scratchbed intake …`: projects are taken into a pool.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::curating::{ReviewArgs, curated, review, say_outdated};
use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::bugs::{Curation, Features, Pool, RECORD, RecordStatus};
use scratchbed::compile::Workbench;
use scratchbed::intake::{Fault, LicenceFlags, News, Outcome, Profile, Report, Scan, Standing, find};
use scratchbed::judge::Judges;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;
use scratchbed::report::{Specimen, write_pool_sheet};
use scratchbed::taskset::player;

/// What to do with projects and pools.
#[derive(Debug, Subcommand)]
pub enum IntakeCommand {
    /// Put projects through gates, thresholds and a smoke run, and take those that pass into a pool. The same again goes on where a killed
    /// scan was.
    Scan(ScanArgs),
    /// List the projects of a pool with their features and licences.
    List {
        /// The pool.
        pool: PathBuf,
        /// Write a page with pictures of their stages into this file.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Say of a project whether it is worth being in a benchmark, as one of two or more reviewers; without a project, how they agree.
    Review(ReviewArgs),
    /// Show what a project is for, as drafted by rules, written by a person, or confirmed by one who has played it.
    Record {
        /// The pool.
        pool: PathBuf,
        /// The project's name in it.
        id: String,
        /// State under this name: "I have played it, and the record is right". Correct `record.json` before, where it is
        /// wrong.
        #[arg(long, value_name = "NAME", value_parser = name)]
        confirm: Option<String>,
    },
}

/// What somebody states who confirms a record.
const STATEMENT: &str = "I have played it, and the record is right";

/// Reads the name of somebody.
fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() { Err("it names nobody".to_owned()) } else { Ok(name.to_owned()) }
}

/// The sources, the pool, and the thresholds.
#[derive(Debug, Args)]
pub struct ScanArgs {
    /// Files of Scratch 1, 2 or 3, and folders of them or of project texts (`project.txt`). A `licence.json` beside them says where they
    /// come from.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<PathBuf>,
    /// Where the pool goes.
    #[arg(long, value_name = "POOL")]
    out: PathBuf,
    /// The thresholds.
    #[arg(long, value_parser = named::<Profile>(), default_value_t)]
    profile: Profile,
    /// The licence of all of them, as an SPDX expression. Projects without a known one are never published.
    #[arg(long, value_name = "SPDX")]
    licence: Option<String>,
    /// Whom to name.
    #[arg(long, value_name = "TEXT")]
    attribution: Option<String>,
    /// Where they come from.
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Projects at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
}

/// Does it.
pub async fn run(command: IntakeCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        IntakeCommand::Scan(args) => scan(args, settings, out).await,
        IntakeCommand::List { pool, html } => list(&Pool::open(&pool)?, html.as_deref(), out),
        IntakeCommand::Review(args) => review(&args, out),
        IntakeCommand::Record { pool, id, confirm } => record(&Pool::open(&pool)?, &id, confirm, out),
    }
}

async fn scan(args: ScanArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let sources = find(&args.sources)?;
    let licence = LicenceFlags { spdx: args.licence, attribution: args.attribution, source: args.source };
    let script = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let (judges, lanes) = (Judges::new(fleet.clone(), args.lanes.into()), args.lanes.into());
    let bench = Workbench::new(fleet.clone(), browsers::built_projects(settings));
    let shown = bar("projects", sources.len() as u64);
    let told = |news: News<'_>| match news {
        News::Measured(standing) => {
            shown.inc(1);
            shown.say(format!("{}  {}", standing.row.id, codes(&standing.faults())));
        }
        News::Drafting(0) => {}
        News::Drafting(count) => shown.phase("records", count as u64),
        News::Drafted(id) => {
            shown.inc(1);
            shown.say(format!("{id}  gone through for its record"));
        }
    };
    let scan =
        Scan { judges: &judges, bench: &bench, player: &script, profile: args.profile, licence: &licence, lanes };
    let report = scan.run(&args.out, &sources, &told).await;
    shown.finish_and_clear();
    bench.clear().await;
    judges.close().await;
    fleet.shutdown().await;
    let report = report?;
    show(&report, args.profile, out);
    out.answer(&json!({"profile": args.profile.to_string(), "projects": report.projects}));
    Ok(Status::of(report.count(Outcome::Unmeasured) == 0))
}

/// Heads of the columns that `cells` fills.
const COUNTS: [&str; 8] = ["sprites", "scripts", "uses", "custom", "blocks", "live", "depth", "clones"];

fn cells(features: Option<&Features>) -> Vec<String> {
    let Some(of) = features else { return vec![String::new(); COUNTS.len()] };
    let counts =
        [of.sprites, of.scripts, of.broadcast_uses(), of.custom_blocks, of.blocks, of.live_blocks, of.depth, of.clones];
    counts.iter().map(u32::to_string).collect()
}

fn codes(faults: &[Fault]) -> String {
    if faults.is_empty() {
        "passes".to_owned()
    } else {
        faults.iter().map(|fault| fault.code.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn show(report: &Report, profile: Profile, out: Output) {
    let row = |standing: &Standing| {
        let tick = standing.row.smoke.as_ref().map(|smoke| smoke.tick_work.to_string());
        let mut all = vec![standing.row.id.clone(), standing.outcome.to_string()];
        all.extend(cells(standing.row.features.as_ref()));
        all.extend([tick.unwrap_or_default(), codes(&standing.faults())]);
        all
    };
    let head: Vec<&str> = ["project", "outcome"].into_iter().chain(COUNTS).chain(["tick work", "fails at"]).collect();
    out.say(table(&head, report.projects.iter().map(row)).to_string());
    for standing in &report.projects {
        for fault in standing.faults().iter().filter(|fault| !standing.thresholds.contains(fault)) {
            out.say(format!("{}: {}: {}", standing.row.id, fault.code, fault.reason));
        }
    }
    let [taken, gate, threshold, duplicate, unmeasured] =
        [Outcome::Taken, Outcome::Gate, Outcome::Threshold, Outcome::Duplicate, Outcome::Unmeasured]
            .map(|outcome| report.count(outcome));
    out.say(format!(
        "{}, profile {profile}: {taken} taken, {gate} failed at a gate, {threshold} at a threshold, {}, \
         {unmeasured} not measured",
        pluralise(report.projects.len(), "project"),
        pluralise(duplicate, "duplicate")
    ));
}

fn list(pool: &Pool, html: Option<&Path>, out: Output) -> Result<Status, Failure> {
    let specimens = pool.entries().iter().map(|entry| Specimen::of(pool, entry)).collect::<Result<Vec<_>, _>>()?;
    let row = |one: &Specimen| {
        let mut all = vec![one.id.clone()];
        all.extend(cells(Some(&one.features)));
        all.extend([one.tags.join(" "), one.licence.clone(), one.record.clone()]);
        all
    };
    let head: Vec<&str> = ["project"].into_iter().chain(COUNTS).chain(["tags", "licence", "record"]).collect();
    out.say(table(&head, specimens.iter().map(row)).to_string());
    out.say(format!("{}, profile {}", pluralise(specimens.len(), "project"), pool.profile()));
    let (reviews, outdated) = Curation::of_pool(pool)?;
    let curated = pluralise_as(curated(&reviews), "of them is", "of them are");
    out.say(format!("{curated} curated: reviewed by two or more (`scratchbed intake review POOL`)"));
    say_outdated(outdated, out);
    let with = |status: RecordStatus| specimens.iter().filter(|one| one.record == status.to_string()).count();
    let drafts = with(RecordStatus::Draft);
    if drafts > 0 {
        let drafts = pluralise_as(drafts, "record is a draft", "records are drafts");
        out.say(format!("{drafts} by rules: `scratchbed intake record POOL ID` says what each lacks"));
    }
    let written = with(RecordStatus::Written);
    if written > 0 {
        let written = pluralise_as(written, "record is written, and confirmed", "records are written, and confirmed");
        out.say(format!("{written} by nobody who has played: `scratchbed intake record POOL ID --confirm NAME`"));
    }
    let doubted = specimens.iter().filter(|one| one.doubt.is_some()).count();
    if doubted > 0 {
        let doubted = pluralise_as(doubted, "of these says", "of these say");
        out.say(format!("{doubted} `confirmed`, and not of the present project: `scratchbed intake record POOL ID`"));
    }
    if let Some(file) = html {
        write_pool_sheet(file, pool.profile(), &specimens)?;
        out.say(format!("wrote {}", file.display()));
    }
    out.answer(&json!({"profile": pool.profile(), "projects": specimens, "html": html}));
    Ok(Status::Success)
}

fn record(pool: &Pool, id: &str, confirm: Option<String>, out: Output) -> Result<Status, Failure> {
    // Two people who confirm at the same time are both named.
    let lock = confirm.is_some().then(|| pool.lock()).transpose()?;
    let (mut record, mut doubt) = pool.record(id)?;
    if let Some(name) = &confirm {
        if record.has_only_names() {
            let message = format!("the goal of {id} is told in names of sprites and variables alone");
            let failure = Failure::new(Status::Input, "record_unfinished", message);
            let file = pool.folder_of(id).join(RECORD);
            return Err(failure.hinted(format!("say in {} what a player does: its text and its terms", file.display())));
        }
        record.confirm(name.clone(), &pool.entry(id)?.sha256);
        doubt = None;
        pool.note(id, RECORD, &record)?;
    }
    drop(lock);
    let text = serde_json::to_string_pretty(&record).map_err(|error| Failure::infrastructure("no_json", &error))?;
    out.say(text);
    let (lacks, origin) = (record.lacks(), record.origin());
    if record.status.is_by_people() {
        out.say(format!("note: {origin}"));
    } else {
        out.say(format!("note: {origin}; no summary is scored with it"));
    }
    if let Some(doubt) = doubt {
        out.say(format!("{doubt}; `--confirm NAME` of somebody who has played it now confirms it anew"));
    }
    if !lacks.is_empty() {
        out.say(format!("it lacks: {}", lacks.join("; ")));
    }
    let states = confirm.map(|name| format!("{name} states: {STATEMENT}"));
    if let Some(states) = &states {
        out.say(states);
    }
    let mut answer = json!(record);
    answer["lacks"] = json!(lacks);
    answer["origin"] = json!(origin);
    answer["doubt"] = json!(doubt);
    answer["states"] = json!(states);
    out.answer(&answer);
    Ok(Status::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_confirms_a_record_has_a_name_and_is_told_what_they_state() {
        assert_eq!(name(" ada "), Ok("ada".to_owned()));
        assert!(name(" ").is_err());
        let commands = IntakeCommand::augment_subcommands(clap::Command::new("intake"));
        let record = commands.find_subcommand("record").unwrap();
        let confirm = record.get_arguments().find(|one| one.get_id() == "confirm").unwrap();
        assert!(confirm.get_help().unwrap().to_string().contains(STATEMENT));
    }
}
