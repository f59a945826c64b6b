//! `scratchbed bugs check`: instances are what they claim to be, and their suites tell right repairs from wrong ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::bugs::{Bench, Instance, InstanceEntry, Unbalanced, unbalanced};
use scratchbed::forge::{
    Adequacy, Checked, Fix, FixOutcome, KindRow, Made, Plays, Rules, Validator, adequacy, check, is_repaired_by_search,
    kind_rows, kinds, validators,
};
use scratchbed::grade::Proportion;
use scratchbed::inject::Pattern;
use scratchbed::judge::Judges;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;
use scratchbed::taskset::player;

/// What to check, and how often.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The benchmark.
    bench: PathBuf,
    /// Instances; all of them without any.
    ids: Vec<String>,
    /// Also try wrong and right repairs, and damage elsewhere, on each suite: it should reject at least 0.9 of the wrong ones and of the
    /// damage, and none of the right ones. What was found is kept beside the truth, and `bugs list` marks weak suites.
    #[arg(long)]
    adequacy: bool,
    /// Also try patches of the kinds that people write: right in another way, wrong where no assertion looks, right with damage elsewhere,
    /// the gate removed, a constant in place of a counter.
    #[arg(long)]
    kinds: bool,
    /// How often each run is made.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Runs at a time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
}

/// Checks them, printing as it goes.
pub(super) async fn check_all(args: &CheckArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let bench = Bench::open(&args.bench)?;
    let ids: Vec<String> = if args.ids.is_empty() {
        bench.entries().iter().map(|entry| entry.id.clone()).collect()
    } else {
        args.ids.clone()
    };
    let instances = ids.iter().map(|id| bench.instance(id)).collect::<Result<Vec<Instance>, _>>()?;
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), usize::from(args.lanes));
    let shown = bar("instances", instances.len() as u64);
    let widest = ids.iter().map(String::len).max().unwrap_or_default().max(HEAD[0].len());
    let checked = async {
        let mut found = Found::default();
        shown.suspend(|| out.say(line(&HEAD.map(str::to_owned), widest)));
        for instance in &instances {
            shown.set_message(instance.entry.id.clone());
            let rules = Rules::of_suite(&instance.suite);
            let plays = Plays::of_suite(judges.clone(), sources.clone(), &instance.suite);
            let one = check(instance, &plays, args.repeat).await?;
            let is_searched = is_repaired_by_search(instance, &plays).await?;
            shown.suspend(|| out.say(line(&cells(&one, is_searched), widest)));
            found.checked.push(one);
            found.misjudged.extend(instance.entry.misjudged(is_searched));
            found.searched.extend(is_searched.then(|| instance.entry.id.clone()));
            if args.adequacy {
                shown.say(format!("{}: adequacy …", instance.entry.id));
                let one = adequacy(instance, &plays, &rules).await?;
                let mark = one.mark(&instance.entry);
                shown.say(format!("{}: {mark}", instance.entry.id));
                bench.note_adequacy(&instance.entry.id, &mark)?;
                found.adequate.push(one);
            }
            if args.kinds {
                shown.say(format!("{}: kinds of patches …", instance.entry.id));
                found.made.extend(kinds(instance, &plays, rules.seed).await?);
            }
            shown.inc(1);
        }
        Ok::<Found, Failure>(found)
    }
    .await;
    shown.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    Ok(told(&checked?, args, &bench, out))
}

/// What was found of all instances.
#[derive(Debug, Default)]
struct Found {
    checked: Vec<Checked>,
    adequate: Vec<Adequacy>,
    /// Instances that a text search repairs, and what is said of those whose difficulty does not agree with it.
    searched: Vec<String>,
    misjudged: Vec<String>,
    made: Vec<Made>,
}

fn told(found: &Found, args: &CheckArgs, bench: &Bench, out: Output) -> Status {
    let Found { checked, adequate, searched, misjudged, made } = found;
    let sound = checked.iter().filter(|one| one.sound).count();
    out.say(format!("{sound} of {} sound", pluralise_as(checked.len(), "instance is", "instances are")));
    let too_easy = InstanceEntry::too_easy(searched.len(), checked.len());
    if let Some(why) = &too_easy {
        out.say(why);
    }
    for why in misjudged {
        out.say(why);
    }
    let unbalanced = unbalanced(bench.entries(), &pattern_names());
    say_unbalanced(&unbalanced, out);
    show_adequacy(adequate, out);
    let worth = if adequate.is_empty() { Vec::new() } else { validators(adequate) };
    show_validators(&worth, out);
    let rows = if args.kinds { kind_rows(made) } else { Vec::new() };
    show_kinds(&rows, made, out);
    let mut answer = json!({"checked": checked, "sound": sound, "adequacy": adequate, "validators": worth});
    answer["unbalanced"] = json!(unbalanced);
    answer["repaired_by_search"] =
        json!({"instances": searched, "too_many": too_easy.is_some(), "misjudged": misjudged});
    answer["kinds"] = json!({"rows": rows, "patches": made});
    out.answer(&answer);
    // The share is one of the whole benchmark, and nothing is left out by the letter of the paper.
    let may_be_easy = !args.ids.is_empty() || bench.rules()["literal"] == true;
    let is_hard_enough = misjudged.is_empty() && (may_be_easy || too_easy.is_none());
    Status::of(sound == checked.len() && adequate.iter().all(Adequacy::is_adequate) && is_hard_enough)
}

/// The columns of a check.
const HEAD: [&str; 9] = ["instance", "restores", "files", "gold", "buggy", "guards", "flips", "search", "sound"];

/// What was found of an instance, a column each.
fn cells(one: &Checked, is_searched: bool) -> [String; 9] {
    let yes = |flag: bool| if flag { "yes" } else { "NO" }.to_owned();
    let [golden, buggy] = [one.golden, one.buggy].map(|share| format!("{share:.2}"));
    let flips = format!("{} of {}", one.flips, one.runs);
    let search = if is_searched { "REPAIRS" } else { "fails" }.to_owned();
    let guards = match one.golden_breaks {
        0 => one.guards.to_string(),
        broken => format!("{broken} BROKEN"),
    };
    [one.id.clone(), yes(one.restores), yes(one.is_current), golden, buggy, guards, flips, search, yes(one.sound)]
}

/// A row of the table, which is printed as it grows: the first column is as wide as its widest name.
fn line(cells: &[String; 9], widest: usize) -> String {
    let [first, others @ ..] = cells;
    let mut line = format!("{first:<widest$}");
    for cell in others {
        let _ = write!(line, "  {cell:<9}");
    }
    line.trim_end().to_owned()
}

/// The names of all patterns.
pub(super) fn pattern_names() -> Vec<String> {
    Pattern::iter().map(|pattern| pattern.to_string()).collect()
}

/// Says which patterns a benchmark has too few or too many instances of.
pub(super) fn say_unbalanced(unbalanced: &[Unbalanced], out: Output) {
    for one in unbalanced {
        out.say(one.to_string());
    }
}

fn show_adequacy(all: &[Adequacy], out: Output) {
    if all.is_empty() {
        return;
    }
    let rows = all.iter().map(|one| {
        let [wrong, damage] = [&one.wrong, &one.damage].map(|tried| {
            let count = |outcome| tried.iter().filter(|fix| fix.outcome == outcome).count();
            let (asserted, guarded) = (count(FixOutcome::Rejected), count(FixOutcome::BreaksGuard));
            let counted = asserted + guarded + count(FixOutcome::Accepted);
            [format!("{} of {counted}", asserted + guarded), guarded.to_string()]
        });
        let right = format!("{} of {}", one.right.len() - one.rejected_right().count(), one.right.len());
        let mark = if one.is_adequate() { "" } else { "WEAK" }.to_owned();
        let [[wrong, wrong_by_guards], [damage, damage_by_guards]] = [wrong, damage];
        [one.id.clone(), wrong, wrong_by_guards, damage, damage_by_guards, right, mark]
    });
    let head = ["instance", "wrong rejected", "by guards", "damage rejected", "by guards", "right accepted", ""];
    out.say(table(&head, rows).to_string());
    let sum = |of: &dyn Fn(&Adequacy) -> &[Fix], outcomes: &[FixOutcome]| -> usize {
        all.iter().flat_map(of).filter(|fix| outcomes.contains(&fix.outcome)).count()
    };
    let rejected = [FixOutcome::Rejected, FixOutcome::BreaksGuard];
    let counted = [FixOutcome::Rejected, FixOutcome::BreaksGuard, FixOutcome::Accepted];
    out.say(format!(
        "rejected: {} of {}, {} of {} that people notice, {} of {}",
        sum(&|one| &one.wrong, &rejected),
        pluralise(sum(&|one| &one.wrong, &counted), "wrong repair"),
        sum(&|one| &one.damage, &rejected),
        pluralise(sum(&|one| &one.damage, &counted), "damage"),
        sum(&|one| &one.right, &rejected),
        pluralise(sum(&|one| &one.right, &counted), "right repair"),
    ));
    for one in all.iter().filter(|one| !one.is_adequate()) {
        let accepted = one.wrong.iter().chain(&one.damage).filter(|fix| fix.outcome == FixOutcome::Accepted);
        accepted.for_each(|fix| out.say(format!("{} accepts {}", one.id, fix.name)));
        one.rejected_right().for_each(|fix| out.say(format!("{} rejects {}, which is right", one.id, fix.name)));
    }
}

/// What validators flag, and how much of it the suites reject.
fn show_validators(all: &[Validator], out: Output) {
    let rows = all.iter().filter(|one| one.detection.precision.n > 0).map(|one| {
        let share = |share: Proportion| {
            let percent = share.percent.map_or_else(String::new, |percent| format!(" ({percent:.0} %)"));
            format!("{} of {}{percent}", share.hits, share.n)
        };
        [one.name.clone(), share(one.detection.precision), share(one.detection.recall)]
    });
    if !all.is_empty() {
        out.say(table(&["validator", "flagged and rejected", "rejected and flagged"], rows).to_string());
    }
}

/// What suites make of the kinds of patches that people write, and which they get wrong.
fn show_kinds(rows: &[KindRow], made: &[Made], out: Output) {
    if rows.is_empty() {
        return;
    }
    let cells = rows.iter().map(|row| {
        let wanted = if row.is_right { "accepted" } else { "rejected" };
        let counts = [row.tried, row.accepted, row.by_assertions, row.by_guards, row.equivalent];
        let [tried, accepted, by_assertions, by_guards, equivalent] = counts.map(|count| count.to_string());
        [row.kind.to_string(), wanted.to_owned(), tried, accepted, by_assertions, by_guards, equivalent]
    });
    let head = ["kind", "should be", "tried", "accepted", "rejected by assertions", "by guards", "not noticed"];
    out.say(table(&head, cells).to_string());
    for one in made.iter().filter(|one| one.outcome != FixOutcome::Equivalent) {
        if one.kind.is_right() == one.outcome.is_rejected() {
            let does = if one.outcome.is_rejected() { "rejects" } else { "accepts" };
            out.say(format!("{} {does} {}: {}", one.instance, one.kind, one.name));
        }
    }
}
