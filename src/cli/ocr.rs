//! `scratchbed bench ocr`: how many of the words that a person sees are read, and how fast.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::ocr::{OcrScore, OcrsReader, Recognizer, compare, compare_reference, load_fixture};

/// Share of the words that must be read: 75 of the default page's 88. RapidOCR 3.10 reads 70 of them.
const SHARE: f64 = 75.0 / 88.0;
/// Longest time for a first reading, in milliseconds. RapidOCR 3.10 takes 660 on two cores.
const MILLISECONDS: f64 = 500.0;

/// Which picture, and what stands in it.
#[derive(Debug, Args)]
pub struct OcrArgs {
    /// A PNG; the editor's default page unless given.
    #[arg(long, value_name = "FILE", requires = "words")]
    picture: Option<PathBuf>,
    /// The words in it, as {"rule": …, "lines": […]}.
    #[arg(long, value_name = "FILE", requires = "picture")]
    words: Option<PathBuf>,
    /// Readings, of which the fastest counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

/// Reads the picture and compares; the answer is yes when enough words are read fast enough.
pub fn run(args: &OcrArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let fixtures = settings.root.ocr_fixtures();
    let picture = args.picture.clone().unwrap_or_else(|| fixtures.join("default.png"));
    let words = args.words.clone().unwrap_or_else(|| fixtures.join("default.words.json"));
    let (image, expected) = load_fixture(&picture, &words)?;
    let recognizer = Recognizer::load(&settings.root.ocr_models())?;
    let progress = spinner("reading");
    let score = compare(&recognizer, &image, &expected, args.rounds);
    let reference = OcrsReader::load(&settings.root.ocr_models())
        .and_then(|reader| compare_reference(&reader, &image, &expected, args.rounds));
    progress.finish_and_clear();
    let (score, reference) = (score?, reference?);
    out.say(format!("{} of {} words read, {} that are not there", score.found, score.expected, score.extra));
    if !score.missed.is_empty() {
        out.say(format!("missed: {}", score.missed.join(" ")));
    }
    out.say(format!("first reading {:.0} ms, again {:.0} ms", score.milliseconds, score.again_milliseconds));
    let OcrScore { found, milliseconds, .. } = &reference;
    out.say(format!("the ocrs crate's own pipeline on the same models: {found} words in {milliseconds:.0} ms"));
    out.answer(
        &json!({"ocr": score, "reference": reference, "budget": {"share": SHARE, "milliseconds": MILLISECONDS}}),
    );
    Ok(Status::of(score.share() >= SHARE && score.milliseconds <= MILLISECONDS))
}
