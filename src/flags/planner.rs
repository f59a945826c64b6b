//! The models of the planner: the file that says who is asked in each role, and the actor that it makes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::budget::BudgetArgs;
use super::failure::{Failure, Status};
use super::llm::LlmArgs;
use super::model::{ModelName, Preset, RoleModel};
use scratchbed::agent::Observing;
use scratchbed::agent::llm::Model;
use scratchbed::agent::memory::MemoryUse;
use scratchbed::agent::model::{Budget, ModelClient, ModelRole, VectorModel};
use scratchbed::agent::planner::{PlannerStyle, Prompts};
use scratchbed::benchmarks::tasks::{PlannerActor, role_of_request};
use scratchbed::model::Mode;
use scratchbed::perceive::{Convention, Family};

/// What texts are compared by where no model gives vectors.
const LEXICAL: &str = "lexical";

/// Who is asked in each role.
#[derive(Debug, Args)]
pub struct RolesArgs {
    /// A file that says which models the planner asks besides --model, as TOML: tables `reflect`, `ground` and `embed`, each
    /// with `model` and, where they differ, `endpoint`, `dialect`, `api-key-env` and other settings by the names of these
    /// flags. Without a table --model also reflects and grounds, and texts are compared by their words.
    #[arg(long, value_name = "FILE")]
    roles: Option<PathBuf>,
}

/// The file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roles {
    reflect: Option<RoleModel>,
    ground: Option<RoleModel>,
    embed: Option<RoleModel>,
}

impl RolesArgs {
    pub const fn is_given(&self) -> bool {
        self.roles.is_some()
    }

    fn read(&self) -> Result<Roles, Failure> {
        let Some(file) = &self.roles else { return Ok(Roles::default()) };
        let text = std::fs::read_to_string(file).map_err(|error| {
            let failure = Failure::of(Status::Input, "roles_unreadable", &error);
            failure.hinted(format!("is {} the right file?", file.display()))
        })?;
        let roles: Roles = toml::from_str(&text).map_err(|error| {
            // The line itself is not shown: someone may have written a key there.
            let line = text[..error.span().map_or(0, |span| span.start)].lines().count().max(1);
            let message = format!("{}, about line {line}: {}", file.display(), error.message().trim());
            let failure = Failure::new(Status::Input, "roles_malformed", message);
            failure.hinted("it has tables [reflect], [ground] and [embed], each with a `model`")
        })?;
        roles.check()?;
        Ok(roles)
    }
}

impl Roles {
    fn table(&self, role: ModelRole) -> Option<&RoleModel> {
        match role {
            ModelRole::Main => None,
            ModelRole::Reflect => self.reflect.as_ref(),
            ModelRole::Ground => self.ground.as_ref(),
            ModelRole::Embed => self.embed.as_ref(),
        }
    }

    /// The roles with their own models.
    fn tables(&self) -> impl Iterator<Item = (ModelRole, &RoleModel)> {
        let roles = [ModelRole::Reflect, ModelRole::Ground, ModelRole::Embed];
        roles.into_iter().filter_map(|role| Some((role, self.table(role)?)))
    }

    fn check(&self) -> Result<(), Failure> {
        for (role, table) in self.tables() {
            if table.model.trim().is_empty() {
                let message = format!("the role {role} has no model");
                return Err(Failure::new(Status::Input, "roles_malformed", message).hinted("give its `model`"));
            }
        }
        Ok(())
    }
}

/// What may be spent in each role: one budget at the prices of their models.
#[derive(Debug, Clone, Default)]
pub struct Budgets {
    main: Budget,
    others: BTreeMap<ModelRole, Budget>,
}

impl From<Budget> for Budgets {
    fn from(main: Budget) -> Self {
        Self { main, others: BTreeMap::new() }
    }
}

impl Budgets {
    pub fn of(&self, role: ModelRole) -> &Budget {
        self.others.get(&role).unwrap_or(&self.main)
    }

    /// The budget that a kept answer was paid from.
    pub fn of_request(&self, request: &str) -> &Budget {
        self.of(role_of_request(request))
    }
}

/// The planner as its flags say.
pub struct PlannerFlags<'a> {
    pub llm: &'a LlmArgs,
    pub roles: &'a RolesArgs,
    /// What attempts know of each other.
    pub memory: MemoryUse,
}

/// What may be spent, at the price of each model.
pub fn budgets(llm: &LlmArgs, roles: &RolesArgs, args: &BudgetArgs) -> Result<Budgets, Failure> {
    let main = args.budget(Some(&llm.name()))?;
    let roles = roles.read()?;
    let priced = |(role, table): (ModelRole, &RoleModel)| Ok((role, main.at(args.price(&table.model)?)));
    let others = roles.tables().map(priced).collect::<Result<_, Failure>>()?;
    Ok(Budgets { main, others })
}

impl PlannerFlags<'_> {
    /// The actor for a mode, within these budgets.
    pub fn actor(&self, mode: Mode, pictures: Option<u16>, budgets: &Budgets) -> Result<PlannerActor, Failure> {
        self.refuse(mode, pictures)?;
        let (llm, roles) = (self.llm, self.roles.read()?);
        let name = llm.name();
        let preset = Preset { temperature: temperature(&name), takes_empty: true, ..Preset::default() };
        let mut models: BTreeMap<ModelRole, Arc<dyn Model>> = BTreeMap::new();
        let mut recorded = Map::new();
        match (&llm.endpoint, &llm.replay) {
            (Some(endpoint), _) => {
                let main = ModelName { endpoint: endpoint.clone(), model: name.clone() };
                let client: Arc<dyn Model> =
                    Arc::new(llm.manner.client(&main, &preset, budgets.of(ModelRole::Main).clone())?);
                for role in [ModelRole::Main, ModelRole::Reflect, ModelRole::Ground] {
                    models.insert(role, Arc::clone(&client));
                    recorded.insert(role.to_string(), llm.manner.options(&main, &preset));
                }
                for (role, table) in roles.tables() {
                    if role == ModelRole::Embed && !table.has_vectors(&llm.manner) {
                        let failure = Failure::new(Status::Input, "no_vectors", "its dialect has no vectors of texts");
                        return Err(
                            failure.hinted("give the role embed an endpoint with the dialect openai, gemini or ollama")
                        );
                    }
                    let (client, options) = self.client(table, &main, budgets.of(role))?;
                    let model: Arc<dyn Model> = match role {
                        ModelRole::Embed => Arc::new(VectorModel::new(client)),
                        _ => Arc::new(client),
                    };
                    models.insert(role, model);
                    recorded.insert(role.to_string(), options);
                }
            }
            (None, Some(_)) => {
                for role in [ModelRole::Main, ModelRole::Reflect, ModelRole::Ground, ModelRole::Embed] {
                    let model = roles.table(role).map_or(&name, |table| &table.model);
                    recorded.insert(role.to_string(), json!({"model": model}));
                }
            }
            (None, None) => return Err(LlmArgs::no_endpoint()),
        }
        if roles.embed.is_none() {
            recorded.insert(ModelRole::Embed.to_string(), json!(LEXICAL));
        }
        let grounder = roles.ground.as_ref().map_or(&name, |table| &table.model);
        Ok(PlannerActor {
            models,
            embedder: roles.embed.as_ref().map(|table| table.model.clone()),
            prompts: llm.prompts.as_deref().map_or_else(|| Ok(Prompts::bundled()), Prompts::read)?,
            style: PlannerStyle {
                observing: llm.observation.unwrap_or(Observing::Published),
                elements: llm.is_with_elements(true),
                convention: Convention::of_model(&name, Family::Main),
                ground_convention: Convention::of_model(grounder, Family::Main),
            },
            learns: self.memory.grows(),
            memory: self.memory.record(),
            roles: Value::Object(recorded),
            replays: llm.replay.clone(),
        })
    }

    /// Refuses what the planner can't do.
    fn refuse(&self, mode: Mode, pictures: Option<u16>) -> Result<(), Failure> {
        if mode == Mode::Composite {
            let message = "the planner works with mouse and keyboard: its models find places in pictures";
            let failure = Failure::new(Status::Usage, "no_composite_planner", message);
            return Err(failure.hinted("give --mode primitive"));
        }
        let flag = pictures.map(|_| "--pictures").or_else(|| self.llm.of_its_talk().next());
        if let Some(flag) = flag {
            let message = format!(
                "{flag} shapes the talk of another agent: the planner asks in one way, and keeps eight rounds of each \
                 subtask, with the newest picture"
            );
            return Err(Failure::new(Status::Usage, "no_flag_of_planner", message).hinted("leave it out"));
        }
        Ok(())
    }

    /// A client for a role; dialect and key are those of the endpoint that is asked.
    fn client(&self, table: &RoleModel, main: &ModelName, budget: &Budget) -> Result<(ModelClient, Value), Failure> {
        let manner = table.manner(&self.llm.manner);
        let endpoint = table.endpoint.clone().unwrap_or_else(|| main.endpoint.clone());
        let name = ModelName { endpoint, model: table.model.clone() };
        let preset = Preset { temperature: temperature(&name.model), takes_empty: true, ..Preset::default() };
        Ok((manner.client(&name, &preset, budget.clone())?, manner.options(&name, &preset)))
    }
}

/// The published agent asks at temperature 0; models of the name `gpt-5` refuse every temperature but their own.
fn temperature(model: &str) -> Option<f64> {
    (!model.to_lowercase().contains("gpt-5")).then_some(0.0)
}

#[cfg(test)]
#[path = "planner_tests.rs"]
mod tests;
