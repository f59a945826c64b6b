//! Pages for people, and what a server hosts.

pub mod browser_bugs_served;
pub mod browser_curation;
pub mod browser_descriptors;
pub mod browser_experiments_page;
pub mod browser_leaderboard;
pub mod browser_live;
pub mod browser_rating;
pub mod browser_repairs_served;
pub mod browser_runs;
pub mod browser_turns;
