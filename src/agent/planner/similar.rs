//! How near texts are to each other: by the words that they share, or by the vectors that a model gives them.

use std::collections::BTreeSet;

/// How soon a word that is repeated counts no more; a usual value for Okapi BM25 (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;
/// How much longer texts are held back, as usual there.
const B: f64 = 0.75;

/// How well each text fits a query by their words (Okapi BM25); 0 where they share none.
pub(super) fn by_words(query: &str, texts: &[&str]) -> Vec<f64> {
    let texts: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let wanted: BTreeSet<String> = words(query).into_iter().collect();
    let mean = count(texts.iter().map(Vec::len).sum()) / count(texts.len().max(1));
    let weight = |word: &String| {
        let with = count(texts.iter().filter(|text| text.contains(word)).count());
        ((count(texts.len()) - with + 0.5) / (with + 0.5)).ln_1p()
    };
    let weights: Vec<(&String, f64)> = wanted.iter().map(|word| (word, weight(word))).collect();
    let score = |text: &Vec<String>| {
        let length = 1.0 - B + B * count(text.len()) / mean.max(1.0);
        let part = |(word, weight): &(&String, f64)| {
            let times = count(text.iter().filter(|one| one == word).count());
            weight * times * (K1 + 1.0) / (times + K1 * length)
        };
        weights.iter().map(part).sum()
    };
    texts.iter().map(score).collect()
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[expect(clippy::cast_precision_loss, reason = "words of a text are few")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// The cosine of the angle between two vectors, -1 to 1; 0 where one has no length or they have different ones.
pub(super) fn cosine(one: &[f32], other: &[f32]) -> f64 {
    if one.len() != other.len() {
        return 0.0;
    }
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = product(one, one).sqrt() * product(other, other).sqrt();
    if lengths > 0.0 { product(one, other) / lengths } else { 0.0 }
}

/// The place of the highest score, the first of equal ones; `None` where all are `least` or lower.
pub(super) fn highest(scores: impl IntoIterator<Item = f64>, least: f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, score) in scores.into_iter().enumerate() {
        if score > best.map_or(least, |(_, score)| score) {
            best = Some((place, score));
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_count_more_than_common_ones() {
        let texts = ["Mend the ferry script", "Mend the boat costume", "Sort the apples by weight, apples"];
        let nearest = |query: &str| highest(by_words(query, &texts), 0.0);
        assert_eq!(nearest("Mend the FERRY, please"), Some(0));
        assert_eq!(nearest("the costume"), Some(1));
        assert_eq!(nearest("apples!"), Some(2));
        assert_eq!((nearest("zebra"), nearest("")), (None, None), "nothing is shared");
        assert_eq!(highest(by_words("x", &[]), 0.0), None);
        assert_eq!(nearest("mend"), Some(0), "the first of equal ones");
    }

    #[test]
    fn vectors_are_near_by_their_direction() {
        assert!((cosine(&[1.0, 1.0], &[3.0, 3.0]) - 1.0).abs() < 1e-9);
        assert!((cosine(&[1.0, 0.0], &[0.0, 2.0])).abs() < 1e-9);
        assert_eq!((cosine(&[0.0], &[1.0]), cosine(&[1.0], &[1.0, 2.0])), (0.0, 0.0));
        assert_eq!(highest([f64::NAN, -0.5, 0.2], -1.0), Some(2));
    }
}
