//! The plan as a graph of subtasks: reading it from an answer, checking it, and putting it in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

/// More subtasks than this are no plan for one task of the editor; the longest of ours needs about ten.
const MOST: usize = 40;
/// Characters of a line of a plan that become the name of a subtask.
const NAME: usize = 120;

/// A part of a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Subtask {
    pub(super) name: String,
    /// What else is known about it.
    pub(super) info: String,
}

/// Why an answer holds no graph, in words that its author can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum GraphFault {
    #[error("the answer has no JSON object")]
    NoObject,
    #[error("the JSON is not of the form {{\"dag\": {{\"nodes\": […], \"edges\": […]}}}}: {0}")]
    BadForm(String),
    #[error("a node has no name")]
    NoName,
    #[error("two nodes are named `{0}`")]
    Twice(String),
    #[error("an edge names `{0}`, which is no node")]
    UnknownNode(String),
    #[error("the edges go round in a circle through `{0}`")]
    Circle(String),
    #[error("there are more than {MOST} nodes")]
    TooMany,
    #[error("there are no nodes")]
    NoNodes,
}

#[derive(Deserialize)]
struct Graph {
    nodes: Vec<Node>,
    #[serde(default)]
    edges: Vec<(End, End)>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    name: String,
    #[serde(default)]
    info: String,
}

/// An end of an edge: a node's name, or the node once more.
#[derive(Deserialize)]
#[serde(untagged)]
enum End {
    Name(String),
    Node { name: String },
}

impl End {
    fn name(&self) -> &str {
        let (Self::Name(name) | Self::Node { name }) = self;
        name.trim()
    }
}

/// The subtasks in an answer, each after those that it depends on; otherwise in the order in which they are listed.
///
/// # Errors
/// When the answer holds no graph, or one that has no order.
pub(super) fn read_graph(answer: &str) -> Result<Vec<Subtask>, GraphFault> {
    let graph = parsed(answer)?;
    if graph.nodes.len() > MOST {
        return Err(GraphFault::TooMany);
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        let name = node.name.trim();
        if name.is_empty() {
            return Err(GraphFault::NoName);
        }
        if numbers.insert(name, number).is_some() {
            return Err(GraphFault::Twice(name.to_owned()));
        }
    }
    let number =
        |end: &End| numbers.get(end.name()).copied().ok_or_else(|| GraphFault::UnknownNode(end.name().to_owned()));
    let edges = graph.edges.iter().map(|(from, to)| Ok((number(from)?, number(to)?)));
    let order = ordered(graph.nodes.len(), &edges.collect::<Result<_, GraphFault>>()?);
    let order = order.map_err(|stuck| GraphFault::Circle(graph.nodes[stuck].name.trim().to_owned()))?;
    let subtask = |number: usize| {
        let Node { name, info } = &graph.nodes[number];
        Subtask { name: name.trim().to_owned(), info: info.trim().to_owned() }
    };
    Ok(order.into_iter().map(subtask).collect())
}

fn parsed(answer: &str) -> Result<Graph, GraphFault> {
    static TAGGED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<json>(.*?)</json>").ok());
    static FENCED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)```[^\n`{]*(.*?)```").ok());
    let places = [&TAGGED, &FENCED].into_iter().filter_map(|pattern| {
        let found = pattern.as_ref()?.captures(answer)?;
        found.get(1).map(|text| text.as_str())
    });
    let braces = answer.find('{').zip(answer.rfind('}')).filter(|(start, end)| start < end);
    let braces = braces.map(|(start, end)| &answer[start..=end]);
    let mut fault = GraphFault::NoObject;
    for text in places.chain(braces) {
        match graph(text) {
            Ok(graph) => return Ok(graph),
            Err(found) if fault == GraphFault::NoObject => fault = found,
            Err(_) => {}
        }
    }
    Err(fault)
}

fn graph(text: &str) -> Result<Graph, GraphFault> {
    let bad = |error: serde_json::Error| GraphFault::BadForm(error.to_string());
    let mut value: Value = serde_json::from_str(text.trim()).map_err(bad)?;
    // Some models leave the outermost object out.
    let graph = match value.get_mut("dag") {
        Some(dag) => dag.take(),
        None => value,
    };
    serde_json::from_value(graph).map_err(bad)
}

/// The nodes, each after all that have an edge to it, and of several that could be next the first; else one of a circle.
fn ordered(count: usize, edges: &BTreeSet<(usize, usize)>) -> Result<Vec<usize>, usize> {
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut order = Vec::new();
    while let Some(first) = left.first().copied() {
        let is_free = |node: &usize| !edges.iter().any(|(from, to)| to == node && left.contains(from));
        let next = left.iter().copied().find(is_free).ok_or(first)?;
        left.remove(&next);
        order.push(next);
    }
    Ok(order)
}

/// The lines of a plan as subtasks, in their order: its numbered or marked lines, or all where there are none. What takes
/// the place of a graph that can't be read.
pub(super) fn lines_of(plan: &str) -> Vec<Subtask> {
    static MARKED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^\s*(?:\d+[.)]|[-*•]|(?i:step|subtask)\s+\d+[.:)]?)\s*(\S.*)$").ok());
    let marked = |line: &str| Some(MARKED.as_ref()?.captures(line)?.get(1)?.as_str().trim().to_owned());
    let mut lines: Vec<String> = plan.lines().filter_map(marked).collect();
    if lines.is_empty() {
        lines = plan.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    }
    lines.into_iter().take(MOST).map(|line| Subtask { name: line.chars().take(NAME).collect(), info: line }).collect()
}

/// A graph may have no nodes only where something is done already.
pub(super) fn read_first_graph(answer: &str) -> Result<Vec<Subtask>, GraphFault> {
    read_graph(answer).and_then(|order| if order.is_empty() { Err(GraphFault::NoNodes) } else { Ok(order) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(order: &[Subtask]) -> Vec<&str> {
        order.iter().map(|subtask| subtask.name.as_str()).collect()
    }

    const GRAPH: &str = r#"{"dag": {"nodes": [{"name": "run", "info": "Click the flag."}, {"name": "open", "info": "o"},
        {"name": "paint", "info": ""}, {"name": "drag"}], "edges": [["open", "drag"], ["drag", "run"],
        [{"name": "open", "info": "o"}, {"name": "paint"}]]}}"#;

    #[test]
    fn subtasks_come_after_what_they_depend_on_and_else_as_listed() {
        let order = read_graph(GRAPH).unwrap();
        assert_eq!(names(&order), ["open", "paint", "drag", "run"]);
        assert_eq!(order[3].info, "Click the flag.");
    }

    #[test]
    fn a_graph_is_found_in_tags_fences_and_among_words() {
        let expected = read_graph(GRAPH).unwrap();
        let inner = GRAPH.trim_start_matches("{\"dag\": ").trim_end().strip_suffix('}').unwrap();
        for answer in [
            format!("Here it is: <json>\n{GRAPH}\n</json> {{}}"),
            format!("```json\n{GRAPH}\n```\nDone."),
            format!("```\n{GRAPH}```"),
            format!("The graph {GRAPH} follows the plan."),
            format!("<json>{inner}</json>"),
            format!("<json>not this</json>\n```json\n{GRAPH}\n```"),
        ] {
            assert_eq!(read_graph(&answer).as_ref(), Ok(&expected), "{answer}");
        }
    }

    #[test]
    fn what_is_no_graph_is_named() {
        let of = |nodes: &str, edges: &str| format!(r#"{{"dag": {{"nodes": [{nodes}], "edges": [{edges}]}}}}"#);
        let (a, b) = (r#"{"name": "a", "info": ""}"#, r#"{"name": "b", "info": ""}"#);
        let many: Vec<String> = (0..41).map(|n| format!(r#"{{"name": "n{n}"}}"#)).collect();
        let cases = [
            (String::new(), "no JSON object"),
            ("1. Open the tab.".to_owned(), "no JSON object"),
            ("} first {".to_owned(), "no JSON object"),
            ("<json></json>".to_owned(), "not of the form"),
            (r#"{"dag": {"nodes": [{"name": "a""#.to_owned(), "no JSON object"),
            (r#"{"dag": {"nodes": [{"name": "a"}"#.to_owned(), "not of the form"),
            ("{\"dag\": []}".to_owned(), "not of the form"),
            ("{\"dag\": null}".to_owned(), "not of the form"),
            ("{\"steps\": [1]}".to_owned(), "not of the form"),
            (of("\"a\"", ""), "not of the form"),
            (of(r#"{"name": 7}"#, ""), "not of the form"),
            (of(a, r#"["a"]"#), "not of the form"),
            (of(r#"{"info": "x"}"#, ""), "no name"),
            (of(r#"{"name": "  "}"#, ""), "no name"),
            (of(&format!("{a}, {a}"), ""), "two nodes are named `a`"),
            (of(a, r#"["a", "c"]"#), "`c`, which is no node"),
            (of(&format!("{a}, {b}"), r#"["a", "b"], ["b", "a"]"#), "circle through `a`"),
            (of(a, r#"["a", "a"]"#), "circle through `a`"),
            (of(&many.join(","), ""), "more than 40"),
        ];
        for (answer, part) in cases {
            let fault = read_graph(&answer).unwrap_err().to_string();
            assert!(fault.contains(part), "{answer}: {fault}");
        }
        assert_eq!(read_graph(&of("", "")), Ok(Vec::new()), "nothing is left to do");
        assert_eq!(read_first_graph(&of("", "")), Err(GraphFault::NoNodes));
    }

    #[test]
    fn a_plan_without_a_graph_is_taken_line_by_line() {
        let plan = "Plan:\n1. Open the sprite.\n  2) Drag the block up.\n\n- Run it.\nStep 4: Look.\nThat is all.";
        assert_eq!(names(&lines_of(plan)), ["Open the sprite.", "Drag the block up.", "Run it.", "Look."]);
        assert_eq!(names(&lines_of("Open it.\n\nRun it.")), ["Open it.", "Run it."]);
        let long = lines_of(&format!("1. {}", "é".repeat(500)));
        assert_eq!((long[0].name.chars().count(), long[0].info.chars().count()), (120, 500));
        assert_eq!(lines_of(" \n"), []);
        assert_eq!(lines_of(&"- x\n".repeat(100)).len(), 40);
    }
}
