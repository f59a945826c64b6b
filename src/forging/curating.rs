//! `scratchbed intake review`: two or more people say, each for themselves, which projects of a pool are worth being in a benchmark: on a
//! page, or project by project.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::bugs::{Curation, GENRES, Outdated, Pool, Review, Reviews, both_said};
use scratchbed::grade::kappa;
use scratchbed::model::{ItemId, pluralise, pluralise_as};
use scratchbed::report::{ReviewSheet, plain_table as table};

/// Which projects, and what is said of them. Without any: how far reviewers have come, and how well they agree.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The pool.
    pool: PathBuf,
    /// The project's name in it.
    #[arg(group = "what", requires = "reviewer", requires = "verdict")]
    id: Option<String>,
    /// Write a page on which one reviewer goes through all projects; it needs no server.
    #[arg(long, group = "what", requires = "reviewer", requires = "out")]
    page: bool,
    /// Where the page goes, an HTML file.
    #[arg(long, value_name = "FILE", requires = "page")]
    out: Option<PathBuf>,
    /// Note what a file says that such a page gave, for the reviewer whom it names.
    #[arg(long, value_name = "FILE", group = "what", conflicts_with = "reviewer")]
    answers: Option<PathBuf>,
    /// Who reviews. What others say is not shown before.
    #[arg(long, value_name = "NAME", requires = "what")]
    reviewer: Option<ItemId>,
    /// It is worth being in a benchmark.
    #[arg(long, group = "verdict", requires = "id")]
    accept: bool,
    /// It is not.
    #[arg(long, group = "verdict", requires = "id")]
    reject: bool,
    /// What kind of program it is.
    #[arg(long, value_parser = GENRES, requires = "id")]
    genre: Option<String>,
    /// Why.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "id")]
    reason: String,
}

/// Writes a page, notes reviews, or says how far the pool is.
pub fn review(args: &ReviewArgs, out: Output) -> Result<Status, Failure> {
    let pool = Pool::open(&args.pool)?;
    if let Some(file) = &args.answers {
        return taken(&pool, file, out);
    }
    match (&args.reviewer, &args.id, &args.out) {
        (Some(reviewer), Some(id), _) => noted(&pool, id, reviewer, args, out),
        (Some(reviewer), None, Some(file)) if args.page => page(&pool, reviewer, file, out),
        _ => summary(&pool, out),
    }
}

/// Notes what was said of one project.
fn noted(pool: &Pool, id: &str, reviewer: &ItemId, args: &ReviewArgs, out: Output) -> Result<Status, Failure> {
    // A name that the pool does not have is told as for records.
    pool.record(id)?;
    let (genre, reason) = (args.genre.clone(), args.reason.clone());
    let review = Review { accept: args.accept, genre, reason, sha256: None };
    let curation = Curation::note(pool, id, reviewer, review)?;
    let reviews = curation.reviews.len();
    out.say(format!("{id}: noted for {reviewer}; {} so far", pluralise(reviews, "review")));
    out.answer(&json!({"project": id, "reviewer": reviewer, "reviews": reviews, "curated": curation.is_curated()}));
    Ok(Status::Success)
}

/// Writes the page of a reviewer.
fn page(pool: &Pool, reviewer: &ItemId, file: &Path, out: Output) -> Result<Status, Failure> {
    let sheet = ReviewSheet::of(pool, reviewer)?;
    let (projects, left) = (sheet.projects(), sheet.left());
    if projects == 0 {
        let failure = Failure::new(Status::Input, "nothing_to_review", "the pool has no project");
        return Err(failure.hinted("`scratchbed intake scan SOURCE --out POOL` takes projects in"));
    }
    sheet.write(file)?;
    let shown = file.display();
    let all = pluralise(projects, "project");
    out.say(format!("wrote {shown}: {all}, {left} not reviewed by {reviewer} yet"));
    out.say("open it in a browser; `scratchbed intake review POOL --answers FILE` reads the file that it gives");
    out.answer(&json!({"page": file, "reviewer": reviewer, "projects": projects, "left": left}));
    Ok(Status::Success)
}

/// Notes what the file of a page says.
fn taken(pool: &Pool, file: &Path, out: Output) -> Result<Status, Failure> {
    let Reviews { reviewer, projects } = Reviews::read(file, pool)?;
    for (id, review) in &projects {
        Curation::note(pool, id, &reviewer, review.clone())?;
    }
    let accepted = projects.values().filter(|review| review.accept).count();
    let rejected = projects.len() - accepted;
    let left = pool.entries().len() - projects.len();
    let all = pluralise(projects.len(), "project");
    out.say(format!("noted for {reviewer}: {all}, {accepted} accepted, {rejected} rejected; {left} not in the file"));
    let answer = json!({"reviewer": reviewer, "accepted": accepted, "rejected": rejected, "not_in_file": left});
    out.answer(&answer);
    Ok(Status::Success)
}

/// How many of these projects are curated, by the reviews that count.
pub fn curated(all: &[Curation]) -> usize {
    all.iter().filter(|one| one.is_curated()).count()
}

/// Says how many reviews do not count, and why.
pub fn say_outdated(Outdated { changed, unknown }: Outdated, out: Output) {
    let whys = [
        (changed, "the project has changed since"),
        (unknown, "earlier versions did not note which state of the project was reviewed"),
    ];
    for (count, why) in whys.into_iter().filter(|(count, _)| *count > 0) {
        let reviews = pluralise_as(count, "review does not count", "reviews do not count");
        out.say(format!("{reviews}: {why}; have the projects reviewed again"));
    }
}

fn summary(pool: &Pool, out: Output) -> Result<Status, Failure> {
    let (all, outdated) = Curation::of_pool(pool)?;
    let curated = curated(&all);
    let accepted = all.iter().filter(|one| one.is_accepted()).count();
    let said = both_said(&all);
    let agreed = |pairs: &[(bool, bool)]| pairs.iter().filter(|(one, other)| one == other).count();
    let rows = said.iter().map(|((first, second), pairs)| {
        let kappa = kappa(pairs).map_or_else(|| "–".to_owned(), |kappa| format!("{kappa:.2}"));
        [(*first).to_owned(), (*second).to_owned(), pairs.len().to_string(), agreed(pairs).to_string(), kappa]
    });
    out.say(table(&["reviewer", "reviewer", "projects", "agreed", "kappa"], rows).to_string());
    let all_projects = pluralise_as(pool.entries().len(), "project is", "projects are");
    out.say(format!("{curated} of {all_projects} curated by two or more, {accepted} accepted"));
    say_outdated(outdated, out);
    let pairs: Vec<Value> = said
        .iter()
        .map(|((first, second), pairs)| {
            json!({"reviewers": [first, second], "n": pairs.len(), "agreed": agreed(pairs), "kappa": kappa(pairs)})
        })
        .collect();
    out.answer(&json!({
        "projects": pool.entries().len(),
        "curated": curated,
        "accepted": accepted,
        "pairs": pairs,
        "outdated": outdated
    }));
    Ok(Status::Success)
}
