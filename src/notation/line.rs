//! Words, strings and numbers of one line of a project's header.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::LineError;
use scratchbed_project::near::near;

/// What is left of a line.
#[derive(Debug)]
pub(super) struct Line<'a> {
    rest: &'a str,
    /// Words that were possible but absent.
    absent: Vec<&'static str>,
}

impl<'a> Line<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text, absent: Vec::new() }
    }

    /// The next bare word, without taking it.
    pub(super) fn peek(&self) -> &'a str {
        let rest = self.rest.trim_start_matches(' ');
        rest.split(' ').next().unwrap_or_default()
    }

    /// Takes the next bare word.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start_matches(' ');
        let word = self.peek();
        self.rest = &rest[word.len()..];
        word
    }

    /// Takes the word if it is the next one.
    pub(super) fn take(&mut self, word: &'static str) -> bool {
        let found = self.peek() == word;
        if found {
            self.word();
        } else {
            self.absent.push(word);
        }
        found
    }

    /// Takes a required word.
    pub(super) fn expect(&mut self, word: &'static str) -> Result<(), LineError> {
        if self.take(word) { Ok(()) } else { Err(LineError::Expected(word)) }
    }

    fn json<T: DeserializeOwned>(&mut self, what: &'static str) -> Result<T, LineError> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<T>();
        let value = values.next().and_then(Result::ok).ok_or(LineError::Expected(what))?;
        self.rest = &self.rest[values.byte_offset()..];
        Ok(value)
    }

    /// Takes a quoted text.
    pub(super) fn string(&mut self) -> Result<String, LineError> {
        self.json("a text in quotes")
    }

    /// Takes a quoted name, and `#2` and so on where it is not the first of that name.
    pub(super) fn which(&mut self) -> Result<(String, usize), LineError> {
        let name = self.string()?;
        let Some(number) = self.peek().strip_prefix('#') else { return Ok((name, 1)) };
        let number = number.parse().ok().filter(|number| *number > 1).ok_or(LineError::Expected("#2 or more"))?;
        self.word();
        Ok((name, number))
    }

    pub(super) fn number(&mut self) -> Result<f64, LineError> {
        let number: Option<f64> = self.word().parse().ok();
        number.filter(|n| n.is_finite()).ok_or(LineError::Expected("a number"))
    }

    pub(super) fn pair(&mut self) -> Result<(f64, f64), LineError> {
        Ok((self.number()?, self.number()?))
    }

    /// Takes a whole number from 1.
    pub(super) fn count(&mut self) -> Result<usize, LineError> {
        let count: usize = self.json("a whole number from 1")?;
        if count == 0 { Err(LineError::Expected("a whole number from 1")) } else { Ok(count) }
    }

    /// Takes a text, number, truth value or `null`, which Scratch writes for a number that JSON has no word for.
    pub(super) fn value(&mut self) -> Result<Value, LineError> {
        let value: Value = self.json("a value")?;
        if value.is_array() || value.is_object() { Err(LineError::Expected("a value")) } else { Ok(value) }
    }

    /// Takes a choice: its name, `=`, and a value.
    pub(super) fn choice(&mut self) -> Result<(String, Value), LineError> {
        let (name, rest) =
            self.rest.trim_start_matches(' ').split_once('=').ok_or(LineError::Expected("NAME=VALUE"))?;
        self.rest = rest;
        let value = self.json("NAME=VALUE")?;
        Ok((name.to_owned(), value))
    }

    /// Takes a file name that stays in the text's folder.
    pub(super) fn path(&mut self) -> Result<String, LineError> {
        let path = self.string()?;
        let inside = !path.is_empty()
            && !path.contains(['\\', ':'])
            && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        if inside { Ok(path) } else { Err(LineError::Outside(path)) }
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), LineError> {
        match self.rest.trim() {
            "" => Ok(()),
            left => {
                Err(LineError::LeftOver { left: left.to_owned(), near: near(self.peek(), self.absent.iter().copied()) })
            }
        }
    }
}
