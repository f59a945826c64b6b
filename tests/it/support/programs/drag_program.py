"""A program that makes the drag of a trial itself, over HTTP: as often as it is told, or with a trick. It is told of each
attempt, with commas between."""

import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

question = json.load(sys.stdin)
assert question["picture"] and question["instruction"]
how, said = sys.argv[1].split(",")[question["attempt"] - 1], json.loads(sys.argv[2])
start, end = said["start"]["point"], said["end"]["point"]
arguments = {"start_x": start["x"], "start_y": start["y"], "end_x": end["x"], "end_y": end["y"]}
session = f"/sessions/{question['session']}"
# Connections with calls that nobody waits for; they end with the program.
left = []


def call(method, path, body=None):
    """The status and the answer of a request with the trial's token."""
    project = isinstance(body, bytes)
    kind = "application/x.scratch.sb3" if project else "application/json"
    headers = {"content-type": kind, "authorization": f"Bearer {question['token']}"}
    data = body if project or body is None else json.dumps(body).encode()
    request = urllib.request.Request(question["url"] + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as reply:
            text = reply.read()
            return reply.status, json.loads(text) if text else None
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def drag(times):
    """Drags, and wants to be told that it worked."""
    for _ in range(times):
        status, reply = call("POST", f"{session}/primitive/drag_and_drop", arguments)
        assert status == 200 and reply["success"], reply


def leave(action, arguments, times=1):
    """Calls an action, and does not wait for the answer."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {question['token']}"}
    for _ in range(times):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(question["url"]).netloc)
        connection.request("POST", f"{session}/primitive/{action}", json.dumps(arguments), headers)
        left.append(connection)
    # What is answered after them shows that they have arrived.
    call("GET", "/sessions")


if how == "exit":
    sys.exit(1)
elif how == "flood":
    # Drags that went before are to be forgotten: the log in memory holds 4 MB.
    drag(1)
    for _ in range(3):
        call("POST", f"{session}/primitive/observe", {"junk": "x" * 1_900_000})
    call("POST", f"{session}/reset", {})
    drag(1)
elif how == "delete":
    assert call("DELETE", session)[0] == 204
elif how == "reset":
    drag(1)
    assert call("POST", f"{session}/reset", {})[0] == 200
    drag(1)
elif how == "late":
    # The first drag goes nowhere. What is left waiting is to make up for it behind the program's back.
    call("POST", f"{session}/primitive/drag_and_drop", {**arguments, "end_x": start["x"], "end_y": start["y"]})
    leave("observe", {}, 20)
    leave("drag_and_drop", arguments)
elif how == "crowd":
    # More than may wait for a session.
    drag(1)
    leave("observe", {}, 36)
elif how == "load":
    assert call("PUT", f"{session}/project", b"no project")[0] == 422
    drag(1)
else:
    # There is no session but its own, nor will there be one.
    status, listed = call("GET", "/sessions")
    assert [one["id"] for one in listed["sessions"]] == [question["session"]], listed
    status, refused = call("POST", "/sessions", {})
    assert (status, refused["code"]) == (403, "one_session_only"), refused
    drag(int(how))
print("I have dragged it.")
