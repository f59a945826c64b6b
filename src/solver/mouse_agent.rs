//! The mouse oracle as an agent: it observes before every action, like the agents under test.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use crate::agent::{Agent, AgentError, Decision, Tally, View};
use crate::solver::{Mouse, MousePlan};

/// Actions that an attempt may take: three and more a block, where a task's own limit counts on one or two.
const STEPS: u32 = 2000;

/// Plays a task with mouse and keyboard.
#[derive(Debug)]
pub struct MouseAgent {
    mouse: Mouse,
    pictures: bool,
}

impl MouseAgent {
    /// An agent that carries this plan out. It needs no `pictures`, but demonstrations may include them.
    pub fn new(plan: &MousePlan, pictures: bool) -> Self {
        Self { mouse: Mouse::begin(plan), pictures }
    }
}

#[async_trait]
impl Agent for MouseAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        Some(Map::from_iter([
            ("picture".to_owned(), json!(if self.pictures { "webp" } else { "off" })),
            ("ocr".to_owned(), json!("off")),
        ]))
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        Ok(self.mouse.next(view.observation.unwrap_or(&Value::Null), view.last).into())
    }

    fn allowance(&self) -> Option<u32> {
        Some(STEPS)
    }

    fn tally(&self) -> Option<Tally> {
        Some(Tally { misses: self.mouse.misses(), replans: self.mouse.replans() })
    }
}
