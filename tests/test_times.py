"""Tests of `times.py`: `python3 -m unittest discover --start-directory tests`."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import times

PROGRAM = Path(times.__file__)
FINISHED = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s\n"

# Stands for a test executable: prints its arguments and what libtest prints.
EXECUTABLE = f"""#!/bin/sh
echo "$RUSTC_BOOTSTRAP $*"
printf 'test a::b ... ok <1.500s>\\n\\n{FINISHED.strip()}\\n'
exit 3
"""


def seconds(*chunks: bytes) -> dict[str, float]:
    lines = times.TestLines()
    for chunk in chunks:
        lines.feed(chunk)
    return lines.seconds


def call(*words: str, record: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SCRATCHBED_TEST_")}
    environment |= {"CARGO_PKG_NAME": "some-crate"} | ({times.RECORD: str(record)} if record else {})
    command = [sys.executable, str(PROGRAM), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


class Lines(unittest.TestCase):
    def test_the_results_of_tests_are_found(self) -> None:
        text = b"running 3 tests\ntest a::b ... ok <0.004s>\ntest a::c - should panic ... FAILED <2.500s>\ntest d ... ignored\n"
        self.assertEqual(seconds(text), {"a::b": 0.004, "a::c": 2.5})

    def test_chunks_may_end_anywhere(self) -> None:
        text = b"test a::b ... ok <1.250s>\n"
        self.assertEqual(seconds(*(text[at : at + 1] for at in range(len(text)))), {"a::b": 1.25})

    def test_a_test_may_print_to_the_line_of_its_result(self) -> None:
        text = b"half a linetest a::b ... ok <0.100s>\ntest a::c ... printed\nmore\nok <0.200s>\nok <9.000s>\n"
        self.assertEqual(seconds(text), {"a::b": 0.1, "a::c": 0.2})

    def test_colours_do_not_matter(self) -> None:
        self.assertEqual(seconds(b"test a::b ... \x1b[32mok\x1b(B\x1b[m <0.100s>\n"), {"a::b": 0.1})


class Runner(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def executable(self, name: str) -> str:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(EXECUTABLE)
        file.chmod(0o755)
        return str(file)

    def record(self) -> Path:
        record = self.folder / "record"
        record.mkdir()
        return record

    def test_tests_are_timed_and_their_output_and_exit_code_stay(self) -> None:
        record = self.record()
        done = call("runner", self.executable("deps/some_crate-0123456789abcdef"), "--test-threads=2", record=record)
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stdout.startswith("1 --test-threads=2 -Zunstable-options --report-time\n"), done.stdout)
        self.assertTrue(done.stdout.endswith(FINISHED), done.stdout)
        (entry,) = times.entries(record, "tests")
        self.assertEqual((entry["package"], entry["target"]), ("some-crate", "some_crate"))
        self.assertEqual(entry["tests"], {"a::b": 1.5})

    def test_other_executables_and_calls_without_a_record_pass_untouched(self) -> None:
        tests = self.executable("deps/some_crate-0123456789abcdef")
        record = self.record()
        for words, place in [([self.executable("release/program")], record), ([tests], None), ([tests, "--list"], record)]:
            done = call("runner", *words, record=place)
            self.assertEqual((done.returncode, done.stdout.split("\n")[0]), (3, " " + " ".join(words[1:])))
        self.assertEqual(list(record.iterdir()), [])

    def test_a_process_that_keeps_the_output_open_is_not_waited_for(self) -> None:
        file = Path(self.executable("deps/leaving-0123456789abcdef"))
        file.write_text("#!/bin/sh\nsleep 60 &\necho $!\n")
        done = subprocess.Popen(
            [sys.executable, str(PROGRAM), "runner", str(file)],
            env={**os.environ, times.RECORD: str(self.record())},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(done.wait(timeout=30), 0)
        assert done.stdout is not None
        os.kill(int(done.stdout.readline()), 9)
        done.stdout.close()


class Phases(unittest.TestCase):
    def test_a_failing_phase_ends_with_a_table_and_its_exit_code(self) -> None:
        inner = f"{sys.executable} {PROGRAM} phase lint -- true && {sys.executable} {PROGRAM} phase tests -- sh -c 'exit 4'"
        done = call("run", "--", "sh", "-c", inner)
        self.assertEqual(done.returncode, 4)
        rows = [line.split(maxsplit=1)[1] for line in done.stdout.splitlines() if line]
        self.assertEqual(rows, ["phase", "lint", "tests, failed with 4", "sum", "slowest tests"])

    def test_an_interrupted_phase_ends_with_a_table(self) -> None:
        inner = f"{sys.executable} {PROGRAM} phase tests -- sh -c 'echo started; sleep 60'"
        command = [sys.executable, str(PROGRAM), "run", "--", "sh", "-c", inner]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "started\n")
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        self.assertEqual((process.wait(timeout=30), "tests, failed with 130" in rest), (130, True), rest)
        process.stdout.close()

    def test_a_phase_without_a_record_only_runs(self) -> None:
        done = call("phase", "lint", "--", "sh", "-c", "echo out; exit 5")
        self.assertEqual((done.returncode, done.stdout), (5, "out\n"))

    def test_a_program_that_is_missing_is_named(self) -> None:
        done = call("phase", "lint", "--", "no-such-program")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-such-program", done.stderr)


class Table(unittest.TestCase):
    def test_executables_stand_below_their_phase_and_the_slowest_tests_come_first(self) -> None:
        phases = [
            {"name": "lint", "began": 0, "seconds": 2.0, "code": 0},
            {"name": "tests", "began": 2, "seconds": 9.0, "code": 0},
        ]
        phases.append({"name": "lint", "began": 20, "seconds": 1.0, "code": 0})
        unit = {"phase": "tests", "package": "a-b", "began": 2, "seconds": 1.0, "target": "a_b", "tests": {"x": 0.5}}
        whole = {**unit, "seconds": 7.0, "target": "it", "tests": {"slow": 6.0, **{f"t{n}": 0.1 for n in range(30)}}}
        rows = times.table(phases, [unit, whole, {**unit, "target": "bin", "tests": {}}]).splitlines()
        expected = ["  seconds  phase", "      3.0  lint", "      9.0  tests", "      1.0    unit tests of a-b"]
        expected += ["      7.0    integration tests of a-b: it", "     12.0  sum", "", "  seconds  slowest tests"]
        expected += ["      6.0  it slow", "      0.5  a_b x"]
        self.assertEqual(rows[: len(expected)], expected)
        self.assertEqual(len(rows), 8 + times.SLOWEST)

    def test_what_a_killed_process_left_is_skipped(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "phase-half.json").write_text('{"name": "li')
            (Path(folder) / "phase-whole.json").write_text(json.dumps({"name": "lint", "began": 1}))
            self.assertEqual([entry["name"] for entry in times.entries(Path(folder), "phase")], ["lint"])


if __name__ == "__main__":
    unittest.main()
