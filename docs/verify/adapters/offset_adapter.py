import json, os, sys
answers = os.fdopen(os.dup(1), "w"); os.dup2(2, 1)  # what libraries print goes to standard error
import numpy as np
base = float(sys.argv[1])
def rotate(x, start):  # x [H, L, D] at positions start, start + 1, ...: call your code here
    half = x.shape[-1] // 2
    angle = ((start + np.arange(x.shape[1]))[:, None] * base ** (-np.arange(half) / half)).astype("float32")
    a, b, cos, sin = x[..., :half], x[..., half:], np.cos(angle), np.sin(angle)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)
def in_runs(x, positions):  # each row is cut where positions do not go on by 1
    out = np.empty_like(x)
    for row, told in enumerate(positions):
        cuts = [0, *(np.flatnonzero(np.diff(told) != 1) + 1), len(told)]
        for begin, end in zip(cuts, cuts[1:]):
            out[row, :, begin:end] = rotate(x[row, :, begin:end], int(told[begin]))
    return out
for line in sys.stdin:
    job = json.loads(line)
    given = np.load(job["input"])
    np.savez(job["output"], **{name + "_rot": in_runs(given[name], given["positions"]) for name in "qk" if name in given})
    print(json.dumps({"id": job["id"]}), file=answers, flush=True)
