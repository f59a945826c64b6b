//! Whether a program was made through the user interface: each change must follow from input that the browser
//! itself holds for real.
//!
//! A change is explained by a trusted input event before it in the window of the same call, if that call is an
//! action of primitive mode; or, for what the editor finishes later, by the last such event, as long as nothing but
//! looking came between. Loading and resetting begin a new program, and are accepted before the first action only.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Event, EventKind, Mode, RequestEvent};

/// Calls that only look, whatever the mode.
const LOOKS: &[&str] = &["observe", "block_catalogue", "screenshot", "export_project", "done", "failed"];
/// Calls that put another project in place.
const LOADS: &[&str] = &["load_project", "reset"];

/// What a log says about how its program was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// Whether every change follows from real input.
    pub through_the_gui: bool,
    /// Actions of primitive mode.
    pub actions: usize,
    /// Input events that the browser holds for real.
    pub trusted_inputs: usize,
    /// Input events that a script made.
    pub untrusted_inputs: usize,
    /// Changes of the program.
    pub changes: usize,
    /// Changes that follow from no input, or from something else.
    pub breaches: Vec<Breach>,
}

/// A change that is not explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Breach {
    /// The event.
    pub seq: u64,
    /// The call in whose window it happened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request: Option<u64>,
    /// What happened, in a few words.
    pub what: String,
    /// Why it is not explained.
    pub why: Why,
}

/// Why a change is not explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It happened in a call that is no action of primitive mode.
    OtherCall,
    /// There was no real input before it.
    NoInput,
    /// The project was replaced in the middle of the work.
    Replaced,
    /// Scripts of the caller ran in the page, which could do anything, also later.
    PageScript,
}

/// Reads a log from its beginning. Events must be in the order of their numbers.
pub fn provenance(events: &[Event]) -> Provenance {
    let mut reader = Reader::default();
    for event in events {
        reader.read(event);
    }
    reader.found.through_the_gui = reader.found.breaches.is_empty();
    reader.found
}

/// What kind of window is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Window {
    /// Nothing that could change a program.
    #[default]
    Looking,
    /// An action of primitive mode.
    Primitive,
    /// A project is put in place.
    Loading,
    Other,
}

#[derive(Debug, Default)]
struct Reader {
    found: Provenance,
    window: Window,
    api: String,
    /// Time of the first real input in this window.
    input: Option<f64>,
    /// Whether real input of an earlier window may still have an effect.
    lingering: bool,
    /// Programs that were there before, which a lost page may bring back.
    known: BTreeSet<String>,
    /// Whether the page was replaced in this window.
    replaced: bool,
}

impl Reader {
    fn read(&mut self, event: &Event) {
        match &event.what {
            EventKind::Opened(opened) => {
                self.known.insert(opened.program.clone());
            }
            EventKind::Request(request) => self.begin(event, request),
            EventKind::Input(input) if input.trusted => {
                self.found.trusted_inputs += 1;
                // Only input that an action made explains anything.
                if self.window == Window::Primitive {
                    let first = self.input.map_or(event.at_ms, |at| at.min(event.at_ms));
                    self.input = Some(first);
                }
            }
            EventKind::Input(_) => self.found.untrusted_inputs += 1,
            EventKind::Workspace(change) => {
                let opcode = change.blocks.first().map(|block| block.opcode.as_str()).unwrap_or_default();
                let what = format!("{} {opcode} in {}", change.change, change.sprite);
                self.change(event, what.replace("  ", " "));
            }
            EventKind::Vm(change) if change.change == "blocks" => {
                self.change(event, "blocks altered behind the workspace".to_owned());
            }
            EventKind::Program(program) => {
                self.found.changes += 1;
                let restored = self.replaced && self.known.contains(&program.program);
                if !restored {
                    self.change(event, format!("the program of {}", program.sprites.join(", ")));
                }
                self.known.insert(program.program.clone());
            }
            EventKind::Page(_) => self.replaced = true,
            EventKind::Closed(closed) if !self.known.contains(&closed.program) => {
                self.breach(event, "the last program is not one of those before".to_owned(), Why::NoInput);
            }
            _ => {}
        }
    }

    fn begin(&mut self, event: &Event, request: &RequestEvent) {
        let api = request.api.as_str();
        let before = self.window;
        self.window = match request.mode {
            _ if LOOKS.contains(&api) => Window::Looking,
            Some(Mode::Primitive) => Window::Primitive,
            None if LOADS.contains(&api) => Window::Loading,
            _ => Window::Other,
        };
        self.lingering = match self.window {
            Window::Other | Window::Loading => false,
            // What an action set going may end in a later window, as long as no other kind of call came between.
            Window::Looking | Window::Primitive => {
                self.lingering || (before == Window::Primitive && self.input.is_some())
            }
        };
        self.input = None;
        self.replaced = false;
        api.clone_into(&mut self.api);
        match self.window {
            Window::Primitive => self.found.actions += 1,
            Window::Loading if api == "load_project" && self.found.actions > 0 => {
                self.breach(event, "another project was loaded".to_owned(), Why::Replaced);
            }
            // The program that was made so far is gone, with all findings about it.
            Window::Loading if api == "reset" => self.found.breaches.clear(),
            Window::Other if api == "page_script" => {
                self.breach(event, "a script of the caller".to_owned(), Why::PageScript);
            }
            _ => {}
        }
    }

    fn change(&mut self, event: &Event, what: String) {
        match self.window {
            Window::Loading => {}
            // Restoring a project in a new page creates all its blocks again.
            _ if self.replaced && !matches!(event.what, EventKind::Program(_)) => {}
            Window::Other => self.breach(event, format!("{what}, by `{}`", self.api), Why::OtherCall),
            Window::Looking | Window::Primitive => {
                let explained = self.lingering || self.input.is_some_and(|at| at <= event.at_ms);
                if !explained {
                    self.breach(event, what, Why::NoInput);
                }
            }
        }
    }

    fn breach(&mut self, event: &Event, what: String, why: Why) {
        self.found.breaches.push(Breach { seq: event.seq, request: event.request, what, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{InputEvent, Opened, ProgramEvent, WorkspaceEvent};

    /// A log made of calls, each with what happened in its window.
    #[derive(Default)]
    struct Log {
        events: Vec<Event>,
        request: Option<u64>,
    }

    impl Log {
        fn new() -> Self {
            let opened = Opened {
                format: 1,
                session: "s".into(),
                task: None,
                stage: crate::model::StageSize::Large,
                extras: crate::model::Extras::default(),
                editor: crate::model::EditorGeneration::default(),
                started_at: 0.0,
                version: String::new(),
                browser: String::new(),
                program: "p0".into(),
            };
            Self::default().with(EventKind::Opened(opened))
        }

        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        fn with(mut self, what: EventKind) -> Self {
            let seq = self.events.len() as u64 + 1;
            self.events.push(Event { seq, at_ms: seq as f64, request: self.request, what });
            self
        }

        fn call(mut self, mode: Option<Mode>, api: &str) -> Self {
            self.request = None;
            let request = RequestEvent { api: api.into(), mode, ..RequestEvent::default() };
            let mut log = self.with(EventKind::Request(request));
            log.request = Some(log.events.len() as u64);
            log
        }

        fn input(self, trusted: bool) -> Self {
            self.with(EventKind::Input(InputEvent { name: "pointerdown".into(), trusted, ..InputEvent::default() }))
        }

        fn change(self, program: &str) -> Self {
            let made = WorkspaceEvent { change: "create".into(), sprite: "Ball".into(), ..WorkspaceEvent::default() };
            let program = ProgramEvent { program: program.into(), sprites: vec!["Ball".into()] };
            self.with(EventKind::Workspace(made)).with(EventKind::Program(program))
        }

        fn reasons(&self) -> Vec<Why> {
            provenance(&self.events).breaches.iter().map(|breach| breach.why).collect()
        }
    }

    const PRIMITIVE: Option<Mode> = Some(Mode::Primitive);
    const COMPOSITE: Option<Mode> = Some(Mode::Composite);

    #[test]
    fn a_change_after_real_input_is_explained() {
        let log = Log::new().call(PRIMITIVE, "drag_and_drop").input(true).change("p1");
        let found = provenance(&log.events);
        assert!(found.through_the_gui, "{found:?}");
        assert_eq!((found.actions, found.trusted_inputs, found.changes), (1, 1, 1));
        let later = log.call(PRIMITIVE, "observe").change("p2");
        assert_eq!(later.reasons(), [], "what the editor finishes while it is looked at");
    }

    #[test]
    fn a_change_without_real_input_before_it_is_found() {
        let none = Log::new().call(PRIMITIVE, "click").change("p1");
        assert_eq!(none.reasons(), [Why::NoInput, Why::NoInput]);
        let synthetic = Log::new().call(PRIMITIVE, "click").input(false).change("p1");
        assert_eq!(synthetic.reasons(), [Why::NoInput, Why::NoInput]);
        let mut early = Log::new().call(PRIMITIVE, "click").input(true).change("p1");
        early.events[3].at_ms = 0.5;
        assert_eq!(early.reasons(), [Why::NoInput]);
    }

    #[test]
    fn composite_calls_and_jobs_are_not_the_interface() {
        let log = Log::new().call(PRIMITIVE, "click").input(true).call(COMPOSITE, "add_block").change("p1");
        assert_eq!(log.reasons(), [Why::OtherCall, Why::OtherCall]);
        assert_eq!(log.call(None, "job").change("p2").reasons().len(), 4);
        let script = Log::new().call(None, "page_script").call(PRIMITIVE, "click").input(true).change("p1");
        assert_eq!(script.reasons(), [Why::PageScript]);
    }

    #[test]
    fn a_project_may_be_loaded_before_the_work_and_not_during_it() {
        let before = Log::new().call(None, "load_project").change("p1").call(PRIMITIVE, "click").input(true);
        assert_eq!(before.reasons(), []);
        let during = before.call(None, "load_project").change("p2");
        assert_eq!(during.reasons(), [Why::Replaced]);
        assert_eq!(during.call(None, "reset").change("p0").reasons(), []);
    }

    #[test]
    fn a_last_program_without_a_recorded_change_is_found() {
        let closed = EventKind::Closed(crate::model::ClosedEvent { program: "p9".into(), reason: None, attempt: None });
        assert_eq!(Log::new().with(closed).reasons(), [Why::NoInput]);
    }
}
