//! Bundles the modules of the live page into one script for a file that loads nothing: each module becomes a function
//! that is called on first use. They are our own files, written in one style, so parsing lines is
//! enough.

use std::fmt::Write as _;

/// A module of the page by its path below `assets/live`.
macro_rules! module {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/", $name)))
    };
}

/// What a replay needs of the page.
const MODULES: &[(&str, &str)] = &[
    module!("client.js"),
    module!("dom.js"),
    module!("lib/notation.js"),
    module!("lib/overlay.js"),
    module!("lib/player.js"),
    module!("lib/steps.js"),
    module!("lib/turns.js"),
    module!("lib/words.js"),
    module!("parts/instruction.js"),
    module!("parts/picture.js"),
    module!("parts/program.js"),
    module!("parts/strip.js"),
    module!("parts/thumbnail.js"),
    module!("parts/turns.js"),
    module!("views/attempt.js"),
    module!("replay.js"),
];
const FIRST: &str = "replay.js";

pub(super) fn script() -> String {
    let mut out =
        "'use strict';(() => {\nconst made = {}, makers = {};\nconst need = name => (made[name] ??= makers[name]());\n"
            .to_owned();
    for (name, text) in MODULES {
        // Writing to a String can't fail.
        let _ = writeln!(out, "makers['{name}'] = () => {{\n{}}};", as_function(name, text));
    }
    let _ = writeln!(out, "need('{FIRST}');\n}})();");
    out
}

/// The body of a function that returns what the module exports.
fn as_function(name: &str, text: &str) -> String {
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some((names, from)) = imported(line) {
            let names = names.replace(" as ", ": ");
            let _ = writeln!(body, "const {names} = need('{}');", resolved(name, from));
            continue;
        }
        let line = line.strip_prefix("export ").inspect(|rest| exports.extend(declared(rest))).unwrap_or(line);
        body.push_str(line);
        body.push('\n');
    }
    let _ = writeln!(body, "return {{{}}};", exports.join(", "));
    body
}

/// The names in braces and the path of an import.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from '")?;
    Some((names, from.strip_suffix("';")?))
}

/// The name that a declaration gives.
fn declared(rest: &str) -> Option<&str> {
    let words = rest.trim_start_matches("async ");
    let name = ["const ", "class ", "function "].iter().find_map(|kind| words.strip_prefix(kind))?;
    name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).next()
}

/// A path as it is from the folder of all modules.
fn resolved(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_a_function_that_returns_what_it_exports() {
        let text =
            "// @ts-check\nimport {a, b as c} from '../x.js';\nexport const d = a;\nexport class E {}\nconst f = 1;\n";
        let expected =
            "// @ts-check\nconst {a, b: c} = need('x.js');\nconst d = a;\nclass E {}\nconst f = 1;\nreturn {d, E};\n";
        assert_eq!(as_function("parts/y.js", text), expected);
    }

    #[test]
    fn everything_that_is_needed_is_there_and_nothing_else_is_imported() {
        let names: Vec<&str> = MODULES.iter().map(|(name, _)| *name).collect();
        for (name, text) in MODULES {
            for line in text.lines() {
                assert!(!line.starts_with("import ") || imported(line).is_some(), "{name}: {line}");
                assert!(
                    !line.starts_with("export ") || line.strip_prefix("export ").and_then(declared).is_some(),
                    "{name}: {line}"
                );
                if let Some((_, from)) = imported(line) {
                    assert!(names.contains(&resolved(name, from).as_str()), "{name} needs {from}");
                }
            }
        }
        assert!(!script().contains("</script"), "it stands within a script element");
    }
}
