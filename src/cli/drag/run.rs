//! `scratchbed drag run`: has agents make single drags, and prints the figures of the paper's tables 2 and 9.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::arms::drags::sessions::SceneSessions;
use crate::arms::drags::{Door, DragsArgs, drags, plan};
use crate::arms::output::Output;
use crate::arms::runs::{carry_out, say_outcomes};
use crate::arms::spending::say_costs;
use crate::flags::agents::AgentName;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::agent::QuestionPrompts;
use scratchbed::benchmarks::drag::ask::{Setting, prompts};
use scratchbed::benchmarks::drag::figures::{CLASSES, Split};
use scratchbed::experiment::Benchmark as _;
use scratchbed::experiment::engine::RunArm;
use scratchbed::grade::Count;
use scratchbed::report::{drag_text, write_drag_report};

/// One run after the other.
pub async fn run(args: DragsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let args = &args.with_ids()?;
    if args.run.resume().is_some() && args.setting.len() > 1 {
        return Err(Failure::new(Status::Usage, "one_setting", "only one setting can be resumed at a time".to_owned())
            .hinted("name the one of the run"));
    }
    args.budget()?;
    let prompts = args.prompts.read(prompts)?;
    let sessions = SceneSessions::start(&args.scenes, args.run.jobs(), settings).await?;
    args.fits(sessions.editor())?;
    let door = match args.agent {
        AgentName::Command => Some(Door::open(&sessions, args, settings).await?),
        _ => None,
    };
    let done = all_settings(args, &prompts, (&sessions, door.as_ref()), settings, out).await;
    if let Some(door) = door {
        door.close().await;
    }
    sessions.close().await;
    let (answers, complete) = done?;
    out.answer(&json!({"runs": answers}));
    Ok(Status::of(complete))
}

async fn all_settings(
    args: &DragsArgs,
    prompts: &QuestionPrompts,
    (sessions, door): (&SceneSessions, Option<&Door>),
    settings: &Settings,
    out: Output,
) -> Result<(Vec<Value>, bool), Failure> {
    let staged = sessions.staged(&args.scenes).await?;
    let mut answers = Vec::new();
    let mut complete = true;
    for help in &args.setting {
        let setting = Setting { help: (*help).into(), element_list: args.element_list };
        let dir = plan(args, setting, prompts, (&staged, sessions.editor()))
            .open(&settings.root.runs().join("drag"), args.run.resume())?;
        let budget = args.budget()?;
        let pricing = pricing(&args.run.budget.prices, dir.record())?;
        count_recorded(&budget, &dir)?;
        let drags = drags(args, (setting, prompts), (sessions, door), staged.clone(), &budget)?;
        dir.keep(CLASSES, &drags.classes())?;
        let arm = Arc::new(RunArm { benchmark: drags, dir, pricing });
        let records = carry_out(&arm, args.run.options(), settings).await?;
        let RunArm { benchmark: drags, dir, pricing } = &*arm;
        let summary = drags.figures(&records, Count::Ours);
        let reference = args.count.reference().then(|| drags.figures(&records, Count::Reference));
        complete &= records.iter().all(|record| record.detail.is_some());
        let page = write_drag_report(dir, &records, (&summary, reference.as_ref()), drags)?;
        out.say(drag_text(dir.record(), &summary, reference.as_ref()));
        if let Some(all) = summary.rows.iter().find(|row| row.split == Split::All) {
            say_outcomes(&all.outcomes, out);
        }
        out.say(format!("report    {}", page.display()));
        let spending = say_costs(&records, pricing, "drag that passed", out);
        answers.push(json!({
            "run": dir.path(),
            "report": page,
            "setting": setting.name(),
            "editor": sessions.editor(),
            "summary": summary,
            "reference": reference,
            "costs": spending,
        }));
    }
    Ok((answers, complete))
}
