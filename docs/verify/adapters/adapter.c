/* For code in C, without a library: answers requests of `ropescope probe --exchange safetensors --dtypes float32`.
   cc -O2 adapter.c -lm -o adapter */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    long shape[4];
    long count;
    void* values;
} Tensor;

static double base;

/* x [B, H, L, D], positions [B, L], in place: call your code here. `weight` [D] is that of the norm of probe --norm,
   whose kind, eps and order stand in the line of the request; NULL without one. */
static void rotate(float* x, const long* shape, const int64_t* positions, const float* weight) {
    (void)weight;
    const long heads = shape[1], length = shape[2], d = shape[3];
    for (long row = 0; row < shape[0] * heads * length; ++row) {
        const double position = (double)positions[row / (heads * length) * length + row % length];
        for (long i = 0; i < d / 2; ++i) {
            const float angle = (float)(position * pow(base, -2.0 * (double)i / (double)d));
            const float a = x[row * d + i], b = x[row * d + i + d / 2];
            x[row * d + i] = a * cosf(angle) - b * sinf(angle);
            x[row * d + i + d / 2] = b * cosf(angle) + a * sinf(angle);
        }
    }
}

/* What stands in quotes behind "key": in a line or a header of which we know that it is well formed. */
static int text_of(const char* json, const char* key, char* out, size_t size) {
    const char* at = strstr(json, key);
    const char* begin = at ? strchr(at + strlen(key), '"') : NULL;
    const char* end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end || (size_t)(end - begin) > size) return 0;
    memcpy(out, begin + 1, (size_t)(end - begin - 1));
    out[end - begin - 1] = 0;
    return 1;
}

static Tensor tensor_of(const char* header, char* data, const char* key, const char* dtype) {
    Tensor tensor = {{1, 1, 1, 1}, 1, NULL};
    char found[8];
    const char* at = strstr(header, key);
    if (!at || !text_of(at, "\"dtype\":", found, sizeof found) || strcmp(found, dtype) != 0) return tensor;
    char* next = (char*)strchr(strstr(at, "\"shape\":"), '[') + 1;
    for (int axis = 0; axis < 4 && *next != ']'; ++axis) {
        tensor.shape[axis] = strtol(next, &next, 10);
        tensor.count *= tensor.shape[axis];
        next += *next == ',';
    }
    tensor.values = data + strtol(strchr(strstr(at, "\"data_offsets\":"), '[') + 1, NULL, 10);
    return tensor;
}

static void write_shape(char* out, size_t size, const char* name, const Tensor* x, long from) {
    snprintf(out, size, "\"%s\":{\"dtype\":\"F32\",\"shape\":[%ld,%ld,%ld,%ld],\"data_offsets\":[%ld,%ld]}", name,
             x->shape[0], x->shape[1], x->shape[2], x->shape[3], from, from + 4 * x->count);
}

/* Returns what is wrong, or NULL. */
static const char* answer(const char* input, const char* output) {
    FILE* file = fopen(input, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return "the request cannot be read";
    const long size = ftell(file);
    char* bytes = malloc((size_t)size + 1);
    rewind(file);
    const size_t read = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    fclose(file);
    uint64_t length = 0;
    if (read != (size_t)size || read < 8) return free(bytes), "the request cannot be read";
    memcpy(&length, bytes, 8);
    char* header = malloc(length + 1);
    memcpy(header, bytes + 8, length), header[length] = 0;
    char* data = bytes + 8 + length;
    Tensor q = tensor_of(header, data, "\"q\":", "F32"), k = tensor_of(header, data, "\"k\":", "F32");
    const Tensor positions = tensor_of(header, data, "\"positions\":", "I64");
    const Tensor of_q = tensor_of(header, data, "\"q_norm\":", "F32"), of_k = tensor_of(header, data, "\"k_norm\":", "F32");
    const int q_alone = !strstr(header, "\"k\":"); /* --tensors q */
    const char* problem = !q.values || (!k.values && !q_alone) ? "this adapter takes float32 only"
                          : !positions.values                  ? "this adapter takes whole positions only"
                                                               : NULL;
    if (!problem) {
        char shape_of_q[256], shape_of_k[256], text[520];
        rotate(q.values, q.shape, positions.values, of_q.values);
        write_shape(shape_of_q, sizeof shape_of_q, "q_rot", &q, 0);
        if (!q_alone) {
            rotate(k.values, k.shape, positions.values, of_k.values);
            write_shape(shape_of_k, sizeof shape_of_k, "k_rot", &k, 4 * q.count);
        }
        length = q_alone ? (uint64_t)snprintf(text, sizeof text, "{%s}", shape_of_q)
                         : (uint64_t)snprintf(text, sizeof text, "{%s,%s}", shape_of_q, shape_of_k);
        file = fopen(output, "wb");
        if (!file || fwrite(&length, 8, 1, file) != 1 || fwrite(text, length, 1, file) != 1 ||
            fwrite(q.values, 4, (size_t)q.count, file) != (size_t)q.count ||
            (!q_alone && fwrite(k.values, 4, (size_t)k.count, file) != (size_t)k.count))
            problem = "the answer cannot be written";
        if (file && fclose(file) != 0) problem = "the answer cannot be written";
    }
    free(header), free(bytes);
    return problem;
}

int main(int count, char** words) {
    base = count > 1 ? atof(words[1]) : 10000.0;
    char line[4096], input[2048], output[2048];
    while (fgets(line, sizeof line, stdin)) {
        const long id = strtol(strchr(strstr(line, "\"id\""), ':') + 1, NULL, 10);
        const char* problem = text_of(line, "\"input\":", input, sizeof input) &&
                                      text_of(line, "\"output\":", output, sizeof output)
                                  ? answer(input, output)
                                  : "the request cannot be read";
        if (problem) {
            printf("{\"id\": %ld, \"error\": \"%s\"}\n", id, problem);
        } else {
            printf("{\"id\": %ld}\n", id);
        }
        fflush(stdout);
    }
    return 0;
}
