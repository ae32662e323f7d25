import json, os, sys
answers = os.fdopen(os.dup(1), "w"); os.dup2(2, 1)  # what libraries print goes to standard error
import numpy as np
base = float(sys.argv[1])
def rotate(x, positions):  # x [B, H, L, D], positions [B, L]: call your code here
    half = x.shape[-1] // 2
    angle = (positions[:, None, :, None] * base ** (-np.arange(half) / half)).astype("float32")
    a, b, cos, sin = x[..., :half], x[..., half:], np.cos(angle), np.sin(angle)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)
for line in sys.stdin:
    job = json.loads(line)
    given = np.load(job["input"])
    answer = {name + "_rot": rotate(given[name], given["positions"]) for name in "qk" if name in given}
    np.savez(job["output"], **answer)
    print(json.dumps({"id": job["id"]}), file=answers, flush=True)
