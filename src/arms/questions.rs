//! Questions of perception as an arm: the flags of `perception run`, and what they ask for.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::count::CountArgs;
use crate::flags::failure::Failure;
use crate::flags::ids::IdsArgs;
use crate::flags::model::Preset;
use crate::flags::prompts::{PromptArgs, note_prompts};
use crate::flags::run::RunFlags;
use scratchbed::agent::QuestionPrompts;
use scratchbed::agent::model::{Budget, Effort};
use scratchbed::benchmarks::perception::{Answers, ITEMS, PerceptionSet, Questions, prompts};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::model::EditorGeneration;

/// Who can answer a question.
const AGENTS: &[AgentName] = &[AgentName::Oracle, AgentName::Random, AgentName::Model, AgentName::Command];

/// Which set.
#[derive(Debug, Args)]
pub struct SetArgs {
    /// The folder of the set.
    #[arg(long, value_name = "DIR")]
    pub set: PathBuf,
}

/// The exit code is 0 when all attempts ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct QuestionsArgs {
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    ids: IdsArgs,
    /// One item of each kind, fifteen in a complete set: the reference's choice of the published set, the first of its kind in
    /// others.
    #[arg(long, conflicts_with = "ids")]
    small: bool,
    /// Who answers.
    #[arg(long, value_parser = among(AGENTS))]
    agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    prompts: PromptArgs,
    #[command(flatten)]
    pub run: RunFlags,
    #[command(flatten)]
    pub count: CountArgs,
}

impl QuestionsArgs {
    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.ask.model(self.agent).map(|name| name.model)
    }

    /// As the reference asks: models that think do so briefly, the others answer without chance.
    fn preset(&self) -> Preset {
        match self.ask.model(self.agent) {
            Some(name) if name.is_gpt5() => Preset { effort: Some(Effort::Low), ..Preset::default() },
            _ => Preset { temperature: Some(0.0), ..Preset::default() },
        }
    }

    /// The items that were chosen of a set.
    fn chosen(&self, set: PerceptionSet) -> Result<PerceptionSet, Failure> {
        let ids = self.ids.names()?;
        Ok(if self.small {
            set.small()
        } else if ids.is_empty() {
            set
        } else {
            set.only(&ids)?
        })
    }

    fn answers(&self, prompts: QuestionPrompts, budget: &Budget) -> Result<Answers, Failure> {
        Ok(match (self.ask.asker(self.agent, &self.preset(), None, budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked { asker, prompts },
            (None, AgentName::Random) => Answers::Random(self.ask.seed),
            (None, _) => Answers::Oracle,
        })
    }
}

/// Questions with who answers them, and the plan of their run.
pub fn asked(args: &QuestionsArgs, budget: &Budget) -> Result<(Questions, Plan), Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    // Runs of some items are of the same set: it is named by its whole.
    let digest = set.digest()?;
    let prompts = args.prompts.read(prompts)?;
    let mut options = json!({"agent": args.ask.options(args.agent, &args.preset())});
    // Runs of older versions, which have none, can still be resumed.
    if set.head.pictures() != <&str>::from(EditorGeneration::Current) {
        options["pictures"] = json!(set.head.pictures());
    }
    note_prompts(&mut options, args.agent, &prompts);
    let questions = Questions { set: args.chosen(set)?, answers: args.answers(prompts, budget)? };
    let plan = Plan {
        agent: args.ask.name(args.agent),
        name: format!("{}-questions", args.ask.readable(args.agent)),
        setting: "questions".to_owned(),
        options,
        attempts: args.run.attempts,
        ..plan(&questions, digest)
    };
    Ok((questions, plan))
}

/// Questions as an arm of an experiment.
pub fn arm(args: &QuestionsArgs, folder: &Path) -> Result<RunArm<Questions>, Failure> {
    let (benchmark, plan) = asked(args, &Budget::default())?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.set.items)?;
    Ok(RunArm { benchmark, dir, pricing })
}

/// What all runs of questions have in common.
pub fn plan(questions: &Questions, set: String) -> Plan {
    Plan { benchmark: Questions::NAME, set, items: questions.items(), ..Plan::default() }
}
