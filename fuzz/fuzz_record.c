/* fuzz_record.c: bytes as what is recorded of a simulation, how often, in which files, and what
 * happens to it meanwhile. What is accepted is closed without an error and consists of numbers. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "tenon/io.h"
#include "tenon/record.h"

static const char text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  crank: {mass: 1, shapes: [box: {size: [1, 0.1, 0.1]}]}\n"
    "  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  p: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 1, 0], motor: {theta: {speed: 3}}}\n"
    "  q: {type: hinge, a: wheel, origin: [1, 0, 0], axis: [0, 1, 0], range: {theta: [-40, 40]}}\n"
    "  r: {type: spherical, a: wheel, b: crank, origin: [0.5, 0, 0], break_force: 100}\n"
    "couplings:\n"
    "  g: {gear: {a: p.theta, b: q.theta, ratio: -2}, compliance: 1.0e-3}\n"
    "markers:\n"
    "  tip: {body: crank, position: [0.5, 0, 0]}\n"
    "measures:\n"
    "  height: {marker: tip}\n";

static tn_model *model;

/* A wrong call answers; that is what is wanted here. */
static void ignore(const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
}

static void make(void)
{
    tn_set_assert_handler(ignore);
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    if (tn_spec_read_string(text, strlen(text), "record", diags, &spec) != TN_OK ||
        tn_model_compile(spec, diags, &model) != TN_OK) {
        tn_diagnostics_print(diags, stderr, text, strlen(text));
        abort();
    }
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
    fuzz_enter_folder();
}

/* -1 .. 3 things, existing and not. */
static int32_t choose(fuzz_bytes *bytes, int32_t chosen[3])
{
    const int32_t count = (int32_t)(fuzz_byte(bytes) % 5) - 1;
    for (int k = 0; k < 3; k++)
        chosen[k] = (int32_t)(fuzz_byte(bytes) % 8) - 2;
    return count;
}

static void add_files(fuzz_bytes *bytes, tn_recorder *recorder, tn_diagnostics *diags)
{
    static const char *const names[] = {"a", "b", "", "no/such/folder", "a", "c"};
    const unsigned files = fuzz_byte(bytes), which = fuzz_byte(bytes);
    const char *name = names[which % 6], *other = names[which / 6 % 6];
    if (files & 1u)
        (void)tn_recorder_add_csv(recorder, name, diags);
    if (files & 2u)
        (void)tn_recorder_add_gltf(recorder, other, diags);
    if (files % 16 >= 12)
        (void)tn_recorder_add_hdf5(recorder, files & 16u ? name : "h", diags);
}

static void check_frame(tn_recorder *recorder, double *frame, int32_t width)
{
    tn_recorder_read(recorder, frame);
    for (int32_t i = 0; i < width; i++)
        fuzz_require(isfinite(frame[i]), "what is recorded is a number");
}

static void record(fuzz_bytes *bytes, tn_sim *sim, tn_recorder *recorder, tn_diagnostics *diags)
{
    const int32_t width = tn_recorder_column_count(recorder);
    double *frame = calloc((size_t)width + 1, sizeof *frame);
    char name[32];
    fuzz_require(frame != NULL, "memory");
    for (int32_t i = -1; i <= width; i++)
        (void)tn_recorder_column_name(recorder, i, name, fuzz_byte(bytes) % sizeof name);
    add_files(bytes, recorder, diags);
    for (int k = 0; k < 20 && bytes->at < bytes->end; k++) {
        const unsigned what = fuzz_byte(bytes);
        if (what % 8 == 1)
            (void)tn_sim_set_enabled(sim, (tn_joint){(int32_t)(what / 8 % 4)}, what / 32 % 2);
        if (what % 8 == 2)
            (void)tn_sim_set_range(sim, (tn_joint){1}, 0, -(double)what, (double)what * 0.01);
        (void)tn_sim_step(sim, what % 8 == 3 ? 1e-1 : 1e-3, NULL);
        check_frame(recorder, frame, width);
        (void)tn_recorder_write(recorder, diags);
    }
    free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!model)
        make();
    fuzz_bytes bytes = {data, data + size};
    tn_record_def def = tn_default_record_def();
    int32_t chosen[4][3];
    tn_body bodies[3];
    tn_joint joints[3];
    tn_marker markers[3];
    tn_coupling couplings[3];
    def.what = fuzz_byte(&bytes) | (fuzz_byte(&bytes) & 7u) << 8;
    def.degrees = fuzz_byte(&bytes) % 2 == 1;
    def.body_count = choose(&bytes, chosen[0]);
    def.joint_count = choose(&bytes, chosen[1]);
    def.marker_count = choose(&bytes, chosen[2]);
    def.coupling_count = choose(&bytes, chosen[3]);
    for (int k = 0; k < 3; k++) {
        bodies[k] = (tn_body){chosen[0][k]};
        joints[k] = (tn_joint){chosen[1][k]};
        markers[k] = (tn_marker){chosen[2][k]};
        couplings[k] = (tn_coupling){chosen[3][k]};
    }
    def.bodies = bodies;
    def.joints = joints;
    def.markers = markers;
    def.couplings = couplings;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_sim *sim = NULL;
    tn_recorder *recorder = NULL;
    fuzz_require(tn_sim_create(model, NULL, NULL, &sim) == TN_OK, "a simulation");
    if (tn_recorder_create(sim, fuzz_byte(&bytes) % 8 ? &def : NULL, &recorder) == TN_OK) {
        record(&bytes, sim, recorder, diags);
        const tn_status closed = tn_recorder_close(recorder, diags);
        fuzz_require(closed == TN_OK || tn_diagnostics_error_count(diags) > 0,
                     "a file that is not complete is explained");
    }
    tn_recorder_destroy(recorder);
    tn_sim_destroy(sim);
    tn_diagnostics_destroy(diags);
    return 0;
}
