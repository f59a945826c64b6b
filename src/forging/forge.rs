//! `scratchbed forge …`: faults are put into the projects of a pool.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::json;
use strum::IntoEnumIterator as _;

use super::bugs_check::{pattern_names, say_unbalanced};
use super::forge_told::{covered, line, show, spent};
use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::bugs::{Bench, Difficulty, InstanceEntry, Pool};
use scratchbed::forge::{Gold, News, Plays, Rules, Run, Searched, Tried, Turns, attempt, literal, ranked};
use scratchbed::inject::{Candidate, Pattern, sites};
use scratchbed::judge::{Judges, editor, engine};
use scratchbed::model::{Assertion, pluralise};
use scratchbed::project::Project;
use scratchbed::project::normalise::normalise;
use scratchbed::session::Fleet;
use scratchbed::taskset::player;

/// What to do with faults.
#[derive(Debug, Subcommand)]
pub enum ForgeCommand {
    /// Make a benchmark of a pool: one fault a project, each with its inverse and a suite that tells it apart. The same again goes on
    /// where a killed run was.
    Run(RunArgs),
    /// Try the faults of one pattern in one project, and tell what becomes of each.
    Try(TryArgs),
}

/// What is forged, and where it goes.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Where the benchmark goes.
    #[arg(long, value_name = "BENCH")]
    out: PathBuf,
    #[command(flatten)]
    what: PoolArgs,
    /// Go by the letter of the paper's algorithms: every scenario under every seed, pass rates from runs made anew, suites as they come.
    /// It takes some ten times as long.
    #[arg(long)]
    literal: bool,
    /// Measure the suite of each fault, as `scratchbed bugs check --adequacy` does: right repairs with damage elsewhere are tried on it. A
    /// fault whose suite rejects less than this share of the damage that people notice gives way to the next one, four times at most for
    /// each instance; then the best is kept, and told. Each has a budget of its own, and measuring counts against none: such a run takes
    /// much longer.
    #[arg(
        long,
        value_name = "SHARE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.9",
        value_parser = share,
        conflicts_with = "literal"
    )]
    adequate: Option<f64>,
    /// Make another benchmark of the same pool: the salt goes into the seed and into all ids, so that nobody can know its instances from
    /// an earlier one. It is recorded.
    #[arg(long, value_name = "SALT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    refresh: Option<String>,
}

/// The pool and the figures.
#[derive(Debug, Clone, Args)]
pub struct PoolArgs {
    /// The pool, as `scratchbed intake scan` makes it.
    #[arg(long, value_name = "POOL")]
    pool: PathBuf,
    /// Instances at most.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Faults of a project, each of another pattern. A benchmark has one; more are for training.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    per_project: u8,
    #[command(flatten)]
    figures: FigureArgs,
}

/// The project and the pattern.
#[derive(Debug, Args)]
pub struct TryArgs {
    /// A gold project, an .sb3 file.
    project: PathBuf,
    /// The pattern; all of them without it.
    #[arg(long, value_parser = named::<Pattern>())]
    pattern: Option<Pattern>,
    /// Go by the letter of the paper's algorithms: every scenario under every seed, pass rates from runs made anew. It takes some ten
    /// times as long.
    #[arg(long)]
    literal: bool,
    #[command(flatten)]
    figures: FigureArgs,
}

/// How much more a project may cost by the letter of the paper.
const BY_LETTER: u64 = 16;

/// Seconds of an instance at most: 100 in 30 minutes on two cores (ScratchEval, section 11.5).
const SECONDS_EACH: f64 = 18.0;

/// The figures by which faults are tried; the defaults are the paper's.
#[derive(Debug, Clone, Args)]
struct FigureArgs {
    /// From it follows which faults are tried first.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs of a scenario, each under a seed of its own.
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    reruns: u64,
    /// Ticks of a run at most.
    #[arg(long, value_name = "TICKS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(300..=100_000))]
    horizon: u64,
    /// Ticks between two checkpoints.
    #[arg(long, value_name = "TICKS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100))]
    every: u64,
    /// At least this share of gold's reruns pass, and at most this share of the buggy project's.
    #[arg(long, value_name = "PASS,FAIL", default_value = "0.9,0.1", value_parser = theta)]
    theta: Theta,
    /// Faults of a pattern that are tried in a project.
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    trials: u16,
    /// Ticks for which inputs are searched that run what the usual scenarios leave out, such as 200000; 0 for none.
    #[arg(long, value_name = "TICKS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=10_000_000))]
    search: u64,
    /// Ticks that a project may cost for each instance, each load counting as 200 of them, and a tick with the work of 33,000 blocks as two;
    /// when they are spent, nothing more is tried in it. They are counted, not timed, so that the same is forged on any machine.
    #[arg(long, value_name = "TICKS", default_value_t = Rules::default().budget, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// Leave suites as they come: without what it takes to reject wrong repairs that they accept.
    #[arg(long)]
    no_harden: bool,
    /// Runs at a time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
}

/// Two shares.
#[derive(Debug, Clone, Copy)]
struct Theta(f64, f64);

fn theta(text: &str) -> Result<Theta, String> {
    let wrong = || "two shares such as 0.9,0.1, the first above the second".to_owned();
    let (pass, fail) = text.split_once(',').ok_or_else(wrong)?;
    let share =
        |text: &str| text.trim().parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share)).ok_or_else(wrong);
    let (pass, fail) = (share(pass)?, share(fail)?);
    if pass > fail { Ok(Theta(pass, fail)) } else { Err(wrong()) }
}

/// Reads a share that a suite can be asked for.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "a share above 0 and at most 1, such as 0.9".to_owned())
}

impl RunArgs {
    /// The figures of a benchmark.
    fn rules(&self, rules: Rules) -> Rules {
        let rules = Rules { adequate: self.adequate, ..rules };
        let rules = if self.literal {
            Rules { literal: true, harden: false, budget: rules.budget.saturating_mul(BY_LETTER), ..rules }
        } else {
            rules
        };
        match &self.refresh {
            Some(salt) => rules.refreshed(salt),
            None => rules,
        }
    }
}

impl FigureArgs {
    fn rules(&self, per_project: u8) -> Rules {
        Rules {
            seed: self.seed,
            reruns: self.reruns,
            horizon: self.horizon,
            every: self.every,
            theta: (self.theta.0, self.theta.1),
            trials: usize::from(self.trials),
            per_project: usize::from(per_project),
            search: self.search,
            harden: !self.no_harden,
            budget: self.budget,
            ..Rules::default()
        }
    }
}

/// Does it.
pub async fn run(command: ForgeCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        ForgeCommand::Run(args) => forge(&args, settings, out).await,
        ForgeCommand::Try(args) => try_one(&args, settings, out).await,
    }
}

/// Pages that play scenarios.
async fn plays(settings: &Settings, rules: &Rules, lanes: u16) -> Result<(Fleet, Plays), Failure> {
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), usize::from(lanes));
    Ok((fleet, Plays::new(judges, sources, rules)))
}

/// Forges into a folder that is gone afterwards, and tells what that took: `scratchbed bench forge`.
pub async fn measured(args: &PoolArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::infrastructure("no_temporary_folder", &error))?;
    let mut what = args.clone();
    // Neither searching nor hardening is in the budget.
    (what.figures.search, what.figures.no_harden) = (0, true);
    let run = RunArgs { out: folder.path().join("bench"), what, literal: false, adequate: None, refresh: None };
    let began = Instant::now();
    let status = forge(&run, settings, out).await?;
    let instances = u32::try_from(Bench::open(&run.out)?.entries().len()).unwrap_or(u32::MAX);
    let each = began.elapsed().as_secs_f64() / f64::from(instances.max(1));
    let is_met = each <= SECONDS_EACH && instances > 0;
    let met = if is_met { "met" } else { "MISSED" };
    out.say(format!("{each:.1} s an instance, wanted at most {SECONDS_EACH} (100 in 30 minutes): {met}"));
    out.answer(&json!({"instances": instances, "seconds_each": each, "wanted": SECONDS_EACH, "met": is_met}));
    Ok(if is_met { status } else { Status::Negative })
}

async fn forge(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let PoolArgs { pool, count, per_project, figures } = &args.what;
    let pool = Pool::open(pool)?;
    let rules = args.rules(figures.rules(*per_project));
    let mut bench = opened(&args.out, &pool, &rules)?;
    let (fleet, plays) = plays(settings, &rules, figures.lanes).await?;
    let began = Instant::now();
    let shown = bar("planning", pool.entries().len() as u64);
    let told = |news: News| match &news {
        News::Planning { number } => shown.set_position(*number as u64),
        News::Planned { projects } => shown.phase("projects", *projects as u64),
        News::Step { project, step } => {
            shown.set_message(format!("{project}: {step}"));
            shown.say(line(&news));
        }
        News::Measuring { project, tried, all } => {
            shown.set_message(format!("{project}: {tried} of {all} damages tried on its suite"));
        }
        News::Project { project, number } => {
            shown.set_position(*number as u64 - 1);
            shown.set_message(project.clone());
        }
        other => shown.say(line(other)),
    };
    let run = Run { pool: &pool, bench: &mut bench, plays: &plays, rules: &rules, count: *count as usize, told: &told };
    let forged = run.run().await;
    shown.finish_and_clear();
    plays.judges().close().await;
    fleet.shutdown().await;
    let forged = forged?;
    let unbalanced = bench.balance(&pattern_names())?.to_vec();
    let seconds = began.elapsed().as_secs_f64();
    show(&forged, &bench, &plays, seconds, out);
    say_unbalanced(&unbalanced, out);
    let trivial = bench.entries().iter().filter(|entry| entry.difficulty == Difficulty::Trivial).count();
    let too_easy = InstanceEntry::too_easy(trivial, bench.entries().len());
    if let Some(why) = &too_easy {
        out.say(why);
    }
    let mut answer = json!({"forged": forged, "bench": args.out, "version": bench.version(), "seconds": seconds});
    answer["mostly_invalid"] = json!(forged.mostly_invalid().is_some());
    answer["unbalanced"] = json!(unbalanced);
    answer["trivial"] = json!({"instances": trivial, "too_many": too_easy.is_some()});
    answer["spent"] = spent(&plays);
    out.answer(&answer);
    Ok(Status::of(forged.instances > 0))
}

/// The benchmark to go on with, or a new one. One that was forged by other figures is left alone.
fn opened(folder: &Path, pool: &Pool, rules: &Rules) -> Result<Bench, Failure> {
    let figures = json!(rules);
    if !folder.join("benchmark.json").is_file() {
        let bench = Bench::create(folder, pool.profile(), figures, &engine(), &editor())?;
        bench.sweep()?;
        return Ok(bench);
    }
    let bench = Bench::open(folder)?;
    if *bench.rules() != figures || bench.engine() != engine() {
        let message = format!("{} was forged by other figures or by another version", folder.display());
        return Err(Failure::new(Status::Input, "benchmark_differs", message)
            .hinted("name another folder, or give the same figures"));
    }
    bench.sweep()?;
    Ok(bench)
}

/// What becomes of a fault, in a word, and why.
async fn tried_one(
    gold: &Gold,
    plays: &Plays,
    rules: &Rules,
    (candidate, by_the_letter): (&Candidate, bool),
) -> Result<(String, String), Failure> {
    let says = |assertions: &[Assertion]| {
        let says = assertions.iter().map(|one| one.says.clone());
        says.collect::<Vec<_>>().join("; ")
    };
    if by_the_letter {
        let tried = literal(gold, plays, rules, candidate).await?;
        let verdict = tried.discarded.map_or_else(|| "accepted".to_owned(), |why| why.to_string());
        return Ok((verdict, tried.told()));
    }
    let tried = attempt(gold, plays, rules, candidate).await?;
    if let Tried::Accepted(accepted) = &tried {
        return Ok(("accepted".to_owned(), says(&accepted.suite.assertions)));
    }
    Ok(tried.discarded().map(|(why, detail)| (why.to_string(), detail)).unwrap_or_default())
}

async fn try_one(args: &TryArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let rules = args.figures.rules(1);
    let mut read = Project::read(&files::read(&args.project)?)?;
    normalise(&mut read.json, "try");
    let mut gold = Gold::of("project", read, &rules)?;
    let (fleet, plays) = plays(settings, &rules, args.figures.lanes).await?;
    let tried = async {
        let Searched { live, ran, found, .. } = gold.play(&plays, &rules).await?;
        out.say(covered("the project", live, ran, found));
        let all = sites(&gold.project.json);
        let mut tried = Vec::new();
        for pattern in Pattern::iter().filter(|pattern| args.pattern.is_none_or(|wanted| wanted == *pattern)) {
            for candidate in ranked(&gold, &all, pattern, &rules, &Turns::new()) {
                let (verdict, detail) = tried_one(&gold, &plays, &rules, (&candidate, args.literal)).await?;
                out.say(format!("{verdict:<14} {}: {detail}", candidate.id()));
                tried.push(json!({"fault": candidate.id(), "verdict": verdict, "detail": detail}));
            }
        }
        Ok::<_, Failure>(tried)
    }
    .await;
    plays.judges().close().await;
    fleet.shutdown().await;
    let tried = tried?;
    let accepted = tried.iter().filter(|one| one["verdict"] == "accepted").count();
    out.say(format!("{accepted} of {} accepted", pluralise(tried.len(), "fault")));
    out.answer(&json!({"tried": tried, "accepted": accepted, "spent": spent(&plays)}));
    Ok(Status::of(accepted > 0))
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;
    use scratchbed::forge::ADEQUATE;

    use super::*;

    /// The share that suites are asked for by these flags.
    fn asked(flags: &[&str]) -> Result<Option<f64>, clap::Error> {
        let all = ["forge", "run", "--pool", "POOL", "--out", "BENCH"].into_iter().chain(flags.iter().copied());
        let matches = ForgeCommand::augment_subcommands(clap::Command::new("forge")).try_get_matches_from(all)?;
        let ForgeCommand::Run(args) = ForgeCommand::from_arg_matches(&matches)? else { panic!("it is no run") };
        Ok(args.rules(args.what.figures.rules(1)).adequate)
    }

    #[test]
    fn suites_are_asked_for_the_usual_share_or_for_another_one() {
        assert_eq!(asked(&[]).unwrap(), None);
        assert_eq!(asked(&["--adequate"]).unwrap(), Some(ADEQUATE));
        assert_eq!(asked(&["--adequate=0.75", "--refresh", "2027"]).unwrap(), Some(0.75));
        for wrong in ["--adequate=0", "--adequate=1.5", "--adequate=NaN", "--adequate=most"] {
            assert!(asked(&[wrong]).unwrap_err().to_string().contains("a share above 0"), "{wrong}");
        }
        assert!(asked(&["--adequate", "--literal"]).is_err());
    }
}
