//! A later grade of an attempt at a task: what another judge finds of the same project, kept beside the first. And
//! the verdict that it follows from, which is kept apart from all runs.

use serde::{Deserialize, Serialize};

use super::{Outcome, TaskId, TaskRecord, Verdict};

/// What a judge says of an attempt that was graded before, as a file below `grades/` holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradeRecord {
    /// Version of this format; [`RUN_FORMAT`](super::RUN_FORMAT).
    pub format: u32,
    /// Digest of all that judges: evaluation script, limits, seed, what runs the script, version of the editor.
    pub judge: String,
    /// The version of scratchbed that judged.
    pub version: String,
    /// When, in seconds since 1970.
    pub graded_at: f64,
    /// What becomes of the attempt by it: how the agent ended has its say, as in the first grade.
    pub outcome: Outcome,
    /// What went wrong, unless it is a plain wrong answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Absent where the file is no project.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<Verdict>,
}

impl GradeRecord {
    /// The attempt with this grade in place of its first.
    pub fn applied(&self, mut record: TaskRecord) -> TaskRecord {
        record.outcome = self.outcome;
        record.error.clone_from(&self.error);
        record.detail.passed_tests = self.verdict.as_ref().map_or(0, |verdict| verdict.passed_tests);
        record.detail.total_tests = self.verdict.as_ref().map_or(0, |verdict| verdict.total_tests);
        record
    }
}

/// A verdict that this checkout has given on a project, whichever runs have it. Grades in the folder of a run came with
/// the run; this one did not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictRecord {
    pub task: TaskId,
    /// SHA-256 of the .sb3 file.
    pub project: String,
    /// The secret seed under which it was judged too, if the judge draws what it asks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge_seed: Option<u64>,
    /// What was found, as if the agent had ended by itself.
    pub grade: GradeRecord,
}
