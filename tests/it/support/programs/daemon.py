"""Leaves a process behind that has nothing of it: no parent, no session, no environment, no open files. Arguments: the file
for the ids of that process and of this one, and `stay` or `go`, whether this one goes on."""

import os
import pathlib
import shutil
import sys
import time

file, how = pathlib.Path(sys.argv[1]), sys.argv[2]
sleep, first = shutil.which("sleep"), os.getpid()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        # Complete when it has its name.
        new = file.with_suffix(".new")
        new.write_text(f"{os.getpid()} {first}")
        new.rename(file)
        os.closerange(0, 1024)
        os.execve(sleep, ["sleep", "600"], {})
    os._exit(0)
os.wait()
while not file.exists():
    time.sleep(0.005)
print("it is there", flush=True)
if how == "stay":
    time.sleep(600)
