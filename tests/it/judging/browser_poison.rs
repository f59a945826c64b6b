//! Projects whose ids and keys are names that the language gives a meaning: what one of them does to its page reaches no later
//! judgement. `PROPTEST_CASES` says how many files are made.

use futures::future::join;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64;
use scratchbed::compile::{build_file, kept};
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, JudgeError, Judges, PlayError};
use scratchbed::model::{Coded as _, Outcome};
use scratchbed::project::{INHERITED_PROPERTIES, Project};
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};
use serde_json::{Map, Value, json};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{day, everything, root};

/// Files of a day in `make test`, and with `SCRATCHBED_TESTS=all`.
const FILES: [usize; 2] = [5, 40];
/// Files after which one must have been judged.
const MOST_FILES: usize = 60;
/// Files that are judged in two lanes, and after which a lane tells how far it is.
const MANY: usize = 1_000;
const TOLD: usize = 500;
/// What stands in the place of ids and keys besides the names of inherited properties.
const ODDITIES: [&str; 14] = [
    "",
    " ",
    "prototype",
    "length",
    "name",
    "0",
    "-1",
    "null",
    "undefined",
    "[object Object]",
    "__proto__.x",
    "\u{0}",
    "_mouse_",
    "ⅷ\u{202e}",
];
/// Objects of a target that are looked up by an id.
const KEPT_BY_ID: [&str; 5] = ["variables", "lists", "broadcasts", "blocks", "comments"];

fn task(id: &str) -> TaskEntry {
    TaskSet::read(root()).unwrap().find(id).unwrap().clone()
}

async fn golden(fleet: &Fleet, entry: &TaskEntry) -> Vec<u8> {
    let text = entry.golden();
    kept(&Checkout::at(root()).projects(), &text, async || build_file(fleet, &text).await).await.unwrap()
}

/// A solution that must pass in the page in which another project was played, as it did in a new one.
struct Witness {
    judges: Judges,
    entry: TaskEntry,
    golden: Vec<u8>,
    trace_hash: Option<String>,
}

impl Witness {
    async fn new(fleet: &Fleet) -> Self {
        let entry = task("stuck_ferry");
        let golden = golden(fleet, &entry).await;
        let mut new = Self { judges: Judges::new(fleet.clone(), 1), entry, golden, trace_hash: None };
        new.trace_hash = new.hash("nothing").await;
        new
    }

    async fn hash(&self, after: &str) -> Option<String> {
        let judged = self.judges.judge(&self.entry, &self.golden, &Conditions::seeded(1)).await;
        let verdict = judged.unwrap_or_else(|error| panic!("after {after}: {error}")).verdict;
        assert_eq!(verdict.outcome, Outcome::Passed, "after {after}: {verdict:#?}");
        assert!(verdict.trace_hash.is_some());
        verdict.trace_hash
    }

    async fn passes_as_ever(&self, after: &str) {
        assert_eq!(self.hash(after).await, self.trace_hash, "after {after}");
    }
}

fn monitor(id: &str) -> Value {
    json!({
        "id": id, "opcode": "data_variable", "mode": "default", "params": {"VARIABLE": "sold"}, "spriteName": null, "value": 0,
        "x": 5, "y": 5, "visible": true, "targetId": "evil"
    })
}

#[test]
fn a_monitor_that_is_named_like_an_inherited_property_is_refused_and_leaves_nothing_in_the_page() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let witness = Witness::new(&fleet).await;
        for id in ["__proto__", "constructor", "toString"] {
            let mut project = Project::read(&witness.golden).unwrap();
            project.json["monitors"] = json!([monitor(id)]);
            let file = project.pack().unwrap();
            let refused = witness.judges.judge(&witness.entry, &file, &Conditions::seeded(1)).await;
            assert!(matches!(&refused, Err(JudgeError::Project(error)) if error.code() == "bad_id"), "{refused:?}");
            // What is loaded from before it was checked meets the same pages.
            let loaded = witness.judges.load(&file).await;
            assert!(matches!(loaded, Ok(_) | Err(PlayError::Unloadable(_))), "{loaded:?}");
            witness.passes_as_ever(id).await;
        }
        witness.judges.close().await;
        fleet.shutdown().await;
    });
}

/// All objects in a project that have ids or names of slots as keys.
fn keyed(project: &mut Value) -> Vec<&mut Map<String, Value>> {
    let mut found = Vec::new();
    let Value::Object(project) = project else { return found };
    for (key, value) in project {
        match (key.as_str(), value) {
            ("targets", Value::Array(targets)) => {
                for target in targets {
                    let maps = target
                        .as_object_mut()
                        .unwrap()
                        .iter_mut()
                        .filter(|(key, _)| KEPT_BY_ID.contains(&key.as_str()));
                    found.extend(maps.filter_map(|(_, map)| map.as_object_mut()).filter(|map| !map.is_empty()));
                }
            }
            ("monitors", Value::Array(monitors)) => {
                found.extend(monitors.iter_mut().filter_map(|monitor| monitor["params"].as_object_mut()));
            }
            _ => {}
        }
    }
    found
}

/// All texts of a JSON value.
fn texts<'a>(json: &'a mut Value, found: &mut Vec<&'a mut String>) {
    match json {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter_mut().for_each(|item| texts(item, found)),
        Value::Object(map) => map.values_mut().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn word(random: &mut Pcg64) -> &'static str {
    let words = if random.random_bool(0.7) { &INHERITED_PROPERTIES[..] } else { &ODDITIES[..] };
    words.choose(random).unwrap()
}

/// Replaces a key of an object; returns what it was.
fn rename_key(map: &mut Map<String, Value>, random: &mut Pcg64, to: &str) -> String {
    let keys: Vec<String> = map.keys().cloned().collect();
    let from = keys.choose(random).unwrap().clone();
    let entries: Vec<(String, Value)> = std::mem::take(map).into_iter().collect();
    map.extend(entries.into_iter().map(|(key, value)| (if key == from { to.to_owned() } else { key }, value)));
    from
}

/// Puts words in the place of one to three ids, keys or other texts; half of the time everywhere alike, so that the project stays sound.
fn altered(project: &Project, random: &mut Pcg64) -> (Project, String) {
    let (mut project, mut said) = (project.clone(), Vec::new());
    for _ in 0..random.random_range(1..=3) {
        let to = word(random);
        let is_alike = random.random_bool(0.5);
        let from = if random.random_bool(0.6) {
            let mut maps = keyed(&mut project.json);
            let at = random.random_range(0..maps.len());
            rename_key(maps[at], random, to)
        } else {
            let mut all = Vec::new();
            texts(&mut project.json, &mut all);
            let at = random.random_range(0..all.len());
            std::mem::replace(all[at], to.to_owned())
        };
        if is_alike {
            let mut all = Vec::new();
            texts(&mut project.json, &mut all);
            all.into_iter().filter(|text| **text == from).for_each(|text| to.clone_into(text));
        }
        said.push(format!("{from:?} -> {to:?}"));
    }
    (project, said.join(", "))
}

fn files() -> usize {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(FILES[usize::from(everything())])
}

#[test]
fn ids_and_keys_that_mean_something_to_the_language_reach_no_later_judgement() {
    in_shared_browsers(async {
        let files = files();
        if files < MANY {
            return judge_altered(0, files).await;
        }
        Box::pin(join(judge_altered(0, files / 2), judge_altered(1, files - files / 2))).await;
    });
}

/// Judges so many altered files, each followed by a solution in the same page. Lanes have other files on the same day.
async fn judge_altered(lane: u64, files: usize) {
    let fleet = fleet().await;
    let witness = Witness::new(&fleet).await;
    let entry = task("kite_gusts");
    let mut project = Project::read(&golden(&fleet, &entry).await).unwrap();
    let of_stage = project.json["targets"][0]["variables"].as_object().and_then(|all| all.keys().next()).cloned();
    project.json["monitors"] = json!([monitor(&of_stage.unwrap_or_else(|| "a".to_owned()))]);
    let mut random = Pcg64::new(day() as u128, u128::from(lane));
    let how = Conditions { stop_at_first_failure: true, ..Conditions::seeded(1) };
    let mut judged = 0;
    for number in 0..MOST_FILES.max(files) {
        // On some days the first are all refused.
        if number >= files && judged > 0 {
            break;
        }
        if number > 0 && number.is_multiple_of(TOLD) {
            println!("lane {lane}: {number} of {files} files, {judged} judged");
        }
        let (altered, what) = altered(&project, &mut random);
        let what = format!("lane {lane}, file {number}, {what}");
        let file = altered.pack().unwrap_or_else(|error| panic!("{what}: {error}"));
        match witness.judges.judge(&entry, &file, &how).await {
            Ok(judgement) => {
                let outcome = judgement.verdict.outcome;
                assert!(!matches!(outcome, Outcome::InfraError), "{what}: {:#?}", judgement.verdict);
                judged += 1;
            }
            Err(JudgeError::Project(_) | JudgeError::Unloadable { .. }) => {}
            Err(error) => panic!("{what}: {error}"),
        }
        // Nothing was checked before this.
        let loaded = witness.judges.load(&file).await;
        assert!(matches!(loaded, Ok(_) | Err(PlayError::Unloadable(_))), "{what}: {loaded:?}");
        witness.passes_as_ever(&what).await;
    }
    assert!(judged > 0, "all files were refused");
    witness.judges.close().await;
    fleet.shutdown().await;
}
