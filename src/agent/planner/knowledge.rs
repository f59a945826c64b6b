//! What planners learn: a text for each task that was attempted (narrative memory), and one for each subtask that was
//! finished (episodic memory).

use serde::{Deserialize, Serialize};

use super::similar::{by_words, cosine, highest};
use crate::agent::memory::MemoryState;

/// The files of a memory.
const FILES: [(Kind, &str); 2] = [(Kind::Narrative, "narrative.json"), (Kind::Episodic, "episodic.json")];

/// Of what something was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Of an attempt at a task.
    Narrative,
    /// Of a subtask.
    Episodic,
}

/// Something that was learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lesson {
    /// The task's instruction.
    task: String,
    /// What it is found by.
    pub(super) key: String,
    pub(super) text: String,
    /// The vector of its key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    vector: Option<Vector>,
}

/// A text as a direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vector {
    /// The model that gave it; directions of two models have nothing to do with each other.
    pub(super) model: String,
    pub(super) numbers: Vec<f32>,
}

/// All that was learned.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Knowledge {
    narrative: Vec<Lesson>,
    episodic: Vec<Lesson>,
}

impl Knowledge {
    /// Reads a memory.
    ///
    /// # Errors
    /// When a file of it is not of this kind.
    pub(super) fn read(memory: &MemoryState) -> Result<Self, String> {
        let mut knowledge = Self::default();
        for (kind, name) in FILES {
            let text = memory.get(name);
            if !text.is_empty() {
                let lessons = serde_json::from_str(text).map_err(|error| format!("{name} of the memory: {error}"))?;
                *knowledge.of_mut(kind) = lessons;
            }
        }
        Ok(knowledge)
    }

    /// Writes it into a memory.
    pub(super) fn write(&self, memory: &mut MemoryState) {
        for (kind, name) in FILES {
            // Lessons are texts and numbers, which can always be written.
            if let Ok(text) = serde_json::to_string_pretty(self.of(kind)) {
                memory.put(name, text + "\n");
            }
        }
    }

    fn of(&self, kind: Kind) -> &Vec<Lesson> {
        match kind {
            Kind::Narrative => &self.narrative,
            Kind::Episodic => &self.episodic,
        }
    }

    const fn of_mut(&mut self, kind: Kind) -> &mut Vec<Lesson> {
        match kind {
            Kind::Narrative => &mut self.narrative,
            Kind::Episodic => &mut self.episodic,
        }
    }

    /// Whether there is anything from other tasks than this one.
    pub(super) fn has_any(&self, kind: Kind, task: &str) -> bool {
        self.of(kind).iter().any(|lesson| lesson.task != task)
    }

    /// Keys of other tasks' lessons that have no vector of this model.
    pub(super) fn without_vector(&self, kind: Kind, task: &str, model: &str) -> Vec<String> {
        let lacks = |lesson: &&Lesson| lesson.task != task && lesson.vector_of(model).is_none();
        self.of(kind).iter().filter(lacks).map(|lesson| lesson.key.clone()).collect()
    }

    /// Notes the vector of a key.
    pub(super) fn set_vector(&mut self, kind: Kind, key: &str, vector: &Vector) {
        for lesson in self.of_mut(kind).iter_mut().filter(|lesson| lesson.key == key) {
            lesson.vector = Some(vector.clone());
        }
    }

    /// The lesson whose key shares most with a query, by its words. What was learned at the same task is left out, so that
    /// no attempt is told of an earlier one at its own task.
    pub(super) fn nearest_by_words(&self, kind: Kind, task: &str, query: &str) -> Option<&Lesson> {
        let others: Vec<&Lesson> = self.of(kind).iter().filter(|lesson| lesson.task != task).collect();
        let keys: Vec<&str> = others.iter().map(|lesson| lesson.key.as_str()).collect();
        highest(by_words(query, &keys), 0.0).map(|place| others[place])
    }

    /// The lesson whose key has the nearest vector, in the same way.
    pub(super) fn nearest_by_vector(&self, kind: Kind, task: &str, query: &Vector) -> Option<&Lesson> {
        let others: Vec<&Lesson> = self.of(kind).iter().filter(|lesson| lesson.task != task).collect();
        let near =
            |lesson: &&Lesson| lesson.vector_of(&query.model).map_or(-1.0, |numbers| cosine(numbers, &query.numbers));
        highest(others.iter().map(near), -1.0).map(|place| others[place])
    }

    /// Adds a lesson; one with the same key stays as it is, as in the published agent.
    pub(super) fn add(&mut self, kind: Kind, task: &str, key: String, text: String) {
        let lessons = self.of_mut(kind);
        if !lessons.iter().any(|lesson| lesson.key == key) {
            lessons.push(Lesson { task: task.to_owned(), key, text, vector: None });
        }
    }
}

impl Lesson {
    fn vector_of(&self, model: &str) -> Option<&[f32]> {
        self.vector.as_ref().filter(|vector| vector.model == model).map(|vector| vector.numbers.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knowledge() -> Knowledge {
        let mut knowledge = Knowledge::default();
        knowledge.add(Kind::Narrative, "Mend the ferry.", "Mend the ferry. Which block moves?".into(), "Look.".into());
        knowledge.add(
            Kind::Narrative,
            "Sort the apples.",
            "Sort the apples. Where is the list?".into(),
            "Scroll.".into(),
        );
        knowledge
    }

    fn vector(model: &str, numbers: &[f32]) -> Vector {
        Vector { model: model.to_owned(), numbers: numbers.to_vec() }
    }

    #[test]
    fn it_is_written_and_read_to_the_byte() {
        let mut knowledge = knowledge();
        knowledge.set_vector(Kind::Narrative, "Mend the ferry. Which block moves?", &vector("m", &[0.1, -0.25]));
        let (mut memory, mut again) = (MemoryState::default(), MemoryState::default());
        knowledge.write(&mut memory);
        let read = Knowledge::read(&memory).unwrap();
        assert_eq!(read, knowledge);
        read.write(&mut again);
        assert_eq!(memory.digest(), again.digest());
        assert_eq!(Knowledge::read(&MemoryState::default()), Ok(Knowledge::default()));
        memory.put("episodic.json", "[{\"key\": 1}]");
        assert!(Knowledge::read(&memory).unwrap_err().starts_with("episodic.json of the memory: "));
    }

    #[test]
    fn the_nearest_is_of_another_task() {
        let knowledge = knowledge();
        let nearest = |task: &str, query: &str| {
            knowledge.nearest_by_words(Kind::Narrative, task, query).map(|lesson| lesson.text.as_str())
        };
        assert_eq!(nearest("Mend the boat.", "mend a boat or ferry"), Some("Look."));
        assert_eq!(nearest("Mend the ferry.", "Mend the ferry. Which block moves?"), Some("Scroll."));
        assert_eq!(nearest("x", "zebra"), None);
        assert!(knowledge.has_any(Kind::Narrative, "x") && !knowledge.has_any(Kind::Episodic, "x"));
    }

    #[test]
    fn vectors_of_one_model_are_compared_and_those_that_lack_are_named() {
        let mut knowledge = knowledge();
        let keys = knowledge.without_vector(Kind::Narrative, "x", "m");
        assert_eq!(keys.len(), 2);
        assert!(knowledge.nearest_by_vector(Kind::Narrative, "x", &vector("m", &[1.0, 0.0])).is_none());
        knowledge.set_vector(Kind::Narrative, &keys[0], &vector("m", &[0.0, 1.0]));
        knowledge.set_vector(Kind::Narrative, &keys[1], &vector("m", &[1.0, 0.1]));
        let nearest = knowledge.nearest_by_vector(Kind::Narrative, "x", &vector("m", &[1.0, 0.0])).unwrap();
        assert_eq!(nearest.text, "Scroll.");
        assert_eq!(knowledge.without_vector(Kind::Narrative, "x", "m2").len(), 2, "another model's do not count");
        assert_eq!(knowledge.without_vector(Kind::Narrative, "Mend the ferry.", "m2").len(), 1);
    }

    #[test]
    fn a_key_that_is_there_stays_as_it_is() {
        let mut again = knowledge();
        again.add(Kind::Narrative, "t", "Mend the ferry. Which block moves?".into(), "Other.".into());
        assert_eq!(again, knowledge());
    }
}
