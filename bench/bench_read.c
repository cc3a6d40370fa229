/* bench_read: time to read and to write a model file of N bodies in a chain of N hinges.
 *     bench_read [N]        (default 100000) */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "io/text/buffer.h"
#include "tenon/io.h"

#define DEFAULT_COUNT 100000

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_chain(tn_buffer *text, int count)
{
    tn_buffer_print(text, "tenon: 1\nbodies:\n");
    for (int i = 0; i < count; i++) {
        tn_buffer_print(text,
                        "  link%d:\n    position: [%.1f, 0, 0]\n    rpy: [0, 0.5, 0]\n"
                        "    mass: 2.0\n    inertia: [0.1, 0.2, 0.15]\n",
                        i, 0.1 * i);
    }
    tn_buffer_print(text, "joints:\n");
    for (int i = 0; i < count; i++) {
        tn_buffer_print(text, "  j%d:\n    type: hinge\n    a: link%d\n", i, i);
        if (i > 0) {
            tn_buffer_print(text, "    b: link%d\n", i - 1);
        }
        tn_buffer_print(text,
                        "    origin: [%.1f, 0, 0]\n    axis: [0, 1, 0]\n"
                        "    range: {theta: [-1, 2]}\n",
                        0.1 * i);
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : DEFAULT_COUNT;
    tn_buffer text = {0};
    write_chain(&text, count);
    tn_spec *spec = NULL;
    char *written = NULL;
    size_t length = 0;
    double start = seconds();
    tn_status status = tn_spec_read_string(text.text, (size_t)text.length, NULL, NULL, &spec);
    double read = seconds();
    if (status == TN_OK) {
        status = tn_spec_write_string(spec, NULL, &written, &length);
    }
    double wrote = seconds();
    printf("%d bodies, %d joints, %.1f MB: read %.2f s, write %.2f s (CPU)\n", count, count,
           text.length * 1e-6, read - start, wrote - read);
    tn_text_free(written);
    tn_spec_destroy(spec);
    tn_text_free(text.text);
    return status == TN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
