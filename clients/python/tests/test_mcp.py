"""The MCP server, as the official SDK's client sees it: over stdio and over HTTP, with the real editor."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from conftest import CHECKOUT
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ImageContent, TextContent, TextResourceContents

import scratchbed

TASK = "stuck_ferry"


def solution(mode: str) -> list[dict[str, Any]]:
    """The calls that solve the task in a mode."""
    calls: list[dict[str, Any]] = json.loads((CHECKOUT / f"tasks/debug/{TASK}/oracle.{mode}.json").read_text())
    return calls


def data(result: CallToolResult) -> dict[str, Any]:
    """The structured part of a success; the SDK has held it against the tool's output schema."""
    assert not result.is_error, result.content
    structured = result.structured_content
    assert isinstance(structured, dict)
    return structured


def text(result: CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def problem(result: CallToolResult) -> dict[str, str]:
    """The code, message and hint of a failure."""
    assert result.is_error, result.content
    body: dict[str, str] = json.loads(text(result))
    # A message that names all that can be done instead needs no hint.
    assert body["message"]
    assert "infrastructure" not in body
    return body


@asynccontextmanager
async def over_http(url: str, token: str | None = None, protocol: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=protocol) as client:
            yield client


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        with anyio.fail_after(120):
            await scenario()

    anyio.run(limited)


def test_over_stdio_an_agent_solves_a_task_with_blocks(binary: str) -> None:
    arguments = ["--root", str(CHECKOUT), "mcp", "--mode", "composite", "--task", TASK, "--judge", "--structured"]
    host = StdioServerParameters(command=binary, args=arguments)

    async def scenario() -> None:
        async with Client(host) as client:
            assert client.instructions is not None
            assert "start_task" in client.instructions
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"list_tasks", "start_task", "submit", "observe", "add_block", "done"} <= set(tools)
            assert "click" not in tools
            assert all(tool.description and tool.output_schema for tool in tools.values())

            # The task as a resource: instruction and start, nothing of the answer.
            uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
            assert f"task://{TASK}" in uris
            contents = (await client.read_resource(f"task://{TASK}")).contents[0]
            assert isinstance(contents, TextResourceContents)
            assert "never sails" in contents.text
            assert "## The project to start from" in contents.text
            for beyond in ("task://nothing", f"task://{TASK}/golden", "task://../tasks", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(beyond)

            # No session was begun: the first call begins one at the server's task.
            seen = data(await client.call_tool("observe", {}))["data"]
            assert "screenshot" not in seen
            assert "text" not in seen
            assert seen["sizes"]["blocks"] > 0
            wrong = problem(await client.call_tool("select_sprite", {"name": "Nobody"}))
            assert wrong["code"] == "unknown_sprite"
            for call in solution("composite"):
                assert "data" in data(await client.call_tool(call["api"], call["args"])), call
            data(await client.call_tool("done", {"reason": "the condition was in the wrong place"}))
            ended = problem(await client.call_tool("select_stage", {}))
            assert ended["code"] == "attempt_ended"
            verdict = data(await client.call_tool("submit", {}))["verdict"]
            assert verdict["outcome"] == "passed"
            assert verdict["passed_tests"] == verdict["total_tests"] > 0

    run(scenario)


def test_one_connection_serves_both_modes_one_after_the_other(binary: str) -> None:
    arguments = ["--root", str(CHECKOUT), "mcp", "--mode", "both", "--task", TASK]
    host = StdioServerParameters(command=binary, args=arguments)

    async def scenario() -> None:
        async with Client(host) as client:

            async def names() -> set[str]:
                return {tool.name for tool in (await client.list_tools()).tools}

            assert "click" in await names()
            assert "add_block" not in await names()
            before = text(await client.call_tool("observe", {"picture": "off", "ocr": "off"}))
            await client.call_tool("switch_mode", {"mode": "composite"})
            assert "add_block" in await names()
            assert "click" not in await names()
            assert not (await client.call_tool("add_block", {"blockType": "looks_show"})).is_error
            await client.call_tool("switch_mode", {"mode": "primitive"})
            # The same session: what was added by blocks is on the canvas.
            after = text(await client.call_tool("observe", {"picture": "off", "ocr": "off"}))
            assert after.count("looks_show") == before.count("looks_show") + 1, after
            wrong = problem(await client.call_tool("switch_mode", {"mode": "sideways"}))
            assert wrong["code"] == "invalid_arguments"

    run(scenario)


def test_models_see_text_and_the_picture_in_hosts_that_prefer_structured_content(binary: str) -> None:
    host = StdioServerParameters(command=binary, args=["--root", str(CHECKOUT), "mcp", "--task", TASK])

    def shown(result: CallToolResult) -> list[Any]:
        """What such a host shows its model: the structured content where there is any, and nothing else then."""
        return [result.structured_content] if result.structured_content is not None else list(result.content)

    async def scenario() -> None:
        async with Client(host) as client:
            assert all(tool.output_schema is None for tool in (await client.list_tools()).tools)
            started = shown(await client.call_tool("start_task", {"task": TASK}))
            assert "never sails" in started[0].text
            table, picture = shown(await client.call_tool("observe", {"ocr": "off"}))
            assert "category_menu" in table.text
            assert isinstance(picture, ImageContent)
            acted = shown(await client.call_tool("click", {"x": 900, "y": 650}))
            assert json.loads(acted[0].text)["executed"]["x"] == 900

    run(scenario)


def test_over_http_an_agent_solves_a_task_with_mouse_and_keyboard(server: scratchbed.Server) -> None:
    async def scenario() -> None:
        async with over_http(f"{server.url}/mcp/primitive", server.judge_token) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"click", "drag_and_drop", "observe", "submit"} <= set(tools)
            assert {"session", "observation"} <= set(tools["click"].input_schema["properties"])
            # This protocol has no connections, so a call that names no session is for none.
            assert problem(await client.call_tool("observe", {}))["code"] == "session_required"
            started = data(await client.call_tool("start_task", {"task": TASK}))
            assert "ferry" in started["task"]["instruction"].lower()
            assert set(started["task"]) == {"id", "category", "title", "instruction", "limits", "stage"}
            assert isinstance(started["task"]["limits"]["steps"], int), "the number of this mode"
            mine = {"session": started["session"]}

            look = {**mine, "picture": "webp", "scale": 0.5, "ocr": "off"}
            result = await client.call_tool("observe", look)
            first = data(result)["data"]
            picture = result.content[1]
            assert isinstance(picture, ImageContent)
            file = base64.b64decode(picture.data)
            assert (picture.mime_type, file[8:12]) == ("image/webp", b"WEBP")
            assert first["sizes"]["picture_bytes"] == len(file)
            assert picture.data not in json.dumps(first)
            rows = len(first["elements"])
            assert first["sizes"]["elements"]["listed"] == rows > 20
            assert text(result).count("\n") == rows + 1

            calls = solution("primitive")
            for call in calls[:1]:
                data(await client.call_tool(call["api"], {**call["args"], **mine, "observation": first["id"]}))
            changed = await client.call_tool("observe", {**look, "picture": "off", "elements": "changed"})
            second = data(changed)["data"]
            assert second["changes"]["since"] == first["id"]
            assert len(text(changed)) < len(text(result)) / 2
            outdated = await client.call_tool("click", {"x": 5, "y": 5, **mine, "observation": first["id"]})
            assert problem(outdated)["code"] == "observation_outdated"
            assert problem(await client.call_tool("click", {"index": 9999, **mine}))["code"] == "unknown_index"
            assert problem(await client.call_tool("click", {"z": 1, **mine}))["code"] == "invalid_arguments"
            for call in calls[1:]:
                data(await client.call_tool(call["api"], {**call["args"], **mine, "observation": second["id"]}))
            verdict = data(await client.call_tool("submit", mine))["verdict"]
            assert verdict["outcome"] == "passed"
            # A caller with another token, or none, finds no such session.
            async with over_http(f"{server.url}/mcp/primitive") as other:
                assert problem(await other.call_tool("observe", mine))["code"] == "unknown_session"
            data(await client.call_tool("end_session", mine))
            assert problem(await client.call_tool("observe", mine))["code"] == "unknown_session"

    run(scenario)


def test_an_older_client_keeps_its_session_and_agents_get_no_verdict(server: scratchbed.Server) -> None:
    async def scenario() -> None:
        async with over_http(f"{server.url}/mcp?mode=composite", protocol="legacy") as client:
            data(await client.call_tool("start_task", {"task": TASK}))
            assert "Ferry" in text(await client.call_tool("observe", {}))
            handed_in = data(await client.call_tool("submit", {}))
            assert handed_in["verdict"] is None
            assert "not shown" in handed_in["not_told"]
            assert "token" not in json.dumps(handed_in)
            data(await client.call_tool("end_session", {}))

    run(scenario)


def test_pages_of_other_origins_are_refused(server: scratchbed.Server) -> None:
    for headers in ({"Origin": "http://elsewhere.example"}, {"Host": "rebound.example"}):
        reply = httpx2.post(f"{server.url}/mcp/primitive", headers=headers, json={})
        assert reply.status_code == 403, headers
