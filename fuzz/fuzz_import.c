/* fuzz_import.c: any bytes as a model in XML: URDF and MJCF. What is read can be written, and reads
 * back; what is not is told. */
#include <string.h>

#include "fuzz.h"
#include "import/import.h"

static void expect_written(const tn_spec *spec)
{
    char *text = NULL;
    size_t length = 0;
    tn_spec *again = NULL;
    fuzz_require(tn_spec_write_string(spec, NULL, &text, &length) == TN_OK, "it can be written");
    fuzz_require(tn_spec_read_string(text, length, "again.yaml", NULL, &again) == TN_OK,
                 "what is written can be read");
    fuzz_require(tn_spec_body_count(spec) == tn_spec_body_count(again), "with all its bodies");
    tn_text_free(text);
    tn_spec_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int entered;
    if (!entered) {
        fuzz_enter_folder(); /* nothing is beside the model */
        entered = 1;
    }
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const tn_setting setting = {"massless", "1e-3"};
    const tn_status status = tn_import_read((const char *)data, size, "robot.urdf", &setting,
                                            size > 0 && (data[size - 1] & 1), diags, &spec);
    fuzz_require((status == TN_OK) == (spec != NULL), "a spec, or none");
    fuzz_require(status == TN_OK || tn_diagnostics_error_count(diags) > 0,
                 "a failure is explained");
    if (spec != NULL)
        expect_written(spec);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return 0;
}
