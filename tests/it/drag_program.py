"""A program that makes the drag of a trial itself, over HTTP, as often as it is told."""

import json
import sys
import urllib.request

question = json.load(sys.stdin)
assert question["picture"] and question["instruction"]
times, said = int(sys.argv[1]), json.loads(sys.argv[2])
start, end = said["start"]["point"], said["end"]["point"]
arguments = {"start_x": start["x"], "start_y": start["y"], "end_x": end["x"], "end_y": end["y"]}
url = f"{question['url']}/sessions/{question['session']}/primitive/drag_and_drop"
for _ in range(times):
    body = json.dumps(arguments).encode()
    request = urllib.request.Request(url, data=body, headers={"content-type": "application/json", "authorization": f"Bearer {question['token']}"})
    with urllib.request.urlopen(request) as reply:
        assert json.load(reply)["success"]
print("I have dragged it.")
