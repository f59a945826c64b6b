"""The Gymnasium environment in both modes, checked by Gymnasium and played to a verdict."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from conftest import of_the_day
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import scratchbed
from scratchbed.gym import Action, ActionSpace, ScratchEnv

TASK = "stuck_ferry"
MODES: list[scratchbed.Mode] = ["primitive", "composite"]
SOLUTION: dict[scratchbed.Mode, list[Action]] = {
    "composite": [
        {"api": "select_sprite", "args": {"name": "Ticket"}},
        (5, {"sourceBlockIndex": 9, "targetBlockIndex": 6, "kind": 2, "inputName": "SUBSTACK"}),
    ],
    "primitive": [
        {"api": "click", "args": {"x": 912, "y": 600}},
        (
            4,
            {
                name: np.array(value)
                for name, value in zip(("start_x", "start_y", "end_x", "end_y"), (393, 393, 381, 289), strict=True)
            },
        ),
    ],
}


@pytest.fixture(scope="module")
def client(server: scratchbed.Server) -> Iterator[scratchbed.Client]:
    with scratchbed.Client(server.url, judge_token=server.judge_token) as client:
        yield client


# The checker resets a dozen times, and each reset takes a page.
@pytest.mark.parametrize("mode", of_the_day(MODES, 1))
# The checker warns of spaces that can't be flattened into numbers, which text can't.
@pytest.mark.filterwarnings("default")
def test_gymnasium_finds_nothing_wrong(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = gymnasium.make(
        "scratchbed/Scratch-v0", task=TASK, mode=mode, client=client, ocr="off", render_mode="rgb_array"
    )
    try:
        check_env(env.unwrapped)
    finally:
        env.close()
        # The checker copies the environment and never closes the copies: their sockets are its own to answer for.
        gc.collect()


@pytest.mark.parametrize("mode", of_the_day(MODES, 1))
def test_an_episode_ends_with_a_verdict(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(TASK, mode=mode, client=client, ocr="off", render_mode="rgb_array")
    seen, info = env.reset(seed=1)
    assert "ferry" in env.instruction
    assert seen["goal"] == info["instruction"] == env.instruction
    for action in SOLUTION[mode]:
        before = seen
        seen, reward, terminated, truncated, info = env.step(action)
        assert seen in env.observation_space
        assert "error" not in info
        assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, False, None)
    assert str(seen) != str(before)
    picture = env.render()
    assert picture is not None
    assert picture.shape == (720, 1280, 3)
    _, reward, terminated, _, info = env.step({"api": "done"})
    assert (reward, terminated, info["outcome"], info["steps"]) == (1.0, True, "passed", 3)
    env.close()


def test_the_limit_cuts_an_episode_off_and_failures_are_told(client: scratchbed.Client) -> None:
    env = ScratchEnv(TASK, mode="composite", client=client, max_steps=2, reward="success")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step({"api": "select_stage"})
    env.reset()
    _, _, _, truncated, info = env.step({"api": "delete_block", "args": {"blockIndex": 99}})
    assert not truncated
    assert info["error"]["code"]
    _, reward, terminated, truncated, info = env.step({"api": "select_stage"})
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, "limit")
    assert info["verdict"]["outcome"] == "failed"
    env.session.close()
    _, info = env.reset()
    assert info["steps"] == 0, "a session that ended is replaced"
    env.close()


def test_the_servers_own_limit_cuts_an_episode_off_too(client: scratchbed.Client) -> None:
    env = ScratchEnv(TASK, mode="composite", client=client, max_steps=1000, reward="success")
    env.reset()
    # All but the last without a look, which takes longer than a step.
    for _ in range(client.task(TASK)["limits"]["steps"]["composite"] - 1):
        assert env.session.act("composite", "select_stage", {}).success
    _, _, _, truncated, info = env.step({"api": "select_stage"})
    assert not truncated
    assert "error" not in info
    _, _, _, truncated, info = env.step({"api": "select_stage"})
    assert truncated
    assert (info["error"]["code"], info["outcome"]) == ("limit_reached", "limit")
    env.close()


@pytest.mark.parametrize("mode", MODES)
def test_every_action_can_be_chosen(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(mode=mode, client=client)
    kind = {"primitive": scratchbed.Primitive, "composite": scratchbed.Composite}[mode]
    names = {name for name in vars(kind) if not name.startswith("_")}
    # What only looks is not an action of an environment, where every step looks.
    extended = {"add_script", "green_flag", "stop"}
    assert {choice.api for choice in env.choices} == names - {"observe", "block_catalogue"} - extended
    env = ScratchEnv(mode=mode, client=client, extended=True)
    assert {choice.api for choice in env.choices} == names - {"observe", "block_catalogue"}
    for number, choice in enumerate(env.choices):
        assert env.call_of((number, choice.space.sample()))["api"] == choice.api


def test_a_choice_becomes_the_call_it_stands_for(client: scratchbed.Client) -> None:
    env = ScratchEnv(mode="composite", client=client)
    names = {"variableName": "sold", "listName": "", "procedureName": "", "argumentName": ""}
    assert env.call_of((4, {"blockType": "data_variable", **names})) == {
        "api": "add_block",
        "args": {"blockType": "data_variable", "creation": {"variableName": "sold"}},
    }
    assert env.call_of((2, {"name": "fuel", "scope": np.int64(1)}))["args"] == {"name": "fuel", "scope": "all"}
    mouse = ScratchEnv(mode="primitive", client=client)
    assert mouse.call_of((9, {"keys": "ctrl+z"}))["args"] == {"keys": ["ctrl", "z"]}


def test_only_what_an_agent_added_is_paid(server: scratchbed.Server) -> None:
    with scratchbed.Client(server.url, judge_token=server.judge_token) as client:
        env = ScratchEnv(TASK, mode="composite", client=client)
        env.reset()
        _, reward, terminated, _, info = env.step({"api": "done"})
        assert (reward, terminated) == (0.0, True)
        assert 0 < info["verdict"]["passed_tests"] < info["verdict"]["total_tests"], "the start passes some tests"
        env.reset()
        for action in SOLUTION["composite"]:
            env.step(action)
        _, reward, _, _, info = env.step({"api": "failed"})
        assert (reward, info["outcome"]) == (0.0, "passed"), "who gives up is not paid"
        env.close()


def test_the_reward_is_the_share_of_what_the_start_left_to_do(client: scratchbed.Client) -> None:
    env = ScratchEnv(mode="composite", client=client)
    env.start_share = 2 / 6

    def reward(passed: int) -> float:
        verdict = {"passed_tests": passed, "total_tests": 6, "outcome": "passed" if passed == 6 else "failed"}
        return round(env._rewarded(cast("scratchbed.Verdict", verdict)), 6)

    assert [reward(passed) for passed in (0, 2, 4, 6)] == [0.0, 0.0, 0.5, 1.0]
    env.start_share = 1.0
    assert [reward(passed) for passed in (5, 6)] == [0.0, 1.0]


def test_a_start_is_judged_once(server: scratchbed.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    verdict = scratchbed.Client.verdict

    def counted(self: scratchbed.Client, task: str, project: scratchbed.Project, **options: Any) -> scratchbed.Verdict:
        judged.append(task)
        return verdict(self, task, project, **options)

    monkeypatch.setattr(scratchbed.Client, "verdict", counted)
    with scratchbed.Client(server.url, judge_token=server.judge_token) as client:
        for reward, resets in (("success", 1), ("partial", 2), ("partial", 1)):
            env = ScratchEnv(TASK, mode="composite", client=client, reward=cast("Any", reward))
            for _ in range(resets):
                env.reset()
            assert (env.start_share is None) == (reward == "success")
            env.close()
    assert judged == [TASK]


def test_a_mask_leaves_only_what_is_possible() -> None:
    space = ActionSpace("primitive")
    space.seed(1)
    mask = space.mask({0, 3, 7}, ends=False)
    drawn = [space.sample(mask=mask) for _ in range(300)]
    assert all(action in space for action in drawn)
    assert {space.choices[number].api for number, _ in drawn}.isdisjoint({"done", "failed"})
    assert {int(arguments["index"]) for _, arguments in drawn if "index" in arguments} == {0, 3, 7}
    ending = space.mask({0}, ends=True)
    assert {space.choices[space.sample(mask=ending)[0]].api for _ in range(300)} >= {"done", "failed"}
    blocks = ActionSpace("composite")
    possible, _ = blocks.mask([1], ends=False)
    names = [choice.api for choice, is_possible in zip(blocks.choices, possible, strict=True) if is_possible]
    assert "delete_block" in names
    assert "connect_blocks" not in names, "it takes two"
    with pytest.raises(ValueError, match="no choice"):
        blocks.sample(mask=(np.zeros(len(blocks.choices), dtype=np.int8), blocks.mask([], ends=False)[1]))


@pytest.mark.parametrize("mode", of_the_day(MODES, 1))
def test_a_random_episode_goes_to_the_limit(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(TASK, mode=mode, client=client, max_steps=4, reward="success", ocr="off", picture="jpeg")
    _, info = env.reset()
    env.action_space.seed(5)
    for step in range(1, 5):
        assert len(info.get("elements", range(info["count"]))) == info["count"]
        possible, arguments = info["action_mask"]
        number = next(n for n, choice in enumerate(env.choices) if choice.indexes)
        assert sum(arguments[number][env.choices[number].indexes[0]]) == info["count"]
        assert bool(possible[number]) == (info["count"] > 0)
        _, _, terminated, truncated, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        assert (terminated, truncated) == (False, step == 4)
    env.close()


def test_observations_are_as_small_as_an_agent_wants(client: scratchbed.Client) -> None:
    env = ScratchEnv(TASK, client=client, picture="webp", scale=0.33, elements="changed", ocr="off")
    seen, info = env.reset()
    assert seen in env.observation_space
    listed = {element["index"] for element in info["elements"]}
    costumes = next(element["index"] for element in info["elements"] if element["text"] == "Costumes")
    call = {"api": "click", "args": {"index": costumes}, "observation": info["observation"]}
    seen, _, _, _, info = env.step(call)
    assert seen in env.observation_space
    assert "error" not in info
    assert "elements" not in info
    now = listed - set(info["changes"]["removed"]) | {element["index"] for element in info["changes"]["added"]}
    assert set(np.flatnonzero(info["action_mask"][1][1]["index"])) == now
    assert len(now) == info["count"]
    _, _, _, _, info = env.step(call)
    assert info["error"]["code"] == "observation_outdated"
    env.close()
    env = ScratchEnv(TASK, client=client, scale=0.47, elements="off")
    seen, info = env.reset()
    assert set(seen) == {"goal", "image"}
    assert seen in env.observation_space
    assert not any(
        possible for possible, choice in zip(info["action_mask"][0], env.choices, strict=True) if choice.indexes
    )
    for scale in of_the_day((0.1, 0.2, 0.35, 0.6, 0.77, 0.9), 3):
        wanted = cast("spaces.Dict", ScratchEnv(client=client, scale=scale).observation_space)["image"].shape
        seen_now = env.session.primitive.observe(scale=scale, elements="off", ocr="off")
        assert wanted == (*seen_now.image().size[::-1], 3)
    env.close()
    env = ScratchEnv(TASK, client=client, picture="off", ocr="off")
    seen, _ = env.reset()
    assert set(seen) == {"goal", "table"}
    env.close()


def test_several_environments_step_together(client: scratchbed.Client) -> None:
    vector = gymnasium.make_vec(
        "scratchbed/Scratch-v0", 2, "sync", task=TASK, mode="composite", client=client, reward="success"
    )
    seen, info = vector.reset()
    assert "ferry" in seen["goal"][1]
    calls: list[Action] = [{"api": "delete_block", "args": {"blockIndex": 99}}, {"api": "done"}]
    _, _, ended, _, info = vector.step(calls)
    assert list(ended) == [False, True]
    assert list(info["outcome"]) == [None, "failed"]
    assert info["_error"].tolist() == [True, False]
    assert info["_verdict"].tolist() == [False, True]
    vector.close()


def test_an_extended_environment_plays_what_it_writes(client: scratchbed.Client) -> None:
    env = ScratchEnv(mode="composite", client=client, extended=True, report=True)
    plain = {choice.api for choice in ActionSpace("composite").choices}
    assert {choice.api for choice in env.choices} - plain == {"add_script", "green_flag", "stop"}
    try:
        env.reset()
        number = [choice.api for choice in env.choices].index("add_script")
        *_, info = env.step((number, {"script": "when green flag clicked\nsay [hi]"}))
        assert info["reply"]["report"]["program_changed"]["added"]
        *_, info = env.step({"api": "green_flag", "args": {"seconds": 2}})
        assert info["reply"]["said"][0]["text"] == "hi"
        *_, info = env.step({"api": "done"})
        assert "reply" not in info
    finally:
        env.close()
