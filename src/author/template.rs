//! Filling in templates: named placeholders, nothing evaluated, and a name without a value is an error.
//!
//! Only files of this program are templates. What goes into them is put in as it is and never read as a template.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use super::AuthorError;

/// Puts values in the places of a template.
pub(super) fn fill(name: &str, template: &str, values: impl Serialize) -> Result<String, AuthorError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // The results are prompts, programs and prose; whoever needs a quoted value quotes it.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let failed = |error: minijinja::Error| AuthorError::Template { name: name.to_owned(), reason: error.to_string() };
    let syntax = SyntaxConfig::builder().keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(failed)?);
    environment.render_named_str(name, template, Serde(values)).map_err(failed)
}

/// A text as the inside of a JavaScript literal in single quotes.
pub(super) fn in_single_quotes(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            // Both end a line for some readers of JavaScript.
            '\u{2028}' => quoted.push_str("\\u2028"),
            '\u{2029}' => quoted.push_str("\\u2029"),
            other => quoted.push(other),
        }
    }
    quoted
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
        assert!(error.code() == "template_failed" && error.to_string().contains("greeting.md"), "{error}");
    }

    #[test]
    fn quotes_and_lines_stay_inside_a_literal() {
        assert_eq!(in_single_quotes("it's \\ a\nline"), "it\\'s \\\\ a\\nline");
    }
}
