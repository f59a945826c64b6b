//! Rules of the code, the documentation and the dependencies.

pub mod browsers;
pub mod codes;
pub mod dependencies;
pub mod lanes;
pub mod map;
pub mod readme;
pub mod rooms;
pub mod scripts;
pub mod tests_of_programs;
