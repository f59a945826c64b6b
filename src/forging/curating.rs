//! `scratchbed intake review`: two or more people say, each for themselves, which projects of a pool are worth being in a benchmark.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::bugs::{CURATION, Curation, Pool, Review, both_said};
use scratchbed::grade::kappa;
use scratchbed::model::ItemId;
use scratchbed::report::plain_table as table;

/// Which project, and what is said of it. Without a project: how far reviewers have come, and how well they agree.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The pool.
    pool: PathBuf,
    /// The project's name in it.
    #[arg(requires = "reviewer", requires = "verdict")]
    id: Option<String>,
    /// Who reviews. What others say is not shown before.
    #[arg(long, value_name = "NAME", requires = "id")]
    reviewer: Option<ItemId>,
    /// It is worth being in a benchmark.
    #[arg(long, group = "verdict", requires = "id")]
    accept: bool,
    /// It is not.
    #[arg(long, group = "verdict", requires = "id")]
    reject: bool,
    /// What kind of program it is.
    #[arg(long, value_parser = ["game", "animation", "story", "simulation"], requires = "id")]
    genre: Option<String>,
    /// Why.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "id")]
    reason: String,
}

/// Notes a review, or says how far the pool is.
pub fn review(args: &ReviewArgs, out: Output) -> Result<Status, Failure> {
    let pool = Pool::open(&args.pool)?;
    let (Some(id), Some(reviewer)) = (&args.id, &args.reviewer) else {
        return summary(&pool, out);
    };
    // A name that the pool does not have is told as for records.
    pool.record(id)?;
    let mut curation: Curation = pool.noted(id, CURATION)?.unwrap_or_default();
    let review = Review { accept: args.accept, genre: args.genre.clone(), reason: args.reason.clone() };
    curation.reviews.insert(reviewer.to_string(), review);
    pool.note(id, CURATION, &curation)?;
    let reviews = curation.reviews.len();
    out.say(format!("{id}: noted for {reviewer}; {reviews} reviews so far"));
    out.answer(&json!({"project": id, "reviewer": reviewer, "reviews": reviews, "curated": curation.is_curated()}));
    Ok(Status::Success)
}

/// How many projects are curated.
pub fn curated(pool: &Pool) -> Result<(usize, Vec<Curation>), Failure> {
    let entries = pool.entries().iter();
    let all = entries.map(|entry| pool.noted::<Curation>(&entry.id, CURATION)).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<Curation> = all.into_iter().flatten().collect();
    Ok((all.iter().filter(|one| one.is_curated()).count(), all))
}

fn summary(pool: &Pool, out: Output) -> Result<Status, Failure> {
    let (curated, all) = curated(pool)?;
    let accepted = all.iter().filter(|one| one.is_accepted()).count();
    let said = both_said(&all);
    let agreed = |pairs: &[(bool, bool)]| pairs.iter().filter(|(one, other)| one == other).count();
    let rows = said.iter().map(|((first, second), pairs)| {
        let kappa = kappa(pairs).map_or_else(|| "–".to_owned(), |kappa| format!("{kappa:.2}"));
        [(*first).to_owned(), (*second).to_owned(), pairs.len().to_string(), agreed(pairs).to_string(), kappa]
    });
    out.say(table(&["reviewer", "reviewer", "projects", "agreed", "kappa"], rows).to_string());
    out.say(format!("{curated} of {} projects are curated by two or more, {accepted} accepted", pool.entries().len()));
    let pairs: Vec<Value> = said
        .iter()
        .map(|((first, second), pairs)| {
            json!({"reviewers": [first, second], "n": pairs.len(), "agreed": agreed(pairs), "kappa": kappa(pairs)})
        })
        .collect();
    out.answer(&json!({"projects": pool.entries().len(), "curated": curated, "accepted": accepted, "pairs": pairs}));
    Ok(Status::Success)
}
