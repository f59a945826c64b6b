//! JSON Patch for Scratch projects (EcoScratch, section 5): a model's answer is read as operations on `project.json`, and these are
//! carried out, all or none.
//!
//! `extract` finds the JSON in an answer, `schema` reads operations from it, and `answer_schema` tells a model the form. `apply` carries
//! operations out by `document` (RFC 6902, add, remove and replace) within `policy`, and writes them in one way while it does;
//! `structure` and `binding` look at what came of them. `aliases` gives short names to ids, by the walk in `ids`. `difference` finds the
//! operations that lead from one project to another. Archives, calls of models and runs of projects are other rooms' work; the edits of
//! `project::edit` are another patch language, and not known here.

mod aliases;
mod answer_schema;
mod apply;
mod binding;
mod counts;
mod difference;
mod document;
mod error;
mod extract;
mod ids;
mod operation;
mod pointer;
mod policy;
mod schema;
mod structure;

#[cfg(test)]
mod conformance_tests;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod property_tests;

pub use aliases::Aliases;
pub use answer_schema::answer_schema;
pub use apply::{Applied, Normalised, apply, apply_unrestricted, normalise};
pub use binding::bindings;
pub use counts::Counts;
pub use difference::{DifferenceError, difference};
pub use error::{AnswerError, PatchError};
pub use extract::{End, read};
pub use ids::Kind;
pub use operation::{Operation, wire_form};
pub use pointer::{escape, join};
pub use schema::{Limits, Profile, Read, read_value};
pub use structure::{check, refuse};
