//! The rooms of page scripts: the helpers of each, and the rooms it may use.
//!
//! `scratch-gui/eslint.config.mjs` reads the lines `"room" uses [ROOMS]` of this file and holds scripts to them.

/// A folder below `js/` with page functions, helpers, or both.
#[derive(Debug)]
pub struct Room {
    name: &'static str,
    imports: &'static [&'static Self],
    /// Base names and sources of the files under its `lib/`.
    helpers: &'static [(&'static str, &'static str)],
}

impl Room {
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Base names and sources of its helpers.
    pub const fn helpers(&self) -> &'static [(&'static str, &'static str)] {
        self.helpers
    }

    /// This room and those that it uses, each after what it uses itself.
    pub fn with_imports(&'static self) -> Vec<&'static Self> {
        let mut rooms: Vec<&'static Self> = Vec::new();
        for room in self.imports.iter().flat_map(|import| import.with_imports()).chain([self]) {
            if !rooms.iter().any(|known| known.name == room.name) {
                rooms.push(room);
            }
        }
        rooms
    }

    /// Whether each new document has it.
    pub fn is_in_prelude(&self) -> bool {
        IN_PRELUDE.iter().any(|room| room.name == self.name)
    }
}

/// A room with its helpers' sources, from the files under `js/<room>/lib/`.
macro_rules! room {
    ($room:literal uses [$($import:ident),*], [$($helper:literal),* $(,)?]) => {
        Room {
            name: $room,
            imports: &[$(&$import),*],
            helpers: &[$((
                $helper,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/js/", $room, "/lib/", $helper, ".js")),
            )),*],
        }
    };
}

/// All rooms.
pub static ROOMS: [&Room; 8] = [&SHARED, &PAGE, &COMPOSITE, &JUDGE, &NOTATION, &DRAG, &PERCEPTION, &SCRATCHWORLD];

/// The rooms of each new document.
pub static IN_PRELUDE: [&Room; 2] = [&SHARED, &PAGE];

/// What two or more rooms use.
pub static SHARED: Room = room!(
    "shared" uses [],
    [
        "choices",
        "current-editor",
        "default-block",
        "edit",
        "editor-seams",
        "field-edit",
        "frames",
        "nearest",
        "new-block",
        "palette",
        "proccode",
        "pseudocode",
        "reference-editor",
        "state-xml",
        "typed-value",
        "variables",
        "workspace-view",
    ]
);

/// What the session, its observations, reports and live view need, and the integrity of the page.
pub static PAGE: Room = room!(
    "page" uses [SHARED],
    [
        "action-watch",
        "assets",
        "block-rows",
        "block-text",
        "boxes",
        "control-text",
        "element-rows",
        "event-record",
        "fibers",
        "page-controls",
        "page-integrity",
        "palette-position",
        "program-changes",
        "program-look",
        "readiness",
        "revision",
        "throttled-pictures",
        "undrawn-skins",
        "without-chance",
        "workspace-size",
    ]
);

/// Block actions by call, what they show, the catalogue of blocks, play and stop.
pub static COMPOSITE: Room = room!(
    "composite" uses [SHARED, PAGE, NOTATION],
    [
        "catalogue-entry",
        "live-script",
        "placement",
    ]
);

/// The second VM, the virtual clock, the trace, evaluation.
pub static JUDGE: Room = room!(
    "judge" uses [SHARED],
    [
        "base64-bytes",
        "bounded-text",
        "clock-globals",
        "console-record",
        "coverage",
        "drive-hats",
        "evaluation-module",
        "evaluation-run",
        "one-load",
        "real-time",
        "remember-touch",
        "second-vm",
        "seeded-random",
        "silent-audio",
        "stage-renderer",
        "trace",
        "virtual-clock",
        "virtual-time",
        "virtual-timers",
    ]
);

/// Reading a project's text and building it; pictures of projects.
pub static NOTATION: Room = room!(
    "notation" uses [SHARED],
    [
        "block-marks",
        "block-picture",
        "faults",
        "held-blocks",
        "lower-procedure",
        "lower-project",
        "lower-script",
        "lower-slots",
        "menu-names",
        "message-book",
        "near-labels",
        "needed-extensions",
        "notation-parser",
        "notation-words",
        "plain-workspace",
        "script-lines",
    ]
);

/// The benchmark of single drags.
pub static DRAG: Room = room!(
    "drag" uses [SHARED, PAGE],
    [
        "drag-ends",
        "drag-path",
        "drag-probe",
        "drag-record",
        "drag-relation",
        "drag-search",
        "find-block",
        "fingerprint",
        "kept-blocks",
        "pixel-rows",
        "scene-state",
    ]
);

pub static PERCEPTION: Room = room!(
    "perception" uses [SHARED, PAGE],
    [
        "sight",
    ]
);

/// What only clients of the reference server have.
pub static SCRATCHWORLD: Room = room!(
    "scratchworld" uses [SHARED, PAGE],
    [
        "reference-catalogue",
        "reference-pseudocode",
        "rows",
    ]
);

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn js() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page/js")
    }

    /// Names of what a folder holds, in order; none if there is no such folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn base(path: &str) -> &str {
        path.rsplit('/').next().unwrap().trim_end_matches(".js")
    }

    #[test]
    fn every_folder_is_a_room_and_every_helper_is_in_its_table() {
        let mut rooms: Vec<&str> = ROOMS.iter().map(|room| room.name).collect();
        rooms.sort_unstable();
        let folders = names(&js()).into_iter().filter(|name| !name.contains('.') && name != "types");
        assert_eq!(folders.collect::<Vec<_>>(), rooms);
        for room in ROOMS {
            let files = names(&js().join(room.name).join("lib"));
            let table: Vec<&str> = room.helpers.iter().map(|(name, _)| *name).collect();
            assert_eq!(files.iter().map(|file| base(file)).collect::<Vec<_>>(), table, "{}", room.name);
        }
    }

    #[test]
    fn what_a_file_requires_comes_with_its_room() {
        for room in ROOMS {
            let there: Vec<&str> =
                room.with_imports().iter().flat_map(|room| room.helpers).map(|(name, _)| *name).collect();
            for kind in ["fn", "lib"] {
                let folder = js().join(room.name).join(kind);
                for file in names(&folder) {
                    let text = std::fs::read_to_string(folder.join(&file)).unwrap();
                    for path in text.split("require('").skip(1).map(|rest| rest.split('\'').next().unwrap()) {
                        assert!(there.contains(&base(path)), "{}/{kind}/{file} requires {path}", room.name);
                    }
                }
            }
        }
    }

    #[test]
    fn a_room_comes_after_what_it_uses() {
        let order: Vec<&str> = COMPOSITE.with_imports().iter().map(|room| room.name).collect();
        assert_eq!(order, ["shared", "page", "notation", "composite"]);
    }
}
