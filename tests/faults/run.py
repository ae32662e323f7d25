#!/usr/bin/env python3
"""run.py PROGRAM LIBRARY [SECONDS] [FILTER]: lets one call of the program fail, call after call, and looks at what is left.

Every command of COMMANDS runs once as it is. Then it runs again for each kind of call (an allocation of C++; open, read,
write, fsync, close, rename, mkdir; a thread) and each number up to the count that the first run had: the call fails alone, or, of
allocations, with all that follow, or, if it changes files, the program is killed there. With SECONDS the calls are drawn at random
(ROPESCOPE_SEED) until the time is over; without, kinds that are called more than MOST times (ROPESCOPE_MOST; 0: no limit) are tried
at MOST numbers, evenly spread. FILTER: a part of a command.

Held: the exit code is one that is documented; a run that fails says so in one line; one that ends as without a fault says the same on
standard output; a file under its final name is that of the run as it is, or is not there; nothing else is left, but for temporary
names after a kill; no run takes more than ten seconds of processor time. A line for every command, and exit code 1 if anything was
found.
"""
import os
import pathlib
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

KINDS = ['new', 'open', 'read', 'write', 'fsync', 'close', 'rename', 'mkdir', 'thread']  # in the order of fault.cpp
CHANGING = ['open', 'write', 'fsync', 'close', 'rename', 'mkdir']
MOST = int(os.environ.get('ROPESCOPE_MOST') or 60)
CPU_SECONDS, WALL_SECONDS = 10, 300  # the second for a program that sleeps on a busy machine

COMMANDS = [
    'figure rotation -o o.svg', 'figure spectrum -o o.csv', 'figure decay -o o.png', 'figure diagnose --set dump=d.safetensors -o o.svg',
    '--scene scene.json figure table -o o.csv', 'figure table --vary base=10,100 -o o.html',
    'record rotation --vary base=10,20 --size 200x200 -o o.apng', 'record rotation --vary base=10,20 --size 200x200 -o frames',
    'inspect llama-3.1-8b', '--format json inspect config.json', 'inspect config.json --compare transformers-5,llama.cpp,vllm',
    'diagnose d.safetensors', '--format json diagnose d.safetensors --expect config.json', 'diff d.safetensors d.safetensors',
    'positions --config vl.json --layout layout.json -o o.npy', 'positions --config vl.json --layout layout.json --check ids.npy',
    'rotate x.npy -o o.npy', 'rotate x.npy -o o.npy --config config.json', 'vectors --config config.json -o a/v',
    'probe --config config.json -- ./adapter', 'lesson one-pair -o o.html', 'lesson --list', 'glossary YaRN',
    'check --filter layout.* -o o.json', 'encode --text [MASK] --predict', 'docs --no-pictures -o a/book', '--write-manual man',
]


def npy(shape, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n" % (shape,)
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%df' % len(values), *values)


def write_inputs(program, folder):
    """Small inputs of every kind that COMMANDS name."""
    values = [(i * 37 % 101) / 50 - 1 for i in range(512)]
    (folder / 'x.npy').write_bytes(npy((1, 2, 8, 32), values))
    (folder / 'config.json').write_text('{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, '
                                        '"rope_theta": 10000.0, "max_position_embeddings": 64}')
    (folder / 'scene.json').write_text('{"ropescope_scene": 1, "view": "table"}')
    (folder / 'vl.json').write_text('{"model_type": "qwen2_vl", "hidden_size": 1536, "num_attention_heads": 12, "rope_scaling": '
                                    '{"type": "mrope", "mrope_section": [16, 24, 24]}, "vision_config": {"spatial_merge_size": 2}}')
    (folder / 'layout.json').write_text('{"layouts": [{"rows": [[{"text": 3}, {"image": [1, 4, 4]}, {"text": 2}]]}]}')
    (folder / 'adapter').write_text('#!/bin/sh\nwhile read line; do echo \'{"id": 1, "error": "no"}\'; done\n')
    (folder / 'adapter').chmod(0o755)
    header = b'{"q":{"dtype":"F32","shape":[1,2,8,32],"data_offsets":[0,2048]},"q_rot":{"dtype":"F32","shape":[1,2,8,32],"data_offsets":[2048,4096]}}'
    subprocess.run([program, 'rotate', 'x.npy', '-o', 'y.npy', '--config', 'config.json'], cwd=folder, check=True, capture_output=True)
    data = struct.pack('<512f', *values) + (folder / 'y.npy').read_bytes()[-2048:]
    (folder / 'd.safetensors').write_bytes(struct.pack('<Q', len(header)) + header + data)
    subprocess.run([program, 'positions', '--config', 'vl.json', '--layout', 'layout.json', '-o', 'ids.npy'], cwd=folder,
                   check=True, capture_output=True)


def files_below(folder):
    """Contents by paths, without the time that a run took, which is another one in each."""
    found = {}
    for path in sorted(folder.rglob('*')):
        found[str(path.relative_to(folder))] = None if path.is_dir() else re.sub(rb'"seconds": [^,\n]*', b'', path.read_bytes())
    return found


class Bench:
    """Runs commands in a copy of the inputs."""

    def __init__(self, program, library, top):
        self.program, self.library, self.top = program, library, top
        self.inputs = top / 'inputs'
        self.inputs.mkdir()
        write_inputs(program, self.inputs)
        self.before = files_below(self.inputs)

    def run(self, command, kind='', number=0, way=''):
        """The run, the files that it left, and how often each kind of call was made."""
        work, counts = self.top / 'work', self.top / 'counts'
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.inputs, work)
        (work / 'tmp').mkdir()
        counts.write_bytes(bytes(8 * len(KINDS)))
        environment = {**os.environ, 'LD_PRELOAD': str(self.library), 'FAULT_COUNTS': str(counts), 'FAULT_KIND': kind,
                       'FAULT_AT': str(number), 'TMPDIR': str(work / 'tmp'), 'FAULT_WAY': way}
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        try:
            done = subprocess.run([self.program, *command.split()], cwd=work, env=environment, capture_output=True, preexec_fn=limit,
                                  timeout=WALL_SECONDS, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            done = None
        left = {name: text for name, text in files_below(work).items() if name not in self.before and name != 'tmp'}
        return done, left, dict(zip(KINDS, struct.unpack('<%dQ' % len(KINDS), counts.read_bytes())))


def is_temporary(name):
    return any(part.startswith(('.ropescope-', 'ropescope-')) for part in pathlib.PurePath(name).parts)


def said_without_times(done):
    return re.sub(rb'"seconds": [^,\n]*|[0-9.]+ m?s\b', b'', done.stdout)


def faults_of(done, left, right, right_left, way):
    """What is wrong with a run, next to the one without a fault."""
    if done is None:
        return ['hangs']
    code, said = done.returncode, done.stderr.decode(errors='replace')
    found = []
    if way == 'kills':
        found += [f'leaves {name}' for name in left if name not in right_left and not is_temporary(name)]
    else:
        if code not in (right.returncode, 1, 2, 3):
            found.append(f'exit code {code}')
        if code != right.returncode and (code == 0 or (code in (2, 3) and not 1 <= said.count('\n') <= 1 + right.stderr.count(b'\n'))):
            found.append(f'exit code {code} and says {said!r}')
        found += [f'leaves {name}' for name in left if name not in right_left]
        if code == right.returncode and said_without_times(done) != said_without_times(right):
            found.append(f'says something else, exit code {code}')
        if code == right.returncode == 0:
            found += [f'does not write {name}' for name in right_left if name not in left]
    found += [f'writes another {name}' for name, text in left.items() if name in right_left and right_left[name] != text]
    return found


def ways_of(kind):
    """How a call fails: '' alone, and others as fault.cpp knows them."""
    return ['', 'kills'] if kind in CHANGING else ['', 'for ever'] if kind == 'new' else ['']


def tries_of(counts, draw):
    """Kinds, numbers and ways; with `draw` in random order, each kind as often as another."""
    tries = []
    for kind in KINDS:
        count = counts[kind]
        numbers = range(1, count + 1)
        if 0 < MOST < count:
            numbers = draw.sample(numbers, MOST) if draw else sorted({1 + i * (count - 1) // (MOST - 1) for i in range(MOST)})
        tries += [(i, kind, number, way) for way in ways_of(kind) for i, number in enumerate(draw.sample(numbers, len(numbers)) if draw else numbers)]
    return [rest for _, *rest in sorted(tries)] if draw else [rest for _, *rest in tries]


def main():
    program, library = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else 0
    commands = [command for command in COMMANDS if len(sys.argv) < 5 or sys.argv[4] in command]
    seed = int(os.environ.get('ROPESCOPE_SEED') or time.time())
    draw, until = random.Random(seed), time.time() + seconds
    failures = 0
    with tempfile.TemporaryDirectory() as top:
        bench = Bench(program, library, pathlib.Path(top))
        for place, command in enumerate(commands):
            right, right_left, counts = bench.run(command)
            if right is None or right.returncode not in (0, 1):
                print(f'{command}: does not run as it is: {right}')
                failures += 1
                continue
            tries, runs, found = tries_of(counts, draw if seconds else None), 0, []
            share = (until - time.time()) / (len(commands) - place)
            own_end = time.time() + share
            for kind, number, way in tries:
                if seconds and time.time() > own_end:
                    break
                done, left, _ = bench.run(command, kind, number, way)
                runs += 1
                found += [f'{kind} {number} ({way or "alone"}): {what}' for what in faults_of(done, left, right, right_left, way)]
            failures += len(found)
            print(f'{command} | {runs} of {len(tries)} runs | {len(found)} faults', flush=True)
            for line in found[:10]:
                print('    ' + line[:300], flush=True)
    print(f'{failures} faults; repeat with ROPESCOPE_SEED={seed}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
