"""A program of `run --via mcp`: solves its task with the client of the official SDK."""

import json
import os
import sys
from pathlib import Path

import anyio
import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

calls = json.loads(Path(sys.argv[1]).read_text())


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['SCRATCHBED_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(os.environ["SCRATCHBED_MCP_URL"], http_client=http)
        async with Client(transport) as client:
            assert (await client.call_tool("start_task", {})).is_error
            for call in [*calls, {"api": "done", "args": {}}]:
                result = await client.call_tool(call["api"], call["args"])
                assert not result.is_error, result.content


anyio.run(main)
