//! From the model's probabilities to the words of a line: greedy CTC decoding with a confidence per word.
//!
//! The `ocrs` crate decodes too, but gives no score and no step-by-step probabilities; the published rules
//! for element lists drop text below a confidence of 0.5, so this room decodes itself.

use rten_tensor::NdTensorView;
use rten_tensor::prelude::*;

/// Pixels of the line per step of the model.
const STEP: usize = 8;

/// The text of one word of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// Empty when nothing was read.
    pub text: String,
    /// Mean probability of its characters, 0 to 1.
    pub confidence: f32,
}

/// Reads `[step, class]` probabilities; class 0 is "nothing", class n is character n - 1 of `alphabet`.
///
/// Each character goes to the word in whose span its step lies.
pub(super) fn decode(
    probabilities: &NdTensorView<f32, 2>,
    alphabet: &[char],
    spans: &[(usize, usize)],
) -> Vec<Reading> {
    let mut sums = vec![(String::new(), 0.0_f32, 0.0_f32); spans.len()];
    let mut last = 0;
    for step in 0..probabilities.size(0) {
        let (class, probability) = best(probabilities, step);
        let character = class.checked_sub(1).filter(|_| class != last).and_then(|c| alphabet.get(c));
        last = class;
        let place = step * STEP + STEP / 2;
        let word = spans.iter().position(|(from, to)| (*from..*to).contains(&place));
        if let (Some(character), Some(word)) = (character.filter(|c| **c != ' '), word) {
            let (text, sum, count) = &mut sums[word];
            text.push(*character);
            *sum += probability;
            *count += 1.0;
        }
    }
    let reading = |(text, sum, count): (String, f32, f32)| Reading { text, confidence: sum / count.max(1.0) };
    sums.into_iter().map(reading).collect()
}

fn best(probabilities: &NdTensorView<f32, 2>, step: usize) -> (usize, f32) {
    let classes = (0..probabilities.size(1)).map(|class| (class, probabilities[[step, class]]));
    classes.fold((0, f32::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use rten_tensor::NdTensor;

    use super::*;

    /// Probabilities where each step is sure of one class.
    fn sure(classes: &[usize], probability: f32) -> NdTensor<f32, 2> {
        let mut all = NdTensor::zeros([classes.len(), 4]);
        for (step, class) in classes.iter().enumerate() {
            all[[step, *class]] = probability;
        }
        all
    }

    #[test]
    fn repeats_collapse_unless_nothing_is_between() {
        let read = decode(&sure(&[1, 1, 0, 1, 2], 0.9).view(), &['a', 'b', ' '], &[(0, 40)]);
        assert_eq!(read[0].text, "aab");
        assert!((read[0].confidence - 0.9).abs() < 1e-6);
    }

    #[test]
    fn characters_go_to_the_word_they_stand_in_and_spaces_to_none() {
        let read = decode(&sure(&[1, 3, 2], 1.0).view(), &['a', 'b', ' '], &[(0, 12), (12, 24)]);
        assert_eq!((read[0].text.as_str(), read[1].text.as_str()), ("a", "b"));
    }

    #[test]
    fn an_empty_word_has_no_confidence() {
        let read = decode(&sure(&[0, 0], 1.0).view(), &['a'], &[(0, 16)]);
        assert_eq!(read[0], Reading { text: String::new(), confidence: 0.0 });
    }
}
