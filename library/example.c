/* Turns queries as Llama 3.1 8B does: build with cc example.c $(pkg-config --cflags --libs ropescope) */
#include <ropescope.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a call failed. */
static void check(ropescope_status status) {
    if (status != ROPESCOPE_OK) {
        fprintf(stderr, "example: %s\n", ropescope_message());
        exit(status);
    }
}

int main(int count, char **arguments) {
    const char *model = count > 1 ? arguments[1] : "llama-3.1-8b";
    ropescope_embedding *embedding = NULL;
    check(ropescope_load(model, NULL, &embedding));

    ropescope_facts facts = {.size = sizeof facts};
    check(ropescope_get_facts(embedding, &facts));
    printf("%s: %lld pairs in heads of %lld channels\n", model, (long long)facts.pairs,
           (long long)facts.head_dim);

    /* One batch of 32 heads and 4 positions, every channel 1. */
    const int64_t heads = 32, positions = 4, d = facts.head_dim;
    float *q = malloc(sizeof(float) * (size_t)(heads * positions * d));
    for (int64_t i = 0; i < heads * positions * d; ++i) {
        q[i] = 1.0f;
    }
    const ropescope_tensor x = {.size = sizeof x,
                                .data = q,
                                .dtype = ROPESCOPE_F32,
                                .shape = {1, heads, positions, d},
                                .stride = {heads * positions * d, positions * d, d, 1}};
    const double at[] = {0, 1, 2, 131071};
    check(ropescope_rotate(embedding, &x, at, 4, 0, 0));
    for (int64_t l = 0; l < positions; ++l) {
        printf("position %6.0f: channel 0 becomes %9.6f\n", at[l], q[l * d]);
    }
    free(q);
    ropescope_free(embedding);
    return 0;
}
