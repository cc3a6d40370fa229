/* fuzz_model.c: any bytes as a model file. What is refused is explained; what is accepted can be
 * written and reads back to the same text. Seeds: the examples and the broken files of the tests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/io.h"
#include "tenon/solid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "violated: %s\n", what);
        abort();
    }
}

/* Writing a spec and reading it gives a spec that is written the same. */
static void check_round_trip(const tn_spec *spec)
{
    char *text = NULL, *again = NULL;
    size_t length = 0;
    tn_spec *back = NULL;
    if (tn_spec_solid_count(spec) > 0) {
        require(tn_spec_write_string(spec, NULL, &text, &length) != TN_OK,
                "solids are not written");
        return;
    }
    require(tn_spec_write_string(spec, NULL, &text, &length) == TN_OK, "what is read is written");
    tn_status status = tn_spec_read_string(text, length, "fuzz", NULL, &back);
    require(status == TN_OK, "what is written is read");
    require(tn_spec_write_string(back, NULL, &again, NULL) == TN_OK, "and written again");
    require(strcmp(text, again) == 0, "the same");
    tn_text_free(text);
    tn_text_free(again);
    tn_spec_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_status status = tn_spec_read_string((const char *)data, size, "fuzz", diags, &spec);
    require((status == TN_OK) == (spec != NULL), "a spec exactly when all is well");
    if (status == TN_OK) {
        check_round_trip(spec);
    } else {
        require(status == TN_ERROR_INPUT, "only the input can be at fault");
        require(tn_diagnostics_error_count(diags) > 0, "a failure is explained");
        FILE *sink = fopen("/dev/null", "w");
        if (sink != NULL) {
            tn_diagnostics_print(diags, sink, (const char *)data, size);
            fclose(sink);
        }
    }
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return 0;
}
