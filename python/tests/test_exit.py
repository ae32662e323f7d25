"""The interpreter ends as it should while threads of it are in a call."""

import subprocess
import sys

PROGRAM = """
import threading, time
import numpy, ropescope

X = numpy.ones((1, 8, 256, 128), "f4")

def turn(threads):
    while True:
        ropescope.rotate(X, "llama-3.1-8b", threads=threads)

def probe():
    while True:
        ropescope.probe(lambda q, k, positions: (q, k), "llama-3.1-8b")

for threads in (1, 2, 0):
    threading.Thread(target=turn, args=(threads,), daemon=True).start()
threading.Thread(target=probe, daemon=True).start()
time.sleep(0.2)
"""


def test_daemon_threads_in_a_call_do_not_end_the_interpreter_by_a_signal():
    for _ in range(2):
        ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stderr) == (0, "")
