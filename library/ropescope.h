/* ropescope as a library: rotary position embedding (RoPE) as published models use it, for programs
 * in C and whatever calls C. Link with -lropescope (pkg-config ropescope, or find_package(ropescope)
 * in CMake).
 *
 * Shapes are row-major. Angles are in radians, positions in tokens (in patches and frames where a
 * model turns in several axes). Every function may be called from any number of threads at once; an
 * embedding may be shared between them and does not change after it was made.
 *
 * A child of fork() may call every function, share the embeddings of its parent and end in any way,
 * whatever the threads of its parent were doing at the fork; so may its own children. Its calls use
 * threads of its own. What a call in another thread was turning at the fork is half turned there.
 *
 * No C++ exception leaves the library. A function that can fail returns a status; when that is not
 * ROPESCOPE_OK, it has written nothing to what its arguments point at, and ropescope_message() says
 * what is wrong in one line. Only where memory ends in the middle of ropescope_rotate()
 * (ROPESCOPE_FAILED), part of a tensor of 16 bits may be turned. */
#ifndef ROPESCOPE_H
#define ROPESCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are those that the program ropescope ends with. */
typedef enum ropescope_status {
    ROPESCOPE_OK = 0,
    ROPESCOPE_BAD_INPUT = 2, /* an argument or a file is not as it must be */
    ROPESCOPE_FAILED = 3     /* the system failed: no memory, a file that cannot be read */
} ropescope_status;

/* "0.1.0". */
const char *ropescope_version(void);

/* What the last call of this thread that failed said; "" if none did. The text lives until the next
 * call that fails in this thread. */
const char *ropescope_message(void);

/* ---- An embedding: which channels of a head pair, and how fast each pair turns ---- */

typedef struct ropescope_embedding ropescope_embedding;

/* How to read a model. Set `size` to sizeof(ropescope_options) and all else to 0 or to what you want.
 * A null pointer in place of options means all 0. */
typedef struct ropescope_options {
    size_t size;
    const char *part;       /* "text" or "vision" where a model has both; null: text first */
    const char *layer_type; /* "sliding_attention", ...: where layers turn at different speeds;
                               null: the layers with full attention */
    int64_t seq_len;        /* length of the sequence, where the frequencies depend on it (dynamic NTK,
                               LongRoPE); 0: as when the model is loaded */
} ropescope_options;

/* Reads a config.json, the folder that holds it, or a published model that ropescope knows by name
 * ("llama-3.1-8b", "qwen2-vl-7b"). `options` may be null. Free the result with ropescope_free(). */
ropescope_status ropescope_load(const char *path_or_name, const ropescope_options *options,
                                ropescope_embedding **result);

/* Reads the text of a config.json; `bytes` is its length. */
ropescope_status ropescope_parse(const char *json, size_t bytes, const ropescope_options *options,
                                 ropescope_embedding **result);

/* Makes the embedding of the RoFormer paper (arXiv:2104.09864): pair i turns by
 * base^(-2i / rotary_dim) for each position. `layout` is "half_split" (pair i is channels i and
 * i + rotary_dim / 2) or "interleaved" (channels 2i and 2i + 1). */
ropescope_status ropescope_make(int64_t head_dim, int64_t rotary_dim, double base, const char *layout,
                                ropescope_embedding **result);

/* Null is allowed. */
void ropescope_free(ropescope_embedding *embedding);

typedef struct ropescope_facts {
    size_t size;                 /* set it to sizeof(ropescope_facts) before the call */
    int64_t head_dim;            /* channels of one attention head */
    int64_t pairs;               /* pairs of channels that turn */
    int64_t axes;                /* numbers in the position of a token: 1 for text */
    int64_t heads;               /* 1 if all heads turn alike, else their number */
    double attention_factor;     /* multiplies cos and sin (YaRN, LongRoPE) */
    double softmax_scale_factor; /* multiplies 1 / sqrt(head_dim); the table does not contain it */
} ropescope_facts;

ropescope_status ropescope_get_facts(const ropescope_embedding *embedding, ropescope_facts *facts);

/* What the model's file leaves open and had to be assumed, a line for each; "" if nothing. The text
 * lives as long as the embedding. */
const char *ropescope_assumptions(const ropescope_embedding *embedding);

/* Writes the frequencies omega [heads, pairs, axes], in radians for each position. `count` is the
 * number of values that there is room for, which must be heads * pairs * axes. */
ropescope_status ropescope_spectrum(const ropescope_embedding *embedding, double *omega, size_t count);

/* Writes the channels of each pair, [pairs, 2]. `count` must be 2 * pairs. */
ropescope_status ropescope_pairs(const ropescope_embedding *embedding, int64_t *channels, size_t count);

/* Writes cos and sin of every angle, times the attention factor, [heads, tokens, pairs] each:
 * angle(i, token) = sum over axes a of omega[i, a] * positions[a, token]. `positions` is
 * [axes, tokens], up to 2^20 in magnitude, of any sign and not necessarily whole. Angles are formed
 * and reduced in double, so that an entry is within 1e-7 of the exact value where the attention
 * factor is 1. `count` must be heads * tokens * pairs. */
ropescope_status ropescope_table(const ropescope_embedding *embedding, const double *positions,
                                 int64_t tokens, float *cos, float *sin, size_t count);

/* ---- Turning queries and keys ---- */

typedef enum ropescope_dtype {
    ROPESCOPE_F32 = 0,
    ROPESCOPE_F16 = 1, /* IEEE 754 binary16 */
    ROPESCOPE_BF16 = 2, /* the upper half of a binary32 */
    /* ropescope_diagnose() reads these, too; ropescope_rotate() refuses them. */
    ROPESCOPE_F64 = 3,
    ROPESCOPE_F8_E4M3 = 4, /* FP8 of the Open Compute Project, and its kinds with one NaN and no -0 */
    ROPESCOPE_F8_E5M2 = 5,
    ROPESCOPE_F8_E4M3FNUZ = 6,
    ROPESCOPE_F8_E5M2FNUZ = 7,
    ROPESCOPE_I8 = 8
} ropescope_dtype;

/* A tensor [batch, heads, positions, head_dim] in memory of the caller. Element (b, h, l, c) is
 * element b * stride[0] + h * stride[1] + l * stride[2] + c * stride[3] of `data`: strides count
 * elements. A tensor that is turned has stride[3] = 1, its data begin at a multiple of the bytes of an
 * element, and no two of its elements share memory. Any order of the other three axes is therefore
 * possible, gaps too. */
typedef struct ropescope_tensor {
    size_t size; /* set it to sizeof(ropescope_tensor) */
    void *data;
    ropescope_dtype dtype;
    int64_t shape[4];
    int64_t stride[4];
} ropescope_tensor;

/* Turns x in place: each pair (x, y) becomes (x cos - y sin, x sin + y cos) times the attention
 * factor. Channels of no pair stay as they are, to the bit. F16 and BF16 are turned in fp32 and
 * rounded once.
 *   positions  [axes, positions of x], the same for each batch, or [axes, batch, positions of x];
 *              null: 0, 1, 2, ... (for one axis only)
 *   count      how many numbers `positions` has, which tells the two shapes apart; 0 with null
 *   inverse    other than 0: by the negative angles, which is what a gradient needs
 *   threads    0: one for each processor */
ropescope_status ropescope_rotate(const ropescope_embedding *embedding, const ropescope_tensor *x,
                                  const double *positions, size_t count, int inverse, int threads);

/* ---- What an implementation does, and what is wrong with it ---- */

/* Queries and keys that an implementation was given and what it made of them. Set `size` to
 * sizeof(ropescope_dump) and all else to 0 or to what you have: q with q_rot, k with k_rot, or both.
 * Every dtype of any strides is read; a tensor that is not dense is copied. */
typedef struct ropescope_dump {
    size_t size;
    const ropescope_tensor *q, *q_rot; /* before and after the rotation, of one shape */
    const ropescope_tensor *k, *k_rot; /* the same; heads and positions may be others than those of q */
    const ropescope_tensor *scores;    /* [batch, heads of q, positions of q, positions of k]: products
                                          times the scale of the softmax, before mask and softmax */
    int64_t position_axes;             /* numbers in the position of a token; 0 means 1 */
    const double *q_positions;         /* what the implementation was told: [position_axes, positions] for
                                          all batches, or [position_axes, batch, positions]. Up to 2^20 in
                                          magnitude. Null: 0, 1, 2, ..., of which q has the last if it has
                                          fewer than k, as in a decode step with a cache */
    size_t q_count;                    /* how many numbers those are; 0 with null */
    const double *k_positions;
    size_t k_count;
    const char *expect;                /* what the implementation should do: a config.json, its folder, or
                                          the name of a published model; null: nothing is expected */
    const ropescope_embedding *embedding; /* the same as an embedding; null, or expect is null */
    const ropescope_tensor *v, *v_rot; /* values before and after the same call; null, or both */
    const ropescope_tensor *k_cache, *k_cache_after; /* keys in the cache before and after the step; likewise */
    const double *q_norm, *k_norm;     /* weights of a norm of q and k beside the rotation, [head_dim] or
                                          [heads * head_dim]; null: ones, or no norm */
    size_t q_norm_count, k_norm_count; /* how many numbers those are; 0 with null */
    const char *norm;                  /* "rms", "rms_plus_one", "layer" or "l2"; null: "rms" if there are
                                          weights, an eps or an order, else there is no norm */
    double norm_eps;                   /* what the norm adds to the mean of squares; 0 means 1e-6 */
    const char *norm_order;            /* "before" or "after" the rotation; null means before */
    const ropescope_tensor *q_scale, *q_rot_scale; /* what numbers of 8 bits are multiplied by, in F32, F16, BF16 */
    const ropescope_tensor *k_scale, *k_rot_scale; /* or F64: each axis as long as that of the tensor, or 1 for all */
    const ropescope_tensor *k_cache_scale;         /* that share a scale; null: by 1 */
} ropescope_dump;

/* Recovers from the tensors what the implementation does. `json` becomes a text in UTF-8 that ends in 0,
 * the same that `ropescope diagnose --format json` prints: verdict, layout, base, findings with their
 * codes and sentences, and with an expectation each mismatch. docs/command-line.md lists the keys. Free
 * it with ropescope_free_text(). `passed` may be null; it becomes 1 if the verdict is not invalid and,
 * with an expectation, the tensors show that it is met, else 0. */
ropescope_status ropescope_diagnose(const ropescope_dump *dump, char **json, int *passed);

/* Null is allowed. */
void ropescope_free_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
