#!/usr/bin/env python3
"""Builds the program with one fault at a time and says what sees it.

    tests/mutation/run.py [FILTER]       faults whose group, file or name holds FILTER
    tests/mutation/run.py --resume       without the faults that an earlier run saw
    tests/mutation/run.py --verify       only whether every fault still applies

The faults are in tests/mutation/*.txt; a file is a group. The sources are never touched: a changed
copy is compiled to one object, which is linked in front of the library with the right one. A fault
in a header names the sources to compile with it, a shader or a table is embedded again. Everything is Release,
because the checks then run in seconds, in build/mutation. First the checks run, those of `ropescope
check --engine cpu`, or gpu for shaders/ and core/gpu, in a program without the app (check.cpp). Only
if they see nothing, the suites golden, unit-core, unit-app, property and cli run (gpu for shaders). The last lines
are the table, which is also written to build/mutation/report.md; faults.json beside it has every
result as soon as there is one.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/mutation"
RESULTS = BUILD / "faults.json"
SUITES = ["golden", "unit-core", "unit-app", "property", "cli"]
FIRST = {"rope": ["rope.*", "table.*"], "scaling": ["scaling.*"], "attention": ["engine.*"],
         "kernels": ["engine.*"], "encoder": ["encoder.*"], "shaders": ["table.*", "engine.*"],
         "analysis": ["decay.*", "precision.*", "absolute.*"]}
# What makes the software renderer take the forms for hardware.
LIMITS = "core/gpu/gl_context.cpp"
SOFTWARE = ("limits.software = is_software(limits.renderer);", "limits.software = false;")
# The second is what the build presets set, so that a build of the same sources is found in ccache.
ENVIRONMENT = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true",
               "CCACHE_SLOPPINESS": "pch_defines,time_macros"}


@dataclasses.dataclass
class Fault:
    group: str
    file: str = ""
    name: str = ""
    before: str = ""
    after: str = ""
    equivalent: str = ""
    compiled: list = dataclasses.field(default_factory=list)
    as_on_hardware: bool = False
    seen_by: str = ""  # "check: id", "unit: test", ... ; "" if nothing saw it
    seconds: float = 0.0

    @property
    def key(self):
        return self.file, self.name, self.before, self.after

    @property
    def on_gpu(self):
        return self.file.startswith(("shaders/", "core/gpu/"))


def read_faults(path):
    """A block begins with the name of the fault; "- " and "+ " stand before the lines that go and
    come. "equivalent: REASON" says why a fault changes no result. "file PATH" holds for the blocks
    that follow; for a header "with SOURCE..." says what to compile, and "as on hardware" lets the
    software renderer run what only hardware does. Lines with # are comments."""
    faults, file, compiled, as_on_hardware = [], "", [], False
    for block in path.read_text().split("\n\n"):
        fault = Fault(path.stem)
        for line in block.splitlines():
            if line.startswith("file "):
                file = line[5:].strip()
                compiled, as_on_hardware = [file], False
            elif line.startswith("with "):
                compiled = line[5:].split()
            elif line == "as on hardware":
                as_on_hardware = True
            elif line.startswith("- "):
                fault.before += ("\n" if fault.before else "") + line[2:]
            elif line.startswith("+ "):
                fault.after += ("\n" if fault.after else "") + line[2:]
            elif line.startswith("equivalent: "):
                fault.equivalent = line[12:]
            elif line and not line.startswith("#"):
                fault.name = line
        if fault.before:
            fault.file, fault.compiled, fault.as_on_hardware = file, compiled, as_on_hardware
            faults.append(fault)
    return faults


def all_faults():
    return [f for path in sorted((ROOT / "tests/mutation").glob("*.txt")) for f in read_faults(path)]


def verify(faults):
    """One line for each fault whose text does not occur exactly once, or that changes nothing."""
    wrong, names = [], set()
    for fault in faults:
        path = ROOT / fault.file
        count = path.read_text().count(fault.before) if path.is_file() else 0
        place = f"tests/mutation/{fault.group}.txt: '{fault.name}'"
        if count != 1:
            wrong.append(f"{place}: its text occurs {count} times in {fault.file}, once is expected; "
                         "give the text as it stands there now")
        if fault.before == fault.after or not fault.name or (fault.group, fault.name) in names:
            wrong.append(f"{place}: it needs a name of its own and a change")
        if fault.compiled and fault.compiled[0].endswith((".h", ".glsl")) and not fault.on_gpu:
            wrong.append(f"{place}: {fault.file} is a header; 'with' must name sources that use it")
        names.add((fault.group, fault.name))
    if (ROOT / LIMITS).read_text().count(SOFTWARE[0]) != 1:
        wrong.append(f"tests/mutation/run.py: {LIMITS} no longer has '{SOFTWARE[0]}'")
    return wrong


def run(command, environment={}, limit_s=600):
    """Exit code and output of a command; -1 if it does not end."""
    try:
        done = subprocess.run(command, cwd=BUILD, env={**ENVIRONMENT, **environment},
                              capture_output=True, text=True, errors="replace", timeout=limit_s)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return -1, ""


def must_run(command, what, limit_s=600):
    code, text = run(command, limit_s=limit_s)
    if code != 0:
        raise RuntimeError(f"{what} failed\n{text[-3000:]}")
    return text


def build(*targets):
    if not (BUILD / "build.ninja").is_file():
        BUILD.mkdir(parents=True, exist_ok=True)
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        must_run(["cmake", "-S", str(ROOT), "--preset", "release", "-B", str(BUILD), *linker], "cmake")
    must_run(["ninja", "-j2", *targets], f"building {', '.join(targets)}", limit_s=7200)


class Builder:
    """Compiles what a fault changes and links it into programs, in the folder of its thread."""

    def __init__(self, programs):
        build(*programs)
        self.compile_of = {str((BUILD / entry["file"]).resolve()): shlex.split(entry["command"])
                           for entry in json.loads(must_run(
                               ["ninja", "-t", "compdb"], "ninja -t compdb"))
                           if entry["file"].endswith(".cpp") and " -c " in entry["command"]}
        self.link_of = {program: must_run(["ninja", "-t", "commands", program],
                                          program).splitlines()[-1] for program in programs}

    @property
    def changed(self):
        return BUILD / "changed" / threading.current_thread().name

    def change(self, file, before, after):
        path = self.changed / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((ROOT / file).read_text().replace(before, after))

    def embedded(self, file):
        """The generated source that embeds files, with the changed one among them."""
        known = BUILD / "core/embedded.cpp"
        output = self.changed / "embedded.cpp"
        output.write_text(known.read_text().replace(f'"{ROOT / file}"', f'"{self.changed / file}"'))
        return output, str(known.resolve())

    def objects(self, fault):
        shutil.rmtree(self.changed, ignore_errors=True)
        self.change(fault.file, fault.before, fault.after)
        sources = list(fault.compiled)
        if fault.as_on_hardware:
            self.change(LIMITS, *SOFTWARE)
            sources.append(LIMITS)
        return [self.compile(number, source) for number, source in enumerate(sources)]

    def compile(self, number, source):
        if source.startswith(("shaders/", "assets/")):
            text, known = self.embedded(source)
        else:
            known = str((ROOT / source).resolve())
            text = self.changed / source if (self.changed / source).is_file() else known
        command = [str(text) if str((BUILD / word).resolve()) == known else word
                   for word in self.compile_of[known]]
        target = self.changed / f"{number}.o"
        command[command.index("-o") + 1] = str(target)
        # In front of the folders that hold the right headers.
        first_option = next(i for i, word in enumerate(command) if word.startswith("-"))
        command.insert(first_option, f"-I{self.changed}")
        must_run(command, f"compiling {source}")
        return str(target)

    def link(self, program, objects):
        """The program with these objects in front of the library that has the right ones."""
        self.changed.mkdir(parents=True, exist_ok=True)
        target = self.changed / pathlib.Path(program).name
        words = shlex.split(self.link_of[program].removeprefix(": && ").split(" && ")[0])
        words[words.index("-o") + 1] = str(target)
        words[words.index("-o") + 2:words.index("-o") + 2] = objects
        must_run(words, f"linking {program}")
        return target


def seen_by_check(fault, program):
    """The first check that fails; those that are likely to see the fault run first."""
    code, text = run([str(program), "gpu" if fault.on_gpu else "cpu", *FIRST.get(fault.group, [])])
    return "" if code == 0 else "check: " + (", ".join(text.split()) or f"exit code {code}")


def seen_by_suite(suite, builder, objects):
    """The first test that fails."""
    program = builder.link(f"{suite}_tests", objects)
    environment = {}
    if suite == "cli":
        environment["ROPESCOPE_BINARY"] = str(builder.link("ropescope", objects))
    code, text = run([str(program), "--gtest_fail_fast", "--gtest_brief=1"], environment)
    failed = re.search(r"\[  FAILED  \] (\S+)", text)
    return "" if code == 0 else f"{suite}: {failed.group(1) if failed else f'exit code {code}'}"


def try_fault(builder, fault, suites):
    started = time.monotonic()
    objects = builder.objects(fault)
    if not any(source.startswith("app/") for source in fault.compiled):  # they run without the app
        fault.seen_by = seen_by_check(fault, builder.link("mutation_check", objects))
    for suite in [s for s in suites if (s == "gpu") == fault.on_gpu]:
        fault.seen_by = fault.seen_by or seen_by_suite(suite, builder, objects)
    fault.seconds = time.monotonic() - started


def write_results(faults):
    """Whole or not at all: a run may be stopped at any time."""
    unfinished = RESULTS.with_suffix(".tmp")
    unfinished.write_text(json.dumps([vars(f) for f in faults], indent=1) + "\n")
    unfinished.replace(RESULTS)


def take_results(faults):
    """Of faults that were seen and are still the same."""
    entries = json.loads(RESULTS.read_text()) if RESULTS.is_file() else []
    known = {Fault(**entry).key: entry for entry in entries if entry["seen_by"]}
    for fault in faults:
        if fault.key in known:
            fault.seen_by, fault.seconds = known[fault.key]["seen_by"], known[fault.key]["seconds"]


def table(faults):
    rows = ["| group | faults | seen by check | by suites only | by nothing | equivalent |",
            "|---|---|---|---|---|---|"]
    for group in [*sorted({f.group for f in faults}), "all"]:
        of_group = [f for f in faults if group in (f.group, "all")]
        tried = [f for f in of_group if not f.equivalent]
        check = sum(f.seen_by.startswith("check") for f in tried)
        nothing = sum(not f.seen_by for f in tried)
        rows.append(f"| {group} | {len(of_group)} | {check} | {len(tried) - check - nothing} | "
                    f"{nothing} | {len(of_group) - len(tried)} |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--verify", action="store_true", help="only whether every fault applies")
    parser.add_argument("--resume", action="store_true",
                        help="without the faults that an earlier run saw")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time (default 1)")
    parser.add_argument("--suites", default=",".join([*SUITES, "gpu"]),
                        help="suites that run when the checks see nothing (default: all)")
    options = parser.parse_args()
    faults = all_faults()
    wrong = verify(faults)
    if wrong or options.verify:
        print("\n".join(wrong) or f"all {len(faults)} faults apply")
        return 1 if wrong else 0
    chosen = [f for f in faults if options.filter in f"{f.group} {f.file} {f.name}"]
    if not chosen:
        sys.exit(f"mutation: no group, file or name holds '{options.filter}'")
    started = time.monotonic()
    for number in (signal.SIGHUP, signal.SIGINT):  # tests send them; a shell's background ignores them
        signal.signal(number, signal.SIG_DFL)
    suites = [s for s in options.suites.split(",") if s]
    take_results(faults if options.resume else [f for f in faults if f not in chosen])
    builder = Builder(["mutation_check", "ropescope", *(f"{suite}_tests" for suite in suites)])
    failing = [suite for suite in suites if not options.resume and seen_by_suite(suite, builder, [])]
    if failing:
        sys.exit(f"mutation: without a fault these suites fail: {', '.join(failing)}; mend them first")
    lock = threading.Lock()

    def judge(fault):
        if not fault.equivalent and not fault.seen_by:
            try_fault(builder, fault, suites)
        with lock:
            write_results([f for f in faults if f.seconds])
        word = "equivalent" if fault.equivalent else "seen" if fault.seen_by else "NOT SEEN"
        print(f"{word:10}  {fault.group}: {fault.name} "
              f"[{fault.equivalent or fault.seen_by or fault.file}] {fault.seconds:.0f} s", flush=True)

    broken = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(judge, fault): fault for fault in chosen}
        for done in concurrent.futures.as_completed(running):
            if done.exception():  # the others go on
                fault = running[done]
                broken.append(fault)
                print(f"mutation: {fault.group}: '{fault.name}': {done.exception()}", flush=True)
    text = table([f for f in chosen if f not in broken])
    (BUILD / "report.md").write_text(text + "\n")
    print(f"\n{text}\n\n{len(chosen)} faults in {(time.monotonic() - started) / 60:.0f} minutes")
    return 1 if broken or any(not f.seen_by and not f.equivalent for f in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
