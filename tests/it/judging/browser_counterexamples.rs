//! The verdicts on counterexamples, against the real judge. `counterexamples.verdicts.json` records them with the digests that they depend
//! on, and those are not judged again, except for a sample by the date. `SCRATCHBED_TESTS=all` judges all, `SCRATCHBED_UPDATE=1` writes the
//! file (`make gen`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;

use futures::StreamExt;
use futures::stream;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::Verdict;
use scratchbed::page::Page;
use scratchbed::session::Fleet;

use super::counterexamples::{Counterexample, counterexamples, fixtures};
use super::verdict_file::{
    BuiltProjectStatus, DueProjects, JudgingEnvironment, SourceDigests, VerdictFile, VerdictRecord,
};
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{day, everything, root};

/// Pages at work at the same time; the tests' machine has two cores.
const LANES: usize = 2;
/// Projects for which another page is worth the time that it takes to open.
const WORTH_A_PAGE: usize = 40;
/// The command that writes the file.
const UPDATE: &str = "SCRATCHBED_UPDATE=1 cargo test --release --test it -- judging::browser_counterexamples";

fn verdict_file() -> PathBuf {
    root().join("tests/fixtures/counterexamples.verdicts.json")
}

/// Which counterexamples are judged today whatever is recorded.
fn due() -> DueProjects {
    if everything() { DueProjects::All } else { DueProjects::Sample { day: day() } }
}

/// The verdicts on all counterexamples, and everything that is wrong with them.
#[derive(Default)]
struct Findings {
    verdicts: BTreeMap<String, VerdictRecord>,
    complaints: BTreeSet<String>,
}

impl Findings {
    fn take(&mut self, one: &Counterexample, record: VerdictRecord) {
        self.complaints.extend(one.complaint_about_record(&record));
        self.verdicts.insert(one.name(), record);
    }

    /// Takes a new verdict, which must be the recorded one if there is one.
    fn take_new(&mut self, open: &OpenProject<'_>, verdict: &Verdict) {
        let name = open.one.name();
        let new = VerdictRecord::of(&open.sources, &open.sb3, verdict);
        self.complaints.extend(open.one.complaint(verdict));
        if let Some(recorded) = open.recorded.as_ref().filter(|recorded| **recorded != new) {
            let (before, now) = (recorded.summary(), new.summary());
            self.complaints.insert(format!(
                "{name}: recorded as {before}, judged now as {now}, though project, script, judge, editor and browser are the same"
            ));
        }
        // A broken judge says nothing about the project.
        if new.outcome.counts() {
            self.verdicts.insert(name, new);
        }
    }
}

/// A built project that is to be judged, with the recorded verdict on it.
struct OpenProject<'a> {
    one: &'a Counterexample,
    sources: SourceDigests,
    sb3: Vec<u8>,
    recorded: Option<VerdictRecord>,
}

/// Builds the counterexamples that are due or have changed, and takes the recorded verdicts on the others.
async fn open_projects<'a>(
    all: &'a [Counterexample],
    (file, now): (&VerdictFile, &JudgingEnvironment),
    page: &Page,
    findings: &mut Findings,
) -> Vec<OpenProject<'a>> {
    let (due, mut open) = (due(), Vec::new());
    for (index, one) in all.iter().enumerate() {
        let (name, sources, is_due) = (one.name(), one.digests(), due.has(index, all.len()));
        if let Some(record) = file.of_text(&name, now, &sources).filter(|_| !is_due) {
            findings.take(one, record.clone());
            continue;
        }
        let sb3 = one.build(page).await;
        match file.of_project(&name, now, &sources, (&sb3, is_due)) {
            BuiltProjectStatus::Recorded(record) => findings.take(one, record),
            BuiltProjectStatus::Open(recorded) => open.push(OpenProject { one, sources, sb3, recorded }),
        }
    }
    open
}

/// Judges built projects, in their order.
async fn judge<'a>(fleet: &Fleet, open: Vec<OpenProject<'a>>) -> Vec<(OpenProject<'a>, Verdict)> {
    let lanes = open.len().div_ceil(WORTH_A_PAGE).min(LANES);
    let judges = Judges::new(fleet.clone(), lanes);
    let judged = open.into_iter().map(async |open| {
        let how = Conditions::seeded(open.one.seed());
        let verdict = judges.judge(&open.one.entry, &open.sb3, &how).await.unwrap().verdict;
        (open, verdict)
    });
    let judged = stream::iter(judged).buffered(lanes).collect().await;
    judges.close().await;
    judged
}

#[test]
fn every_counterexample_gets_the_verdict_in_its_name() {
    in_shared_browsers(async {
        let (all, file) = (counterexamples(&fixtures()), VerdictFile::read(&verdict_file()));
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let now = JudgingEnvironment::with_browser(lease.browser_product());
        let mut findings = Findings::default();
        let open = open_projects(&all, (&file, &now), &lease.page, &mut findings).await;
        fleet.release(lease).await;
        for (open, verdict) in judge(&fleet, open).await {
            findings.take_new(&open, &verdict);
        }
        conclude(&all, &file, now, findings);
    });
}

/// Writes the file if asked to, and fails if anything is wrong.
fn conclude(all: &[Counterexample], file: &VerdictFile, now: JudgingEnvironment, findings: Findings) {
    let Findings { verdicts, complaints } = findings;
    let found = VerdictFile::new(now, verdicts).with_browsers_of(file);
    if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
        found.write(&verdict_file());
    } else {
        let names: Vec<String> = all.iter().map(Counterexample::name).collect();
        let stale = file.stale(&names);
        assert!(
            stale.is_empty(),
            "verdicts on counterexamples that do not exist: {stale:?}; this removes them:\n{UPDATE}"
        );
        if found != *file {
            // Written past the test harness, which drops what a passing test prints.
            let (file, place) = (verdict_file(), &mut std::io::stderr());
            let _ =
                writeln!(place, "{} is out of date, and tests take longer; this writes it:\n{UPDATE}", file.display());
        }
    }
    assert!(complaints.is_empty(), "judged otherwise than they should be:\n{}", Vec::from_iter(complaints).join("\n"));
}
