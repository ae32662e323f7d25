import json, os, sys, jax, numpy
answers = os.fdopen(os.dup(1), "w"); os.dup2(2, 1)  # what libraries print goes to standard error
import jax.numpy as jnp
base = float(sys.argv[1])
@jax.jit
def rotate(x, positions):  # x [B, H, L, D], positions [B, L]: call your code here
    half = x.shape[-1] // 2
    angle = positions[:, None, :, None] * base ** (-jnp.arange(half, dtype=jnp.float32) / half)
    a, b, cos, sin = x[..., :half], x[..., half:], jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)
for line in sys.stdin:
    job = json.loads(line)
    given = numpy.load(job["input"])
    numpy.savez(job["output"], **{n + "_rot": rotate(given[n], given["positions"]) for n in "qk" if n in given})
    print(json.dumps({"id": job["id"]}), file=answers, flush=True)
