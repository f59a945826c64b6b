//! Prices that an experiment's file gives for its models.

use std::fmt::Write as _;

use serde::Deserialize;

/// Dollars for a million tokens, on a date.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceEntry {
    input: f64,
    output: f64,
    /// As `input` when absent.
    cache_read: Option<f64>,
    /// As `input` when absent.
    cache_write: Option<f64>,
    /// When the price held, such as 2026-11-01: a date, which serde hands on as text.
    as_of: String,
}

impl PriceEntry {
    /// A list of prices of these models; none if there is no price. Its date is the oldest.
    pub fn list(entries: &[(String, Self)]) -> Option<String> {
        let date = entries.iter().map(|(_, entry)| entry.as_of.as_str()).min()?;
        let mut text = format!("date = {date:?}\nsource = \"the experiment's file\"\n");
        for (name, price) in entries {
            let _ = writeln!(text, "\n[[model]]\nnames = [{name:?}]");
            let all = [
                ("input", Some(price.input)),
                ("output", Some(price.output)),
                ("cached_read", price.cache_read),
                ("cache_write", price.cache_write),
            ];
            for (key, usd) in all.into_iter().filter_map(|(key, usd)| Some((key, usd?))) {
                let _ = writeln!(text, "{key} = {:.0}", (usd * 1e6).round());
            }
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use scratchbed::grade::PriceTable;

    use super::*;

    #[test]
    fn prices_of_a_file_are_a_list_like_the_bundled_one() {
        let text = "input = 3.0\noutput = 15.0\ncache_read = 0.3\nas_of = 2026-11-01";
        let entry: PriceEntry = toml::from_str::<toml::Value>(text).unwrap().try_into().unwrap();
        let list = PriceEntry::list(&[("big-1".to_owned(), entry)]).unwrap();
        let table = PriceTable::bundled().unwrap().preceded_by("the file", &list).unwrap();
        let found = table.of("big-1").unwrap();
        let price = found.price;
        assert_eq!(
            (price.input, price.cached_read, price.cache_write, price.output),
            (3_000_000, 300_000, 3_000_000, 15_000_000)
        );
        assert_eq!(found.date, "2026-11-01");
        assert!(PriceEntry::list(&[]).is_none());
    }
}
