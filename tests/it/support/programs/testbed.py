"""What the programs of these tests share: requests with the attempt's token, over HTTP and, in its plainest words, MCP."""

import json
import os
import urllib.error
import urllib.request

URL, SESSION = os.environ["SCRATCHBED_URL"], os.environ["SCRATCHBED_SESSION"]
HERE = f"/sessions/{SESSION}"
CALLS = [
    ("select_sprite", {"name": "Ticket"}),
    (
        "connect_blocks",
        {
            "sourceBlockIndex": 9,
            "targetBlockIndex": 6,
            "placement": {"kind": "statement_into", "inputName": "SUBSTACK"},
        },
    ),
]


def request(method, url, body=None, headers=None):
    """The status, the headers and the text of a request with the attempt's token."""
    token = {"authorization": f"Bearer {os.environ['SCRATCHBED_TOKEN']}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data=data, headers=token | (headers or {}), method=method)
    try:
        with urllib.request.urlopen(asked) as reply:
            return reply.status, reply.headers, reply.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read().decode()


def call(method, path, body=None):
    """The status and the JSON of an answer over HTTP."""
    status, _, text = request(method, URL + path, body)
    return status, json.loads(text) if text else None


class Mcp:
    """A connection to the tools of a mode."""

    def __init__(self, mode=None):
        self.url = os.environ["SCRATCHBED_MCP_URL"] if mode is None else f"{URL}/mcp/{mode}"
        self.headers = {"accept": "application/json, text/event-stream"}
        client = {"name": "test", "version": "0"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        request("POST", self.url, {"jsonrpc": "2.0", "method": "notifications/initialized"}, self.headers)

    def ask(self, method, params):
        """The result of a request of the protocol, or its error."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        _, headers, text = request("POST", self.url, message, self.headers)
        if "mcp-session-id" in headers:
            self.headers["mcp-session-id"] = headers["mcp-session-id"]
        lines = [line.removeprefix("data:").strip() for line in text.splitlines()]
        answers = [json.loads(line) for line in lines if line.startswith("{")]
        answer = next(one for one in answers if "result" in one or "error" in one)
        return answer.get("result") or answer["error"]

    def tool(self, name, arguments=None):
        """The first text of a tool's answer, and whether it failed."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments or {}})
        return result["content"][0]["text"], bool(result.get("isError"))
