//! The dialect of the ScratchWorld reference server, over the same sessions, so that its clients run unchanged.
//!
//! It is an application of its own on a port of its own: its addresses collide with ours. Parts: [`app()`] is the
//! table of its routes, [`ocr_app()`] those of text recognition alone; [`ScratchWorld`] is what they share; `params`
//! reads parameters as leniently as the reference; `fault` formats errors as it does; `envelope` wraps actions; the
//! other files hold a group of routes each. What the calls do is the action room's business, most of it the registry's.
//! docs/COMPATIBILITY.md has every difference.

mod app;
mod block_data;
mod codes;
mod composite;
mod envelope;
mod evaluate;
mod fault;
mod legacy;
mod observe;
mod ocr;
mod params;
mod primitive;
mod projects;
mod sessions;
mod state;

pub use app::{addresses, app, ocr_app};
pub use state::{ScratchWorld, ScratchWorldOptions};
