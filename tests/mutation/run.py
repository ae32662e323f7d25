#!/usr/bin/env python3
"""Builds the program with one fault at a time and says what sees it.

    tests/mutation/run.py [FILTER]       faults whose group, file or name holds FILTER
    tests/mutation/run.py --verify       only whether every fault still applies

The faults are in tests/mutation/*.txt; a file is a group. The sources are never touched: a changed
copy is compiled to one object, which is linked in front of the library with the right one. A fault
in a header names the sources to compile with it, a shader is embedded again. Everything is Release,
because the checks then run in seconds, and one process at a time, in build/mutation. First the
checks run, those of `ropescope check --engine cpu`, or gpu for shaders/ and core/gpu, in a program
without the app (check.cpp). Only if they see nothing, the suites unit, golden, property and cli run
(gpu for shaders). The last lines are the table, which is also written
to build/mutation/report.md, and every fault to build/mutation/faults.json.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/mutation"
CHANGED = BUILD / "changed"
SUITES = ["unit", "golden", "property", "cli"]
FIRST = {"rope": ["rope.*", "table.*"], "scaling": ["scaling.*"], "attention": ["engine.*"],
         "kernels": ["engine.*"], "encoder": ["encoder.*"], "shaders": ["table.*", "engine.*"],
         "analysis": ["decay.*", "precision.*", "absolute.*"]}
# What makes the software renderer take the forms for hardware.
LIMITS = "core/gpu/device_limits.cpp"
SOFTWARE = ("limits.software = is_software(limits.renderer);", "limits.software = false;")
ENVIRONMENT = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"}


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
    seen_by: str = ""  # "check: ids", "unit", ... ; "" if nothing saw it
    seconds: float = 0.0

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


def run(command, limit_s=600, cwd=BUILD):
    """Exit code and output of a command; -1 if it does not end."""
    try:
        done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True,
                              errors="replace", timeout=limit_s)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return -1, ""


def must_run(command, what, limit_s=7200):
    code, text = run(command, limit_s)
    if code != 0:
        sys.exit(f"mutation: {what} failed\n{text[-3000:]}")
    return text


def build(*targets):
    if not (BUILD / "build.ninja").is_file():
        BUILD.mkdir(parents=True, exist_ok=True)
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        must_run(["cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja",
                  "-DCMAKE_BUILD_TYPE=Release", *linker], "cmake")
    must_run(["ninja", "-j1", *targets], f"building {', '.join(targets)}")


class Builder:
    """Compiles what a fault changes and links it into programs."""

    def __init__(self):
        self.compile_of = {str((BUILD / entry["file"]).resolve()): shlex.split(entry["command"])
                           for entry in json.loads(must_run(
                               ["ninja", "-t", "compdb"], "ninja -t compdb"))
                           if entry["file"].endswith(".cpp") and " -c " in entry["command"]}
        self.link_of = {}

    def change(self, file, before, after):
        path = CHANGED / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((ROOT / file).read_text().replace(before, after))

    def embedded(self, file):
        """The generated source of a shader, from the changed one."""
        identifier = "".join(c if c.isalnum() else "_" for c in file)
        output = CHANGED / f"{identifier}.cpp"
        must_run(["cmake", f"-DINPUT={CHANGED / file}", f"-DOUTPUT={output}", f"-DNAME={file}",
                  f"-DIDENTIFIER={identifier}", "-P", str(ROOT / "cmake/EmbedFile.cmake")], file)
        return output, str((BUILD / f"core/embedded/{identifier}.cpp").resolve())

    def objects(self, fault):
        """Compiles; empty if the compiler refuses, which sees the fault before any test."""
        shutil.rmtree(CHANGED, ignore_errors=True)
        self.change(fault.file, fault.before, fault.after)
        sources = list(fault.compiled)
        if fault.as_on_hardware:
            self.change(LIMITS, *SOFTWARE)
            sources.append(LIMITS)
        made = []
        for number, source in enumerate(sources):
            if source.startswith("shaders/"):
                text, known = self.embedded(source)
            else:
                known = str((ROOT / source).resolve())
                text = CHANGED / source if (CHANGED / source).is_file() else known
            command = [str(text) if str((BUILD / word).resolve()) == known else word
                       for word in self.compile_of[known]]
            target = CHANGED / f"{number}.o"
            command[command.index("-o") + 1] = str(target)
            # In front of the folders that hold the right headers.
            first_option = next(i for i, word in enumerate(command) if word.startswith("-"))
            command.insert(first_option, f"-I{CHANGED}")
            code, text = run(command)
            if code != 0:
                sys.exit(f"mutation: {fault.group}: '{fault.name}' does not compile\n{text[-2000:]}")
            made.append(str(target))
        return made

    def link(self, program, objects):
        """The program with these objects in front of the library that has the right ones."""
        if program not in self.link_of:
            build(program)
            last = must_run(["ninja", "-t", "commands", program], program).splitlines()[-1]
            self.link_of[program] = last
        target = CHANGED / pathlib.Path(program).name
        words = shlex.split(self.link_of[program].removeprefix(": && ").split(" && ")[0])
        words[words.index("-o") + 1] = str(target)
        words[words.index("-o") + 2:words.index("-o") + 2] = objects
        must_run(words, f"linking {program}")
        return target


def seen_by_check(fault, program):
    """The checks that fail; those that are likely to see the fault run first."""
    code, text = run([str(program), "gpu" if fault.on_gpu else "cpu", *FIRST.get(fault.group, [])],
                     600 if fault.on_gpu else 120)
    return "" if code == 0 else "check: " + (", ".join(text.split()) or f"exit code {code}")


def try_fault(builder, fault, suites):
    started = time.monotonic()
    objects = builder.objects(fault)
    fault.seen_by = seen_by_check(fault, builder.link("mutation_check", objects))
    for suite in [] if fault.seen_by else [s for s in suites if (s == "gpu") == fault.on_gpu]:
        program = builder.link(f"{suite}_tests", objects)
        if suite == "cli":  # these tests run the program at its place
            place = BUILD / "ropescope"
            build("ropescope")
            changed = builder.link("ropescope", objects)
            right = place.read_bytes()
            try:
                shutil.copy(changed, place)
                code, _ = run([str(program), "--gtest_fail_fast", "--gtest_brief=1"])
            finally:
                place.write_bytes(right)
        else:
            code, _ = run([str(program), "--gtest_fail_fast", "--gtest_brief=1"])
        if code != 0:
            fault.seen_by = suite
            break
    fault.seconds = time.monotonic() - started


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
    build("mutation_check")
    builder = Builder()
    for fault in chosen:
        if fault.equivalent:
            print(f"equivalent  {fault.group}: {fault.name} ({fault.equivalent})", flush=True)
            continue
        try_fault(builder, fault, [s for s in options.suites.split(",") if s])
        print(f"{'seen' if fault.seen_by else 'NOT SEEN':10}  {fault.group}: {fault.name} "
              f"[{fault.seen_by or fault.file}] {fault.seconds:.0f} s", flush=True)
    text = table(chosen)
    (BUILD / "report.md").write_text(text + "\n")
    (BUILD / "faults.json").write_text(json.dumps([vars(f) for f in chosen], indent=1) + "\n")
    print(f"\n{text}\n\n{len(chosen)} faults in {(time.monotonic() - started) / 60:.0f} minutes")
    return 1 if any(not f.seen_by and not f.equivalent for f in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
