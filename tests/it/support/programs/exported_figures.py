"""Figures of exported results, from their files alone: an independent reader for the tests.

It knows the reference's layout and the paper's formulas, and nothing of this program. Prints one JSON object.
"""

import json
import math
import pathlib
import sys

DRAG = "result_single_step_drag_benchmark_"
PERCEPTION = "result_visual_perception_benchmark_"


def percent(part, whole):
    return 100.0 * part / whole if whole else None


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def rates(results):
    """Equations 3 and 4: solved tasks of N, and the mean of passed tests of all tests."""
    return {
        "n": len(results),
        "sr": percent(sum(1 for result in results if result["success"]), len(results)),
        "psr": percent(sum(partial(result["evaluation"]) for result in results), len(results)),
    }


def partial(evaluation):
    """Passed tests of all, counted one by one where they are listed."""
    given = evaluation.get("partial_success_rate", 0.0)
    details = evaluation.get("details")
    if details:
        counted = sum(1 for test in details if test["passed"]) / len(details)
        assert math.isclose(counted, given), (counted, given)
    return given


def tasks(root):
    results, errors = [], 0
    for path in sorted(root.rglob("interaction_log_*.json")):
        folder = path.parent
        if (folder / "error.json").is_file():
            errors += 1
        elif (folder / "result.json").is_file():
            result = read(folder / "result.json")
            assert (folder.parent.name, folder.name) == (result["task_type"], result["task_name"])
            results.append(result)
    kinds = sorted({result["task_type"] for result in results})
    by_type = {kind: rates([result for result in results if result["task_type"] == kind]) for kind in kinds}
    by_task = {}
    for result in results:
        by_task.setdefault(result["task_name"], []).append(result["success"])
    solved = percent(sum(1 for runs in by_task.values() if any(runs)), len(by_task))
    return {"all": rates(results), "by_type": by_type, "errors": errors, "solved_once": solved}


def distance(runs, x, y):
    """To the nearest pixel of a region, which is a list of rows: y, first x, last x."""
    return min(
        (math.hypot(max(first - x, 0, x - last), y - row) for row, first, last in runs),
        default=None,
    )


def drag(folder):
    """One trial: where it began and ended, by its own arguments and the regions beside it."""
    result = read(folder / "result.json")
    args = result["action"]["args"]
    regions = read(folder / "regions.json")
    trial = {"passed": result["evaluation_result"], "start_in": False, "start_gap": None, "end_gap": None}
    if args:
        start_gap = distance(regions["start"], args["start_x"], args["start_y"])
        offset = (args["end_x"] - args["start_x"], args["end_y"] - args["start_y"])
        trial.update(start_in=start_gap == 0, start_gap=start_gap, end_gap=distance(regions["ends"], *offset))
    return trial


def drags(results):
    items = {}
    for folder in sorted(path for path in results.iterdir() if path.is_dir()):
        runs = sorted((run for run in folder.iterdir() if (run / "result.json").is_file()), key=lambda run: int(run.name))
        if runs:
            items[folder.name] = [drag(run) for run in runs[:3]]
    runs = [run for found in items.values() for run in found]
    started = [run for run in runs if run["passed"] or run["start_in"]]
    failed = [run for run in runs if not run["passed"]]
    outside = [run["start_gap"] for run in failed if not run["start_in"] and run["start_gap"] is not None]
    inside = [run["end_gap"] for run in failed if run["start_in"]]
    return {
        "tasks": len(items),
        "runs": len(runs),
        "pass_at": [
            percent(sum(1 for found in items.values() if any(run["passed"] for run in found[:k])), len(items))
            for k in (1, 2, 3)
        ],
        "start_pass": percent(len(started), len(runs)),
        "end_pass": percent(sum(1 for run in started if run["passed"]), len(started)),
        "start_gap": mean(outside),
        "end_gap": mean(inside),
    }


def is_right(result):
    given, truth = result["model_response"].strip(), result["ground_truth"]
    exact = result["tag"].startswith("exact_match")
    return given == truth if exact else given.upper() == truth.upper()


def perception(root):
    found = {}
    for path in sorted(root.rglob(PERCEPTION + "*/*/result.json")):
        result = read(path)
        assert is_right(result) == result["success"], path
        ability = result["tag"].split("_")[0]
        ability = ability if ability in ("connection", "existence") else "field"
        for group in ("all", ability):
            found.setdefault(group, []).append(result["success"])
    return {group: {"n": len(all_), "accuracy": percent(sum(all_), len(all_))} for group, all_ in found.items()}


def submissions(root):
    for path in sorted(root.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def main():
    root = pathlib.Path(sys.argv[1])
    figures = {
        "tasks": tasks(root),
        "drags": {path.name: drags(path) for path in sorted(root.glob(DRAG + "*"))},
        "perception": perception(root),
        "submissions": list(submissions(root)),
    }
    print(json.dumps(figures))


main()
