//! The tools of a mode: the registry's entries, and those that begin and end an attempt.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::reply::APART;
use super::{bugs, lifecycle};
use crate::action::tool_schema::{self as schema, add, flatten, inline, remove};
use crate::action::{ActionTool, Entry, Kind, registry};
use crate::model::{Mode, Timing};

/// Which tools a connection has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::IntoStaticStr, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[strum(serialize_all = "snake_case")]
pub enum Offer {
    /// Mouse and keyboard.
    Primitive,
    /// Operations on blocks.
    Composite,
    /// Those of one mode at a time, mouse and keyboard first, with a tool that switches.
    Both,
}

impl Offer {
    /// The mode that a connection begins in.
    pub(super) const fn first(self) -> Mode {
        match self {
            Self::Primitive | Self::Both => Mode::Primitive,
            Self::Composite => Mode::Composite,
        }
    }
}

impl From<Mode> for Offer {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Primitive => Self::Primitive,
            Mode::Composite => Self::Composite,
        }
    }
}

/// The tools of an offer, made once: connections only point to them.
#[derive(Debug, Clone)]
pub(super) struct Toolbox {
    offer: Offer,
    primitive: Arc<[Tool]>,
    composite: Arc<[Tool]>,
}

impl Toolbox {
    /// What is offered, with output schemas where answers are structured, with what extended sessions have, and with the tools for
    /// faults where there are any.
    pub(super) fn new(offer: Offer, structured: bool, extended: bool, has_bugs: bool) -> Self {
        let bugs = without_schemas(if has_bugs { bugs::tools() } else { Vec::new() }, structured);
        let of_mode = |mode| {
            let switch = (offer == Offer::Both).then(|| lifecycle::switch_tool(structured));
            tools(mode, structured, extended).into_iter().chain(switch).chain(bugs.iter().cloned()).collect()
        };
        Self { offer, primitive: of_mode(Mode::Primitive), composite: of_mode(Mode::Composite) }
    }

    pub(super) const fn offer(&self) -> Offer {
        self.offer
    }

    /// The tools that a connection in this mode has.
    pub(super) const fn of(&self, mode: Mode) -> &Arc<[Tool]> {
        match mode {
            Mode::Primitive => &self.primitive,
            Mode::Composite => &self.composite,
        }
    }
}

/// All tools of a mode: first those that begin and end an attempt, then the actions in the registry's order. What they
/// answer is described where answers have that structure.
pub fn tools(mode: Mode, structured: bool, extended: bool) -> Vec<Tool> {
    let offered = registry().iter().filter(|entry| entry.mode == mode && (extended || !entry.extended));
    let actions = offered.map(|entry| of_entry(entry, extended));
    without_schemas(lifecycle::tools().into_iter().chain(actions).collect(), structured)
}

/// What tools answer is described only where answers have that structure.
fn without_schemas(mut tools: Vec<Tool>, structured: bool) -> Vec<Tool> {
    if !structured {
        for tool in &mut tools {
            tool.output_schema = None;
        }
    }
    tools
}

/// The same tools for stateless connections: each call names its session, and the mode can't be switched.
pub(super) fn without_connection(mut tools: Vec<Tool>) -> Vec<Tool> {
    tools.retain(|tool| tool.name != super::call::SWITCH);
    for tool in tools.iter_mut().filter(|tool| !bugs::is_one(&tool.name)) {
        let mut input = (*tool.input_schema).clone();
        if schema::require(&mut input, "session", "From `start_task`.") {
            tool.input_schema = Arc::new(input);
        }
    }
    tools
}

fn of_entry(entry: &'static Entry, extended: bool) -> Tool {
    let ActionTool { name, doc, mut input } = ActionTool::of(entry, extended);
    add(&mut input, "session", session_field());
    if entry.kind == Kind::Act {
        add(&mut input, "observation", observation_field());
    }
    let annotations = ToolAnnotations::new()
        .read_only(entry.kind == Kind::Observe)
        .destructive(entry.kind == Kind::Act)
        .open_world(false);
    Tool::new(name, doc, Arc::new(input)).with_raw_output_schema(Arc::new(output(entry))).with_annotations(annotations)
}

/// What an action's structured result looks like. The picture and texts that say the same again are content of their
/// own, so that nothing is sent twice.
fn output(entry: &'static Entry) -> Map<String, Value> {
    let mut data = inline(entry.data_schema);
    flatten(&mut data);
    remove(&mut data, &APART);
    let fields = json!({
        "executed": {
            "type": "object",
            "description": "The arguments as carried out: defaults filled in, indexes resolved to coordinates.",
        },
        "data": data,
        "timing": schema::of::<Timing>(),
        "steps_left": {"type": "integer", "description": "Actions that the attempt has left in this mode."},
    });
    let mut output = Map::new();
    output.insert("type".to_owned(), json!("object"));
    output.insert("properties".to_owned(), fields);
    output.insert("required".to_owned(), json!(["executed", "data", "timing"]));
    output
}

/// Which session a call is for.
pub(super) fn session_field() -> Value {
    json!({
        "type": "string",
        "description": "Default: the one begun last.",
    })
}

fn observation_field() -> Value {
    json!({
        "type": "string",
        "description": "`id` of the observation that this was decided on; refused when it is no longer the newest.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_of_the_mode_is_a_tool_that_hosts_accept() {
        for mode in [Mode::Primitive, Mode::Composite] {
            let tools = tools(mode, true, true);
            for entry in registry().iter().filter(|entry| entry.mode == mode) {
                let tool = tools.iter().find(|tool| tool.name == entry.name).unwrap();
                assert!(tool.description.as_ref().unwrap().starts_with(entry.doc));
            }
            for tool in tools {
                for schema in [&tool.input_schema, tool.output_schema.as_ref().unwrap()] {
                    assert_eq!(schema["type"], "object", "{}", tool.name);
                    assert!(["oneOf", "anyOf", "allOf", "$ref"].iter().all(|name| !schema.contains_key(*name)));
                    assert!(!serde_json::to_string(schema).unwrap().contains("$ref"), "{}", tool.name);
                }
            }
        }
    }

    #[test]
    fn tools_describe_their_answers_only_where_answers_are_structured() {
        for mode in [Mode::Primitive, Mode::Composite] {
            assert!(tools(mode, false, true).iter().all(|tool| tool.output_schema.is_none()));
            let size = |structured| serde_json::to_string(&tools(mode, structured, true)).unwrap().len();
            assert!(size(false) * 2 < size(true));
        }
    }

    /// Bytes per token in tables of costs.
    const BYTES_A_TOKEN: usize = 4;

    #[test]
    fn a_list_of_tools_costs_little_and_says_nothing_that_models_or_hosts_stumble_over() {
        for mode in [Mode::Primitive, Mode::Composite] {
            let list = serde_json::to_string(&tools(mode, false, true)).unwrap();
            assert!(list.len() / BYTES_A_TOKEN < 4000, "{mode}: {} bytes", list.len());
            for word in ["\"oneOf\"", "\"null\"", "\"format\"", "\"const\"", "appendix", "the paper", "contract"] {
                assert!(!list.contains(word), "{mode}: {word} in {list}");
            }
        }
    }

    #[test]
    fn what_extended_sessions_have_is_offered_to_them_alone() {
        let names = |extended| -> Vec<String> {
            tools(Mode::Composite, false, extended).iter().map(|tool| tool.name.to_string()).collect()
        };
        let (plain, extended) = (names(false), names(true));
        assert!(extended.starts_with(&plain), "{extended:?}");
        assert_eq!(extended[plain.len()..], ["add_script", "green_flag", "stop"]);
        let fields = |extended| {
            let tools = tools(Mode::Composite, false, extended);
            let observe = tools.iter().find(|tool| tool.name == "observe").unwrap();
            serde_json::to_string(&observe.input_schema).unwrap()
        };
        assert!(!fields(false).contains("stage") && fields(true).contains("stage"), "{}", fields(false));
        assert!(!fields(true).contains("x-extended"));
    }

    #[test]
    fn a_connection_for_both_modes_has_one_tool_more_and_no_name_twice() {
        let both = Toolbox::new(Offer::Both, false, true, false);
        for mode in [Mode::Primitive, Mode::Composite] {
            let names: std::collections::BTreeSet<_> = both.of(mode).iter().map(|tool| &tool.name).collect();
            assert_eq!(names.len(), tools(mode, false, true).len() + 1);
            assert!(both.of(mode).iter().any(|tool| tool.name == "switch_mode"));
        }
    }

    #[test]
    fn faults_have_three_tools_more_which_cost_little_and_need_no_session() {
        let with = Toolbox::new(Offer::Composite, false, true, true);
        let tools = with.of(Mode::Composite);
        let added = &tools[super::tools(Mode::Composite, false, true).len()..];
        let names: Vec<&str> = added.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["list_bugs", "inspect_bug", "submit_patch"]);
        let list = serde_json::to_string(added).unwrap();
        assert!(list.len() / BYTES_A_TOKEN < 600, "{} bytes", list.len());
        for word in ["\"oneOf\"", "\"null\"", "\"format\"", "\"const\"", "$ref"] {
            assert!(!list.contains(word), "{word} in {list}");
        }
        let alone = without_connection(tools.to_vec());
        let session = |name: &str| {
            let tool = alone.iter().find(|tool| tool.name == name).unwrap();
            tool.input_schema["properties"].get("session").is_some()
        };
        assert!(session("submit") && !session("submit_patch"));
    }

    /// A tool on one line: arguments, those that must be given with a star, and the fields of its result.
    fn line(tool: &Tool) -> String {
        let names = |schema: &Map<String, Value>| -> Vec<String> {
            let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let star = |name: &String| if required.iter().any(|one| one == name) { "*" } else { "" };
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, _)| format!("{name}{}", star(name))).collect()
        };
        let output = tool.output_schema.as_ref().unwrap();
        let data = output["properties"].get("data").and_then(Value::as_object).unwrap_or(output);
        format!("{}({}) -> {}", tool.name, names(&tool.input_schema).join(", "), names(data).join(", "))
    }

    #[test]
    fn the_tools_of_both_modes() {
        for mode in [Mode::Primitive, Mode::Composite] {
            let lines: Vec<String> = tools(mode, true, false).iter().map(line).collect();
            insta::assert_snapshot!(mode.to_string(), lines.join("\n"));
        }
    }

    #[test]
    fn a_tool_in_full() {
        let click = tools(Mode::Primitive, true, false).into_iter().find(|tool| tool.name == "click");
        insta::assert_json_snapshot!(click);
    }
}
