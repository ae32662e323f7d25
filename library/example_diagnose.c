/* A test of a rotation of one's own: build with cc example_diagnose.c $(pkg-config --cflags --libs ropescope) -lm
 * and give the base that it turns by. It ends with 0 if it turns as Llama 3 8B does, whose base is 500000. */
#include <math.h>
#include <ropescope.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADS = 4, LENGTH = 40, CHANNELS = 128 };

/* The code under test: [HEADS, LENGTH, CHANNELS], pairs of channels i and i + CHANNELS / 2. */
static void rotate(float *x, double base) {
    for (int row = 0; row < HEADS * LENGTH; ++row) {
        for (int i = 0; i < CHANNELS / 2; ++i) {
            float *first = x + row * CHANNELS + i, *second = first + CHANNELS / 2;
            const double angle = row % LENGTH * pow(base, -2.0 * i / CHANNELS);
            const double p = *first, q = *second;
            *first = (float)(p * cos(angle) - q * sin(angle));
            *second = (float)(p * sin(angle) + q * cos(angle));
        }
    }
}

int main(int count, char **arguments) {
    const double base = count > 1 ? atof(arguments[1]) : 500000;
    static float before[HEADS * LENGTH * CHANNELS], after[HEADS * LENGTH * CHANNELS];
    for (int i = 0; i < HEADS * LENGTH * CHANNELS; ++i) {
        before[i] = (float)(rand() / (RAND_MAX + 1.0) - 0.5);
        after[i] = before[i];
    }
    rotate(after, base);

    ropescope_tensor q = {.size = sizeof q,
                          .data = before,
                          .dtype = ROPESCOPE_F32,
                          .shape = {1, HEADS, LENGTH, CHANNELS},
                          .stride = {HEADS * LENGTH * CHANNELS, LENGTH * CHANNELS, CHANNELS, 1}};
    ropescope_tensor q_rot = q;
    q_rot.data = after;
    const ropescope_dump dump = {.size = sizeof dump, .q = &q, .q_rot = &q_rot, .expect = "llama-3-8b"};
    char *json = NULL;
    int passed = 0;
    const ropescope_status status = ropescope_diagnose(&dump, &json, &passed);
    if (status != ROPESCOPE_OK) {
        fprintf(stderr, "example_diagnose: %s\n", ropescope_message());
        return status;
    }
    fputs(json, stdout);
    ropescope_free_text(json);
    return passed ? 0 : 1;
}
