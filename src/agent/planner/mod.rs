//! An agent that plans, in the manner of the published Agent S2: primitive mode only.
//!
//! A *manager* plans, has the plan made a graph of subtasks (`graph`), and plans again after each subtask. A *worker* has
//! one subtask: it looks back at its rounds with the help of another model, decides on one action (`answer`), and names
//! places in words, which a grounding model finds (`ground`). `talk` keeps a worker's rounds within bounds. What was
//! learned from subtasks and from attempts (`knowledge`) is looked up by likeness (`similar`). `desk` asks the models,
//! which have roles; `prompts` has the texts of all requests; `agent` is the loop.

mod agent;
mod answer;
mod desk;
mod graph;
mod ground;
mod knowledge;
mod manager;
mod prompts;
mod similar;
mod style;
mod talk;
mod worker;

pub use agent::PlannerAgent;
pub use desk::Models;
pub use prompts::{Prompts, PromptsError};
pub use style::PlannerStyle;
