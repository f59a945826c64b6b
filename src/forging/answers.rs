//! Answers that were given elsewhere, as a file.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::repairs::InstancesArgs;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::perception::lines;
use scratchbed::bugs::Bench;
use scratchbed::experiment::{Given, Plan, Reply, Stray, given};
use scratchbed::model::sha256_hex;

/// Which answers to which benchmark.
#[derive(Debug, Args)]
pub struct AnswersArgs {
    #[command(flatten)]
    instances: InstancesArgs,
    /// The answers.
    #[arg(long, value_name = "FILE")]
    answers: PathBuf,
    /// The name of who answered, in records and reports; the file's name by default.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: Option<String>,
}

/// Answers with the instances that are scored: all of the benchmark, where none is named. One that is not answered is not passed.
pub struct Elsewhere {
    pub bench: Bench,
    pub ids: Vec<String>,
    pub answers: Given,
    name: String,
    /// Of the file, as it was read.
    digest: String,
}

impl AnswersArgs {
    /// Reads them.
    pub fn read(&self) -> Result<Elsewhere, Failure> {
        let (bench, ids) = self.instances.open()?;
        let file = &self.answers;
        let replies: Vec<Reply> = lines(file).map_err(|error| {
            Failure::new(Status::Input, "answers_unreadable", format!("{}: {error}", file.display()))
                .hinted("each line is an object: {\"id\": INSTANCE, \"response\": TEXT}")
        })?;
        let texts: Vec<_> = replies.iter().map(|reply| json!([reply.id, reply.response, reply.error])).collect();
        let digest = sha256_hex(json!(texts).to_string().as_bytes());
        let is_known = |id: &str| bench.entries().iter().any(|entry| entry.id == id);
        let answers = given(is_known, replies).map_err(|stray| {
            let (code, message) = match stray {
                Stray::Unknown(id) => ("unknown_instance", format!("there is no instance `{id}`")),
                Stray::Twice(id) => ("answered_twice", format!("`{id}` is answered twice")),
            };
            Failure::new(Status::Input, code, message).hinted("`scratchbed bugs list BENCH` shows the instances")
        })?;
        let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = self.name.clone().or_else(stem).unwrap_or_else(|| "answers".to_owned());
        Ok(Elsewhere { bench, ids, answers, name, digest })
    }
}

impl Elsewhere {
    /// The plan of their run; `common` is what all runs of the track have in common.
    pub fn plan(&self, common: Plan) -> Plan {
        Plan {
            name: format!("{}-answers", self.name.replace('-', "_")),
            agent: self.name.clone(),
            setting: "answers".to_owned(),
            options: json!({"answers": self.digest}),
            attempts: 1,
            ..common
        }
    }
}
