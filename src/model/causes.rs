//! Errors in words.

use std::error::Error;

/// An error with its causes in one line, the outermost first.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Layer {
        text: &'static str,
        source: Option<Box<Layer>>,
    }

    #[test]
    fn causes_follow_what_they_caused() {
        let inner = Layer { text: "no such file", source: None };
        let outer = Layer { text: "could not read a.txt", source: Some(Box::new(inner)) };
        assert_eq!(with_causes(&outer), "could not read a.txt: no such file");
    }
}
