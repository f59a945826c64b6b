//! What a fleet needs besides workers, on this machine alone: a Postgres server for its ledger, an S3 server for its artefacts, and
//! the outcomes of its attempts. Tests share both servers, which end with the test process.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use scratchbed::files::Checkout;
use scratchbed::model::{Outcome, TaskDetail};
use scratchbed::store::RunDir;

use crate::experiments::browser_experiment::{runs_of, unique};
use crate::support::postgres_server::Server;
use crate::support::program::{Answer, Begun, Call, Scratchbed};
use crate::support::{everything, root};

/// Tasks that the oracle solves in few calls, one more than there are attempts at a time. The first one takes long enough
/// for a kill to meet it.
const FEW: [&str; 3] = ["hungry_beetle", "porch_lantern", "stuck_ferry"];
/// How long a worker may take to end what it does.
const END: Duration = Duration::from_secs(60);

/// An experiment of the oracle in composite mode, and how many cells it has.
pub fn file(name: &str) -> (String, usize) {
    if everything() {
        let tasks = scratchbed::taskset::TaskSet::read(root()).unwrap();
        (text(name, "split = \"all\""), tasks.all().len())
    } else {
        file_of(name, &FEW)
    }
}

/// Such an experiment at these tasks.
pub fn file_of(name: &str, tasks: &[&str]) -> (String, usize) {
    (text(name, &format!("task = {tasks:?}")), tasks.len())
}

fn text(name: &str, items: &str) -> String {
    let arms = "[[arms]]\nagent = \"oracle\"\nmode = \"composite\"\n";
    format!("format = 1\nname = \"{name}\"\nitems = {{ {items} }}\n{arms}")
}

/// Returns the folder of the only arm of an experiment.
pub fn arm(scratchbed: &Scratchbed, experiment: &str) -> PathBuf {
    runs_of(scratchbed, experiment).join("oracle-composite")
}

/// Of each attempt that counts, by its folder: outcome, results of the tests, and the digest of the trace.
pub type Verdicts = BTreeMap<String, (Outcome, Vec<(String, bool)>, Option<String>)>;

/// Reads the verdicts of an arm.
pub fn verdicts(arm: &Path) -> Verdicts {
    let run = RunDir::open(arm).unwrap();
    let of = |tried: scratchbed::store::Try<TaskDetail>| {
        let verdict = run.verdict(&tried.name).unwrap().unwrap();
        let tests = verdict.details.into_iter().map(|test| (test.name, test.passed)).collect();
        let name = format!("{}.{}", tried.record.item, tried.record.attempt);
        (name, (tried.record.outcome, tests, verdict.trace_hash))
    };
    run.last_tries().unwrap().into_iter().map(of).collect()
}

/// The machines of a fleet.
pub struct Machines {
    scratchbed: Scratchbed,
    queue: String,
    /// The bucket's address for workers and experiments of this test.
    artefacts: String,
}

impl Machines {
    /// A new database, and a place of its own in the bucket, on the servers of this process.
    pub fn start() -> Self {
        let queue = Server::shared().database("fleet");
        let artefacts = format!("s3://artefacts/{}", unique("attempts"));
        Self { scratchbed: Scratchbed::new(), queue, artefacts }
    }

    /// The address of the ledger.
    pub fn queue(&self) -> &str {
        &self.queue
    }

    /// The place of its artefacts in the bucket.
    pub fn artefacts(&self) -> &str {
        &self.artefacts
    }

    /// Returns the program that experiments and workers share, with its checkout.
    pub fn scratchbed(&self) -> &Scratchbed {
        &self.scratchbed
    }

    /// Prepares a call that reaches ledger and artefacts.
    pub fn call(&self, args: &[&str]) -> Call {
        let call = self.scratchbed.call(args).env("SCRATCHBED_TEST_QUEUE", &self.queue);
        let call = call.env("AWS_ENDPOINT_URL", &S3::shared().address).env("AWS_ALLOW_HTTP", "true");
        let call = call.env("AWS_REGION", "us-east-1");
        call.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test")
    }

    /// Makes a call on experiments.
    pub async fn experiment(&self, args: &[&str]) -> Answer {
        self.call(&["experiment"]).args(args).args(["--ledger", "env:SCRATCHBED_TEST_QUEUE"]).answer().await
    }

    /// Starts a worker that puts its artefacts into the bucket, and waits until it takes attempts.
    pub async fn worker(&self, slots: &str) -> Working {
        let name = unique("worker");
        let flags = ["--queue", "env:SCRATCHBED_TEST_QUEUE", "--slots", slots, "--name", &name];
        let mut process = self.call(&["worker"]).args(flags).args(["--artefacts", &self.artefacts]).begin();
        process.line(|line| line.contains("artefacts go to")).await;
        Working { name, process }
    }
}

/// A worker that works.
pub struct Working {
    pub name: String,
    process: Begun,
}

impl Working {
    /// Lets it end what runs, and waits for its end.
    pub async fn drained(mut self) {
        self.process.signal(Signal::SIGTERM);
        let ended = tokio::time::timeout(END, self.process.ended()).await;
        assert!(ended.unwrap().success(), "{} did not end well", self.name);
    }
}

/// A real S3 interface on this machine: moto's server, one for all tests of a process.
struct S3 {
    address: String,
    /// It ends with its standard input, which is open as long as this process lives.
    _process: Child,
}

static S3_SERVER: LazyLock<S3> = LazyLock::new(S3::start);

impl S3 {
    fn shared() -> &'static Self {
        &S3_SERVER
    }

    fn start() -> Self {
        let python = Checkout::at(root()).s3().join("bin/python");
        assert!(python.is_file(), "no {}: run `scratchbed setup --s3`", python.display());
        let mut command = std::process::Command::new(python);
        command.arg(root().join("tests/it/support/programs/s3_server.py")).arg("artefacts");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "the S3 server did not start: {address}");
        Self { address: address.trim().to_owned(), _process: process }
    }
}

/// How long something took, for people.
pub fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}
