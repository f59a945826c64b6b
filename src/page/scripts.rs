//! The table of page functions: name, source file and the types of its arguments and result.
//!
//! A page function is one file under `js/fn/`; see `js/prelude.js` for what it is given.

use std::fmt::Write as _;
use std::marker::PhantomData;

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

/// Shared helpers under `js/lib/`, by base name.
const LIB: &[(&str, &str)] = &[
    ("block-rows", include_str!("js/lib/block-rows.js")),
    ("block-text", include_str!("js/lib/block-text.js")),
    ("boxes", include_str!("js/lib/boxes.js")),
    ("control-text", include_str!("js/lib/control-text.js")),
    ("page-controls", include_str!("js/lib/page-controls.js")),
];

/// Whether the editor has mounted and its default project is loaded.
pub const READY: PageFn<(), bool> = page_fn!("ready");

/// The script that runs in each new document before anything else.
#[must_use]
pub fn prelude() -> String {
    let mut script = String::from("(function(){\n");
    script.push_str(include_str!("js/prelude.js"));
    for (name, source) in LIB {
        // Writing to a String can't fail.
        let _ = write!(script, "\ndefine(\"{name}\",function(module,require){{{source}\n}});");
    }
    script.push_str("\n})();\n//# sourceURL=page-fn/prelude.js\n");
    script
}
