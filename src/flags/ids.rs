//! Which items, by name or from a file.

use std::fs;

use clap::Args;

use super::failure::{Failure, Status};

/// Names of items.
#[derive(Debug, Default, Args)]
pub struct IdsArgs {
    /// Items by name, with commas between. @FILE stands for those that a file lists, with blanks, commas or lines between
    /// and # before a comment.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    ids: Vec<String>,
}

impl IdsArgs {
    /// The names; none if nothing was said.
    pub fn names(&self) -> Result<Vec<String>, Failure> {
        let mut names = Vec::new();
        for word in &self.ids {
            match word.strip_prefix('@') {
                None => names.push(word.trim().to_owned()),
                Some(file) => names.extend(listed(file)?),
            }
        }
        names.retain(|name| !name.is_empty());
        // To run everything because nothing was found would be a costly surprise.
        if names.is_empty() && !self.ids.is_empty() {
            let failure = Failure::new(Status::Input, "no_ids", "no item is named");
            return Err(failure.hinted("give names, as in --ids a,b, or a file that has some, as in --ids @items.txt"));
        }
        Ok(names)
    }
}

fn listed(file: &str) -> Result<Vec<String>, Failure> {
    let failed = |error| Failure::new(Status::Input, "unreadable_ids", format!("{file} can't be read: {error}"));
    let text = fs::read_to_string(file).map_err(failed)?;
    let said = text.lines().filter_map(|line| line.split('#').next());
    let names = said.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == ','));
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
#[path = "ids_tests.rs"]
mod tests;
