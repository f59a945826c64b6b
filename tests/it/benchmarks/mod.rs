//! Agents at the items of each benchmark, with scripted models and programs.

pub mod browser_awm;
pub mod browser_drag;
pub mod browser_drag_run;
pub mod browser_drawing;
pub mod browser_forge;
pub mod browser_forge_foreign;
pub mod browser_forge_literal;
pub mod browser_guards;
pub mod browser_inject;
pub mod browser_intake;
pub mod browser_llm;
pub mod browser_llm_published;
pub mod browser_llm_solves;
pub mod browser_llm_tools;
pub mod browser_mend;
pub mod browser_oracle;
pub mod browser_outside;
pub mod browser_perception;
pub mod browser_planner;
pub mod browser_prompts;
pub mod browser_run;
pub mod browser_trajectories;
pub mod browser_voiding;
pub mod causal_chains;
pub mod fault_baselines;
pub mod guarded_programs;
