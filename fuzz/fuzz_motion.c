/* fuzz_motion.c: any bytes as a formula where a model uses one: a measure, a load, a motor, a prescribed motion, a
 * spring, a coupling, a range. What is refused is explained. What is accepted is stepped: a step is good and its state
 * finite, or it changes nothing. The first byte chooses the place. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "tenon/io.h"
#include "tenon/measure.h"
#include "tenon/model.h"
#include "tenon/sim.h"
#include "tenon/status.h"

#define LONGEST 300
/* Times that a call may ask whether to stop: a step that would take seconds ends. */
#define MOST_ASKED 2000
#define STEPS      4

#define BODIES                                                                                     \
    "tenon: 1\nparameters: {p: 2, q: 3 m}\nbodies:\n"                                              \
    "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                                    \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}\n"                                    \
    "markers: {k: {body: b}}\njoints:\n"                                                           \
    "  s: {type: slider, a: b, b: a, origin: [2, 0, 0], axis: [1, 0, 0]}\n"                        \
    "  h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0]"
#define END "\nsimulation: {step: 0.01, duration: 1}\n"

static const struct {
    const char *before, *after;
} places[] = {
    {BODIES "}\nmeasures:\n  x: {marker: k, component: x}\n  m: {formula: \"", "\"}" END},
    {BODIES "}\nmeasures:\n  m: {formula: \"", "\", above: 1}" END},
    {BODIES "}\nloads:\n  l: {body: b, force: [\"=", "\", 0, 0]}" END},
    {BODIES ", motor: {theta: {speed: \"=", "\", max_force: 5}}}" END},
    {BODIES ", motor: {theta: {position: \"=", "\", time_constant: 0.1, max_force: 5}}}" END},
    {BODIES ", drive: {theta: {position: \"=", "\"}}}" END},
    {BODIES ", spring: {theta: {stiffness: 5, rest: \"=", "\"}}}" END},
    {BODIES ", spring: {theta: {force: \"=", "\"}}}" END},
    {BODIES ", range: {theta: [\"=", "\", 2]}}" END},
    {BODIES "}\ncouplings:\n  c: {terms: [{coordinate: h.theta, ratio: \"=",
     "\"}, {coordinate: s.x, ratio: 1}]}" END},
};
enum { PLACES = sizeof places / sizeof *places };

static int asked;

static int is_enough(void *context)
{
    (void)context;
    return ++asked > MOST_ASKED;
}

/* What cannot stand in a text between quotes is left out. */
static size_t put(char *out, fuzz_bytes *bytes)
{
    size_t length = 0;
    while (bytes->at < bytes->end && length < LONGEST) {
        const unsigned c = fuzz_byte(bytes);
        if (c >= ' ' && c < 127 && c != '"' && c != '\\')
            out[length++] = (char)c;
    }
    return length;
}

static void check_state(const tn_sim *sim, const tn_model *model)
{
    const int32_t count = tn_model_get_size(model).bodies;
    for (int32_t i = 0; i < count; i++) {
        const tn_vec3 p = tn_sim_body_pose(sim, (tn_body){.i = i}).p;
        fuzz_require(isfinite(p.x) && isfinite(p.y) && isfinite(p.z), "a state is finite");
    }
    double values[TN_MEASURE_MOST];
    for (int32_t i = 0; i < tn_model_measure_count(model); i++) {
        fuzz_require(tn_measure_width(model, (tn_measure_id){.i = i}) >= 1, "a measure has values");
        tn_sim_measure(sim, (tn_measure_id){.i = i}, values);
    }
}

static void step(tn_sim *sim, const tn_model *model)
{
    const size_t size = tn_sim_state_size(sim);
    char *before = malloc(size + 1), *after = malloc(size + 1);
    fuzz_require(before != NULL && after != NULL, "memory");
    tn_status status = TN_OK;
    for (int k = 0; k < STEPS && status == TN_OK; k++) {
        tn_step_report report;
        tn_sim_save(sim, before);
        asked = 0;
        status = tn_sim_step(sim, 0.01, &report);
        tn_sim_save(sim, after);
        fuzz_require(status == TN_OK || memcmp(before, after, size) == 0,
                     "a failure changes nothing");
        check_state(sim, model);
    }
    free(before);
    free(after);
}

static void try_model(const tn_spec *spec, tn_diagnostics *diags)
{
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    tn_status status = tn_model_compile(spec, diags, &model);
    fuzz_require((status == TN_OK) == (model != NULL), "a model exactly when all is well");
    if (status == TN_OK && (status = tn_sim_create(model, NULL, diags, &sim)) == TN_OK)
        step(sim, model);
    fuzz_require(status == TN_OK || status == TN_ERROR_STOPPED ||
                     tn_diagnostics_error_count(diags) > 0,
                 "a failure is explained");
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    const unsigned place = fuzz_byte(&bytes) % PLACES;
    char text[LONGEST + 2000];
    size_t length = strlen(places[place].before);
    memcpy(text, places[place].before, length);
    length += put(text + length, &bytes);
    memcpy(text + length, places[place].after, strlen(places[place].after));
    length += strlen(places[place].after);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    asked = 0;
    tn_set_stop(is_enough, NULL);
    const tn_status status = tn_spec_read_string(text, length, "fuzz", diags, &spec);
    fuzz_require((status == TN_OK) == (spec != NULL), "a spec exactly when all is well");
    fuzz_require(status == TN_OK || tn_diagnostics_error_count(diags) > 0,
                 "a failure is explained");
    if (status == TN_OK)
        try_model(spec, diags);
    tn_set_stop(NULL, NULL);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return 0;
}
