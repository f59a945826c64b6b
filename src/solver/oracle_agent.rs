//! The oracle as an agent: same loop, same actions, no model.

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::agent::{Agent, AgentError, Decision, View};
use crate::model::Mode;
use crate::solver::Oracle;

/// Plays a task's oracle.
#[derive(Debug)]
pub struct OracleAgent {
    oracle: Oracle,
    mode: Mode,
    begun: bool,
}

impl OracleAgent {
    /// An agent that carries out this oracle's actions.
    pub const fn new(oracle: Oracle, mode: Mode) -> Self {
        Self { oracle, mode, begun: false }
    }
}

#[async_trait]
impl Agent for OracleAgent {
    /// Composite lists count blocks from the first observation on, and every successful call renumbers them.
    /// Primitive lists name points, which need none.
    fn look(&self) -> Option<Map<String, Value>> {
        (self.mode == Mode::Composite && !self.begun).then(Map::new)
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        self.begun = true;
        Ok(self.oracle.next(view.last).into())
    }
}
