"""What agents pay to read: the bytes of tool lists, observations and replies, and the tokens that they come to.

    SCRATCHBED_BIN=PROGRAM python clients/python/measure/tokens.py [--json]

Starts the program's MCP server over stdio in both modes, and its HTTP server, at one task. Four bytes are taken for a
token, pictures are left out and stand beside. Run it with two programs to compare them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, ImageContent, TextContent

import scratchbed

CHECKOUT = Path(__file__).resolve().parents[3]
TASK = "endless_sparks"
BYTES_A_TOKEN = 4
# A few calls of each kind, enough to see what a reply costs.
EDITS: list[tuple[str, dict[str, Any]]] = [
    ("add_block", {"blockType": "looks_say"}),
    ("add_block", {"blockType": "data_setvariableto"}),
    ("add_block", {"blockType": "event_whenkeypressed"}),
]

Row = tuple[str, int, str]


def size(value: object) -> int:
    """Bytes of a value as it is sent."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def of_result(name: str, result: CallToolResult) -> list[Row]:
    """What a host may put before a model: the text, and the structured part where there is one."""
    texts = sum(len(part.text.encode()) for part in result.content if isinstance(part, TextContent))
    pictures = sum(len(part.data) for part in result.content if isinstance(part, ImageContent))
    note = f"and a picture of {pictures} bytes in base64" if pictures else ""
    rows = [(name, texts, note)]
    if result.structured_content is not None:
        rows.append((f"{name}, structured", size(result.structured_content), ""))
    return rows


async def over_mcp(binary: str, mode: str) -> list[Row]:
    """Tools, looks and replies of one mode."""
    arguments = ["--root", str(CHECKOUT), "mcp", "--mode", mode, "--task", TASK]
    rows: list[Row] = []
    async with Client(StdioServerParameters(command=binary, args=arguments, env={**os.environ})) as client:
        listed = (await client.list_tools()).tools
        tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed]
        rows.append((f"{mode}: list of tools", size(tools), f"{len(tools)} tools"))
        inputs = [{name: part for name, part in tool.items() if name != "outputSchema"} for tool in tools]
        rows.append((f"{mode}: list of tools without output schemas", size(inputs), ""))
        rows += of_result(f"{mode}: list_tasks", await client.call_tool("list_tasks", {}))
        rows += of_result(f"{mode}: first observation", await client.call_tool("observe", {}))
        if mode == "composite":
            rows += of_result("composite: block_catalogue", await client.call_tool("block_catalogue", {}))
            for name, args in EDITS:
                result = await client.call_tool(name, args)
                rows += of_result(f"composite: reply to {name} {args['blockType']}", result)
            rows += of_result("composite: observation after edits", await client.call_tool("observe", {}))
            result = await client.call_tool("add_block", {**EDITS[0][1], "report": True})
            rows += of_result("composite: the same reply with a report", result)
        else:
            rows += of_result("primitive: reply to click", await client.call_tool("click", {"x": 640, "y": 300}))
            result = await client.call_tool("click", {"x": 640, "y": 300, "report": True})
            rows += of_result("primitive: reply to click with a report", result)
            rows += of_result("primitive: observation after a click", await client.call_tool("observe", {}))
            changed = await client.call_tool("observe", {"elements": "changed", "picture": "off"})
            rows += of_result("primitive: observation, changes alone", changed)
    return rows


async def extended_tools(binary: str) -> list[Row]:
    """What the tools of extended sessions add to the list."""
    arguments = ["--root", str(CHECKOUT), "mcp", "--mode", "composite", "--extended"]
    async with Client(StdioServerParameters(command=binary, args=arguments, env={**os.environ})) as client:
        listed = (await client.list_tools()).tools
    tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed]
    return [("composite, extended: list of tools", size(tools), f"{len(tools)} tools")]


def over_http(binary: str) -> list[Row]:
    """The same by HTTP, and the list of tasks."""
    with (
        scratchbed.serve(binary, root=CHECKOUT, max_sessions=1) as server,
        httpx.Client(base_url=server.url, timeout=120) as http,
    ):
        session = http.post("/sessions", json={"task": TASK}).json()["id"]
        at = f"/sessions/{session}"
        rows = [
            ("HTTP: composite observation", len(http.get(f"{at}/observation/composite").content), ""),
            ("HTTP: block_catalogue", len(http.get(f"{at}/observation/composite/block_catalogue").content), ""),
            ("HTTP: reply to add_block", len(http.post(f"{at}/composite/add_block", json=EDITS[0][1]).content), ""),
            (
                "HTTP: primitive observation without picture",
                len(http.get(f"{at}/observation/primitive", params={"picture": "off"}).content),
                "",
            ),
            ("HTTP: reply to a click", len(http.post(f"{at}/primitive/click", json={"x": 640, "y": 300}).content), ""),
        ]
        brief = http.get("/tasks", params={"brief": "true"})
        if brief.status_code == httpx.codes.OK:
            rows.append(("HTTP: tasks, brief", len(brief.content), ""))
        with http.stream("GET", "/tasks", headers={"accept-encoding": "gzip"}) as tasks:
            rows.append(("HTTP: tasks, as sent", len(b"".join(tasks.iter_raw())), ""))
        return rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    as_json = parser.parse_args().json
    binary = os.environ.get("SCRATCHBED_BIN", "scratchbed")
    os.environ["SCRATCHBED_ALLOW_ROOT"] = "1"
    rows: list[Row] = []
    for mode in ("primitive", "composite"):
        rows += anyio.run(over_mcp, binary, mode)
    rows += anyio.run(extended_tools, binary)
    rows += over_http(binary)
    if as_json:
        print(json.dumps([{"what": what, "bytes": size, "tokens": size // BYTES_A_TOKEN} for what, size, _ in rows]))
        return 0
    for what, count, note in rows:
        print(f"{what:<52} {count:>8} bytes {count // BYTES_A_TOKEN:>7} tokens  {note}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
