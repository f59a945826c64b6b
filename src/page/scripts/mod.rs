//! The table of page functions: name, source file and the types of its arguments and result.
//!
//! A page function is one file under `js/<room>/fn/`; see `js/prelude.js` for what it is given. Each new document has the
//! helpers of [`IN_PRELUDE`]; those of another room come with the first call that needs them.

mod rooms;

use std::fmt::Write as _;
use std::marker::PhantomData;

pub use rooms::{COMPOSITE, IN_PRELUDE, PAGE, ROOMS, Room};

use super::results::{
    ElementsSeen, LoadProject, LoadedProject, PageState, Readiness, SettleRequest, Settled, ShowStage, SnapshotRequest,
};
use crate::model::required;

/// A typed page function.
#[derive(Debug)]
pub struct PageFn<A, R> {
    path: &'static str,
    source: &'static str,
    /// Whether it works in every generation of the editor.
    everywhere: bool,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> PageFn<A, R> {
    /// Names a function as `<room>/<name>`, or by its name alone if it needs only what each document has. Use the
    /// `page_fn!` macro, which reads the file.
    pub const fn new(path: &'static str, source: &'static str) -> Self {
        Self { path, source, everywhere: false, types: PhantomData }
    }

    /// The same, which works in every generation of the editor; others refuse in all but the current one. A test calls each
    /// in both.
    #[must_use]
    pub const fn in_every_editor(self) -> Self {
        Self { everywhere: true, ..self }
    }

    /// The file's base name.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The room whose helpers it may require.
    pub fn room(&self) -> &'static Room {
        let folder = self.path.split('/').next();
        ROOMS.into_iter().find(|room| Some(room.name()) == folder).unwrap_or(&PAGE)
    }

    /// Its source with the helpers that it reaches: what it does depends on nothing else of ours.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        let rooms = self.room().with_imports();
        let library: Vec<_> = rooms.iter().flat_map(|room| room.helpers()).copied().collect();
        let helpers = required(self.source, &library).into_iter().map(move |at| library[at].1);
        std::iter::once(self.source).chain(helpers)
    }

    /// The function that Chromium calls with the arguments as its one value. In a page that lacks its room it does
    /// nothing but say so.
    pub fn declaration(&self) -> String {
        let (path, source, room, everywhere) = (self.path, self.source, self.room(), self.everywhere);
        let check = if room.is_in_prelude() {
            String::new()
        } else {
            format!("if(!has(\"{}\"))return{{ok:false,missing:true}};", room.name())
        };
        format!(
            "function(args){{const{{has,require,run}}=__scratchbed;{check}const module={{exports:{{}}}};{source}\n;return run(module.exports,args,\"{path}\",{everywhere});\n//# sourceURL=page-fn/{path}.js\n}}"
        )
    }
}

/// Declares a page function by room and name from its file under `js/<room>/fn/`.
#[macro_export]
macro_rules! page_fn {
    ($room:literal, $name:literal) => {
        $crate::page::PageFn::new(
            concat!($room, "/", $name),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js/", $room, "/fn/", $name, ".js")),
        )
    };
}

/// How far the editor has come: whether it has mounted, and shows a project or waits for its first one.
pub const READY: PageFn<(), Readiness> = page_fn!("page", "ready").in_every_editor();

/// Loads a project file and waits until it is drawn.
pub const LOAD_PROJECT: PageFn<LoadProject, LoadedProject> = page_fn!("page", "load-project").in_every_editor();

/// The project as it is now, if it changed since a revision, and what the page noted since the last call.
pub const SNAPSHOT: PageFn<SnapshotRequest, PageState> = page_fn!("page", "snapshot").in_every_editor();

/// Makes the stage large or small.
pub const STAGE_SIZE: PageFn<ShowStage, ()> = page_fn!("page", "stage-size").in_every_editor();

/// Waits until the editor has settled.
pub const SETTLE: PageFn<SettleRequest, Settled> = page_fn!("page", "settle").in_every_editor();

/// Everything that can be operated or read in the viewport, from one pass over the page.
pub const LIST_ELEMENTS: PageFn<(), ElementsSeen> = page_fn!("page", "list-elements").in_every_editor();

/// The script that runs in each new document before anything else.
pub fn prelude() -> String {
    let mut script = String::from("(function(){\n");
    script.push_str(include_str!("../js/prelude.js"));
    for room in IN_PRELUDE {
        script.push_str(&bringing("bring", room));
    }
    script.push_str("\nrequire_(\"event-record\").listen(window);");
    script.push_str("\n})();\n//# sourceURL=page-fn/prelude.js\n");
    script
}

/// The function that brings a room, and what it uses, into a document that has only the prelude's. What is there already
/// stays.
pub fn bundle(room: &'static Room) -> String {
    let mut script = String::from("function(){");
    for room in room.with_imports().into_iter().filter(|room| !room.is_in_prelude()) {
        script.push_str(&bringing("__scratchbed.bring", room));
    }
    let _ = write!(script, "\n//# sourceURL=page-fn/{}.js\n}}", room.name());
    script
}

/// A call that hands a room's helpers over.
fn bringing(call: &str, room: &Room) -> String {
    let mut script = format!("\n{call}(\"{}\",{{", room.name());
    for (name, source) in room.helpers() {
        // Writing to a String can't fail.
        let _ = write!(script, "\n\"{name}\":function(module,require){{{source}\n}},");
    }
    script.push_str("\n});");
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_comes_with_the_helpers_that_it_reaches() {
        let timed: PageFn<(), ()> = PageFn::new("judge/timed", "require('../lib/virtual-time.js');");
        let sources: Vec<&str> = timed.sources().collect();
        assert!(sources.iter().any(|source| source.contains("class VirtualClock")), "through virtual-time");
        assert!(sources.len() < timed.room().helpers().len());
    }

    #[test]
    fn a_function_asks_for_its_room_unless_each_document_has_it() {
        let own: PageFn<(), ()> = PageFn::new("drag/own", "");
        assert!(own.declaration().contains("if(!has(\"drag\"))"));
        assert_eq!((own.name(), own.room().name()), ("own", "drag"));
        assert!(!READY.declaration().contains("has("));
        let of_a_test: PageFn<(), ()> = PageFn::new("of-a-test", "");
        assert!(of_a_test.room().is_in_prelude());
    }

    #[test]
    fn a_document_gets_the_scripts_of_its_purpose_only() {
        let has = |script: &str, name: &str| script.contains(&format!("\"{name}\":function"));
        assert!(has(&prelude(), "event-record") && !has(&prelude(), "placement"));
        let composite = bundle(&COMPOSITE);
        assert!(has(&composite, "placement") && has(&composite, "lower-project"));
        assert!(!has(&composite, "event-record") && !has(&composite, "virtual-clock"));
    }
}
