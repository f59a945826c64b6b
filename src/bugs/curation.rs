//! What reviewers say of a project of a pool: in the paper two of them, each without the other, chose the hundred (ScratchEval, section
//! 2.6).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BugsError, Pool, PoolEntry};
use crate::model::ItemId;

/// The file of a project with its reviews.
pub const CURATION: &str = "curation.json";
/// What kinds of programs there are.
pub const GENRES: [&str; 4] = ["game", "animation", "story", "simulation"];
/// Version of the format.
const FORMAT: u32 = 1;
/// Reviewers that a choice takes.
const REVIEWERS: usize = 2;

/// The reviews of a project, also those that no longer count: [`Curation::of`] and [`Curation::of_pool`] leave these out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Curation {
    /// Version of the format, 1.
    pub format: u32,
    /// One of each reviewer, by name.
    pub reviews: BTreeMap<String, Review>,
}

/// What one reviewer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// Whether the project is worth being in a benchmark.
    pub accept: bool,
    /// One of [`GENRES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genre: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// SHA-256 of the `golden.sb3` that it is of. It counts while the project is that one; reviews of earlier versions of scratchbed do
    /// not say it, and do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// How many reviews do not count, by why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Outdated {
    /// The project has changed since.
    pub changed: usize,
    /// They do not say of which state of the project they are.
    pub unknown: usize,
}

/// What one reviewer says of projects of a pool, as the page of reviews gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviews {
    pub reviewer: ItemId,
    /// At least one, by the names of the projects.
    pub projects: BTreeMap<String, Review>,
}

/// A line of that file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    project: String,
    /// SHA-256 of the `golden.sb3` that was reviewed.
    sha256: String,
    reviewer: ItemId,
    accept: bool,
    #[serde(default)]
    genre: Option<String>,
    #[serde(default)]
    reason: String,
}

impl Default for Curation {
    fn default() -> Self {
        Self { format: FORMAT, reviews: BTreeMap::new() }
    }
}

impl Curation {
    /// Notes what a reviewer says of a project as the pool has it now, in place of what they said before; returns the reviews of it that
    /// count.
    ///
    /// # Errors
    /// When the pool has no such project, or the file of reviews is broken or can't be locked or written.
    pub fn note(pool: &Pool, id: &str, reviewer: &ItemId, review: Review) -> Result<Self, BugsError> {
        let sha256 = pool.entry(id)?.sha256.clone();
        // Reviewers work at the same time, each at a machine of their own.
        let _lock = pool.lock()?;
        let mut curation: Self = pool.noted(id, CURATION)?.unwrap_or_default();
        curation.reviews.insert(reviewer.to_string(), Review { sha256: Some(sha256.clone()), ..review });
        pool.note(id, CURATION, &curation)?;
        curation.leave_out(&sha256);
        Ok(curation)
    }

    /// The reviews of a project as the pool has it now; none of a project that nobody has reviewed.
    ///
    /// # Errors
    /// When the file of reviews is broken.
    pub fn of(pool: &Pool, entry: &PoolEntry) -> Result<Self, BugsError> {
        Ok(Self::counted(pool, entry)?.0)
    }

    /// The reviews of each project of a pool as it is now, and how many others there are.
    ///
    /// # Errors
    /// When a file of reviews is broken.
    pub fn of_pool(pool: &Pool) -> Result<(Vec<Self>, Outdated), BugsError> {
        let mut all = Vec::new();
        let mut outdated = Outdated::default();
        for entry in pool.entries() {
            let (curation, left) = Self::counted(pool, entry)?;
            outdated.changed += left.changed;
            outdated.unknown += left.unknown;
            all.push(curation);
        }
        Ok((all, outdated))
    }

    fn counted(pool: &Pool, entry: &PoolEntry) -> Result<(Self, Outdated), BugsError> {
        let mut curation: Self = pool.noted(&entry.id, CURATION)?.unwrap_or_default();
        let outdated = curation.leave_out(&entry.sha256);
        Ok((curation, outdated))
    }

    /// Leaves out what is not said of the project with this digest.
    fn leave_out(&mut self, sha256: &str) -> Outdated {
        let mut outdated = Outdated::default();
        self.reviews.retain(|_, review| match &review.sha256 {
            Some(own) if own == sha256 => true,
            Some(_) => {
                outdated.changed += 1;
                false
            }
            None => {
                outdated.unknown += 1;
                false
            }
        });
        outdated
    }

    /// Whether enough reviewers have seen it to choose.
    pub fn is_curated(&self) -> bool {
        self.reviews.len() >= REVIEWERS
    }

    /// Whether it is chosen: all of enough reviewers accept it.
    pub fn is_accepted(&self) -> bool {
        self.is_curated() && self.reviews.values().all(|review| review.accept)
    }
}

impl Reviews {
    /// Reads a file of reviews, an object a line; the last one of a project counts. Nothing of it is noted in the pool yet.
    ///
    /// # Errors
    /// When it can't be read or has no review, and when any line is none, is another reviewer's, or is of a project that the pool does not
    /// have as it was reviewed.
    pub fn read(file: &Path, pool: &Pool) -> Result<Self, BugsError> {
        let text = fs::read_to_string(file).map_err(|source| BugsError::File { file: file.to_owned(), source })?;
        let malformed = |message: String| BugsError::Malformed { file: file.to_owned(), message };
        let mut found: Option<Self> = None;
        for (at, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let wrong = |reason: String| malformed(format!("line {}: {reason}", at + 1));
            let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            line.check(pool).map_err(&wrong)?;
            let Line { project, sha256, reviewer, accept, genre, reason } = line;
            let reviews = found.get_or_insert_with(|| Self { reviewer: reviewer.clone(), projects: BTreeMap::new() });
            if reviews.reviewer != reviewer {
                return Err(wrong(format!("it is a review by {reviewer}, after some by {}", reviews.reviewer)));
            }
            reviews.projects.insert(project, Review { accept, genre, reason, sha256: Some(sha256) });
        }
        found.ok_or_else(|| malformed("it has no review".to_owned()))
    }
}

impl Line {
    /// Whether the pool has the project as it was reviewed; otherwise what is wrong, in words.
    fn check(&self, pool: &Pool) -> Result<(), String> {
        let Some(entry) = pool.entries().iter().find(|entry| entry.id == self.project) else {
            return Err(format!("the pool has no project `{}`", self.project));
        };
        if entry.sha256 != self.sha256 {
            return Err(format!("`{}` is not what was reviewed: have the page written again", self.project));
        }
        match &self.genre {
            Some(genre) if !GENRES.contains(&genre.as_str()) => Err(format!("`{genre}` is no genre")),
            _ => Ok(()),
        }
    }
}

/// What each two reviewers say of the projects that both have seen, by their names: accepted or not.
pub fn both_said(all: &[Curation]) -> BTreeMap<(&str, &str), Vec<(bool, bool)>> {
    let names: BTreeSet<&str> = all.iter().flat_map(|one| one.reviews.keys()).map(String::as_str).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let mut found = BTreeMap::new();
    for (at, first) in names.iter().enumerate() {
        for second in &names[at + 1..] {
            let said = |one: &Curation| Some((one.reviews.get(*first)?.accept, one.reviews.get(*second)?.accept));
            let pairs: Vec<(bool, bool)> = all.iter().filter_map(said).collect();
            if !pairs.is_empty() {
                found.insert((*first, *second), pairs);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn review(accept: bool) -> Review {
        Review { accept, genre: None, reason: String::new(), sha256: None }
    }

    fn curation(reviews: &[(&str, bool)]) -> Curation {
        let reviews = reviews.iter().map(|(name, accept)| ((*name).to_owned(), review(*accept)));
        Curation { reviews: reviews.collect(), ..Curation::default() }
    }

    #[test]
    fn two_reviewers_choose_and_are_compared_over_what_both_have_seen() {
        let all = [
            curation(&[("ada", true), ("ben", true)]),
            curation(&[("ada", true), ("ben", false)]),
            curation(&[("ada", false)]),
            curation(&[("ada", false), ("ben", false), ("cem", true)]),
        ];
        assert_eq!(all.each_ref().map(Curation::is_curated), [true, true, false, true]);
        assert_eq!(all.each_ref().map(Curation::is_accepted), [true, false, false, false]);
        let said = both_said(&all);
        assert_eq!(said[&("ada", "ben")], [(true, true), (true, false), (false, false)]);
        assert_eq!((said[&("ada", "cem")].len(), said.len()), (1, 3));
    }

    /// A pool of two projects.
    fn pool(folder: &Path) -> Pool {
        let mut pool = Pool::create(folder, "none").unwrap();
        for id in ["bell", "moth"] {
            let entry = PoolEntry { id: id.to_owned(), sha256: format!("digest of {id}"), group: id.to_owned() };
            pool.add(entry, b"gold").unwrap();
        }
        pool
    }

    fn line(project: &str, reviewer: &str, accept: bool) -> Value {
        let sha256 = format!("digest of {project}");
        json!({
            "project": project, "sha256": sha256, "reviewer": reviewer,
            "accept": accept, "genre": null, "reason": ""
        })
    }

    fn read(pool: &Pool, folder: &Path, lines: &[Value]) -> Result<Reviews, BugsError> {
        let file = folder.join("ada.jsonl");
        fs::write(&file, lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")).unwrap();
        Reviews::read(&file, pool)
    }

    #[test]
    fn a_file_of_the_page_is_read_and_its_last_word_on_a_project_counts() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let mut last = line("bell", "ada", false);
        last["genre"] = json!("story");
        last["reason"] = json!("too <short>\nby far");
        let lines = [line("bell", "ada", true), line("moth", "ada", true), last];
        let reviews = read(&pool, folder.path(), &lines).unwrap();
        assert_eq!((reviews.reviewer.as_str(), reviews.projects.len()), ("ada", 2));
        assert!(reviews.projects["moth"].accept && reviews.projects["moth"].genre.is_none());
        let bell = reviews.projects["bell"].clone();
        let (genre, reason) = (Some("story".to_owned()), "too <short>\nby far".to_owned());
        assert_eq!(bell, Review { accept: false, genre, reason, sha256: Some("digest of bell".to_owned()) });
        assert!(pool.noted::<Curation>("bell", CURATION).unwrap().is_none(), "reading notes nothing");

        let accepted = Review { accept: true, ..bell.clone() };
        for (name, review) in [("ben", &accepted), ("ada", &accepted), ("ada", &bell)] {
            Curation::note(&pool, "bell", &name.parse().unwrap(), review.clone()).unwrap();
        }
        let noted: Curation = pool.noted("bell", CURATION).unwrap().unwrap();
        assert_eq!(noted.reviews, BTreeMap::from([("ada".to_owned(), bell), ("ben".to_owned(), accepted)]));
    }

    #[test]
    fn reviews_that_are_noted_at_the_same_time_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let begin = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (pool, begin) = (&pool, &begin);
                scope.spawn(move || {
                    begin.wait();
                    Curation::note(pool, "bell", &format!("r{number}").parse().unwrap(), review(true)).unwrap();
                });
            }
        });
        assert_eq!(Curation::of(&pool, pool.entry("bell").unwrap()).unwrap().reviews.len(), 8);
    }

    #[test]
    fn reviews_of_what_a_project_was_before_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let mut pool = pool(folder.path());
        let names = ["ada", "ben", "cem"].map(|name| name.parse::<ItemId>().unwrap());
        for (name, accept) in names.iter().zip([true, false, true]) {
            Curation::note(&pool, "bell", name, review(accept)).unwrap();
        }
        let entry = PoolEntry { sha256: "another digest".to_owned(), ..pool.entry("bell").unwrap().clone() };
        pool.add(entry, b"another project").unwrap();
        let (all, outdated) = Curation::of_pool(&pool).unwrap();
        assert!(all.iter().all(|one| one.reviews.is_empty()) && both_said(&all).is_empty());
        assert_eq!(outdated, Outdated { changed: 3, unknown: 0 });

        // Only who says it of the project as it is now is counted and compared.
        let again = Curation::note(&pool, "bell", &names[0], review(true)).unwrap();
        assert_eq!((again.reviews.len(), again.is_curated()), (1, false));
        Curation::note(&pool, "bell", &names[2], review(false)).unwrap();
        let (all, outdated) = Curation::of_pool(&pool).unwrap();
        assert_eq!(both_said(&all), BTreeMap::from([(("ada", "cem"), vec![(true, false)])]));
        let counts = |is: fn(&Curation) -> bool| all.iter().filter(|one| is(one)).count();
        assert_eq!((counts(Curation::is_curated), counts(Curation::is_accepted), outdated.changed), (1, 0, 1));
        let kept: Curation = pool.noted("bell", CURATION).unwrap().unwrap();
        assert_eq!(kept.reviews.len(), 3, "what was said of the project before is kept");
        assert!(Curation::note(&pool, "owl", &names[0], review(true)).is_err());
    }

    #[test]
    fn reviews_that_do_not_say_of_which_project_they_are_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let said = json!({"format": 1, "reviews": {"ada": {"accept": true}, "ben": {"accept": true, "genre": "game"}}});
        pool.note("moth", CURATION, &said).unwrap();
        let (all, outdated) = Curation::of_pool(&pool).unwrap();
        let curated = all.iter().filter(|one| one.is_curated()).count();
        assert_eq!((curated, outdated), (0, Outdated { changed: 0, unknown: 2 }));
        Curation::note(&pool, "moth", &"ada".parse().unwrap(), review(true)).unwrap();
        assert_eq!(Curation::of_pool(&pool).unwrap().1.unknown, 1, "it is said anew");
    }

    #[test]
    fn a_file_that_is_wrong_anywhere_is_refused_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let with = |part: &str, value: Value| {
            let mut changed = line("moth", "ada", true);
            changed[part] = value;
            changed
        };
        let cases = [
            (line("owl", "ada", true), "no project `owl`"),
            (line("moth", "ben", true), "a review by ben, after some by ada"),
            (with("sha256", json!("another digest")), "`moth` is not what was reviewed"),
            (with("genre", json!("quiz")), "`quiz` is no genre"),
            (with("accept", json!(1)), "line 2"),
            (with("reviewer", json!("../ada")), "no item id"),
            (with("score", json!(1)), "unknown field `score`"),
        ];
        for (wrong, words) in cases {
            let refused = read(&pool, folder.path(), &[line("bell", "ada", true), wrong]).unwrap_err().to_string();
            assert!(refused.contains(words) && refused.contains("line 2: "), "{words}: {refused}");
        }
        let none = read(&pool, folder.path(), &[]).unwrap_err().to_string();
        assert!(none.contains("it has no review"), "{none}");
        // It was broken off.
        fs::write(folder.path().join("ada.jsonl"), "{\"project\": \"bell\", \"sha").unwrap();
        assert!(Reviews::read(&folder.path().join("ada.jsonl"), &pool).is_err());
    }
}
