"""The Gymnasium environment in both modes, checked by Gymnasium and played to a verdict."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import scratchbed
from scratchbed.gym import Action, ScratchEnv

TASK = "stuck_ferry"
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


@pytest.mark.parametrize("mode", ["primitive", "composite"])
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


@pytest.mark.parametrize("mode", ["primitive", "composite"])
def test_an_episode_ends_with_a_verdict(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(TASK, mode=mode, client=client, ocr="off", render_mode="rgb_array")
    seen, info = env.reset(seed=1)
    assert "ferry" in env.instruction
    for action in SOLUTION[mode]:
        before = seen
        seen, reward, terminated, truncated, info = env.step(action)
        assert seen in env.observation_space
        assert info["error"] is None
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


@pytest.mark.parametrize("mode", ["primitive", "composite"])
def test_every_action_can_be_chosen(client: scratchbed.Client, mode: scratchbed.Mode) -> None:
    env = ScratchEnv(mode=mode, client=client)
    kind = {"primitive": scratchbed.Primitive, "composite": scratchbed.Composite}[mode]
    names = {name for name in vars(kind) if not name.startswith("_")}
    # What only looks is not an action of an environment, where every step looks.
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
