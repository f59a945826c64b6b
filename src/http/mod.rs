//! HTTP: adapters that walk the action registry, and the files of the editor.

pub mod editor;
