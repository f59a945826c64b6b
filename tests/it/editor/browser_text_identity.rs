//! A text that is printed without a diagnostic builds, and is the same program: projects go through a text and back, and are
//! compared by what they mean to the VM. They are generated, with everything that a file may hold, or real ones with small
//! changes. A text with a diagnostic is counted, by the diagnostic's code. Some of those that come back are played, before and after, with
//! the same inputs under one seed.
//!
//! `SCRATCHBED_TEXT_CASES` says how many projects are generated, and a fifth of that is changed; `SCRATCHBED_TEXT_SEED` is the seed of the
//! first, and the next has the next seed. `SCRATCHBED_TEXT_FILES` is a folder with further real projects, which go through as they are.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use scratchbed::compile::{Source, compile, decompile};
use scratchbed::page::Page;
use scratchbed::project::Project;
use scratchbed::session::{Fleet, Lease};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::meaning::{first_difference, meaning};
use crate::support::strange_projects::{Generated, Mutated};
use crate::support::text_builds::build_text;
use crate::support::twin_runs::TwinRuns;
use crate::support::{files, project_texts, root};

/// Projects that are generated unless `SCRATCHBED_TEXT_CASES` says otherwise.
const CASES: u64 = 4_200;
/// Of so many generated ones, one real one is changed.
const GENERATED_PER_CHANGED: u64 = 5;
/// One of so many that come back is played.
const PLAYED: u64 = 40;
/// Steps in which a failing project is made smaller.
const STEPS: usize = 60;
/// Failing projects that are made smaller and told; the others are counted.
const FAILURES: usize = 3;
/// How much of a text is shown, in characters.
const SHOWN: usize = 6000;

/// What became of a project.
enum Outcome {
    /// It came back the same.
    Same,
    /// Its text has diagnostics with these codes.
    Lost(Vec<String>),
    Wrong(Wrong),
}

/// In what a project came back wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    NotPrinted,
    NotBuilt,
    OtherProgram,
    OtherText,
    LostOnTheWayBack,
    OtherRun,
}

struct Wrong {
    kind: Kind,
    text: String,
    why: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.text.chars().take(SHOWN).collect();
        write!(f, "{:?}: {}\n--- text\n{shown}---", self.kind, self.why)
    }
}

/// Where projects are put through texts, and played.
struct Workshop {
    lease: Lease,
    runs: TwinRuns,
}

impl Workshop {
    async fn open(fleet: &Fleet) -> Self {
        Self { lease: fleet.acquire().await.unwrap(), runs: TwinRuns::new(fleet.clone()) }
    }

    async fn close(self, fleet: &Fleet) {
        fleet.release(self.lease).await;
        self.runs.close().await;
    }
}

/// How many projects had which outcome.
#[derive(Default)]
struct Tally {
    same: usize,
    lost: usize,
    /// Projects with a diagnostic of each code.
    codes: BTreeMap<String, usize>,
    /// How many came back wrong, by kind.
    kinds: BTreeMap<Kind, usize>,
    /// What is wrong with the first of them.
    wrong: Vec<String>,
}

impl Tally {
    fn add_lost(&mut self, mut codes: Vec<String>) {
        self.lost += 1;
        codes.sort();
        codes.dedup();
        for code in codes {
            *self.codes.entry(code).or_default() += 1;
        }
    }

    /// Tells what was found.
    ///
    /// # Panics
    /// When a project came back wrong, or too little came back at all.
    fn report(&self, what: &str) {
        let Self { same, lost, codes, kinds, wrong } = self;
        let all = same + lost + kinds.values().sum::<usize>();
        eprintln!(
            "{what}: {all}, of which {same} came back the same, {lost} have diagnostics: {codes:?}; wrong: {kinds:?}"
        );
        assert!(kinds.is_empty(), "{what}: {kinds:?} of {all} wrong\n{}", wrong.join("\n\n"));
        assert!(all < 20 || same * 5 > all, "{what}: only {same} of {all} are printed without a diagnostic");
    }
}

fn asked(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |number| number.parse().unwrap())
}

/// Puts projects through a text and back, and makes those smaller that come back wrong.
async fn try_all(shop: &Workshop, strategy: &impl Strategy<Value = Project>, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in (asked("SCRATCHBED_TEXT_SEED", 1)..).take(usize::try_from(cases).unwrap()) {
        let mut tree = strategy.new_tree(&mut runner(seed)).unwrap();
        let is_played = seed.is_multiple_of(PLAYED) || cases == 1;
        match outcome(shop, &tree.current(), is_played).await {
            Outcome::Same => tally.same += 1,
            Outcome::Lost(codes) => tally.add_lost(codes),
            Outcome::Wrong(wrong) => {
                *tally.kinds.entry(wrong.kind).or_default() += 1;
                eprintln!("seed {seed}: {:?}: {}", wrong.kind, wrong.why);
                if tally.wrong.len() == FAILURES {
                    continue;
                }
                let smaller = smallest(shop, &mut tree, (wrong, is_played)).await;
                let again = format!("SCRATCHBED_TEXT_SEED={seed} SCRATCHBED_TEXT_CASES=1");
                tally.wrong.push(format!("{again}\n{smaller}\n--- project.json\n{}", tree.current().json));
            }
        }
    }
    tally
}

fn cases() -> u64 {
    asked("SCRATCHBED_TEXT_CASES", CASES)
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Makes a project smaller as long as it comes back wrong in the same way, and returns what is wrong with the smallest.
async fn smallest(
    shop: &Workshop,
    tree: &mut impl ValueTree<Value = Project>,
    (mut wrong, is_played): (Wrong, bool),
) -> Wrong {
    for _ in 0..STEPS {
        if !tree.simplify() {
            break;
        }
        match outcome(shop, &tree.current(), is_played).await {
            Outcome::Wrong(still) if still.kind == wrong.kind => wrong = still,
            _ => {
                tree.complicate();
            }
        }
    }
    wrong
}

async fn outcome(shop: &Workshop, project: &Project, is_played: bool) -> Outcome {
    match there_and_back(shop, project, is_played).await {
        Ok(outcome) => outcome,
        Err(wrong) => Outcome::Wrong(wrong),
    }
}

async fn there_and_back(shop: &Workshop, project: &Project, is_played: bool) -> Result<Outcome, Wrong> {
    let printed = decompile(&project.write().unwrap());
    let (text, parts) = printed.map_err(|error| wrong(Kind::NotPrinted, "", error.to_string()))?;
    if !parts.losses.is_empty() {
        return Ok(Outcome::Lost(parts.losses.iter().map(|loss| loss.code().to_owned()).collect()));
    }
    let built = build_text(&shop.lease.page, &text, &parts.files)
        .await
        .map_err(|error| wrong(Kind::NotBuilt, &text, error.to_string()))?;
    if let Some(difference) = first_difference(&meaning(project), &meaning(&built)) {
        return Err(wrong(Kind::OtherProgram, &text, difference.to_string()));
    }
    let printed = decompile(&built.write().unwrap());
    let (again, parts) = printed.map_err(|error| wrong(Kind::NotPrinted, &text, error.to_string()))?;
    if let Some(loss) = parts.losses.first() {
        return Err(wrong(Kind::LostOnTheWayBack, &text, loss.to_string()));
    }
    if let Some(why) = other_line(&text, &again) {
        return Err(wrong(Kind::OtherText, &text, why));
    }
    if is_played && let Some(why) = shop.runs.difference(&project.write().unwrap(), &built.write().unwrap()).await {
        return Err(wrong(Kind::OtherRun, &text, why));
    }
    Ok(Outcome::Same)
}

fn wrong(kind: Kind, text: &str, why: String) -> Wrong {
    Wrong { kind, text: text.to_owned(), why }
}

/// The first line in which two texts differ.
fn other_line(before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let pairs = before.lines().zip(after.lines()).enumerate();
    let found = pairs.into_iter().find(|(_, (before, after))| before != after);
    let at = |(number, (before, after))| format!("line {}\n  before: {before}\n  after:  {after}", number + 1);
    Some(found.map_or_else(|| "one text is longer".to_owned(), at))
}

/// The bundled projects of the pool and of the fixtures, and whatever files of Scratch 3 lie beside them or in the cache.
async fn real_projects(page: &Page) -> Vec<Project> {
    let mut projects = Vec::new();
    for folder in ["tests/fixtures/projects", "assets/pool"] {
        for text in project_texts(&root().join(folder)).iter().filter(|text| text.ends_with("project.txt")) {
            let built = compile(page, &Source::read(text).unwrap()).await;
            projects.push(built.unwrap_or_else(|error| panic!("{}: {error}", text.display())));
        }
    }
    for folder in ["assets/pool", ".cache/samples"] {
        projects.extend(files_of_scratch_3(&root().join(folder)));
    }
    projects
}

/// Real projects with their files: those of a folder that is asked for.
fn asked_for() -> Vec<(String, Project)> {
    let Ok(folder) = std::env::var("SCRATCHBED_TEXT_FILES") else { return Vec::new() };
    let all = files(Path::new(&folder)).into_iter().filter(|file| file.extension().is_some_and(|end| end == "sb3"));
    all.filter_map(|file| Some((file.display().to_string(), Project::read(&std::fs::read(&file).unwrap()).ok()?)))
        .collect()
}

fn files_of_scratch_3(folder: &Path) -> Vec<Project> {
    let all = if folder.is_dir() { files(folder) } else { Vec::new() };
    let of_scratch_3 = all.into_iter().filter(|file| file.extension().is_some_and(|end| end == "sb3"));
    let read = of_scratch_3.map(|file| Project::read(&std::fs::read(file).unwrap()));
    read.filter_map(Result::ok).filter(|project| project.check().is_ok()).collect()
}

#[test]
fn a_generated_project_comes_back_from_its_text_or_has_a_diagnostic() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let shop = Workshop::open(&fleet).await;
        let tally = try_all(&shop, &Generated, cases()).await;
        shop.close(&fleet).await;
        tally.report("generated projects");
    });
}

#[test]
fn a_changed_real_project_comes_back_from_its_text_or_has_a_diagnostic() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let shop = Workshop::open(&fleet).await;
        let originals = real_projects(&shop.lease.page).await;
        let tally = try_all(&shop, &Mutated(originals), cases().div_ceil(GENERATED_PER_CHANGED)).await;
        shop.close(&fleet).await;
        tally.report("changed projects");
    });
}

#[test]
fn a_real_project_comes_back_from_its_text_and_is_played_alike_or_has_a_diagnostic() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let shop = Workshop::open(&fleet).await;
        let bundled = real_projects(&shop.lease.page).await.into_iter().zip(1..);
        let bundled = bundled.map(|(project, number)| (format!("bundled {number}"), project));
        let mut tally = Tally::default();
        for (file, project) in bundled.chain(asked_for()) {
            match outcome(&shop, &project, true).await {
                Outcome::Same => tally.same += 1,
                Outcome::Lost(codes) => {
                    eprintln!("{file}: {codes:?}");
                    tally.add_lost(codes);
                }
                Outcome::Wrong(wrong) => {
                    *tally.kinds.entry(wrong.kind).or_default() += 1;
                    tally.wrong.push(format!("{file}: {:?}: {}", wrong.kind, wrong.why));
                }
            }
        }
        shop.close(&fleet).await;
        tally.report("real projects");
    });
}
