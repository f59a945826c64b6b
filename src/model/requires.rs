//! What a CommonJS text requires, directly and through others. The caller supplies the files.

/// Positions in `library`, of base names and texts, that a text reaches, in ascending order. All of them, if it or one
/// of them computes a name: then any may be needed. Names that the library lacks are ignored.
pub fn required(text: &str, library: &[(&str, &str)]) -> Vec<usize> {
    let mut reached = vec![false; library.len()];
    let mut open = vec![text];
    while let Some(text) = open.pop() {
        for name in names(text) {
            let Some(name) = name else { return (0..library.len()).collect() };
            let base = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".js");
            let found = library.iter().position(|(name, _)| *name == base);
            if let Some(at) = found.filter(|at| !reached[*at]) {
                reached[at] = true;
                open.push(library[at].1);
            }
        }
    }
    (0..library.len()).filter(|at| reached[*at]).collect()
}

/// What a text requires; none for a name that is computed. Comments count too, which does no harm.
fn names(text: &str) -> impl Iterator<Item = Option<&str>> {
    text.split("require(").skip(1).map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        rest[1..].split(quote).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(text: &str) -> Vec<usize> {
        let library = [
            ("cast", ""),
            ("expect", "const {same} = require('./cast.js');"),
            ("looks", "require('./expect.js'); require('./looks.js');"),
            ("odd", "require(name)"),
        ];
        required(text, &library)
    }

    #[test]
    fn a_text_reaches_what_it_requires_and_what_that_requires() {
        assert!(reached("module.exports = {};").is_empty());
        assert_eq!(reached("require('./lib/expect.js')"), [0, 1]);
        assert_eq!(reached(r#"require("./lib/looks")"#), [0, 1, 2]);
        assert_eq!(reached("require('./lib/odd.js')"), [0, 1, 2, 3], "a computed name may be any");
        assert!(reached("require('./lib/absent.js')").is_empty());
    }
}
