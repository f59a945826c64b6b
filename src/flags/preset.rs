//! Published protocols by name: what `--preset` sets, what it refuses beside it, and what records say of it.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::agents::{AgentName, AskArgs};
use super::failure::{Failure, Status};
use super::model::Preset;

/// The longest answer of the paper, in tokens.
const PAPER_TOKENS: u32 = 2048;

/// A published protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PresetName {
    /// ScratchEval's: temperature 0, top-p 1, answers of 2048 tokens, one attempt, zero-shot, the project as JSON, costumes as images.
    Paper,
}

/// Whether questions are asked as a published protocol has it.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct PresetArgs {
    /// Ask as a published protocol does. Flags that say otherwise are refused, and records and tables tell its values.
    #[arg(long, value_enum, value_name = "NAME")]
    preset: Option<PresetName>,
    /// With --preset: the model takes no images, so costumes are told by their names alone.
    #[arg(long, requires = "preset")]
    no_images: bool,
}

impl PresetArgs {
    /// How a model answers where the user says nothing: with no preset, as surely as it can.
    pub fn model(self) -> Preset {
        let sure = Preset { temperature: Some(0.0), ..Preset::default() };
        match self.preset {
            Some(PresetName::Paper) => Preset { top_p: Some(1.0), max_tokens: Some(PAPER_TOKENS), ..sure },
            None => sure,
        }
    }

    /// Whether the project's own costumes go with a question as images.
    pub const fn has_images(self) -> bool {
        self.preset.is_some() && !self.no_images
    }

    /// Refuses what is otherwise than in the protocol: flags of the model, and those of the way of asking that are on, with whether the
    /// protocol has it otherwise.
    pub fn check(self, ask: &AskArgs, asking: &[(&str, bool)]) -> Result<(), Failure> {
        if self.preset.is_none() {
            return Ok(());
        }
        let asking = asking.iter().filter(|(_, is_other)| *is_other).map(|(flag, _)| (*flag).to_owned());
        let against: Vec<String> = ask.beside(&self.model()).against.into_iter().chain(asking).collect();
        if against.is_empty() {
            return Ok(());
        }
        let message = format!("not the paper's, which --preset paper stands for: {}", against.join(", "));
        let failure = Failure::new(Status::Usage, "preset_contradicted", message);
        Err(failure.hinted("leave these out, or --preset"))
    }

    /// Refuses a preset where there is none of that name.
    pub fn refuse_for(self, what: &str) -> Result<(), Failure> {
        if self.preset.is_none() {
            return Ok(());
        }
        let message = format!("--preset is a protocol of single answers, which {what} do not have");
        Err(Failure::new(Status::Usage, "preset_without_protocol", message).hinted("leave --preset out"))
    }

    /// The setting of a run, which tables show, with the name of the preset.
    pub fn setting(self, setting: &str) -> String {
        match self.preset {
            Some(PresetName::Paper) => format!("{setting}, paper preset"),
            None => setting.to_owned(),
        }
    }

    /// What records say of it, with what the user said of the way of answering that the protocol does not name.
    pub fn options(self, agent: AgentName, ask: &AskArgs) -> Option<Value> {
        let PresetName::Paper = self.preset?;
        let model = self.model();
        let beside = match agent {
            AgentName::Model => ask.beside(&model).unnamed,
            AgentName::Command => vec!["how the program answers".to_owned()],
            _ => Vec::new(),
        };
        Some(json!({
            "name": "paper",
            "temperature": model.temperature,
            "top_p": model.top_p,
            "max_tokens": model.max_tokens,
            "attempts": 1,
            "shots": 0,
            "representation": "ir",
            "images": self.has_images(),
            "beside": beside,
        }))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    #[command(no_binary_name = true)]
    struct Flags {
        #[command(flatten)]
        preset: PresetArgs,
        #[command(flatten)]
        ask: AskArgs,
        #[arg(long, default_value = "model")]
        agent: String,
    }

    fn flags(given: &[&str]) -> Flags {
        let all = [&["--endpoint=http://localhost:1/v1", "--model=m"], given].concat();
        Flags::try_parse_from(all).unwrap()
    }

    fn refused(given: &[&str]) -> Option<String> {
        let flags = flags(&[&["--preset=paper"], given].concat());
        let checked = flags.preset.check(&flags.ask, &[("--rationale", false)]);
        checked.err().map(|failure| format!("{}: {}", failure.code(), failure.text()))
    }

    #[test]
    fn the_paper_is_asked_by_its_own_values_and_its_record_says_so() {
        let Flags { preset, ask, .. } = flags(&["--preset=paper", "--effort=low"]);
        let options = ask.options(AgentName::Model, &preset.model());
        assert_eq!(
            (&options["temperature"], &options["top_p"], &options["max_tokens"]),
            (&json!(0.0), &json!(1.0), &json!(2048))
        );
        let record = preset.options(AgentName::Model, &ask).unwrap();
        assert_eq!((&record["images"], &record["beside"]), (&json!(true), &json!(["--effort low"])));
        assert_eq!(preset.setting("zero-shot"), "zero-shot, paper preset");
        let blind = flags(&["--preset=paper", "--no-images"]).preset;
        assert!(!blind.has_images());
        let none = flags(&[]);
        let options = none.ask.options(AgentName::Model, &none.preset.model());
        assert_eq!((&options["temperature"], &options["max_tokens"]), (&json!(0.0), &Value::Null));
        assert_eq!(none.preset.options(AgentName::Model, &none.ask), None);
    }

    #[test]
    fn what_the_paper_has_otherwise_is_refused_beside_it() {
        assert_eq!(refused(&["--temperature=0", "--top-p=1", "--max-tokens=2048"]), None);
        for (given, named) in [
            ("--temperature=0.7", "--temperature 0.7"),
            ("--top-p=0.9", "--top-p 0.9"),
            ("--max-tokens=4096", "--max-tokens 4096"),
            (r#"--extra-body={"temperature": 1}"#, "--extra-body temperature"),
        ] {
            let said = refused(&[given]).unwrap();
            assert!(said.starts_with("preset_contradicted") && said.contains(named), "{said}");
        }
        let Flags { preset, ask, .. } = flags(&["--preset=paper"]);
        assert!(preset.check(&ask, &[("--rationale", true)]).is_err());
        assert!(preset.refuse_for("controllers").is_err() && PresetArgs::default().refuse_for("controllers").is_ok());
    }
}
