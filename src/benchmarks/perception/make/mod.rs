//! Making a set of our own: scenes are set up one after another, and each picture gives the questions that the set
//! still needs.
//!
//! Parts: `subjects` finds scripts, `plan` decides how to change them, `scene` does it in a page, `canvas` is what lies
//! there then, `sight` how well each block can be seen; `connection`, `existence` and `field` derive questions with their
//! answers from that, and `reference` points at blocks.

mod canvas;
mod chooser;
mod connection;
mod existence;
#[cfg(test)]
mod fakes;
mod field;
mod names;
mod plan;
mod question;
mod reference;
mod scene;
mod sight;
mod subjects;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use self::chooser::Chooser;
use self::plan::Disturbance;
use self::question::{Question, questions};
use self::scene::{Setting, set_up};
use self::subjects::{Subject, Subjects};
use super::items::{Origin, SetWriter};
use super::{Item, PerceptionError, PerceptionSet, Tag};
use crate::model::{ItemId, ProjectVersion};
use crate::page::{Page, PageError};
use crate::session::retry::TRIES;
use crate::session::{Fleet, Lease};
use crate::taskset::TaskSet;

/// Questions about one picture at most, and those of one ability.
const PER_PICTURE: usize = 3;
const PER_ABILITY: usize = 2;
/// Scenes that are tried for each item before the build gives up.
const SCENES_PER_ITEM: usize = 8;
/// The stream of choices for the items' numbers; scenes have those from 0.
const NUMBERS: u64 = u64::MAX - 1;

#[derive(Debug, Clone, Copy)]
pub struct BuildOptions {
    /// Decides all choices.
    pub seed: u64,
    /// How many items.
    pub items: u32,
    /// Whether an existing set is replaced.
    pub force: bool,
}

#[derive(Debug)]
pub struct Built {
    pub set: PerceptionSet,
    /// How many scenes were set up for it.
    pub scenes: usize,
    /// How many of them the editor refused.
    pub refused: usize,
    /// How many pictures were taken.
    pub pictures: usize,
}

/// What an item was derived from: the private part of the set.
#[derive(Debug, Serialize)]
struct Derivation {
    id: ItemId,
    tag: Tag,
    scene: usize,
    task: String,
    project: ProjectVersion,
    sprite: String,
    #[serde(flatten)]
    setting: Setting,
    from: Value,
}

/// Builds a set of items from the projects of these tasks, in the look of the fleet's editor. Projects are built in the browsers
/// that come with them, which show the current editor. `progress` gets the number of items.
///
/// # Errors
/// When a project can't be built, too few scenes answer what is needed, the folder can't be written, or the browser
/// fails repeatedly.
pub async fn build(
    fleet: &Fleet,
    projects: (&TaskSet, &Path, &Fleet),
    out: &Path,
    options: BuildOptions,
    progress: impl Fn(usize),
) -> Result<Built, PerceptionError> {
    let subjects = Subjects::of(projects, options.seed);
    let mut builder = Builder {
        fleet,
        writer: SetWriter::create(out, options.force)?,
        needed: Tag::shares(options.items).into_iter().collect(),
        taken: Vec::new(),
        refused: 0,
        pictures: 0,
        lease: None,
    };
    let built = builder.all(&subjects, options, &progress).await;
    subjects.end().await;
    if let Some((lease, _)) = builder.lease.take() {
        fleet.release(lease).await;
    }
    let scenes = built?;
    let (refused, pictures) = (builder.refused, builder.pictures);
    Ok(Built { set: builder.finish(options.seed)?, scenes, refused, pictures })
}

/// A set that is being built.
struct Builder<'a> {
    fleet: &'a Fleet,
    writer: SetWriter,
    /// How many items of each kind are missing.
    needed: BTreeMap<Tag, u32>,
    /// The items so far, with the number of their picture.
    taken: Vec<(Question, usize, Derivation)>,
    refused: usize,
    pictures: usize,
    /// The page that scenes are set up in, with the extensions that it has loaded.
    lease: Option<(Lease, BTreeSet<String>)>,
}

impl Builder<'_> {
    /// Sets scenes up until nothing is missing, and returns their number.
    async fn all(
        &mut self,
        subjects: &Subjects,
        options: BuildOptions,
        progress: &impl Fn(usize),
    ) -> Result<usize, PerceptionError> {
        let most = SCENES_PER_ITEM * (options.items as usize + 10);
        for scene in 0..most {
            if self.needed.values().all(|count| *count == 0) {
                return Ok(scene);
            }
            let mut chooser = Chooser::of(options.seed, scene as u64);
            let disturbances = disturbances(&self.needed, &mut chooser);
            let Some(subject) = subjects.pick(scene, &mut chooser).await? else { continue };
            let result = self.try_scene((&subject, scene), &disturbances, &chooser).await;
            if let Some(reason) = refusal(result)? {
                tracing::warn!(scene, task = subject.task, reason, "the editor refused a scene, which is left out");
                self.refused += 1;
            }
            progress(self.taken.len());
        }
        let missing: Vec<String> = self
            .needed
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(tag, count)| format!("{tag} ({count})"))
            .collect();
        Err(PerceptionError::TooFew { scenes: most, tags: missing.join(", ") })
    }

    /// One scene; a page that breaks is replaced.
    async fn try_scene(
        &mut self,
        subject: (&Subject, usize),
        disturbances: &[Disturbance],
        chooser: &Chooser,
    ) -> Result<(), PerceptionError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let lease = self.page_with(&subject.0.extensions).await?;
            // Every try makes the same choices.
            let result = self.once(&lease.page, subject, disturbances, chooser.clone()).await;
            match result {
                Err(PerceptionError::Page(error)) if tries < TRIES && !matches!(error, PageError::Refused { .. }) => {
                    tracing::warn!(%error, "the scene is set up again in another page");
                    self.fleet.release(lease).await;
                }
                result => {
                    self.lease = Some((lease, subject.0.extensions.clone()));
                    return result;
                }
            }
        }
    }

    /// A page that has loaded no other extensions: they stay in the palette when another project is loaded, and a picture
    /// must not depend on those before it.
    async fn page_with(&mut self, extensions: &BTreeSet<String>) -> Result<Lease, PageError> {
        match self.lease.take() {
            Some((lease, loaded)) if loaded.is_empty() || loaded == *extensions => Ok(lease),
            Some((lease, _)) => {
                self.fleet.release(lease).await;
                self.fleet.acquire().await
            }
            None => self.fleet.acquire().await,
        }
    }

    async fn once(
        &mut self,
        page: &Page,
        (subject, scene): (&Subject, usize),
        disturbances: &[Disturbance],
        mut chooser: Chooser,
    ) -> Result<(), PerceptionError> {
        let Some((setting, canvas)) = set_up(page, subject, disturbances, &mut chooser).await? else { return Ok(()) };
        let asked = self.choose(questions(&canvas), &mut chooser);
        if asked.is_empty() {
            return Ok(());
        }
        let png = page.screenshot().await?;
        self.writer.picture(&picture_name(self.pictures + 1), &png)?;
        self.pictures += 1;
        for question in asked {
            self.needed.entry(question.tag).and_modify(|count| *count = count.saturating_sub(1));
            let derivation = Derivation {
                id: ItemId::plain(&scene.to_string()),
                tag: question.tag,
                scene,
                task: subject.task.clone(),
                project: subject.project,
                sprite: subject.sprite.clone(),
                setting: setting.clone(),
                from: question.derivation.clone(),
            };
            self.taken.push((question, self.pictures, derivation));
        }
        Ok(())
    }

    /// The questions to take of those that a picture answers: one of a kind, rare ones first, and of a kind those that
    /// were asked least.
    fn choose(&self, questions: Vec<Question>, chooser: &mut Chooser) -> Vec<Question> {
        let mut by_tag: BTreeMap<Tag, Vec<Question>> = BTreeMap::new();
        for question in questions {
            if self.needed.get(&question.tag).is_some_and(|count| *count > 0) {
                by_tag.entry(question.tag).or_default().push(question);
            }
        }
        let mut tags: Vec<Tag> = by_tag.keys().copied().collect();
        tags.sort_by_key(|tag| rarity(*tag));
        let mut chosen: Vec<Question> = Vec::new();
        for tag in tags {
            let alike = chosen.iter().filter(|question| question.tag.task_type() == tag.task_type()).count();
            if chosen.len() == PER_PICTURE || alike == PER_ABILITY {
                continue;
            }
            let Some(all) = by_tag.remove(&tag) else { continue };
            let asked = |question: &Question| {
                self.taken.iter().filter(|(other, ..)| other.instruction == question.instruction).count()
            };
            let least = all.iter().map(asked).min().unwrap_or_default();
            let fresh: Vec<Question> = all.into_iter().filter(|question| asked(question) == least).collect();
            chosen.extend(chooser.pick(&fresh).cloned());
        }
        chosen
    }

    /// Shuffles the items, so that their numbers reveal nothing about the answers, and writes them.
    fn finish(self, seed: u64) -> Result<PerceptionSet, PerceptionError> {
        let editor = self.fleet.editor();
        let Self { writer, mut taken, .. } = self;
        Chooser::of(seed, NUMBERS).shuffle(&mut taken);
        let (mut items, mut derivations) = (Vec::new(), Vec::new());
        for (number, (question, picture, mut derivation)) in taken.into_iter().enumerate() {
            let id = ItemId::plain(&(number + 1).to_string());
            derivation.id.clone_from(&id);
            derivations.push(derivation);
            items.push(Item {
                id,
                task_type: question.tag.task_type(),
                tag: question.tag,
                instruction: question.instruction,
                screenshot: picture_name(picture),
                ground_truth: question.truth,
            });
        }
        writer.lines("derivation.jsonl", &derivations)?;
        writer.finish(Origin::Built { seed, editor }, items)
    }
}

/// Why the editor refused a scene, if it did; another scene replaces it. The same seed has the same scenes refused.
///
/// # Errors
/// Any other trouble of the scene.
fn refusal(shot: Result<(), PerceptionError>) -> Result<Option<String>, PerceptionError> {
    match shot {
        Ok(()) => Ok(None),
        Err(PerceptionError::Page(PageError::Refused { message, .. })) => Ok(Some(message)),
        Err(error) => Err(error),
    }
}

fn picture_name(number: usize) -> String {
    format!("{number:03}.png")
}

/// The order in which kinds are taken of a picture that answers several: those first that few pictures answer.
const fn rarity(tag: Tag) -> u8 {
    match tag {
        Tag::ExistenceYesOccluded | Tag::ExistenceYesUnidentifiable => 0,
        Tag::ExistenceNoUnidentifiable | Tag::ConnectionNoHard => 1,
        Tag::ConnectionNoEasy => 2,
        Tag::ExistenceNoConfusable => 3,
        _ => 4,
    }
}

/// What to do to the next scene: to how blocks are connected, and to what covers what. The more of a kind are missing,
/// the likelier.
fn disturbances(needed: &BTreeMap<Tag, u32>, chooser: &mut Chooser) -> Vec<Disturbance> {
    let missing =
        |tags: &[Tag]| tags.iter().map(|tag| needed.get(tag).copied().unwrap_or_default() as usize).sum::<usize>();
    let mut either = |(one, of_one): (Disturbance, usize), (other, of_other): (Disturbance, usize), of_none: usize| {
        let at = chooser.below(of_one + of_other + of_none);
        if at < of_one {
            Some(one)
        } else if at < of_one + of_other {
            Some(other)
        } else {
            None
        }
    };
    let cover = either(
        (Disturbance::CoverPart, missing(&[Tag::ExistenceYesOccluded])),
        (Disturbance::CoverWords, missing(&[Tag::ExistenceYesUnidentifiable, Tag::ExistenceNoUnidentifiable])),
        missing(&[Tag::ExistenceYesClear]),
    );
    let joint = either(
        (Disturbance::Apart, missing(&[Tag::ConnectionNoEasy])),
        (Disturbance::Near, missing(&[Tag::ConnectionNoHard])),
        missing(&[Tag::ConnectionYes]) / 2,
    );
    cover.into_iter().chain(joint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    #[test]
    fn a_refused_scene_is_left_out_and_other_trouble_ends_the_build() {
        let refused = PageError::Refused { code: "invalid_value".into(), message: "it shows -123".into(), hint: None };
        assert_eq!(refusal(Err(refused.into())).unwrap().as_deref(), Some("it shows -123"));
        assert_eq!(refusal(Ok(())).unwrap(), None);
        let late = PageError::Timeout { what: "show-scene".into(), limit: std::time::Duration::from_secs(1) };
        assert_eq!(refusal(Err(late.into())).unwrap_err().code(), "page_failed");
    }
}
