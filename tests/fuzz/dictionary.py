#!/usr/bin/env python3
"""dictionary.py TARGET: the words of the format that a target reads, as libFuzzer takes them.

They are the quoted words of the sources that read the format, so that a new key is known at once.
"""
import pathlib
import re
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
JSON = ['{"', '":', '": {', '": [', '[[[[[[[[', ']]]]]]]]', '{"a":{"a":{"a":', 'null', 'true', 'false', 'NaN',
        '-Infinity', '1e308', '9223372036854775808', '-1', '\\u0000', '\\ud800']
ZIP = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', '.npy']
NPY = ['\x93NUMPY\x01\x00', '\x93NUMPY\x03\x00', "{'descr': '", "'fortran_order': True", "'shape': (", '<f8', '<f4', '<f2',
       '<i8', '|b1', '|V2', '>f4']
GGUF = ['GGUF', 'general.alignment', 'general.name', 'llama.', 'gemma3.', 'qwen2vl.', 'deepseek2.', 'phi3.',
        '.rope.freq_base', '.rope.dimension_count', '.rope.dimension_sections', '.rope.scaling.type', '.rope.scaling.factor',
        '.block_count', '.attention.head_count', 'yarn', 'longrope', 'split.no', 'split.count']
SAFETENSORS = JSON + ['"dtype":"', '"shape":[', '"data_offsets":[', '__metadata__']
DUMP = ['q', 'k', 'q_rot', 'k_rot', 'positions', 'q_positions', 'k_positions', 'scores', 'layer.0.', 'bhld', 'blhd', 'bld',
        'q_norm', 'k_norm', 'v', 'v_rot', 'k_cache', 'k_cache_after', 'q_scale', 'q_rot_scale', 'k_scale', 'k_rot_scale', 'k_cache_scale']
CONFIG = ['core/formats/*.cpp', 'core/formats/*/*.cpp', 'core/scaling/*.cpp']

# For each target, the sources whose words it takes, and words that stand in no source.
WORDS = {
    'npy': ([], NPY),
    'npz': ([], ZIP + NPY),
    'npz_round_trip': (['core/formats/tensor.cpp'], SAFETENSORS),
    'safetensors': (['core/formats/tensor.cpp'], SAFETENSORS),
    'dump': (['core/formats/tensor.cpp'], SAFETENSORS + DUMP),
    'named_dump': (['core/formats/tensor.cpp', 'core/diagnosis/read_dump.cpp'], SAFETENSORS + DUMP),
    'tables': (['core/formats/tensor.cpp', 'core/diagnosis/tables/rope_table.cpp'],
               SAFETENSORS + NPY + ['cos', 'sin', 'cos_sin_cache', 'freqs_cis', 'inv_freq', 'rope_freqs']),
    'expected': (CONFIG, JSON),
    'config': (CONFIG + ['core/encoder/encoder_config.cpp'], JSON),
    'scheme': (CONFIG, JSON),
    'gguf': (['core/formats/gguf/*.cpp'], GGUF),
    'index': (['core/encoder/weights.cpp'], JSON + ['weight_map', 'a.safetensors']),
    'layout': (['core/formats/token_*.cpp', 'core/positions/*.cpp'], JSON),
    'vectors': (['core/vectors/judge.cpp', 'core/vectors/pack_file.cpp'], JSON),
    'adapter': (['app/cli/adapter_answer.cpp'], JSON + ['"id"', '"error"'] + SAFETENSORS + DUMP),
    'scene': (['app/scene/*.cpp'], JSON),
    'settings': (['app/scene/*.cpp'], ['=', '\n', 'inf', '1e999', ':']),
    'vocabulary': ([], ['[MASK]', '[CLS]', '[SEP]', '[UNK]', '[PAD]', '##', '\n']),
    'case': (['core/checks/*.cpp'], ['=', ',', '\n']),
    'vary': (['app/scene/*.cpp'], ['=', ':', ',', 'position', 'e300', 'nan', ':41']),
    'spec': (['core/formats/schemes/scheme_tensors.cpp'], SAFETENSORS + ['omega', 'pairs', 'turns', '.freqs']),
    'positions': (['core/formats/token_*.cpp'], NPY + SAFETENSORS + ['abl', 'al', 'grid', 'text', 'position_ids', 'rope_deltas']),
    'link': (['app/scene/*.cpp'], ['&', '=', '%', '%00', '%FF', 'view=', 'lesson=decay', 'step=', 'theme=', 'embed=1', ').']),
    'window': (['app/gui/state/preferences.cpp', 'app/scene/*.cpp'], JSON),
    'lessons': (['app/gui/state/lesson_file.cpp'], JSON),
    'worker': ([], ['\x01', '\x08' + 7 * '\x00', 8 * '\xff']),
    'library': (CONFIG, JSON),
}


def quoted_words(pattern):
    """The words in quotes of C++ sources: keys, names and choices, but no sentences or paths."""
    for path in sorted(REPOSITORY.glob(pattern)):
        text = re.sub(r'#include.*', '', path.read_text(encoding='utf-8'))
        yield from re.findall(r'"([A-Za-z_][A-Za-z0-9_.+-]{1,40})"', text)


def escaped(word):
    return ''.join(c if 32 <= ord(c) < 127 and c not in '"\\' else f'\\x{ord(c):02x}' for c in word)


def main():
    patterns, words = WORDS[sys.argv[1]]
    found = {word for pattern in patterns for word in quoted_words(pattern)} | set(words)
    for word in sorted(found):
        print(f'"{escaped(word)}"')


if __name__ == '__main__':
    main()
