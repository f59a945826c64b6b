//! `scratchbed bench editors`: the current and the reference editor side by side.

use std::time::{Duration, Instant};

use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::EditorGeneration;
use scratchbed::perf::bench::{Budget, run_in_any_editor};
use scratchbed::report::plain_table as table;
use scratchbed::session::{SessionOptions, Sessions, Start};

/// Sessions at once in the measure of memory, and the one in reserve.
const SESSIONS: usize = 9;
const IDLE: Duration = Duration::from_secs(600);

/// Measures one after the other; what was measured first runs no more meanwhile.
pub async fn run(settings: &Settings, out: Output) -> Result<Status, Failure> {
    let mut measured = Vec::new();
    for editor in EditorGeneration::iter() {
        measured.push((editor, one(editor, settings).await?));
    }
    let names = measured[0].1.iter();
    let rows = names.enumerate().map(|(at, figure)| {
        let values = measured.iter().map(|(_, figures)| format!("{:.2}", figures[at].value));
        [figure.name.clone()].into_iter().chain(values).chain([figure.unit.clone()]).collect::<Vec<_>>()
    });
    let heads: Vec<String> = measured.iter().map(|(editor, _)| editor.to_string()).collect();
    let head: Vec<&str> = ["name"].into_iter().chain(heads.iter().map(String::as_str)).chain(["unit"]).collect();
    out.say(table(&head, rows).to_string());
    let objects = measured.iter().map(|(editor, figures)| {
        let figures = figures.iter().map(|one| json!({"name": one.name, "value": one.value, "unit": one.unit}));
        json!({"editor": editor, "figures": figures.collect::<Vec<_>>()})
    });
    out.answer(&json!({"editors": objects.collect::<Vec<_>>()}));
    Ok(Status::Success)
}

async fn one(editor: EditorGeneration, settings: &Settings) -> Result<Vec<Budget>, Failure> {
    let fleet = browsers::start_in(editor, settings, 1).await?;
    let sessions = Sessions::new(fleet, SessionOptions { limit: SESSIONS, idle: IDLE });
    let progress = spinner("measuring");
    let began = Instant::now();
    let first = sessions.create(Start::default()).await;
    let first_ms = began.elapsed().as_secs_f64() * 1000.0;
    let measured = async {
        sessions.delete(&first?.id).await?;
        Ok::<_, Failure>(
            run_in_any_editor(&sessions, |what| progress.set_message(format!("measuring the {editor} editor: {what}")))
                .await?,
        )
    };
    let measured = measured.await;
    progress.finish_and_clear();
    sessions.shutdown().await;
    let mut figures = measured?;
    figures.insert(0, Budget { name: "first_session".into(), value: first_ms, unit: "ms".into(), budget: f64::MAX });
    Ok(figures)
}
