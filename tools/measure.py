#!/usr/bin/env python3
"""measure.py: the size of the house, counted the same way each time, as a table of Markdown.

Product: core, app, library and python; tests: tests. Files are headers and sources of C++. Overhead are the lines of
a file that are only includes, pragmas, namespaces, the comment at its head and the blank lines beside them.
"""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENDINGS = {'.h', '.cpp'}
OVERHEAD = re.compile(r'\s*(#include|#pragma|namespace .*\{$|\}  // namespace|using namespace)')
TYPE = re.compile(r'^(?:template <.*>\s*)?(?:struct|class|enum class|enum|using)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?!\w|::)[^;()]*(?:\{|=|:)', re.M)


def files_below(*tops):
    for top in tops:
        for path in sorted((ROOT / top).rglob('*')):
            if path.suffix in ENDINGS and path.is_file():
                yield path


def overhead_of(lines):
    marked = [bool(OVERHEAD.match(line)) for line in lines]
    for i, line in enumerate(lines):
        if not line.startswith(('//', '#!', '"""')):
            break
        marked[i] = True
    for i, line in enumerate(lines):
        if not line.strip() and ((i > 0 and marked[i - 1]) or (i + 1 < len(lines) and marked[i + 1])):
            marked[i] = True
    return sum(marked)


def public_types(paths):
    """Types and aliases at the level of a namespace in headers."""
    names = []
    for path in paths:
        if path.suffix == '.h':
            names += [name for name in TYPE.findall(path.read_text(encoding='utf-8'))]
    return names


def rows():
    product = list(files_below('core', 'app', 'library', 'python'))
    tests = list(files_below('tests'))
    lines = {path: path.read_text(encoding='utf-8').split('\n')[:-1] for path in product + tests}

    def total(paths):
        return sum(len(lines[path]) for path in paths)

    code = [path for path in product if path.suffix in {'.h', '.cpp'}]
    types = public_types(product)
    twice = sorted({name for name in types if types.count(name) > 1})
    longest = max(product + tests, key=lambda path: len(lines[path]))
    yield 'product, lines', f'{total(product):,}'
    yield 'product, files', f'{len(product):,}'
    yield 'tests, lines', f'{total(tests):,}'
    yield 'tests, files', f'{len(tests):,}'
    yield 'public types of the product', f'{len(types)}'
    yield 'names of public types that are declared twice', ', '.join(twice) or 'none'
    yield 'entries in app/figures', f"{len(list((ROOT / 'app/figures').iterdir()))}"
    yield 'files in core/diagnosis', f"{len(list(files_below('core/diagnosis')))}"
    yield 'overhead of the product', f'{100 * sum(overhead_of(lines[p]) for p in code) / total(code):.1f} %'
    yield 'lines of a file, median', f'{statistics.median(len(lines[path]) for path in product):.0f}'
    yield 'longest file', f'{longest.relative_to(ROOT)}, {len(lines[longest])} lines'


def main():
    print('| measure | value |\n|---|---|')
    for name, value in rows():
        print(f'| {name} | {value} |')


if __name__ == '__main__':
    sys.exit(main())
