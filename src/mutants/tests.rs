//! Mutants of hand-made and of random projects.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Mutant, Sample, mutants, mutants_of_script};
use crate::project::Project;
use crate::project::validate;

/// A tree that becomes blocks.
#[derive(Debug, Clone)]
pub(super) struct Node {
    opcode: &'static str,
    inputs: Vec<(&'static str, Value)>,
    fields: Vec<(&'static str, Value)>,
    slots: Vec<(&'static str, Node)>,
    mouth: Vec<Node>,
}

pub(super) fn node(opcode: &'static str) -> Node {
    Node { opcode, inputs: Vec::new(), fields: Vec::new(), slots: Vec::new(), mouth: Vec::new() }
}

impl Node {
    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    pub(super) fn input(mut self, name: &'static str, value: Value) -> Self {
        self.inputs.push((name, json!([1, value])));
        self
    }

    pub(super) fn field(mut self, name: &'static str, value: Value) -> Self {
        self.fields.push((name, value));
        self
    }

    pub(super) fn slot(mut self, name: &'static str, inner: Self) -> Self {
        self.slots.push((name, inner));
        self
    }

    pub(super) fn mouth(mut self, inner: Vec<Self>) -> Self {
        self.mouth = inner;
        self
    }

    fn write(&self, id: &str, parent: Option<&str>, next: Option<&str>, blocks: &mut Map<String, Value>) {
        let mut inputs = Map::new();
        for (name, value) in &self.inputs {
            inputs.insert((*name).to_owned(), value.clone());
        }
        for (name, inner) in &self.slots {
            let inner_id = format!("{id}-{name}");
            inputs.insert((*name).to_owned(), json!([3, inner_id, [10, ""]]));
            inner.write(&inner_id, Some(id), None, blocks);
        }
        if !self.mouth.is_empty() {
            let first = format!("{id}-in");
            inputs.insert("SUBSTACK".to_owned(), json!([2, format!("{first}0")]));
            stack(&self.mouth, &first, Some(id), blocks);
        }
        let fields: Map<String, Value> = self.fields.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        let block = json!({
            "opcode": self.opcode, "next": next, "parent": parent, "inputs": inputs, "fields": fields,
            "shadow": false, "topLevel": parent.is_none(), "x": 0, "y": 0
        });
        blocks.insert(id.to_owned(), block);
    }
}

fn stack(nodes: &[Node], prefix: &str, parent: Option<&str>, blocks: &mut Map<String, Value>) {
    for (i, node) in nodes.iter().enumerate() {
        let above = i.checked_sub(1).map(|above| format!("{prefix}{above}"));
        let next = (i + 1 < nodes.len()).then(|| format!("{prefix}{}", i + 1));
        node.write(&format!("{prefix}{i}"), above.as_deref().or(parent), next.as_deref(), blocks);
    }
}

/// A sprite with these scripts, beside a stage with two variables and one message.
pub(super) fn project(scripts: &[Vec<Node>]) -> Project {
    const DIGEST: &str = "0123456789abcdef0123456789abcdef";
    let mut blocks = Map::new();
    for (i, script) in scripts.iter().enumerate() {
        stack(script, &format!("s{i}-"), None, &mut blocks);
    }
    let look = json!([{"name": "a", "assetId": DIGEST, "dataFormat": "svg"}]);
    let json = json!({
        "targets": [
            {"isStage": true, "name": "Stage", "variables": {"v1": ["score", 0], "v2": ["lives", 3]}, "lists": {},
             "broadcasts": {"m1": "go"}, "blocks": {}, "comments": {}, "costumes": look, "sounds": []},
            {"isStage": false, "name": "A: cat?", "variables": {}, "lists": {"l1": ["items", []]}, "broadcasts": {},
             "blocks": blocks, "costumes": look, "sounds": [],
             "comments": {"c1": {"blockId": "s0-1", "text": "here"}, "c2": {"blockId": null, "text": "free"}}},
        ],
        "meta": {"semver": "3.0.0"}
    });
    Project { json, assets: BTreeMap::new() }
}

pub(super) fn flag() -> Node {
    node("event_whenflagclicked")
}

pub(super) fn step(steps: &str) -> Node {
    node("motion_movesteps").input("STEPS", json!([4, steps]))
}

fn all(scripts: &[Vec<Node>]) -> Sample {
    mutants(&project(scripts), None, usize::MAX, 1)
}

pub(super) fn find<'a>(sample: &'a Sample, id: &str) -> &'a Mutant {
    let ids = || sample.mutants.iter().map(|mutant| mutant.id.as_str()).collect::<Vec<_>>();
    sample.mutants.iter().find(|mutant| mutant.id == id).unwrap_or_else(|| panic!("{id}: {:#?}", ids()))
}

pub(super) fn blocks(mutant: &Mutant) -> &Value {
    &mutant.json["targets"][1]["blocks"]
}

#[test]
fn a_deleted_block_leaves_a_healed_stack() {
    let sample = all(&[vec![flag(), step("10"), node("control_forever").mouth(vec![step("1"), step("2")])]]);
    let middle = find(&sample, "delete:A: cat?:0.1:block");
    assert_eq!(
        (middle.operator, middle.target.as_str(), middle.block.as_str()),
        ("delete", "A: cat?", "move (10) steps")
    );
    assert_eq!((&blocks(middle)["s0-0"]["next"], &blocks(middle)["s0-2"]["parent"]), (&json!("s0-2"), &json!("s0-0")));
    assert_eq!(middle.json["targets"][1]["comments"], json!({"c2": {"blockId": null, "text": "free"}}));
    let first = blocks(find(&sample, "delete:A: cat?:0.2.SUBSTACK.0:block"));
    assert_eq!(first["s0-2"]["inputs"]["SUBSTACK"], json!([2, "s0-2-in1"]));
    let mouth = blocks(find(&sample, "delete:A: cat?:0.2:block"));
    assert_eq!(mouth.as_object().unwrap().keys().collect::<Vec<_>>(), ["s0-0", "s0-1"]);
    assert_eq!(*blocks(find(&sample, "delete:A: cat?:0.0:script")), json!({}));
}

#[test]
fn conditions_are_negated_with_an_id_made_of_the_place() {
    let less = node("operator_lt").input("OPERAND1", json!([10, "1"])).input("OPERAND2", json!([10, "50"]));
    let not = node("operator_not").slot("OPERAND", node("sensing_mousedown"));
    let sample = all(&[vec![
        flag(),
        node("control_wait_until").slot("CONDITION", less),
        node("control_if").slot("CONDITION", not).mouth(vec![step("1")]),
    ]]);
    let negated = blocks(find(&sample, "negate:A: cat?:0.1.CONDITION:not"));
    assert_eq!(negated["s0-1"]["inputs"]["CONDITION"][1], json!("s0-1.CONDITION.not"));
    assert_eq!(negated["s0-1.CONDITION.not"]["inputs"]["OPERAND"], json!([2, "s0-1-CONDITION"]));
    assert_eq!(negated["s0-1-CONDITION"]["parent"], json!("s0-1.CONDITION.not"));
    let plain = blocks(find(&sample, "negate:A: cat?:0.2.CONDITION:not"));
    assert_eq!(plain["s0-2"]["inputs"]["CONDITION"][1], json!("s0-2-CONDITION-OPERAND"));
    let swapped = blocks(find(&sample, "comparison:A: cat?:0.1.CONDITION:gt"));
    assert_eq!(swapped["s0-1-CONDITION"]["opcode"], json!("operator_gt"));
    assert!(find(&sample, "wait:A: cat?:0.1:delete").block.starts_with("wait until"));
}

#[test]
fn messages_and_variables_are_redirected_by_name_and_id() {
    let set =
        node("data_setvariableto").field("VARIABLE", json!(["score", "v1"])).input("VALUE", json!([12, "lives", "v2"]));
    let send = node("event_broadcastandwait").input("BROADCAST_INPUT", json!([11, "GO", "m1"]));
    let hat = node("event_whenbroadcastreceived").field("BROADCAST_OPTION", json!(["over", "m2"]));
    let sample = all(&[vec![flag(), set, send], vec![hat, step("1")]]);
    let variable = blocks(find(&sample, "variable:A: cat?:0.1.VARIABLE:other"));
    assert_eq!(variable["s0-1"]["fields"]["VARIABLE"], json!(["lives", "v2"]));
    let reporter = blocks(find(&sample, "variable:A: cat?:0.1.VALUE:other"));
    assert_eq!(reporter["s0-1"]["inputs"]["VALUE"], json!([1, [12, "score", "v1"]]));
    let other = find(&sample, "message:A: cat?:0.2.BROADCAST_INPUT:other");
    assert_eq!(
        blocks(other)["s0-2"]["inputs"]["BROADCAST_INPUT"],
        json!([1, [11, "over", "m2"]]),
        "the machine makes it"
    );
    let alone = all(&[vec![flag(), node("event_broadcast").input("BROADCAST_INPUT", json!([11, "GO", "m1"]))]]);
    let new = find(&alone, "message:A: cat?:0.1.BROADCAST_INPUT:other");
    assert_eq!(blocks(new)["s0-1"]["inputs"]["BROADCAST_INPUT"], json!([1, [11, "not go", "mutant-message"]]));
    assert_eq!(new.json["targets"][0]["broadcasts"]["mutant-message"], json!("not go"));
    let existing = find(&sample, "message:A: cat?:1.0.BROADCAST_OPTION:other");
    assert_eq!(blocks(existing)["s1-0"]["fields"]["BROADCAST_OPTION"], json!(["go", "m1"]));
    assert_eq!(blocks(find(&sample, "wait:A: cat?:0.2:without"))["s0-2"]["opcode"], json!("event_broadcast"));
}

#[test]
fn only_what_the_initial_project_lacks_is_changed() {
    let initial = project(&[vec![flag(), step("1")], vec![node("event_whenthisspriteclicked"), step("7")]]);
    let golden = project(&[
        vec![node("event_whenthisspriteclicked"), step("7")],
        vec![flag(), step("1"), node("looks_say").input("MESSAGE", json!([10, "Hi"]))],
    ]);
    let ids = |sample: Sample| sample.mutants.into_iter().map(|mutant| mutant.id).collect::<Vec<_>>();
    assert_eq!(
        ids(mutants(&golden, Some(&initial), 40, 1)),
        ["delete:A: cat?:1.2:block", "operand:A: cat?:1.2.MESSAGE:text"]
    );
    // A solution that only takes something away is known by the blocks around the gap.
    let gap = mutants(&initial, Some(&golden), 40, 1);
    assert!(
        gap.mutants.iter().all(|mutant| mutant.id.starts_with("delete:A: cat?:0.1") || mutant.id.contains("0.1.STEPS"))
    );
    assert!(!gap.mutants.is_empty());
    assert!(mutants(&golden, Some(&golden), 40, 1).population > 4);
}

#[test]
fn numbers_as_texts_and_what_only_some_programs_write_are_no_changes() {
    let stop = node("control_stop").field("STOP_OPTION", json!(["all", null]));
    let mut golden = project(&[vec![flag(), step("1"), stop.clone()], vec![flag(), step("2")]]);
    let initial = project(&[vec![flag(), step("1"), stop]]);
    golden.json["targets"][1]["blocks"]["s0-1"]["inputs"]["STEPS"] = json!([1, [4, 1]]);
    golden.json["targets"][1]["blocks"]["s0-2"]["mutation"] = json!({"tagName": "mutation", "hasnext": "false"});
    let sample = mutants(&golden, Some(&initial), 40, 1);
    assert!(sample.mutants.iter().all(|mutant| mutant.path.starts_with("1.")), "{:?}", sample.operators);
    assert_eq!(sample.population, 4);
}

#[test]
fn a_stack_that_nothing_starts_has_no_mutants() {
    assert_eq!(all(&[vec![step("1"), step("2")]]).population, 0);
}

#[test]
fn a_script_that_answers_to_another_key_is_known() {
    let hat = node("event_whenkeypressed").field("KEY_OPTION", json!(["space", null]));
    let sample = all(&[vec![hat, step("1")]]);
    let other = find(&sample, "choice:A: cat?:0.0.KEY_OPTION:other");
    assert_eq!(blocks(other)["s0-0"]["fields"]["KEY_OPTION"], json!(["right arrow", null]));
    let known: Vec<&Mutant> = sample.mutants.iter().filter(|mutant| mutant.hides_from_traces()).collect();
    assert_eq!(known, [other]);
}

#[test]
fn what_no_trace_records_is_known_with_what_lies_around_it() {
    let pen = node("control_repeat").input("TIMES", json!([6, "4"])).mouth(vec![step("1"), node("pen_stamp")]);
    let sample = all(&[vec![flag(), step("5"), pen], vec![flag(), step("9")]]);
    let hidden = |path: &str| sample.mutants.iter().filter(|found| found.path == path).all(Mutant::hides_from_traces);
    for path in ["0.0", "0.2", "0.2.TIMES", "0.2.SUBSTACK.1"] {
        assert!(hidden(path), "{path}");
    }
    for path in ["0.1", "0.2.SUBSTACK.0", "0.2.SUBSTACK.0.STEPS", "1.0"] {
        assert!(!hidden(path), "{path}");
    }
}

#[test]
fn those_of_one_script_are_the_same_and_no_others_are_made() {
    let script = || vec![node("event_whenflagclicked"), node("motion_movesteps").input("STEPS", json!([4, "10"]))];
    let project = project(&[script(), script()]);
    let ids = |mutants: &[Mutant]| mutants.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    let all = mutants(&project, None, 1000, 1).mutants;
    let (first, second): (Vec<Mutant>, Vec<Mutant>) = all.into_iter().partition(|one| one.path.starts_with("0."));
    let of = |script: &str| mutants_of_script(&project, &first[0].target, script, 1000, 1);
    assert!(!second.is_empty());
    assert_eq!((ids(&of("0")), ids(&of("1"))), (ids(&first), ids(&second)));
    assert_eq!(of("2"), []);
}

#[test]
fn a_sample_says_what_it_was_taken_from() {
    let moves: Vec<Node> = std::iter::once(flag()).chain((1..30).map(|n| step(&n.to_string()))).collect();
    let golden = project(&[moves]);
    let (few, all) = (mutants(&golden, None, 10, 7), mutants(&golden, None, 1000, 7));
    assert_eq!((few.population, few.mutants.len()), (all.population, 10));
    assert_eq!(few.operators, BTreeMap::from([("delete", 30), ("operand", 58)]));
    assert_eq!(few.mutants.iter().filter(|mutant| mutant.operator == "delete").count(), 5);
    assert_eq!(few, mutants(&golden, None, 10, 7));
    assert_ne!(few, mutants(&golden, None, 10, 8));
}

fn reporter() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![Just(node("sensing_answer")), Just(node("sensing_timer"))];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let with = |opcode: &'static str, a: &'static str, b: &'static str, inner: BoxedStrategy<Node>| {
            (inner, "-?[0-9]{1,3}")
                .prop_map(move |(inner, number)| node(opcode).slot(a, inner).input(b, json!([10, number])))
        };
        prop_oneof![
            with("operator_add", "NUM1", "NUM2", inner.clone().boxed()),
            with("operator_lt", "OPERAND1", "OPERAND2", inner.clone().boxed()),
            inner.prop_map(|inner| node("operator_not").slot("OPERAND", inner)),
        ]
    })
}

fn statement() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        "-?[0-9]{1,3}".prop_map(|steps| step(&steps)),
        Just(node("control_wait").input("DURATION", json!([5, "1"]))),
        Just(node("event_broadcastandwait").input("BROADCAST_INPUT", json!([11, "go", "m1"]))),
        Just(node("motion_glidesecstoxy").input("SECS", json!([4, "1"])).input("X", json!([4, "0"]))),
        Just(node("looks_sayforsecs").input("MESSAGE", json!([10, "x"])).input("SECS", json!([4, "2"]))),
        reporter().prop_map(|value| {
            node("data_setvariableto").field("VARIABLE", json!(["score", "v1"])).slot("VALUE", value)
        }),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        (reporter(), prop::collection::vec(inner, 0..4))
            .prop_map(|(condition, mouth)| node("control_if").slot("CONDITION", condition).mouth(mouth))
    })
}

pub(super) fn scripts() -> impl Strategy<Value = Vec<Vec<Node>>> {
    let script = prop::collection::vec(statement(), 0..6).prop_map(|mut stack| {
        stack.insert(0, flag());
        stack
    });
    prop::collection::vec(script, 1..4)
}

/// How many random projects are tried: few, since each has many mutants. `PROPTEST_CASES` asks for more.
pub(super) fn few() -> ProptestConfig {
    let usual = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_some() { usual } else { ProptestConfig { cases: 48, ..usual } }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn every_mutant_is_sound_and_differs_from_the_golden_and_the_others(scripts in scripts(), limit in 1..60_usize) {
        let golden = project(&scripts);
        let sample = mutants(&golden, None, limit, 1);
        prop_assert!(sample.mutants.len() == limit.min(sample.population));
        let warnings = validate(&golden).len();
        let mut ids = BTreeSet::new();
        for mutant in &sample.mutants {
            prop_assert!(ids.insert(&mutant.id));
            prop_assert!(mutant.json != golden.json);
            let found = validate(&mutant.project(&golden));
            prop_assert!(found.len() <= warnings, "{}: {found:?}", mutant.id);
            prop_assert!(!mutant.block.is_empty());
        }
    }
}

#[test]
fn a_variable_is_another_one_by_its_id_and_not_by_its_name() {
    let set =
        |id: &str| node("data_setvariableto").input("VALUE", json!([10, "0"])).field("VARIABLE", json!(["score", id]));
    let of = |id: &str| {
        let mut project = project(&[vec![flag(), set(id)]]);
        project.json["targets"][0]["variables"] = json!({"v1": ["score", 0]});
        project.json["targets"][1]["variables"] = json!({"own": ["score", 0]});
        project
    };
    let field = |sample: &Sample| {
        blocks(find(sample, "variable:A: cat?:0.1.VARIABLE:other"))["s0-1"]["fields"]["VARIABLE"].clone()
    };
    assert_eq!(field(&mutants(&of("own"), None, usize::MAX, 1)), json!(["score", "v1"]));
    assert_eq!(field(&mutants(&of("v1"), None, usize::MAX, 1)), json!(["score", "own"]));
    // The machine takes the stage's for an id that nothing has: the other one is the sprite's own.
    assert_eq!(field(&mutants(&of("gone"), None, usize::MAX, 1)), json!(["score", "own"]));
    let changed = mutants(&of("own"), Some(&of("v1")), usize::MAX, 1);
    assert!(!changed.mutants.is_empty());
    assert!(
        changed.mutants.iter().all(|mutant| mutant.path.starts_with("0.1")),
        "only the statement that sets another one"
    );
}
