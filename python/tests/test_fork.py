"""A child of fork() computes and ends, as the interpreter usually ends."""

import shutil
import subprocess
import sys

import pytest

import ropescope

# Each test is a program of its own: its children end as a program does, which pytest could not.
BEGINNING = """
import multiprocessing, os, signal, sys, threading, time
import numpy, ropescope

ONES = numpy.ones((1, 8, 256, 128), "f4")

def turned(threads=0, x=ONES):
    return ropescope.rotate(x, "llama-3.1-8b", threads=threads)

def status_of_child(compute):
    child = os.fork()
    if child == 0:
        signal.alarm(30)   # ends a child that hangs
        sys.exit(0 if compute() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def expect(compute):
    status = status_of_child(compute)
    if status != 0:
        sys.exit(f"a child ended with {status}")
"""


def run(program):
    ended = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", BEGINNING + program],
                           capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("before", [1, 2, 3, 8, 0])
def test_children_and_their_children_compute_whatever_their_parent_computed_before(before):
    run(f"""
expected = turned({before})
right = lambda threads: (turned(threads) == expected).all()
for threads in (1, 2, 3, 8, 0):
    expect(lambda: right(threads))
    expect(lambda: right(threads) and status_of_child(lambda: right(2)) == 0 and right(3))
assert right({before})
""")


def test_a_child_computes_though_another_thread_was_in_the_middle_of_a_call():
    run("""
expected = turned(1)
ended = threading.Event()
def compute():
    while not ended.is_set():
        turned(3, ONES[:, :, :64])   # short, so that it often holds what a child must not wait for
others = [threading.Thread(target=compute) for _ in range(2)]
for other in others:
    other.start()
try:
    for child in range(60):
        expect(lambda: (turned(2) == expected).all())
finally:
    ended.set()
""")


def test_a_child_reads_a_model_though_another_thread_was_just_reading_the_first_one():
    run("""
def reads(seconds):
    threading.Thread(target=ropescope.load, args=("llama-3.1-8b",)).start()
    time.sleep(seconds)
    return status_of_child(lambda: ropescope.load("qwen2-vl-7b").head_dim == 128) == 0
for step in range(30):   # the first model takes some milliseconds
    expect(lambda: reads(step * 2e-4))
""")


def test_diagnose_and_probe_run_in_a_child():
    run("""
def passes():
    fn = lambda q, k, positions: tuple(
        ropescope.rotate(x, "llama-3.1-8b", positions) for x in (q, k))
    ropescope.assert_rope(fn, "llama-3.1-8b")
    return ropescope.diagnose(q=ONES, q_rot=turned(), k=ONES, k_rot=turned(),
                              expect="llama-3.1-8b").passed
assert passes()
expect(passes)
""")


def test_the_workers_of_multiprocessing_compute():
    run("""
expected = turned(2)
fork = multiprocessing.get_context("fork")
for times in range(5):
    with fork.Pool(3) as pool:
        for x in pool.map(turned, [1, 2, 3, 8, 0]):
            assert (x == expected).all()
    process = fork.Process(target=turned, args=(3,))
    process.start()
    process.join(60)
    assert process.exitcode == 0, process.exitcode
""")


def test_no_static_variable_of_the_package_makes_a_child_wait():
    """One that another thread initialises at the fork is never ready in the child (core/base/memo.h)."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not there")
    names = subprocess.run(["nm", "-C", ropescope._ropescope.__file__], capture_output=True, text=True,
                           check=True).stdout
    if "ropescope::model_presets()" not in names:
        pytest.skip("the package was built without the names of its functions")
    assert "guard variable for ropescope::" not in names
