//! Tables of ratings: how scores are spread, and how far raters agree.

use super::plain_table;
use crate::benchmarks::explain::ratings::{Compared, Distribution};
use crate::grade::Bootstrapped;

/// How the scores of some raters are spread, each with its name.
pub fn distributions_text<'a>(raters: impl IntoIterator<Item = (&'a str, &'a Distribution)>) -> String {
    let row = |(name, spread): (&str, &Distribution)| -> [String; 8] {
        let [one, two, three, four, five] = spread.counts.map(|count| count.to_string());
        let mean = spread.mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"));
        [name.to_owned(), spread.n.to_string(), one, two, three, four, five, mean]
    };
    let head = ["rater", "N", "1", "2", "3", "4", "5", "mean"];
    plain_table(&head, raters.into_iter().map(row)).to_string()
}

/// How far raters agree, two by two.
pub fn agreement_text(compared: &[Compared]) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let kappa = |kappa: &Option<Bootstrapped>| {
        let text = |Bootstrapped { value, low, high }: &Bootstrapped| format!("{value:.2} [{low:.2}, {high:.2}]");
        kappa.as_ref().map_or_else(|| "-".to_owned(), text)
    };
    let row = |pair: &Compared| -> [String; 7] {
        let names = [pair.one.clone(), pair.other.clone()];
        let figures = pair.agreement.as_ref().map_or_else(
            || ["0", "-", "-", "-", "-"].map(str::to_owned),
            |one| {
                let (exact, near) = (percent(one.exact), percent(one.within_one));
                [one.n.to_string(), exact, near, kappa(&one.good), kappa(&one.weighted)]
            },
        );
        let ([one, other], [n, exact, near, good, weighted]) = (names, figures);
        [one, other, n, exact, near, good, weighted]
    };
    let head = ["one", "other", "N", "exact %", "within one %", "kappa of 4 or better", "weighted kappa"];
    let note = "kappa: 95 % intervals of 10,000 draws of items; - where both say the same of all";
    format!("{}\n{note}", plain_table(&head, compared.iter().map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Agreement;

    #[test]
    fn what_is_not_defined_is_a_dash() {
        let pair = |agreement| Compared { one: "ada".to_owned(), other: "eva".to_owned(), agreement };
        let text = agreement_text(&[pair(Agreement::of(&[(5, 5), (4, 4), (3, 2), (1, 1), (2, 3)])), pair(None)]);
        assert!(text.contains("60.0") && text.contains("100.0") && text.contains("0.90 ["), "{text}");
        assert!(text.lines().any(|line| line.matches('-').count() == 4), "{text}");
        let spread = Distribution::of([4, 5]);
        let text = distributions_text([("ada", &spread), ("eva", &Distribution::default())]);
        assert!(text.contains("4.50") && text.lines().last().unwrap().trim_end().ends_with('-'), "{text}");
    }
}
