//! Figures of a run of trajectories as text for a terminal (EcoScratch, section 9). Tables over several runs are made elsewhere.

use std::fmt::Write as _;

use crate::benchmarks::trajectories::Score;
use crate::grade::Proportion;

/// The figures of one mode.
pub fn trajectories_text(score: &Score) -> String {
    let mut text = String::new();
    for (name, share) in [
        ("generated", score.generated),
        ("strict", score.strict),
        ("of these", score.conversion),
        ("pictures", score.with_images),
    ] {
        let _ = writeln!(text, "{name:<10}{}", told(share));
    }
    let figure =
        |value: Option<f64>, digits: usize| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"));
    let _ = writeln!(
        text,
        "means     {} attempts, {} pictures, {} USD",
        figure(score.mean_attempts, 2),
        figure(score.mean_images, 2),
        figure(score.mean_usd, 5)
    );
    let layers: Vec<String> = score
        .layers
        .iter()
        .filter(|layer| layer.count > 0)
        .map(|layer| format!("{} {}", layer.count, layer.layer))
        .collect();
    let _ = write!(text, "layers    {}", layers.join(", "));
    if !score.levels.is_empty() {
        let levels: Vec<String> =
            score.levels.iter().map(|(level, share)| format!("{level}: {} of {}", share.hits, share.n)).collect();
        let _ = write!(text, "\nlevels    {}", levels.join(", "));
    }
    text
}

fn told(share: Proportion) -> String {
    let percent = share.percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1} %"));
    format!("{} of {} ({percent})", share.hits, share.n)
}
