//! Faults of all bundled projects: each is undone to the byte by a small inverse, which a comparison of both projects finds as well, and
//! what a fault adds looks like what was there.
//!
//! Each project is built once and kept, so that a browser is needed for new ones alone. `SCRATCHBED_TESTS=all` goes through all faults of
//! all projects; without it, some of some are tried. `SCRATCHBED_SAMPLES` names a folder of further projects of any version of Scratch, such
//! as those that `scratchbed setup --samples` fetches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scratchbed::compile::Workbench;
use scratchbed::files::Checkout;
use scratchbed::inject::{Candidate, sites};
use scratchbed::judge::Judges;
use scratchbed::project::edit::{Edit, apply, edit_distance, edit_set, inverse};
use scratchbed::project::normalise::normalise;
use scratchbed::project::{Project, validate};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{everything, files, root};

/// Edits of an inverse at most.
const MOST_EDITS: usize = 3;
/// Added blocks of a kind from which on shares are compared.
const ENOUGH: usize = 20;
/// How far a share among added blocks may lie from that among the others.
const TOLERANCE: f64 = 0.25;

/// A gold project with its name.
type Gold = (String, Value);

/// The games of the pool and the bases and goldens of tasks, and the samples if there are any, normalised.
async fn projects() -> &'static [Gold] {
    static PROJECTS: OnceCell<Vec<Gold>> = OnceCell::const_new();
    PROJECTS.get_or_init(read_projects).await
}

async fn read_projects() -> Vec<Gold> {
    let fleet = fleet().await;
    let bench = Workbench::new(fleet.clone(), Checkout::at(root()).projects());
    let is_text = |path: &PathBuf| path.ends_with("project.txt") || path.ends_with("golden.txt");
    let of_tasks = files(&root().join("tasks")).into_iter().filter(is_text);
    let some = of_tasks.step_by(if everything() { 1 } else { 8 });
    let mut found = Vec::new();
    for text in files(&root().join("assets/pool")).into_iter().filter(is_text).chain(some) {
        let name = text.parent().unwrap().strip_prefix(root()).unwrap().display().to_string();
        found.push((name, normalised(Project::read(&bench.build(&text).await.unwrap()).unwrap())));
    }
    bench.clear().await;
    if let Some(folder) = std::env::var_os("SCRATCHBED_SAMPLES") {
        let judges = Judges::new(fleet.clone(), 1);
        found.extend(samples(Path::new(&folder), &judges).await);
        judges.close().await;
    }
    fleet.shutdown().await;
    found
}

/// Projects of any version, as the editor's loader understands them.
async fn samples(folder: &Path, judges: &Judges) -> Vec<Gold> {
    let of_scratch = ["sb", "sb2", "sb3"];
    let is_project =
        |path: &PathBuf| path.extension().is_some_and(|ending| of_scratch.iter().any(|one| ending == *one));
    let mut found = Vec::new();
    for file in files(folder).into_iter().filter(is_project) {
        match judges.load(&std::fs::read(&file).unwrap()).await {
            Ok(original) => found.push((file.display().to_string(), normalised(original.project))),
            Err(error) => eprintln!("{} does not load: {error}", file.display()),
        }
    }
    assert!(!found.is_empty(), "{} has no projects", folder.display());
    found
}

fn normalised(mut project: Project) -> Value {
    normalise(&mut project.json, "pool");
    project.json
}

/// Faults that give another project: all of them, or one of so many.
fn faults(gold: &Value, step: usize) -> impl Iterator<Item = Candidate> + use<'_> {
    let step = if everything() { 1 } else { step };
    sites(gold).into_iter().step_by(step).filter(|candidate| candidate.applies_to(gold))
}

/// What became of faults.
#[derive(Default)]
struct Undone {
    tried: BTreeMap<&'static str, usize>,
    without: Vec<String>,
    shorter: BTreeSet<String>,
}

impl Undone {
    fn with(mut self, other: Self) -> Self {
        for (operator, count) in other.tried {
            *self.tried.entry(operator).or_default() += count;
        }
        self.without.extend(other.without);
        self.shorter.extend(other.shorter);
        self
    }
}

/// Undoes each of these faults.
fn undone(project: &str, gold: &Value, candidates: &[Candidate]) -> Undone {
    let before = gold.to_string();
    let mut undone = Undone::default();
    for candidate in candidates {
        let name = format!("{project} {}", candidate.id());
        *undone.tried.entry(candidate.operator).or_default() += 1;
        let buggy = apply(gold, &candidate.patch).unwrap();
        let Some(back) = inverse(gold, &candidate.patch).unwrap().filter(|back| back.len() <= MOST_EDITS) else {
            undone.without.push(name);
            continue;
        };
        assert_eq!(apply(&buggy, &back).unwrap().to_string(), before, "{name}");
        let difference = edit_set(&buggy, gold);
        assert!((1..=back.len()).contains(&difference.len()), "{name}: {} edits, {difference:?}", back.len());
        assert_eq!(edit_distance(&difference, &edit_set(&buggy, &buggy)), difference.len(), "{name}");
        if difference.len() < back.len() {
            undone.shorter.insert(name.clone());
        }
        let project = Project { json: buggy, assets: BTreeMap::new() };
        let broken: Vec<_> = validate(&project).into_iter().filter(|problem| problem.block.is_some()).collect();
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
    undone
}

#[test]
fn each_fault_of_each_project_is_undone_to_the_byte() {
    in_shared_browsers(async {
        let mut all = Undone::default();
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for (project, gold) in projects().await {
            assert_eq!(inverse(gold, &[]).unwrap(), Some(Vec::new()), "{project}: nothing is to be undone of nothing");
            assert!(edit_set(gold, gold).is_empty(), "{project}");
            let candidates: Vec<Candidate> = faults(gold, 29).collect();
            if everything() {
                eprintln!("{project}: {} faults", candidates.len());
            }
            let parts = candidates.chunks(candidates.len().div_ceil(threads).max(1));
            all = std::thread::scope(|scope| {
                let parts: Vec<_> = parts.map(|part| scope.spawn(|| undone(project, gold, part))).collect();
                parts.into_iter().fold(all, |all, part| all.with(part.join().unwrap()))
            });
        }
        let Undone { tried, without, shorter } = all;
        // A variable on a menu is put back by two edits, and is one block with what it shows.
        eprintln!(
            "{} faults of {tried:?}; the difference has fewer edits than the inverse: {shorter:#?}",
            tried.values().sum::<usize>()
        );
        assert!(tried.len() >= 20, "{tried:?}");
        assert!(without.is_empty(), "{} without a small inverse: {without:#?}", without.len());
    });
}

/// How a block's key stands in the file to the one above it, and what it is there for.
fn standing(blocks: &serde_json::Map<String, Value>, id: &str) -> (String, &'static str) {
    let place = |id: &str| blocks.keys().position(|key| key == id).unwrap();
    let block = &blocks[id];
    let Some(parent) = block["parent"].as_str() else {
        let is_last = blocks.iter().skip(place(id) + 1).all(|(_, other)| other["topLevel"] != true);
        return ("a script".to_owned(), if is_last { "last" } else { "before others" });
    };
    let above = &blocks[parent];
    let inputs = || above["inputs"].as_object().unwrap().iter();
    let slot = inputs().find(|(_, input)| input.as_array().unwrap().iter().skip(1).any(|held| held == id));
    let relation = match slot {
        Some((input, _)) => format!("in {input}"),
        None if inputs().any(|(_, input)| input.as_array().unwrap().iter().skip(1).any(Value::is_string)) => {
            "below a block that holds others".to_owned()
        }
        None => "below a block that holds none".to_owned(),
    };
    let standing = match place(id).checked_sub(place(parent)) {
        None => "before it",
        Some(1) => "next to it",
        Some(_) => "further down",
    };
    (relation, standing)
}

/// How often something is the case among blocks that were there, and among added ones.
type Counts<K> = BTreeMap<K, [usize; 2]>;

/// What can be told of blocks without a look at what they do.
#[derive(Default)]
struct Looks {
    lengths: Counts<usize>,
    letters: Counts<&'static str>,
    /// By what a block is to the one above it.
    standings: BTreeMap<String, Counts<&'static str>>,
}

impl Looks {
    fn note(&mut self, blocks: &serde_json::Map<String, Value>, is_added: impl Fn(&str) -> bool) {
        for id in blocks.keys() {
            let whose = usize::from(is_added(id));
            self.lengths.entry(id.len()).or_default()[whose] += 1;
            for letter in id.chars() {
                let kind = match letter {
                    '0'..='9' => "digit",
                    'a'..='f' | 'A'..='F' => "first letters",
                    'g'..='z' | 'G'..='Z' => "other letters",
                    _ => "sign",
                };
                self.letters.entry(kind).or_default()[whose] += 1;
            }
            let (relation, standing) = standing(blocks, id);
            self.standings.entry(relation).or_default().entry(standing).or_default()[whose] += 1;
        }
    }

    /// Notes the targets that a patch changes; says whether it can be applied.
    fn note_added(&mut self, gold: &Value, patch: &[Edit]) -> bool {
        let Ok(buggy) = apply(gold, patch) else { return false };
        for (before, after) in gold["targets"].as_array().unwrap().iter().zip(buggy["targets"].as_array().unwrap()) {
            let known = before["blocks"].as_object().unwrap();
            if before["blocks"] != after["blocks"] {
                self.note(after["blocks"].as_object().unwrap(), |id| !known.contains_key(id));
            }
        }
        true
    }

    /// What added blocks are known by.
    fn telling(&self) -> Vec<String> {
        let mut telling = known_by("length", &self.lengths, 0.0);
        telling.extend(known_by("letters", &self.letters, 0.05));
        for (relation, counts) in &self.standings {
            telling.extend(known_by(relation, counts, TOLERANCE));
        }
        telling
    }
}

/// Where the shares of both kinds of blocks differ by more than that.
#[expect(clippy::cast_precision_loss, reason = "there are thousands of blocks")]
fn known_by<K: std::fmt::Debug>(what: &str, counts: &Counts<K>, tolerance: f64) -> Vec<String> {
    let all = |whose: usize| counts.values().map(|both| both[whose]).sum::<usize>();
    if all(1) < ENOUGH {
        return Vec::new();
    }
    let share = |both: &[usize; 2], whose: usize| both[whose] as f64 / all(whose).max(1) as f64;
    let differ = counts.iter().filter(|(_, both)| (share(both, 0) - share(both, 1)).abs() > tolerance);
    differ
        .map(|(value, both)| {
            format!("{what} {value:?}: {:.2} of others, {:.2} of added", share(both, 0), share(both, 1))
        })
        .collect()
}

/// The same edits, with ids as somebody would choose them and new blocks at the end of the file.
fn carelessly(patch: &[Edit]) -> Vec<Edit> {
    let added: Vec<&str> = patch.iter().filter(|edit| matches!(edit, Edit::Add { .. })).map(Edit::block_id).collect();
    let mut text = json!(patch).to_string();
    for (at, id) in added.iter().enumerate() {
        text = text.replace(&json!(id).to_string(), &json!(format!("new{at}")).to_string());
    }
    let mut patch: Vec<Edit> = serde_json::from_str(&text).unwrap();
    for edit in &mut patch {
        if let Edit::Add { order, block, .. } = edit {
            *order = [(block.id.clone(), None)].into_iter().collect();
        }
    }
    patch
}

/// A classifier that looks at length, letters and place of ids finds no added block. It does where they are chosen carelessly.
#[test]
fn added_blocks_look_like_those_that_were_there() {
    in_shared_browsers(async {
        let (mut looks, mut careless) = (Looks::default(), Looks::default());
        let mut operators = BTreeMap::<&str, usize>::new();
        for (_, gold) in projects().await {
            let adds = |candidate: &Candidate| candidate.patch.iter().any(|edit| matches!(edit, Edit::Add { .. }));
            // Those that add scripts are few.
            let (scripts, others): (Vec<Candidate>, Vec<Candidate>) =
                sites(gold).into_iter().filter(adds).partition(|candidate| candidate.operator.starts_with("HC."));
            for candidate in scripts.iter().chain(others.iter().step_by(if everything() { 1 } else { 3 })) {
                if looks.note_added(gold, &candidate.patch) {
                    *operators.entry(candidate.operator).or_default() += 1;
                    assert!(careless.note_added(gold, &carelessly(&candidate.patch)), "{}", candidate.id());
                }
            }
        }
        eprintln!("{operators:?}\n{:?}\n{:?}\n{:#?}", looks.lengths, looks.letters, looks.standings);
        // Few projects ask for a key in a loop.
        for operator in ["MI.move", "NT.negate", "SS.move", "HC.double", "HC.overlap"] {
            assert!((operator == "HC.overlap" && !everything()) || operators.contains_key(operator), "{operators:?}");
        }
        assert!(looks.telling().is_empty(), "added blocks are known by {:#?}", looks.telling());
        let told = careless.telling();
        for sign in ["length", "letters", "a script", "below a block that holds none"] {
            assert!(told.iter().any(|one| one.starts_with(sign)), "{sign}: {told:#?}");
        }
    });
}
