//! Bars with error bars, as numbers for a drawing.

use serde::Serialize;

use super::table::harmless;

/// Letters of a name that fit into a line beside its bar.
const FITTING: usize = 48;
/// Lines that a name may have; a longer one is cut, and whole when pointed at.
const LINES: usize = 3;
/// Pixels of the drawing: where bars begin, a percent's width, a bar's height, and a row's.
const LEFT: f64 = 330.0;
const PERCENT: f64 = 4.0;
const ROW: f64 = 20.0;
/// Pixels from one line of a name to the next.
const LINE: f64 = 14.0;
/// Pixels above the first bar.
const TOP: f64 = 24.0;

/// A bar of a percentage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Bar {
    /// The name in lines.
    label: Vec<String>,
    full: String,
    /// Which series it is of.
    series: &'static str,
    percent: f64,
    y: f64,
    x: f64,
    width: f64,
    /// Ends of the error bar.
    low: f64,
    high: f64,
}

impl Bar {
    /// A bar; `None` without a percentage.
    pub(super) fn new(
        name: &str,
        series: &'static str,
        percent: Option<f64>,
        ends: Option<(f64, f64)>,
    ) -> Option<Self> {
        let percent = percent?;
        let (low, high) = ends.unwrap_or((percent, percent));
        let at = |percent: f64| LEFT + PERCENT * percent;
        let full = harmless(name);
        let label = lines(&full);
        let (x, width) = (LEFT, PERCENT * percent);
        Some(Self { label, full, series, percent, y: 0.0, x, width, low: at(low), high: at(high) })
    }
}

/// A name in lines, broken after commas and between words where it can be: its end says how rows differ.
fn lines(name: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut left = FITTING;
    for word in name.split_inclusive(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let letters = word.iter().rposition(|letter| *letter != ' ').map_or(0, |last| last + 1);
        if letters > left && left < FITTING {
            lines.push(String::new());
            left = FITTING;
        }
        while word.len() > left {
            let rest = word.split_off(left);
            push(&mut lines, &word);
            lines.push(String::new());
            (word, left) = (rest, FITTING);
        }
        push(&mut lines, &word);
        left -= word.len();
    }
    let mut lines: Vec<String> = lines.iter().map(|line| line.trim().to_owned()).collect();
    lines.retain(|line| !line.is_empty());
    if lines.len() > LINES {
        lines.truncate(LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines
}

fn push(lines: &mut [String], letters: &[char]) {
    if let Some(last) = lines.last_mut() {
        last.extend(letters);
    }
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Plot {
    title: String,
    series: Vec<&'static str>,
    bars: Vec<Bar>,
    width: f64,
    height: f64,
    /// Lines of the grid with their percentages.
    grid: Vec<(f64, u32)>,
}

impl Plot {
    pub(super) fn new(title: &str, series: &[&'static str], mut bars: Vec<Bar>) -> Self {
        // A name of several lines uses the rows of the bars below it that have none.
        let (mut y, mut named_to) = (TOP, TOP);
        for bar in &mut bars {
            if !bar.label.is_empty() {
                y = named_to.max(y);
                named_to = y + ROW + LINE * f64::from(u8::try_from(bar.label.len() - 1).unwrap_or_default());
            }
            bar.y = y;
            y += ROW;
        }
        let y = named_to.max(y);
        let grid = [0_u32, 25, 50, 75, 100].map(|percent| (LEFT + PERCENT * f64::from(percent), percent));
        let width = LEFT + 100.0 * PERCENT + 70.0;
        Self { title: title.to_owned(), series: series.to_vec(), bars, width, height: y + 8.0, grid: grid.to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_and_what_tells_them_apart_is_shown() {
        assert_eq!(lines("oracle"), ["oracle"]);
        assert_eq!(lines(""), [""; 0]);
        let long = "some-provider/some-model-of-a-long-name-2026, paper-1, composite, tools, history 8";
        let shown = lines(long);
        assert_eq!(shown, ["some-provider/some-model-of-a-long-name-2026,", "paper-1, composite, tools, history 8"]);
        let unbroken = lines(&"x".repeat(100));
        assert_eq!(unbroken.iter().map(String::len).collect::<Vec<_>>(), [48, 48, 4]);
        let endless = lines(&"word ".repeat(100));
        assert!(endless.len() == LINES && endless[2].ends_with('…'), "{endless:?}");
        let bars = [long, "oracle"].map(|name| Bar::new(name, "SR", Some(50.0), None).unwrap());
        let plot = Plot::new("t", &["SR"], bars.into());
        assert!((plot.bars[1].y - plot.bars[0].y - ROW - LINE).abs() < f64::EPSILON, "lines do not overlap");
        let bars = [long, "", "oracle"].map(|name| Bar::new(name, "SR", Some(50.0), None).unwrap());
        let plot = Plot::new("t", &["SR"], bars.into());
        assert!((plot.bars[2].y - plot.bars[0].y - 2.0 * ROW).abs() < f64::EPSILON, "the second line has a row");
    }
}
