"""Sessions in both modes, projects, verdicts, and what goes wrong."""

from __future__ import annotations

import base64
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import scratchbed
from scratchbed import ActionFailed, Client, Infrastructure, Problem

TASK = "stuck_ferry"


@pytest.fixture(scope="module")
def client(server: scratchbed.Server) -> Iterator[Client]:
    with Client(server.url, judge_token=server.judge_token) as client:
        yield client


def blocks(project: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(project)) as archive:
        targets = json.loads(archive.read("project.json"))["targets"]
    return [block["opcode"] for target in targets for block in target["blocks"].values()]


def test_tasks_are_told_without_their_answers(client: Client) -> None:
    assert client.health()["status"] == "ok"
    assert TASK in {task["id"] for task in client.tasks()}
    assert "ferry" in client.task(TASK)["instruction"]
    assert set(client.task(TASK)["limits"]["steps"]) == {"composite", "primitive"}
    with pytest.raises(Problem) as caught:
        client.task("no/such task")
    assert (caught.value.status, caught.value.code) == (404, "unknown_task")
    assert caught.value.request_id
    with pytest.raises(Problem) as caught:
        client.session("stuck_fery")
    assert TASK in (caught.value.hint or "")
    assert len(caught.value.hint or "") < 160, "the nearest names, not all"


def test_composite_mode_solves_a_task(client: Client) -> None:
    with client.session(TASK) as session:
        assert session.task == TASK
        assert session.instruction == client.task(TASK)["instruction"]
        seen = session.composite.observe()
        assert "Ticket" in {target["name"] for target in seen["targets"]}
        session.composite.select_sprite("Ticket")
        placement: scratchbed.Placement = {"kind": "statement_into", "inputName": "SUBSTACK"}
        assert session.verdict()["outcome"] == "failed"
        session.composite.connect_blocks(9, 6, placement)
        verdict = session.verdict(seed=3)
    assert verdict["outcome"] == "passed"
    assert (verdict["passed_tests"], verdict["seed"]) == (verdict["total_tests"], 3)


def test_an_extended_session_adds_scripts_and_plays_them(client: Client) -> None:
    with client.session(extended=True, report=True) as session:
        assert session.info()["extended"]
        assert session.info()["report"]
        added = session.composite.add_script("when green flag clicked\nsay [hi]")
        assert (added["indexes"], "pseudocode" in added) == ([1], False)
        assert session.last_report
        changes = session.last_report["program_changed"]
        assert changes
        assert changes["added"][1] == "#2 looks_say (MESSAGE: hi) below #1 event_whenflagclicked"
        run = session.composite.green_flag(3)
        assert (run["said"][0]["text"], run["running"]) == ("hi", False)
        assert base64.b64decode(run["screenshot"]).startswith(b"\x89PNG")
        assert session.composite.stop() == {"stopped": 0, "report": {"program_changed": None}}
        assert session.composite.observe(stage=True)["picture"]["width"] == 480
        click = session.act("primitive", "click", {"x": 640, "y": 600})
        assert click.report
        assert click.report["hit"] == {"type": "canvas", "text": "canvas"}
        assert session.act("primitive", "click", {"x": 640, "y": 600}, report=False).report is None


def test_primitive_mode_acts_on_what_it_sees(client: Client) -> None:
    with client.session(TASK) as session:
        page = session.primitive.observe(ocr="off")
        assert page.image().size == (1280, 720)
        assert page.table
        assert page.elements
        ticket = page.find("Ticket", "sprites")
        assert scratchbed.state_of(ticket) is None
        session.primitive.click(index=ticket["index"], observation=page.id)
        ticket = session.primitive.observe(picture="off", ocr="off").find("Ticket", "sprites")
        assert (ticket["text"], scratchbed.state_of(ticket)) == ("Ticket (selected)", "selected"), "it is open now"
        page = session.primitive.observe(ocr="off")
        with pytest.raises(LookupError):
            page.find("no such thing")
        small = session.primitive.observe(picture="jpeg", scale=0.5, quality=50, elements="changed", ocr="off")
        assert small.place
        assert (small.place["media_type"], small.place["width"]) == ("image/jpeg", 640)
        assert len(small.picture) < len(page.picture)
        with pytest.raises(ActionFailed) as caught:
            session.primitive.click(5, 5, observation=page.id)
        assert (caught.value.api, caught.value.code) == ("click", "observation_outdated")
        session.primitive.scroll("down", 50, x=200, y=400)
        session.primitive.key("Escape")
        session.primitive.hotkey(["ctrl", "a"])
        assert session.screenshot().startswith(b"\x89PNG")


def test_a_project_goes_out_and_in_and_back(client: Client, tmp_path: Path) -> None:
    with client.session(lease_s=700) as session:
        session.composite.add_block("motion_movesteps")
        session.composite.add_variable("score", "all")
        project = session.export()
        assert "motion_movesteps" in blocks(project)
        assert "motion_movesteps" not in blocks_after(session)
        file = tmp_path / "mine.sb3"
        file.write_bytes(project)
        assert session.load(file)["targets"][0] == "Stage"
        assert "motion_movesteps" in blocks(session.export())
        with pytest.raises(Problem) as caught:
            session.load(b"no project")
        assert caught.value.status == 422
        lease = session.info()["lease_s"]
    with client.session(project=file, lease_s=lease) as again:
        assert "motion_movesteps" in blocks(again.export())
        assert again.info()["lease_s"] == 700, "a lease is taken as it is answered"
    with pytest.raises(ValueError, match="not with both"):
        client.session(TASK, project=file)


def blocks_after(session: scratchbed.Session) -> list[str]:
    session.reset()
    return blocks(session.export())


def test_actions_that_models_ask_for_are_replies_even_when_they_fail(client: Client) -> None:
    with client.session() as session:
        reply = session.act("composite", "add_block", {"blockType": "looks_say"}, note="it has something to say")
        assert reply.success
        assert reply.data["index"] == 1
        assert reply.executed["api"] == "add_block"
        failed = session.act("composite", "delete_block", {"blockIndex": 99})
        assert not failed.success
        assert failed.error
        assert failed.error.hint
        with pytest.raises(ActionFailed):
            session.composite.delete_block(99)
        with pytest.raises(Problem) as caught:
            session.act("composite", "fly")
        assert caught.value.code == "unknown_action"
        assert "extended" not in session.info()
        with pytest.raises(ActionFailed) as refused:
            session.composite.stop()
        assert refused.value.code == "not_extended"
        same = client.attach(session.id)
        assert same.info()["id"] == session.id
        assert session.id in {one["id"] for one in client.sessions()}
    session.close()
    with pytest.raises(Problem) as caught:
        client.attach(session.id)
    assert caught.value.code == "unknown_session"


def test_a_full_server_is_waited_for(server: scratchbed.Server, client: Client) -> None:
    others = [client.session() for _ in range(2)]
    try:
        with Client(server.url, patience=0) as hasty, pytest.raises(Problem) as caught:
            hasty.session()
        assert (caught.value.status, caught.value.code) == (429, "too_many_sessions")
        assert caught.value.retry_after
        timer = threading.Timer(1.0, others[0].close)
        timer.start()
        with client.session() as late:
            assert late.info()["id"] == late.id
        timer.join()
    finally:
        for other in others:
            other.close()


def test_verdicts_need_their_token(server: scratchbed.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRATCHBED_JUDGE_TOKEN", raising=False)
    with Client(server.url) as agent, pytest.raises(Problem) as caught:
        agent.verdict(TASK, b"")
    assert caught.value.code == "judge_token_required"
    with Client(server.url, judge_token="not the judge's token") as agent, pytest.raises(Problem) as caught:
        agent.verdict(TASK, b"")
    assert caught.value.status in {401, 403}


def test_a_server_that_is_not_there_is_infrastructure() -> None:
    with Client("http://127.0.0.1:9", timeout=5) as client, pytest.raises(Infrastructure) as caught:
        client.health()
    assert (caught.value.status, caught.value.code) == (0, "unreachable")
    assert "http://127.0.0.1:9 " in str(caught.value)


@pytest.mark.parametrize(
    ("type_", "text", "name", "state"),
    [
        ("sprites", "Ticket (selected)", "Ticket", "selected"),
        ("buttons", "Undo (disabled)", "Undo", "disabled"),
        ("inputs", "unchecked monitor of motion_xposition", "monitor of motion_xposition", "unchecked"),
        ("text", "checked baggage", "checked baggage", None),
        ("inputs", "value: 10", "value: 10", None),
    ],
)
def test_a_state_is_told_apart_from_the_name(
    type_: scratchbed.ElementType, text: str, name: str, state: str | None
) -> None:
    place: scratchbed.Rect = {"x": 0, "y": 0, "width": 1, "height": 1}
    element: scratchbed.Element = {"index": 0, "type": type_, "text": text, "position": place}
    assert (scratchbed.name_of(element), scratchbed.state_of(element)) == (name, state)


def test_a_server_without_a_benchmark_says_so(client: Client) -> None:
    with pytest.raises(Problem) as caught:
        client.bugs.list()
    assert (caught.value.status, caught.value.code) == (404, "no_benchmark")
    with pytest.raises(Problem) as caught:
        client.bugs.submit("moth", [])
    assert caught.value.code == "no_benchmark"
