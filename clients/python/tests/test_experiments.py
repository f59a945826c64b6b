"""Experiments over HTTP: a small one without a model from its file to its end."""

from __future__ import annotations

import contextlib
import shutil
import socket
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import scratchbed
from scratchbed import CellsChanged, Client, Infrastructure, Problem, StatusChanged

CHECKOUT = Path(__file__).resolve().parents[3]


def file(name: str) -> str:
    return f"""
format = 1
name = "{name}"
items = {{ task = ["stuck_ferry"] }}
[[arms]]
agent = "noop"
mode = "composite"
"""


@pytest.fixture(scope="module")
def server(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[scratchbed.Server]:
    ledger = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    arguments = ["--experiments", "1", "--ledger", str(ledger)]
    with scratchbed.serve(binary, root=CHECKOUT, warm=0, arguments=arguments) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: scratchbed.Server) -> Iterator[Client]:
    with Client(server.url, judge_token=server.judge_token, patience=0) as client:
        yield client


@pytest.fixture
def name() -> Iterator[str]:
    name = f"python-{uuid.uuid4().hex[:8]}"
    yield name
    shutil.rmtree(CHECKOUT / "runs" / "experiments" / name, ignore_errors=True)


def test_an_experiment_from_its_file_to_its_end(client: Client, name: str, tmp_path: Path) -> None:
    experiments = client.experiments
    planned = experiments.plan(file(name))
    assert (planned["name"], planned["cells"], planned["unpriced"]) == (name, 1, [])
    assert experiments.list() == []

    path = tmp_path / "e.toml"
    path.write_text(file(name))
    created = experiments.create(path)
    assert (created["id"], created["plan"]) == (name, planned)
    assert experiments.pause(name, why="lunch")["what"]["gate"] == "paused"
    assert experiments.get(name)["status"]["why"] == "lunch"
    arm = planned["arms"][0]["label"]
    assert experiments.hold(name, arm=arm)["what"]["scope"] == {"arm": arm}
    assert experiments.resume(name, arm=arm)["what"]["gate"] == "open"
    assert experiments.set(name, "usd", 12.5)["what"]["value"] == 12_500_000
    assert experiments.set(name, "usd", None)["what"]["value"] is None
    assert experiments.resume(name)["what"]["gate"] == "open"

    listed = experiments.cells(name)
    known = {cell["id"]: cell for cell in listed["cells"]}
    closed = False
    for change in experiments.watch(name, after=listed["cursor"]):
        if isinstance(change, CellsChanged):
            known |= {cell["id"]: cell for cell in change.cells}
        else:
            closed = change.details["status"]["state"] == "closed"
    assert closed
    assert [*known.values()] == experiments.cells(name)["cells"]
    assert {cell["state"] for cell in known.values()} == {"decided"}
    assert experiments.curves(name)[-1]["decided"] == 1
    assert [status["id"] for status in experiments.list()] == [name]

    with pytest.raises(Problem) as caught:
        experiments.create(path)
    assert (caught.value.status, caught.value.code) == (409, "experiment_exists")
    with pytest.raises(Problem) as caught:
        experiments.requeue(name, cells=[next(iter(known))])
    assert caught.value.code == "cell_decided"


def test_what_is_wrong_is_refused(client: Client, server: scratchbed.Server, name: str) -> None:
    with pytest.raises(Problem) as caught:
        client.experiments.create(file(name).replace("mode", "prompts = '/etc'\nmode"))
    assert caught.value.code == "path_in_posted_file"
    with pytest.raises(Problem) as caught:
        next(client.experiments.watch("nobody"))
    assert caught.value.code == "unknown_experiment"
    with Client(server.url) as stranger, pytest.raises(Problem) as caught:
        stranger.experiments.list()
    assert caught.value.code == "judge_token_required"


class Door:
    """A way to the server that can be slammed: all connections through it are cut, and later ones go through again."""

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix("http://").rpartition(":")
        self._to = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                server = socket.create_connection(self._to)
                self._open += [caller, server]
                for pair in [(caller, server), (server, caller)]:
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                target.sendall(part)

    def slam(self) -> None:
        """Cut all connections."""
        while self._open:
            end = self._open.pop()
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        """Let nobody through any more."""
        self._listener.close()
        self.slam()


def test_a_watcher_goes_on_where_it_was_cut_off(client: Client, server: scratchbed.Server, name: str) -> None:
    with contextlib.closing(Door(server.url)) as door:
        watcher = Client(door.url, judge_token=server.judge_token, patience=20)
        client.experiments.create(file(name))
        with watcher:
            changes = watcher.experiments.watch(name)
            told = [next(changes), next(changes)]
            assert [type(change) for change in told] == [CellsChanged, StatusChanged]
            door.slam()
            client.experiments.pause(name, why="somebody shut the door")
            states = []
            for change in changes:
                if isinstance(change, StatusChanged):
                    states.append(change.details["status"]["state"])
                    if states[-1] == "paused":
                        door.slam()
                        client.experiments.resume(name)
    assert "paused" in states
    assert states[-1] == "closed"
    assert client.experiments.get(name)["status"]["cells"]["decided"] == 1


def test_a_server_that_stays_away_is_an_error() -> None:
    client = Client("http://127.0.0.1:9", judge_token="x" * 22, patience=0)
    with client, pytest.raises(Infrastructure):
        next(client.experiments.watch("any"))
