//! `scratchbed task build`: project files from their texts, all in one browser, once or whenever a text changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::browsers;
use crate::arms::files;
use crate::arms::interrupts::Interrupts;
use crate::arms::output::Output;
use crate::arms::signs::{bar, progress};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::compile::{BuildError, Compiled, Faults, Source, compile_noting};
use scratchbed::model::sha256_hex;
use scratchbed::notation::Fault;
use scratchbed::session::{Fleet, Lease};
use scratchbed::taskset::project_digest;

/// How often the texts are looked at for changes.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Which texts, and where the project files go.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The project texts.
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<PathBuf>,
    /// Where the project file goes; with several texts a folder, where each is named like its text. Without it the
    /// texts are only checked.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Don't warn of names that the project does not have, nor of messages without a sender or a receiver.
    #[arg(long)]
    allow_unknown: bool,
    /// Go on until Ctrl+C: build a text again when it or a file beside it changes.
    #[arg(long)]
    watch: bool,
}

/// A text, and where its project file goes.
struct Job {
    text: PathBuf,
    file: Option<PathBuf>,
}

/// What was built of a text.
struct Built {
    sb3: Vec<u8>,
    warnings: Vec<Fault>,
}

/// Builds the texts that the arguments name.
pub async fn run(args: &BuildArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let jobs = jobs(&args.texts, args.out.as_deref())?;
    // For the whole time: an interrupt that comes during a build counts too.
    let interrupts = args.watch.then(Interrupts::listen).transpose()?;
    let mut bench =
        Bench { fleet: browsers::start(settings, 0).await?, lease: None, allow_unknown: args.allow_unknown, out };
    let done = match interrupts {
        Some(mut interrupts) => tokio::select! {
            () = interrupts.next() => Ok(Status::Success),
            never = bench.watch(&jobs) => never,
        },
        None => bench.once(&jobs).await,
    };
    bench.clear().await;
    bench.fleet.shutdown().await;
    done
}

/// Where each project file goes.
fn jobs(texts: &[PathBuf], out: Option<&Path>) -> Result<Vec<Job>, Failure> {
    let mut texts = texts.to_vec();
    texts.dedup();
    let Some(out) = out else { return Ok(texts.into_iter().map(|text| Job { text, file: None }).collect()) };
    if let ([text], false) = (texts.as_slice(), out.is_dir()) {
        return Ok(vec![Job { text: text.clone(), file: Some(out.to_owned()) }]);
    }
    if out.is_file() {
        let message = format!("{} is a file, and {} texts are to be built", out.display(), texts.len());
        return Err(Failure::new(Status::Usage, "not_a_folder", message).hinted("name a folder"));
    }
    let mut owners: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let jobs = texts.iter().map(|text| {
        let file = out.join(format!("{}.sb3", name_among(text, &texts)));
        match owners.insert(file.clone(), text.clone()) {
            None => Ok(Job { text: text.clone(), file: Some(file) }),
            Some(other) => {
                let message = format!("{} and {} would both be {}", other.display(), text.display(), file.display());
                Err(Failure::new(Status::Usage, "same_name", message).hinted("build them into different folders"))
            }
        }
    });
    jobs.collect()
}

/// The name of a text; with that of its folder where another text is named alike.
fn name_among(text: &Path, all: &[PathBuf]) -> String {
    let part = |of: Option<&std::ffi::OsStr>| of.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = part(text.file_stem());
    let is_shared = all.iter().filter(|other| other.file_stem() == text.file_stem()).count() > 1;
    match part(text.parent().and_then(Path::file_name)) {
        folder if is_shared && !folder.is_empty() => format!("{folder}_{name}"),
        _ => name,
    }
}

/// Texts in a row that no page builds, after which no further one is tried.
const MOST_LOST: usize = 2;

/// A page that texts are built in, opened for the first of them.
struct Bench {
    fleet: Fleet,
    lease: Option<Lease>,
    allow_unknown: bool,
    out: Output,
}

impl Bench {
    async fn once(&mut self, jobs: &[Job]) -> Result<Status, Failure> {
        let shown = bar("projects built", jobs.len() as u64);
        let (mut done, mut broken) = (Vec::new(), None);
        let mut lost = 0;
        for job in jobs {
            let built = self.build_again(job).await;
            let is_lost = built.as_ref().is_err_and(|failure| failure.status() != Status::Input);
            lost = if is_lost { lost + 1 } else { 0 };
            match built {
                // Where no page holds, the others can't be built either; and the failure of the only one is the answer.
                Err(failure) if jobs.len() == 1 || lost == MOST_LOST => {
                    broken = Some(failure);
                    break;
                }
                built => done.push((job, built)),
            }
            shown.inc(1);
        }
        shown.finish_and_clear();
        for (job, built) in &done {
            self.tell(job, built);
        }
        if let Some(failure) = broken {
            return Err(failure);
        }
        let answers: Vec<Value> = done.iter().map(|(job, built)| answer(job, built)).collect();
        match answers.as_slice() {
            [one] => self.out.answer(one),
            _ => self.out.answer(&json!({"projects": answers})),
        }
        let failures = || done.iter().filter_map(|(_, built)| built.as_ref().err()).map(Failure::status);
        let trouble = failures().find(|status| *status != Status::Input);
        Ok(trouble.or_else(|| failures().next()).unwrap_or(Status::Success))
    }

    /// Builds a text, and once more in another page where the page was the trouble.
    async fn build_again(&mut self, job: &Job) -> Result<Built, Failure> {
        match self.build(job).await {
            Err(failure) if failure.status() != Status::Input => self.build(job).await,
            built => built,
        }
    }

    /// Builds all, and again what changes, without an end.
    async fn watch(&mut self, jobs: &[Job]) -> ! {
        let mut seen: Vec<Option<String>> = vec![None; jobs.len()];
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            looks.tick().await;
            for (job, seen) in jobs.iter().zip(&mut seen) {
                // A text that is being saved may be away for a moment.
                let digest = Some(project_digest(&job.text).unwrap_or_default());
                if *seen == digest {
                    continue;
                }
                *seen = digest;
                let built = self.build(job).await;
                self.tell(job, &built);
                self.out.answer(&answer(job, &built));
            }
        }
    }

    async fn build(&mut self, job: &Job) -> Result<Built, Failure> {
        let built = self.compile(&job.text).await;
        if built.as_ref().is_err_and(BuildError::is_broken) {
            self.clear().await;
        }
        let Compiled { project, warnings } = built?;
        let sb3 = project.write().map_err(BuildError::from)?;
        if let Some(file) = &job.file {
            files::write(file, &sb3)?;
        }
        Ok(Built { sb3, warnings: if self.allow_unknown { Vec::new() } else { warnings } })
    }

    async fn compile(&mut self, text: &Path) -> Result<Compiled, BuildError> {
        let source = Source::read(text)?;
        let lease = match self.lease.take() {
            Some(lease) => lease,
            None => self.fleet.acquire().await?,
        };
        compile_noting(&self.lease.insert(lease).page, &source).await
    }

    async fn clear(&mut self) {
        if let Some(lease) = self.lease.take() {
            self.fleet.release(lease).await;
        }
    }

    /// Says what came of a text.
    fn tell(&self, job: &Job, built: &Result<Built, Failure>) {
        match built {
            Ok(Built { sb3, warnings }) => {
                for warning in warnings {
                    progress(format!("warning[{}]: {}", warning.code, Faults::located(Some(&job.text), warning)));
                    warning.hint.iter().for_each(|hint| progress(format!(" hint: {hint}")));
                }
                let digest = sha256_hex(sb3);
                self.out.say(match &job.file {
                    Some(file) => format!("{} ({} bytes, sha256 {digest})", file.display(), sb3.len()),
                    None => format!("{}: ok", job.text.display()),
                });
            }
            Err(failure) => progress(failure.text()),
        }
    }
}

/// What came of a text, for a program.
fn answer(job: &Job, built: &Result<Built, Failure>) -> Value {
    match built {
        Ok(Built { sb3, warnings }) => json!({
            "text": job.text, "file": job.file, "bytes": sb3.len(), "sha256": sha256_hex(sb3), "warnings": warnings
        }),
        Err(failure) => {
            let mut answer = failure.json();
            answer["text"] = json!(job.text);
            answer
        }
    }
}

#[cfg(test)]
#[path = "task_build_tests.rs"]
mod tests;
