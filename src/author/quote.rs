//! Quotes texts as JavaScript literals, for templates of judges.

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
    use super::in_single_quotes;

    #[test]
    fn quotes_and_lines_stay_inside_a_literal() {
        assert_eq!(in_single_quotes("it's \\ a\nline"), "it\\'s \\\\ a\\nline");
    }
}
