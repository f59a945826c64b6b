//! Agents without a model, beside which the figures of others stand: one that does nothing, and one that acts at random.

use async_trait::async_trait;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};

use super::{Agent, AgentError, Decision, View};
use crate::model::{ActionCall, Mode, VIEWPORT};
use crate::project::catalogue::Catalogue;

/// Says `done` at once: what it passes, the initial project passes.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopAgent;

#[async_trait]
impl Agent for NoopAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        None
    }

    async fn decide(&mut self, _: View<'_>) -> Result<Decision, AgentError> {
        Ok(ActionCall::new("done", Map::new()).into())
    }
}

/// Acts at random until its steps are used up: somewhere on the page, or with blocks of the palette.
#[derive(Debug)]
pub struct RandomAgent {
    mode: Mode,
    random: Pcg64,
}

impl RandomAgent {
    pub fn new(mode: Mode, seed: u64) -> Self {
        Self { mode, random: Pcg64::seed_from_u64(seed) }
    }

    fn point(&mut self) -> (u32, u32) {
        (self.random.random_range(0..VIEWPORT.0), self.random.random_range(0..VIEWPORT.1))
    }

    fn by_mouse(&mut self) -> (&'static str, Value) {
        let ((x, y), (end_x, end_y)) = (self.point(), self.point());
        match self.random.random_range(0..4) {
            0 => ("click", json!({"x": x, "y": y})),
            1 => ("double_click", json!({"x": x, "y": y})),
            2 => ("scroll", json!({"direction": if self.random.random() { "up" } else { "down" }, "x": x, "y": y})),
            _ => ("drag_and_drop", json!({"start_x": x, "start_y": y, "end_x": end_x, "end_y": end_y})),
        }
    }

    fn by_block(&mut self, seen: &Value) -> (&'static str, Value) {
        let blocks = seen["sizes"]["blocks"].as_u64().unwrap_or_default();
        let targets: Vec<&str> =
            seen["targets"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
        match self.random.random_range(0..6) {
            0 if blocks > 0 => ("delete_block", json!({"blockIndex": self.random.random_range(1..=blocks)})),
            1 if blocks > 1 => {
                let (source, target) = (self.random.random_range(1..=blocks), self.random.random_range(1..=blocks));
                let placement = json!({"kind": "stack_after"});
                (
                    "connect_blocks",
                    json!({"sourceBlockIndex": source, "targetBlockIndex": target, "placement": placement}),
                )
            }
            2 if targets.len() > 1 => {
                ("select_sprite", json!({"name": targets[self.random.random_range(1..targets.len())]}))
            }
            _ => ("add_block", json!({"blockType": self.block()})),
        }
    }

    /// A block of the palette, no extension's.
    fn block(&mut self) -> &'static str {
        let core = ["motion_", "looks_", "sound_", "event_", "control_", "sensing_", "operator_"];
        let blocks = Catalogue::pinned()
            .blocks
            .iter()
            .filter(|(opcode, entry)| entry.palette && core.iter().any(|category| opcode.starts_with(category)));
        let blocks: Vec<&'static str> = blocks.map(|(opcode, _)| opcode.as_str()).collect();
        blocks.choose(&mut self.random).copied().unwrap_or("motion_movesteps")
    }
}

#[async_trait]
impl Agent for RandomAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        (self.mode == Mode::Composite).then(Map::new)
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        let (api, args) = match self.mode {
            Mode::Primitive => self.by_mouse(),
            Mode::Composite => self.by_block(view.observation.unwrap_or(&Value::Null)),
        };
        let Value::Object(args) = args else { return Ok(Decision::Wasted) };
        Ok(ActionCall::new(api, args).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_same_seed_acts_the_same_way() {
        let seen = json!({"sizes": {"blocks": 5}, "targets": [{"name": "Stage"}, {"name": "Kite"}]});
        for mode in [Mode::Primitive, Mode::Composite] {
            let acts = async |seed| {
                let mut agent = RandomAgent::new(mode, seed);
                let mut acts = Vec::new();
                for step in 1..=40 {
                    let view = View { instruction: "", step, steps: 40, observation: Some(&seen), last: None };
                    acts.push(agent.decide(view).await.unwrap());
                }
                acts
            };
            assert_eq!(acts(1).await, acts(1).await);
            assert_ne!(acts(1).await, acts(2).await);
            let known =
                |one: &Decision| matches!(one, Decision::Act(call) if crate::action::find(mode, &call.api).is_some());
            assert!(acts(3).await.iter().all(known));
        }
    }
}
