//! The understanding track (ScratchEval, section 6): a model explains a forged fault by trigger, mechanism and outcome, and says what the
//! project is.
//!
//! `answer` reads what it said, `event` and `outcome` are the vocabulary, `truth` is what is right of an instance, `scores` compares, and
//! `question` asks. `baseline` answers from the report alone. `examples` has the right answers, to tune a model with. `rubric` is the scale on which a second model, or a person, rates free text. Asking a model is not done here.

mod answer;
mod baseline;
mod event;
mod examples;
mod outcome;
mod question;
mod rubric;
mod scores;
#[cfg(test)]
mod tests;
mod truth;

pub use answer::{Bug, Explanation, MOST_TRIGGERS, Named, Seen, Summary, Unexplained, read_explanation};
pub use baseline::from_report;
pub use event::Event;
pub use examples::ExplainTask;
pub use outcome::{Deviation, Outcome};
pub use question::{explain_question, rubric_digest, rubric_question};
pub use rubric::{Level, Rated, RubricError, explanation_in_words, read_rating, rubric, truth_in_words};
pub use scores::{BugScore, GoalScore, bug_score, f1, goal_score};
pub use truth::Explained;
