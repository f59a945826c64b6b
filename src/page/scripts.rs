//! The table of page functions: name, source file and the types of its arguments and result.
//!
//! A page function is one file under `js/fn/`; see `js/prelude.js` for what it is given.

use std::fmt::Write as _;
use std::marker::PhantomData;

use super::results::{
    ElementsSeen, LoadProject, LoadedProject, PageState, SettleRequest, Settled, ShowStage, SnapshotRequest,
};
use crate::model::required;

/// A typed page function.
#[derive(Debug)]
pub struct PageFn<A, R> {
    name: &'static str,
    source: &'static str,
    types: PhantomData<fn(A) -> R>,
}

impl<A, R> PageFn<A, R> {
    /// Names a function and its source. Use the `page_fn!` macro, which reads the file.
    #[must_use]
    pub const fn new(name: &'static str, source: &'static str) -> Self {
        Self { name, source, types: PhantomData }
    }

    /// The file's base name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its source with the shared helpers that it reaches: what it does depends on nothing else of ours.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        let helpers = required(self.source, LIB).into_iter().map(|at| LIB[at].1);
        std::iter::once(self.source).chain(helpers)
    }

    /// The function that Chromium calls with the arguments as its one value.
    #[must_use]
    pub fn declaration(&self) -> String {
        format!(
            "function(args){{const{{require,run}}=__scratchbed;const module={{exports:{{}}}};{}\n;return run(module.exports,args);\n//# sourceURL=page-fn/{}.js\n}}",
            self.source, self.name
        )
    }
}

/// Declares a page function from its file under `js/fn/`.
#[macro_export]
macro_rules! page_fn {
    ($name:literal) => {
        $crate::page::PageFn::new(
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js/fn/", $name, ".js")),
        )
    };
}

/// A shared helper's name and source, from its file under `js/lib/`.
macro_rules! lib {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js/lib/", $name, ".js")))
    };
}

/// Shared helpers under `js/lib/`, by base name.
const LIB: &[(&str, &str)] = &[
    lib!("action-watch"),
    lib!("assets"),
    lib!("block-rows"),
    lib!("block-text"),
    lib!("boxes"),
    lib!("catalogue-entry"),
    lib!("choices"),
    lib!("clock-globals"),
    lib!("console-record"),
    lib!("control-text"),
    lib!("default-block"),
    lib!("drag-ends"),
    lib!("drag-path"),
    lib!("drag-probe"),
    lib!("drag-record"),
    lib!("drag-relation"),
    lib!("drag-search"),
    lib!("drive-hats"),
    lib!("edit"),
    lib!("element-rows"),
    lib!("evaluation-module"),
    lib!("evaluation-run"),
    lib!("event-record"),
    lib!("fibers"),
    lib!("field-edit"),
    lib!("find-block"),
    lib!("fingerprint"),
    lib!("frames"),
    lib!("held-blocks"),
    lib!("kept-blocks"),
    lib!("live-script"),
    lib!("lower-procedure"),
    lib!("lower-project"),
    lib!("lower-script"),
    lib!("lower-slots"),
    lib!("nearest"),
    lib!("needed-extensions"),
    lib!("new-block"),
    lib!("notation-parser"),
    lib!("notation-words"),
    lib!("page-controls"),
    lib!("page-integrity"),
    lib!("palette"),
    lib!("palette-position"),
    lib!("pixel-rows"),
    lib!("placement"),
    lib!("plain-workspace"),
    lib!("proccode"),
    lib!("program-changes"),
    lib!("program-look"),
    lib!("pseudocode"),
    lib!("real-time"),
    lib!("reference-catalogue"),
    lib!("reference-pseudocode"),
    lib!("reference-rows"),
    lib!("remember-touch"),
    lib!("revision"),
    lib!("scene-state"),
    lib!("second-vm"),
    lib!("seeded-random"),
    lib!("sight"),
    lib!("silent-audio"),
    lib!("throttled-pictures"),
    lib!("trace"),
    lib!("typed-value"),
    lib!("variables"),
    lib!("virtual-clock"),
    lib!("virtual-time"),
    lib!("virtual-timers"),
    lib!("without-chance"),
    lib!("workspace-view"),
];

/// Whether the editor has mounted and its default project is loaded.
pub const READY: PageFn<(), bool> = page_fn!("ready");

/// Loads a project file and waits until it is drawn.
pub const LOAD_PROJECT: PageFn<LoadProject, LoadedProject> = page_fn!("load-project");

/// The project as it is now, if it changed since a revision, and what the page noted since the last call.
pub const SNAPSHOT: PageFn<SnapshotRequest, PageState> = page_fn!("snapshot");

/// Makes the stage large or small.
pub const STAGE_SIZE: PageFn<ShowStage, ()> = page_fn!("stage-size");

/// Waits until the editor has come to rest.
pub const SETTLE: PageFn<SettleRequest, Settled> = page_fn!("settle");

/// Everything that can be operated or read in the viewport, from one pass over the page.
pub const LIST_ELEMENTS: PageFn<(), ElementsSeen> = page_fn!("list-elements");

/// The script that runs in each new document before anything else.
#[must_use]
pub fn prelude() -> String {
    let mut script = String::from("(function(){\n");
    script.push_str(include_str!("js/prelude.js"));
    for (name, source) in LIB {
        // Writing to a String can't fail.
        let _ = write!(script, "\ndefine(\"{name}\",function(module,require){{{source}\n}});");
    }
    script.push_str("\nrequire_(\"event-record\").listen(window);");
    script.push_str("\n})();\n//# sourceURL=page-fn/prelude.js\n");
    script
}

#[cfg(test)]
mod tests {
    use super::LIB;

    #[test]
    fn a_function_comes_with_the_helpers_that_it_reaches() {
        let timed: super::PageFn<(), ()> = super::PageFn::new("timed", "require('../lib/virtual-time.js');");
        let sources: Vec<&str> = timed.sources().collect();
        assert!(sources.iter().any(|source| source.contains("class VirtualClock")), "through virtual-time");
        assert!(sources.len() < LIB.len());
    }

    #[test]
    fn every_shared_helper_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js/lib");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".js").map(str::to_owned))
            .collect();
        files.sort();
        let table: Vec<&str> = LIB.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, table);
    }
}
