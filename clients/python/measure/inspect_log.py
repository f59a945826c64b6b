"""Reads an export for Inspect with Inspect itself: the log, its data frame, and the page that it bundles.

`make test-inspect` runs this over a run of the oracle; any run of tasks will do.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from inspect_ai.analysis import samples_df
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries


def export(program: list[str], run: Path, to: Path) -> None:
    """Has scratchbed write the logs."""
    command = [*program, "export", str(run), "--format", "inspect", "--out", str(to)]
    subprocess.run(command, check=True, stdout=sys.stderr)


def attempts(run: Path) -> dict[tuple[str, int], dict[str, object]]:
    """Gives the last try at each attempt, as the run recorded it."""
    found: dict[tuple[str, int], dict[str, object]] = {}
    for file in sorted(run.glob("attempts/*/attempt.json")):
        record = json.loads(file.read_text())
        key = (record["item"], record["attempt"])
        if key not in found or found[key]["retry"] <= record["retry"]:
            found[key] = record
    return found


def solved(record: dict[str, object]) -> bool:
    """Says whether an attempt solved its task, by the rule of equation 3."""
    detail = record["detail"]
    ended = record["outcome"] in {"passed", "limit"}
    return ended and detail["total_tests"] > 0 and detail["passed_tests"] >= detail["total_tests"]


def compare(log: EvalLog, records: dict[tuple[str, int], dict[str, object]]) -> None:
    """Finds in the log what the run says of each attempt."""
    assert log.version == 2, log.version
    assert log.samples is not None
    assert len(log.samples) == len(records), (len(log.samples), len(records))
    for sample in log.samples:
        record = records[(str(sample.id), sample.epoch)]
        counts = record["outcome"] not in {"provider_error", "infra_error", "judge_error"}
        assert (sample.scores is not None) == counts, sample.id
        assert (sample.error is None) == counts, sample.id
        if sample.scores:
            assert sample.scores["tests"].value == ("C" if solved(record) else "I"), sample.id
        used = sum(usage.total_tokens for usage in sample.model_usage.values())
        assert used == record["cost"]["input_tokens"] + record["cost"]["output_tokens"], sample.id
        kinds = [event.event for event in sample.events]
        assert kinds[0] == "sample_init", kinds
        assert kinds.count("score") == (2 if counts else 0), kinds
        asked = [event for event in sample.events if event.event == "model"]
        assert all(event.input for event in asked), f"{sample.id}: messages of a request are lost"
        pictures = [value for value in sample.attachments.values() if value.startswith("data:image/")]
        assert len(pictures) == len(sample.attachments), sample.id


def main() -> None:
    """Exports, reads, and bundles; says how much there was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run of tasks")
    parser.add_argument("--out", type=Path, help="where the logs and the page stay; a temporary folder else")
    parser.add_argument("program", nargs="+", help="the scratchbed program, after --")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        out = given.out or Path(temporary) / "inspect"
        logs = out / "logs"
        out.mkdir(parents=True, exist_ok=True)
        export(given.program, given.run, logs)
        found = list_eval_logs(str(logs))
        assert len(found) == 1, found
        log = read_eval_log(found[0])
        records = attempts(given.run)
        compare(log, records)
        header = read_eval_log(found[0], header_only=True)
        assert header.results is not None
        accuracy = header.results.scores[0].metrics["accuracy"].value
        summaries = read_eval_log_sample_summaries(found[0])
        assert len(summaries) == len(records), len(summaries)
        first = summaries[0]
        one = read_eval_log_sample(found[0], id=first.id, epoch=first.epoch, resolve_attachments=True)
        assert one.messages, first.id
        frame = samples_df(str(logs))
        assert len(frame) == len(records), len(frame)
        right = int((frame["score_tests"] == "C").sum())
        assert right == sum(solved(record) for record in records.values()), right
        page = out / "page"
        subprocess.run(
            [sys.executable, "-m", "inspect_ai", "view", "bundle", "--log-dir", str(logs), "--output-dir", str(page)],
            check=True,
            stdout=sys.stderr,
        )
        assert (page / "index.html").is_file()
        answer = {"samples": len(records), "solved": right, "accuracy": accuracy, "status": log.status}
        print(json.dumps({**answer, "page": str(page) if given.out else None}))


if __name__ == "__main__":
    main()
