//! Which lines of a script's notation begin a block.

use super::lines::SCRIPT_INDENT;

/// The numbers, from 1, of the lines of a project's text that begin a block of the script whose notation begins on line `first`: not
/// those that close one, that are empty, or that continue a text of the line before.
pub fn block_lines(text: &str, first: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut continued = false;
    for (number, line) in text.lines().enumerate().skip(first.saturating_sub(1)) {
        let blank = line.trim().is_empty();
        if !blank && line.len() - line.trim_start_matches(' ').len() < SCRIPT_INDENT {
            break;
        }
        let words = line.split(" //").next().unwrap_or_default().trim();
        if !continued && !blank && !matches!(words, "end" | "else" | "}" | "} else {") {
            found.push(number + 1);
        }
        continued = (line.len() - line.trim_end_matches('\\').len()) % 2 == 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::block_lines;

    #[test]
    fn what_closes_a_block_is_empty_or_goes_on_begins_none() {
        let text = "scratchbed project 1\n\nsprite \"A\"\n  script\n    when green flag clicked\n\n    if <mouse down?> then // held\n      say [one\\\n    end]\n    else // not\n      say [end]\n    end // of it\n    move (1) steps\n\n  script\n    when I start as a clone\n";
        assert_eq!(block_lines(text, 5), [5, 7, 8, 11, 13]);
        assert_eq!(block_lines(text, 16), [16]);
    }
}
