//! `scratchbed repair report` of a controller's run: the page of the run, and one for each of its trajectories.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::arms::cases::{Record, cases_of_run};
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::trajectories::{Cases, score};
use scratchbed::compile::DrawingPage;
use scratchbed::model::Category;
use scratchbed::report::{TrajectorySource, trajectories_text, write_trajectories_report, write_trajectory_page};
use scratchbed::store::RunDir;
use scratchbed::trajectory::Plans;

/// What the pages are made of besides the run.
pub struct Wanted<'a> {
    /// The benchmark of faults, or the category of tasks.
    pub bench: Option<&'a Path>,
    pub tasks: Option<Category>,
    /// Whether scripts are drawn.
    pub has_pictures: bool,
}

/// Prints the figures and writes the pages.
pub async fn report(dir: &RunDir, wanted: &Wanted<'_>, settings: &Settings, out: Output) -> Result<Value, Failure> {
    let tries = dir.last_tries::<Option<scratchbed::model::Trajectory>>()?.into_iter();
    let records: Vec<Record> = tries.map(|tried| tried.record).collect();
    let house = House::start(settings, 1).await?;
    let drawing = DrawingPage::new(house.fleet.clone());
    let made = async {
        let cases = cases_of_run(dir, (wanted.bench, wanted.tasks), &house)?;
        let drawing = wanted.has_pictures.then_some(&drawing);
        Ok::<_, Failure>((score(cases.items(), &records), pages(dir, &records, (&cases, drawing)).await?))
    }
    .await;
    drawing.clear().await;
    house.close().await;
    let (score, pages) = made?;
    let page = write_trajectories_report(dir, &records, &score)?;
    out.say(trajectories_text(&score));
    out.say(format!("report    {}", page.display()));
    Ok(json!({"run": dir.path(), "report": page, "trajectories": pages, "score": score}))
}

async fn pages(
    run: &RunDir,
    records: &[Record],
    (cases, drawing): (&Cases, Option<&DrawingPage>),
) -> Result<Vec<PathBuf>, Failure> {
    let plans = Plans::read(None)?;
    let shown = bar("trajectories", records.len() as u64);
    let mut written = Vec::new();
    for record in records {
        if let Some(trajectory) = &record.detail {
            let opened = cases.open(&record.item).await?;
            let case = opened.map_err(|error| Failure::infrastructure("testbed_failed", &error))?;
            // A run with a file of its own has caps that are not in its record.
            let plans = (trajectory.hashes.get("plans") == Some(&plans.digest)).then_some(&plans);
            let source = TrajectorySource { run, record, trajectory, plans };
            written.push(write_trajectory_page(&source, &case, drawing).await?);
        }
        shown.inc(1);
    }
    shown.finish_and_clear();
    Ok(written)
}
