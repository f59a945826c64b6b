//! Filling in prompts and other templates: named placeholders, nothing evaluated, and a name without a value is an
//! error.
//!
//! Only files of this program are templates. What goes into them is put in as it is and never read as a template.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

/// A template of this program can't be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the template {name} can't be filled in: {reason}")]
pub struct TemplateError {
    pub name: String,
    pub reason: String,
}

/// A file of `assets/prompts` with its name.
#[derive(Debug, Clone, Copy)]
pub struct Prompt {
    pub name: &'static str,
    /// Its text, with places for values.
    pub text: &'static str,
}

impl Prompt {
    /// The prompt with values in its places.
    ///
    /// # Errors
    /// When a place has no value.
    pub fn fill(self, values: impl Serialize) -> Result<String, TemplateError> {
        fill(self.name, self.text, values)
    }
}

/// A prompt by the name of its file below `assets/prompts`.
#[macro_export]
macro_rules! prompt {
    ($name:literal) => {
        $crate::agent::Prompt {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/prompts/", $name)),
        }
    };
}

/// What several templates have, by the names under which they include it.
const PARTS: [Prompt; 3] = [
    crate::prompt!("agent/parts/actions.md"),
    crate::prompt!("agent/parts/blocks.md"),
    crate::prompt!("agent/parts/seen.md"),
];

/// Puts values in the places of a template.
///
/// # Errors
/// When a placeholder has no value, or the template is invalid.
pub fn fill(name: &str, template: &str, values: impl Serialize) -> Result<String, TemplateError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // The results are prompts, programs and prose; callers quote values themselves.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let failed = |error: minijinja::Error| TemplateError { name: name.to_owned(), reason: error.to_string() };
    let syntax = SyntaxConfig::builder().keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(failed)?);
    for part in PARTS {
        environment.add_template(part.name, part.text).map_err(failed)?;
    }
    environment.render_named_str(name, template, Serde(values)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_put_in_as_they_are_and_once() {
        let text = fill(
            "t",
            "{% for one in all %}\n- {{ one }}\n{% endfor %}\nend\n",
            json!({"all": ["<a> & 'b'", "{{ x }}"]}),
        );
        assert_eq!(text.unwrap(), "- <a> & 'b'\n- {{ x }}\nend\n");
    }

    #[test]
    fn a_name_without_a_value_is_an_error() {
        let error = fill("greeting.md", "{{ nmae }}", json!({"name": "x"})).unwrap_err();
        assert!(error.to_string().contains("greeting.md"), "{error}");
    }
}
