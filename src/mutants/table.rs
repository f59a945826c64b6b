//! Table mutants: golden projects that know some inputs by heart, and stop at any other. Such a program behaves like one that answers
//! from a table of what a judge was seen to ask, without the answers having to be written down.
//!
//! Inputs are what is typed after the green flag, and what lists hold when it is clicked; a list that the program empties by itself is
//! no input. One copy of the golden project notes them in a variable, which its trace shows; the mutant is made from these notes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::behaviour::{reporter, statement, variable, variable_field};
use super::collateral::stop_all;
use super::stack::{self, Stack};
use crate::model::Trace;
use crate::project::Project;
use crate::project::view::{TargetView, targets};

/// The variable that collects the inputs of a round, from one green flag to the next.
const INPUTS: (&str, &str) = ("mutant-inputs", "mutant inputs");
/// The variable that collects the inputs of all rounds.
const NOTES: (&str, &str) = ("mutant-notes", "mutant notes");
/// The trace's signal of it.
const NOTED: &str = "Stage/variable/mutant notes";
/// What no input contains: it stands before each input of a round, and before each round's.
const INPUT: &str = "␟";
const ROUND: &str = "␞";

/// Where a round begins, and where an answer comes.
const FLAG: &str = "event_whenflagclicked";
const ASK: &str = "sensing_askandwait";

/// What is done with the inputs so far.
enum InputUse {
    Note,
    /// Stops unless they are in this text.
    Check(String),
}

/// A part of a text that is put together while the program runs.
enum TextPart<'a> {
    Text(&'a str),
    Inputs,
    Notes,
    Answer,
    /// Name and id.
    List(&'a str, &'a str),
}

/// The golden project, which also notes its inputs; `None` if it takes none.
pub fn noting_inputs(golden: &Project) -> Option<Project> {
    with_inputs(golden, &InputUse::Note)
}

/// The inputs that such a project noted, each with those before it in its round.
pub fn noted_inputs(trace: &Trace) -> BTreeSet<String> {
    let last = trace.runs.iter().filter_map(|run| run.signals.get(NOTED)?.v.last()?.as_str());
    last.flat_map(|text| text.split(ROUND).skip(1)).map(str::to_owned).collect()
}

/// The golden project, which stops all that it does at any other input; `None` if it takes none.
pub fn table_mutant(golden: &Project, inputs: &BTreeSet<String>) -> Option<Project> {
    let known = inputs.iter().fold(String::new(), |known, inputs| known + ROUND + inputs);
    with_inputs(golden, &InputUse::Check(known + ROUND))
}

fn with_inputs(golden: &Project, what: &InputUse) -> Option<Project> {
    let mut json = golden.json.clone();
    let mut takes_any = false;
    for (index, target) in targets(&golden.json).enumerate() {
        let lists = input_lists(golden, target);
        let blocks = json.get_mut("targets")?.get_mut(index)?.get_mut("blocks")?.as_object_mut()?;
        for block in target.blocks() {
            let mut added = AddedBlocks::below(block.id);
            match block.opcode {
                FLAG => added.begin(&lists, what),
                ASK => added.take_answer(what),
                _ => continue,
            }
            takes_any |= block.opcode == ASK || !lists.is_empty();
            blocks.extend(added.inner);
            stack::insert(blocks, block.id, &added.stack)?;
        }
    }
    let variables = json.get_mut("targets")?.get_mut(0)?.get_mut("variables")?.as_object_mut()?;
    for (id, name) in [INPUTS, NOTES] {
        variables.insert(id.to_owned(), json!([name, ""]));
    }
    let project = Project { json, assets: golden.assets.clone() };
    (takes_any && project.check().is_ok()).then_some(project)
}

/// Names and ids of the lists of a target and of the stage that hold what the program was given.
fn input_lists<'a>(golden: &'a Project, target: TargetView<'a>) -> Vec<(&'a str, &'a str)> {
    let blocks = targets(&golden.json).flat_map(|target| target.blocks());
    let emptied: BTreeSet<&str> = blocks
        .filter(|block| block.opcode == "data_deletealloflist")
        .filter_map(|block| block.field("LIST")?.id)
        .collect();
    let outer = targets(&golden.json).find(TargetView::is_stage).filter(|_| !target.is_stage());
    let lists = outer.into_iter().chain([target]).flat_map(|target| target.entries("lists"));
    lists.filter(|(id, _)| !emptied.contains(id)).filter_map(|(id, list)| Some((list.get(0)?.as_str()?, id))).collect()
}

/// The blocks that are added below one.
struct AddedBlocks<'a> {
    /// The id of that block, from which new ids are made.
    place: &'a str,
    ids: usize,
    stack: Stack,
    /// Blocks that lie in slots and mouths.
    inner: Stack,
}

impl<'a> AddedBlocks<'a> {
    const fn below(place: &'a str) -> Self {
        Self { place, ids: 0, stack: Vec::new(), inner: Vec::new() }
    }

    /// A round begins: its inputs are what lists hold, if there are any.
    fn begin(&mut self, lists: &[(&str, &str)], what: &InputUse) {
        let parts: Vec<TextPart<'_>> =
            lists.iter().flat_map(|(name, id)| [TextPart::Text(INPUT), TextPart::List(name, id)]).collect();
        self.set(INPUTS, &parts);
        if !lists.is_empty() {
            self.look(what);
        }
    }

    /// A question was answered.
    fn take_answer(&mut self, what: &InputUse) {
        self.set(INPUTS, &[TextPart::Inputs, TextPart::Text(INPUT), TextPart::Answer]);
        self.look(what);
    }

    fn look(&mut self, what: &InputUse) {
        match what {
            InputUse::Note => self.set(NOTES, &[TextPart::Notes, TextPart::Text(ROUND), TextPart::Inputs]),
            InputUse::Check(known) => self.stop_unless(known),
        }
    }

    fn new_id(&mut self) -> String {
        self.ids += 1;
        format!("{}.table{}", self.place, self.ids)
    }

    fn set(&mut self, to: (&str, &str), parts: &[TextPart<'_>]) {
        let block = self.new_id();
        let value = self.joined(&block, parts);
        self.stack.push((block, statement("data_setvariableto", &json!({"VALUE": value}), &variable_field(to))));
    }

    /// `if <not <(known) contains (inputs)?>> then stop all`.
    fn stop_unless(&mut self, known: &str) {
        let [guard, not, contains, stop] = std::array::from_fn(|_| self.new_id());
        let inputs = self.joined(&contains, &[TextPart::Text(ROUND), TextPart::Inputs, TextPart::Text(ROUND)]);
        let known = json!({"STRING1": [1, [10, known]], "STRING2": inputs});
        self.inner.push((contains.clone(), reporter("operator_contains", &not, &known)));
        self.inner.push((not.clone(), reporter("operator_not", &guard, &json!({"OPERAND": [2, contains]}))));
        let mut end = stop_all();
        end["parent"] = json!(guard);
        let inputs = json!({"CONDITION": [2, not], "SUBSTACK": [2, stop]});
        self.inner.push((stop, end));
        self.stack.push((guard, statement("control_if", &inputs, &json!({}))));
    }

    /// What a slot of a block holds to put these texts together.
    fn joined(&mut self, parent: &str, parts: &[TextPart<'_>]) -> Value {
        match parts {
            [] => json!([1, [10, ""]]),
            [one] => self.single(parent, one),
            [one, rest @ ..] => {
                let id = self.new_id();
                let inputs = json!({"STRING1": self.single(&id, one), "STRING2": self.joined(&id, rest)});
                self.inner.push((id.clone(), reporter("operator_join", parent, &inputs)));
                json!([3, id, [10, ""]])
            }
        }
    }

    fn single(&mut self, parent: &str, part: &TextPart<'_>) -> Value {
        match part {
            TextPart::Text(text) => json!([1, [10, text]]),
            TextPart::Inputs => json!([3, variable(INPUTS), [10, ""]]),
            TextPart::Notes => json!([3, variable(NOTES), [10, ""]]),
            TextPart::List(name, id) => json!([3, [13, name, id], [10, ""]]),
            TextPart::Answer => {
                let id = self.new_id();
                self.inner.push((id.clone(), reporter("sensing_answer", parent, &json!({}))));
                json!([3, id, [10, ""]])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::tests::{Node, flag, node, project};

    fn ask() -> Node {
        node("sensing_askandwait").input("QUESTION", json!([10, "Which year?"]))
    }

    fn say() -> Node {
        node("looks_say").slot("MESSAGE", node("sensing_answer"))
    }

    fn add_to_items() -> Node {
        node("data_addtolist").input("ITEM", json!([10, "x"])).field("LIST", json!(["items", "l1"]))
    }

    fn blocks(project: &Project) -> &Value {
        &project.json["targets"][1]["blocks"]
    }

    /// The opcodes of a stack from a block on.
    fn stack_from<'a>(project: &'a Project, first: &str) -> Vec<&'a str> {
        let mut at = blocks(project)[first]["next"].as_str();
        let mut found = Vec::new();
        while let Some(id) = at {
            found.push(blocks(project)[id]["opcode"].as_str().unwrap());
            at = blocks(project)[id]["next"].as_str();
        }
        found
    }

    /// The project with a script that empties its list, which is then no input.
    fn asking() -> Project {
        let empty = node("data_deletealloflist").field("LIST", json!(["items", "l1"]));
        project(&[vec![flag(), ask(), say(), empty]])
    }

    #[test]
    fn answers_are_noted_as_they_come_and_the_round_begins_with_the_flag() {
        let noting = noting_inputs(&asking()).unwrap();
        let set = "data_setvariableto";
        assert_eq!(
            stack_from(&noting, "s0-0"),
            [set, "sensing_askandwait", set, set, "looks_say", "data_deletealloflist"]
        );
        let reset = &blocks(&noting)["s0-0.table1"];
        assert_eq!(reset["inputs"]["VALUE"], json!([1, [10, ""]]));
        assert_eq!(reset["fields"]["VARIABLE"], json!(["mutant inputs", "mutant-inputs"]));
        assert_eq!(noting.json["targets"][0]["variables"]["mutant-notes"], json!(["mutant notes", ""]));
        assert!(noting.check().is_ok());
    }

    #[test]
    fn what_a_list_holds_at_the_flag_is_an_input_unless_the_program_empties_it() {
        let filled = noting_inputs(&project(&[vec![flag(), add_to_items()]])).unwrap();
        let set = "data_setvariableto";
        assert_eq!(stack_from(&filled, "s0-0"), [set, set, "data_addtolist"]);
        assert!(blocks(&filled).to_string().contains(r#"[13,"items","l1"]"#));
        assert!(!blocks(&noting_inputs(&asking()).unwrap()).to_string().contains(r#"[13,"items","l1"]"#));
    }

    #[test]
    fn a_project_that_takes_no_input_has_no_table() {
        let empty = node("data_deletealloflist").field("LIST", json!(["items", "l1"]));
        let deaf = project(&[vec![flag(), empty]]);
        assert_eq!((noting_inputs(&deaf), table_mutant(&deaf, &BTreeSet::new())), (None, None));
    }

    #[test]
    fn notes_are_read_from_all_programs_of_a_trace_and_make_the_table() {
        let run = |notes: &str| json!({"ticks": 9, "signals": {"Stage/variable/mutant notes": {"t": [0, 5], "v": ["", notes]}}});
        let runs = [run("␞␟2023␞␟2023␟3"), run("␞␟"), run(""), json!({"ticks": 1, "signals": {}})];
        let trace = Trace::of(json!({"format": 1, "clock": null, "seed": 1, "runs": runs})).unwrap();
        let noted = noted_inputs(&trace);
        assert_eq!(noted.iter().map(String::as_str).collect::<Vec<_>>(), ["␟", "␟2023", "␟2023␟3"]);

        let table = table_mutant(&asking(), &noted).unwrap();
        let set = "data_setvariableto";
        assert_eq!(
            stack_from(&table, "s0-0"),
            [set, "sensing_askandwait", set, "control_if", "looks_say", "data_deletealloflist"]
        );
        let text = blocks(&table).to_string();
        assert!(text.contains(r#"[10,"␞␟␞␟2023␞␟2023␟3␞"]"#) && text.contains("control_stop"), "{text}");
    }
}
