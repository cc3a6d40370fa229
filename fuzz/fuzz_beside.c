/* fuzz_beside.c: any bytes as a file that a model names: a table in CSV, an included file, a mesh; or
 * as the file of a study. The first byte chooses. What is refused is explained. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "tenon/io.h"
#include "tenon/model.h"
#include "tenon/study.h"

#define HEAD                                                                                       \
    "tenon: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\njoints:\n  j: {type: hinge, a: a, "    \
    "axis: [0, 0, 1]"

static const struct {
    const char *file, *model;
} ways[] = {
    {"t.csv", HEAD ", drive: {theta: {position: {csv: {file: t.csv, column: y}}}}}\n"},
    {"p.yaml", "tenon: 1\ninclude: [p.yaml]\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"},
    {"m.stl", "tenon: 1\nbodies:\n  a: {shape: {mesh: {file: m.stl}}, density: 1000}\n"},
    {"m.obj", "tenon: 1\nbodies:\n  a: {shape: {mesh: {file: m.obj}}, density: 1000}\n"},
    {"study.yaml",
     "tenon: 1\nparameters: {x: 1, y: 2 m}\nbodies:\n  a: {mass: =x, inertia: [1, 1, 1]}\n"
     "joints:\n  j: {type: hinge, a: a, origin: [=y, 0, 0], axis: [0, 0, 1]}\n"},
};
enum { WAYS = sizeof ways / sizeof *ways, STUDY = WAYS - 1 };

static void read_model(tn_diagnostics *diags)
{
    tn_spec *spec = NULL;
    const tn_status status = tn_spec_read_file("model.yaml", diags, &spec);
    fuzz_require((status == TN_OK) == (spec != NULL), "a spec exactly when all is well");
    fuzz_require(status == TN_OK || tn_diagnostics_error_count(diags) > 0,
                 "a failure is explained");
    tn_spec_destroy(spec);
}

static void read_study(tn_diagnostics *diags)
{
    tn_study *study = NULL;
    const tn_status status = tn_study_read_file("study.yaml", diags, &study);
    fuzz_require((status == TN_OK) == (study != NULL), "a study exactly when all is well");
    fuzz_require(status == TN_OK || tn_diagnostics_error_count(diags) > 0,
                 "a failure is explained");
    if (study) {
        const int64_t count = tn_study_case_count(study);
        const int32_t width = tn_study_parameter_count(study);
        double *values = calloc((size_t)width + 1, sizeof *values);
        fuzz_require(count > 0 && values != NULL, "a study has cases");
        for (int64_t k = 0; k < count && k < 20; k++) {
            tn_study_values(study, k < 10 ? k : count - 1 - k % 10, values);
            for (int32_t i = 0; i < width; i++)
                fuzz_require(isfinite(values[i]), "values of parameters are numbers");
        }
        free(values);
    }
    tn_study_destroy(study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int inside;
    if (!inside)
        fuzz_enter_folder();
    inside = 1;
    fuzz_bytes bytes = {data, data + size};
    const unsigned way = fuzz_byte(&bytes) % WAYS;
    tn_diagnostics *diags = tn_diagnostics_create();
    fuzz_write_file("model.yaml", ways[way].model, strlen(ways[way].model));
    fuzz_write_file(ways[way].file, bytes.at, (size_t)(bytes.end - bytes.at));
    if (way == STUDY)
        read_study(diags);
    else
        read_model(diags);
    tn_diagnostics_destroy(diags);
    return 0;
}
