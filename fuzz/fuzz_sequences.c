/* fuzz_sequences.c: any bytes as a sequence of calls of the whole public interface: scripts/make_sequences.py writes a call of every
 * function from the headers, each argument drawn by its type. The first byte chooses an example, the others functions and
 * arguments; objects that calls make take the places of others. Whatever the sequence is,
 *   - nothing crashes, leaks, or reads beyond what it was given, and every call returns,
 *   - the state of a simulation is made of numbers,
 *   - a call that changes a simulation and fails leaves its state as it was, to the bit.
 * Calls from inside callbacks are drawn from the same table; a drawing is only read from there. */
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "support/call_bytes.h"
#include "tenon/io.h"
#include "tenon/record.h"
#include "tenon/tenon.h"

#define MOST_ARGUMENTS 12
#define ROOM           65536 /* bytes behind a pointer */
#define ARRAY          8     /* items of an array of structures */
#define NUMBERS        256   /* of an array of numbers that are drawn; zeros behind them */
#define MEMBERS        3     /* of a batch */
#define MOST_CALLS     400
#define MOST_INSIDE    3 /* calls of a callback */
#define MOST_ASKED                                                                                 \
    2000           /* times that a call asks whether to stop: a call that would take seconds ends */
#define SECONDS 60 /* of a sequence, on a busy machine */

/* What a test that builds on Tenon has in its hands: made anew for every sequence. */
typedef struct world {
    call_bytes bytes;
    tn_diagnostics *diags;
    tn_spec *spec, *made_tn_spec;
    tn_model *model, *made_tn_model;
    tn_sim *sim, *made_tn_sim;
    tn_recorder *recorder, *made_tn_recorder;
    tn_batch *batch, *made_tn_batch;
    tn_sim *target;  /* of the call at hand */
    tn_stage *stage; /* within loads alone */
    tn_analysis analysis;
    tn_equations equations;
    const tn_model *models[ARRAY];
    const char *path; /* of the example */
    char *written;
    size_t written_length;
    const char *text;
    FILE *stream;
    unsigned char *block, *before, *after; /* states */
    size_t size, target_size;              /* bytes of each; of the simulation's */
    tn_status status;
    int asked, depth;
} world;

struct call {
    const char *name;
    void (*function)(world *w);
    int undone; /* a failure changes no state */
    int stage;  /* only within a load's callback */
    int reads;  /* changes no simulation */
};

static unsigned char rooms[2][MOST_ARGUMENTS][ROOM] __attribute__((aligned(16)));

/* ---- what is drawn -------------------------------------------------------------------------------- */

static int32_t pick(world *w, int32_t count)
{
    return below(&w->bytes, count);
}

static int rarely(world *w)
{
    return byte(&w->bytes) % 32 == 7;
}

/* NULL now and then. */
#define GIVEN(w, pointer) (rarely(w) ? NULL : (pointer))

/* Calls from inside a callback have rooms of their own. */
static void *room(const world *w, int argument)
{
    return rooms[w->depth > 0][argument];
}

static double any_number(world *w)
{
    return number(&w->bytes);
}

static double any_time(world *w)
{
    static const double usual[] = {1e-3, 1e-2, 1e-4, 2e-3};
    return byte(&w->bytes) % 16 ? usual[pick(w, 4)] : number(&w->bytes);
}

/* Inside a callback the one that is called: what it says of itself is known. */
static tn_sim *any_sim(world *w)
{
    tn_sim *member = NULL;
    if (w->depth > 0)
        return w->target;
    if (byte(&w->bytes) % 8 == 0)
        member = tn_batch_sim(w->batch, 0);
    return w->target = member ? member : w->sim;
}

static double any_moment(world *w)
{
    return byte(&w->bytes) % 16 ? tn_sim_time(w->sim) + any_time(w) : number(&w->bytes);
}

/* How many fields of a default are drawn. */
static int changes(world *w)
{
    return pick(w, 4);
}

/* Of an array of ARRAY items. */
static int32_t any_count(world *w)
{
    const unsigned choice = byte(&w->bytes);
    return choice % 32 ? (int32_t)(choice / 32) : choice / 32 % 2 ? -1 : INT32_MIN;
}

static int32_t any_index(world *w)
{
    static const int32_t wrong[] = {-1, -2, 7, 100000000, INT32_MIN, INT32_MAX};
    return byte(&w->bytes) % 16 ? pick(w, 5) : wrong[pick(w, 6)];
}

static int64_t any_steps(world *w)
{
    static const int64_t wrong[] = {0, -1, INT64_MIN, INT64_MAX, 100000000};
    return byte(&w->bytes) % 16 ? 1 + pick(w, 3) : wrong[pick(w, 5)];
}

static int32_t one_or_less(world *w)
{
    return rarely(w) ? any_count(w) : 1;
}

/* One beyond at both ends. */
static int32_t any_of(world *w, int32_t count)
{
    return rarely(w) ? (pick(w, 2) ? -1 : count) : pick(w, count);
}

static size_t any_size(world *w)
{
    return (size_t)pick(w, 100);
}

static size_t any_length(world *w)
{
    const size_t length = strlen(w->text);
    return byte(&w->bytes) % 4 ? length : length * byte(&w->bytes) / 256;
}

static char any_letter(world *w)
{
    return "tx\0z"[pick(w, 4)];
}

/* Mostly of the model at hand; of what is not there; of something else. */
static int32_t any_item(world *w, int32_t count)
{
    return byte(&w->bytes) % 16 ? pick(w, count) : any_index(w);
}

static uint32_t any_owner(world *w)
{
    return rarely(w) ? 0x5eed5eedu : 0u;
}

static tn_body any_tn_body(world *w)
{
    return byte(&w->bytes) % 8
               ? (tn_body){any_item(w, tn_model_get_size(w->model).bodies), any_owner(w)}
               : tn_ground();
}

static tn_coupling any_tn_coupling(world *w)
{
    return (tn_coupling){any_item(w, tn_model_get_size(w->model).couplings), any_owner(w)};
}

static tn_joint any_tn_joint(world *w)
{
    if (byte(&w->bytes) % 8 == 0)
        return tn_coupling_as_joint(any_tn_coupling(w));
    return (tn_joint){any_item(w, tn_model_get_size(w->model).joints), any_owner(w)};
}

static tn_marker any_tn_marker(world *w)
{
    return (tn_marker){any_item(w, tn_model_get_size(w->model).markers), any_owner(w)};
}

static tn_load any_tn_load(world *w)
{
    return (tn_load){any_item(w, tn_model_load_count(w->model)), any_owner(w)};
}

static tn_measure_id any_tn_measure_id(world *w)
{
    return (tn_measure_id){any_item(w, tn_model_measure_count(w->model)), any_owner(w)};
}

static tn_joint_type any_tn_joint_type(world *w)
{
    return (tn_joint_type){any_item(w, tn_joint_type_count())};
}

static const tn_shape_parameter *any_shape_parameter(world *w)
{
    const tn_shape_kind_info *info = tn_shape_kind_get((tn_shape_kind)pick(w, TN_SHAPE_KIND_COUNT));
    return &info->parameters[pick(w, info->parameter_count)];
}

static const char *any_name(world *w)
{
    static const char *const words[] = {"",      "x",     "hinge", "slider", "theta", "a.b",  "box",
                                        "rad/s", "solid", "t*x",   "1/0",    "\xff",  "auto", "m"};
    static char much[3000];
    switch (pick(w, 6)) {
    case 0:
        return tn_model_body_name(w->model, any_tn_body(w));
    case 1:
        return tn_model_joint_name(w->model, any_tn_joint(w));
    case 2:
        memset(much, 'n', sizeof much - 1);
        return rarely(w) ? much : NULL;
    default:
        return words[pick(w, (int32_t)(sizeof words / sizeof *words))];
    }
}

/* In the folder that goes with the program, where calls write. */
static const char *any_path(world *w)
{
    static const char *const paths[] = {"a.csv", "b.h5", "c.glb", "d.yaml", ".", "", "no/such"};
    return GIVEN(w, paths[pick(w, 7)]);
}

static const double *any_numbers(world *w, int argument)
{
    double *numbers = room(w, argument);
    uint32_t state = byte(&w->bytes) << 8 | byte(&w->bytes);
    for (int k = 0; k < NUMBERS; k++) {
        state = state * 1664525u + 1013904223u;
        numbers[k] = (double)(int32_t)state / 1073741824.0;
    }
    if (rarely(w))
        numbers[pick(w, 16)] = number(&w->bytes);
    return numbers;
}

/* States have the size of the simulation at hand. */
static void reserve(world *w)
{
    const size_t size = tn_sim_state_size(w->sim),
                 member = tn_sim_state_size(tn_batch_sim(w->batch, 0));
    const size_t both = size > member ? size : member;
    if (both <= w->size)
        return;
    w->block = realloc(w->block, both);
    w->before = realloc(w->before, both);
    w->after = realloc(w->after, both);
    fuzz_require(w->block && w->before && w->after, "memory");
    memset(w->block + w->size, 0, both - w->size);
    w->size = both;
}

/* A state that was saved, or what lies in its place. */
static void *any_block(world *w)
{
    reserve(w);
    if (byte(&w->bytes) % 16 == 0)
        w->block[pick(w, 256)] ^= (unsigned char)byte(&w->bytes);
    return w->block;
}

static void motion_calls(void *context, double x, double out[3]);

static tn_function_def any_function(world *w)
{
    static const char *const formulas[] = {"t", "x", "sin(3*t)", "1/t", "t < 1 ? 0 : 5", "y", ""};
    static double numbers[2][ARRAY]; /* definitions are copied by the calls that take them */
    tn_function_def def;
    memset(&def, 0, sizeof def);
    def.kind = (tn_function_kind)any_of(w, TN_FUNCTION_KIND_COUNT);
    def.numbers = GIVEN(w, numbers[w->depth > 0]);
    for (int k = 0; k < ARRAY; k++)
        numbers[w->depth > 0][k] = any_number(w);
    def.count = any_count(w);
    def.callback = GIVEN(w, motion_calls);
    def.context = w;
    def.bounded = pick(w, 2);
    def.formula = GIVEN(w, formulas[pick(w, 7)]);
    return def;
}

/* ---- calls ------------------------------------------------------------------------------------------ */

/* What is handed out is there. */
static void touch(const void *answer)
{
    static volatile unsigned char read;
    if (answer)
        read = *(const unsigned char *)answer;
    (void)read;
}

/* With all arguments drawn. */
static void before_call(world *w)
{
    tn_text_free(w->written);
    w->written = NULL;
    if (w->depth > 0)
        return;
    w->asked = 0;
    w->status = TN_OK;
    w->target_size = tn_sim_state_size(w->target);
    tn_sim_save(w->target, w->before);
}

static void load_calls(void *context, tn_stage *stage);
static tn_status draw_calls(void *context, const tn_primitive *primitive);

#include "sequence_calls.h"

#define CALLS (int32_t)(sizeof calls / sizeof *calls)

static const struct call *any_call(world *w)
{
    const unsigned number_of = byte(&w->bytes) << 8 | byte(&w->bytes);
    return &calls[number_of % (unsigned)CALLS];
}

/* What is made inside a callback is of no use. */
static void discard(world *w)
{
    tn_recorder_destroy(w->made_tn_recorder);
    tn_batch_destroy(w->made_tn_batch);
    tn_sim_destroy(w->made_tn_sim);
    tn_model_destroy(w->made_tn_model);
    tn_spec_destroy(w->made_tn_spec);
    w->made_tn_recorder = NULL;
    w->made_tn_batch = NULL;
    w->made_tn_sim = NULL;
    w->made_tn_model = NULL;
    w->made_tn_spec = NULL;
}

/* From inside a step or a drawing: of the same table. */
static void call_inside(world *w, bool draws)
{
    const tn_status status = w->status;
    if (w->depth > 0)
        return;
    w->depth++;
    for (int k = pick(w, MOST_INSIDE + 1); k > 0 && w->bytes.at < w->bytes.end; k--) {
        const struct call *call = any_call(w);
        if ((!call->stage || w->stage) && (call->reads || !draws))
            call->function(w);
        discard(w);
    }
    w->depth--;
    w->status = status;
}

static void load_calls(void *context, tn_stage *stage)
{
    world *w = context;
    if (w->depth > 0)
        return;
    w->stage = stage;
    call_inside(w, false);
    w->stage = NULL;
}

static void motion_calls(void *context, double x, double out[3])
{
    world *w = context;
    out[0] = 0.1 * x;
    out[1] = 0.1;
    out[2] = 0.0;
    call_inside(w, false);
}

static tn_status draw_calls(void *context, const tn_primitive *primitive)
{
    world *w = context;
    fuzz_require(isfinite(primitive->pose.p.x + primitive->pose.q.w), "what is drawn has a place");
    call_inside(w, true);
    return TN_OK;
}

static int is_enough(void *context)
{
    world *w = context;
    return ++w->asked > MOST_ASKED;
}

/* Objects that the call has made take the places of others, whose dependents go first. */
static void adopt(world *w)
{
    if (w->made_tn_recorder) {
        tn_recorder_destroy(w->recorder);
        w->recorder = w->made_tn_recorder;
        w->made_tn_recorder = NULL;
    }
    if (w->made_tn_batch) {
        tn_recorder_destroy(w->recorder); /* it may be of a member */
        w->recorder = NULL;
        tn_batch_destroy(w->batch);
        w->batch = w->made_tn_batch;
        w->made_tn_batch = NULL;
    }
    if (w->made_tn_sim) {
        tn_recorder_destroy(w->recorder);
        tn_sim_destroy(w->sim);
        w->recorder = NULL;
        w->sim = w->made_tn_sim;
        w->made_tn_sim = NULL;
    }
    if (w->made_tn_spec) {
        tn_spec_destroy(w->spec);
        w->spec = w->made_tn_spec;
        w->made_tn_spec = NULL;
    }
}

/* Everything that lives on a model goes with it. */
static void leave_model(world *w)
{
    tn_recorder_destroy(w->recorder);
    tn_batch_destroy(w->batch);
    tn_sim_destroy(w->sim);
    tn_analysis_free(&w->analysis);
    tn_equations_free(&w->equations);
    tn_model_destroy(w->model);
    w->recorder = NULL;
    w->batch = NULL;
    w->sim = NULL;
    w->model = NULL;
}

static void enter_model(world *w, tn_model *model)
{
    leave_model(w);
    w->model = model;
    for (int k = 0; k < ARRAY; k++)
        w->models[k] = model;
    (void)tn_sim_create(model, NULL, NULL, &w->sim);
    (void)tn_batch_create(w->models, 1, MEMBERS, NULL, 1, NULL, &w->batch);
    if (w->sim)
        (void)tn_recorder_create(w->sim, NULL, &w->recorder);
}

static void check_state(const world *w)
{
    double *poses = room(w, 0);
    if (!w->sim)
        return;
    const int32_t count = 7 * tn_model_get_size(tn_sim_model(w->sim)).bodies;
    tn_sim_get_poses(w->sim, poses);
    for (int32_t k = 0; k < count; k++)
        fuzz_require(isfinite(poses[k]), "poses are numbers");
    fuzz_require(isfinite(tn_sim_time(w->sim)), "the time is a number");
}

static void require_undone(const world *w, const struct call *call)
{
    fuzz_require(tn_sim_state_size(w->target) == w->target_size, "the size of the state stays");
    tn_sim_save(w->target, w->after);
    if (w->target && memcmp(w->before, w->after, w->target_size) != 0) {
        fprintf(stderr, "violated: %s fails and changes the state\n", call->name);
        abort();
    }
}

static long made; /* calls of all sequences */

static void make_call(world *w)
{
    const struct call *call = any_call(w);
    if (call->stage)
        return;
    reserve(w);
    w->target = w->sim;
    if (getenv("TENON_SEQUENCE_TALK"))
        fprintf(stderr, "%s\n", call->name);
    call->function(w);
    made++;
    if (call->undone && w->status != TN_OK)
        require_undone(w, call);
    adopt(w);
    if (w->made_tn_model) {
        tn_model *model = w->made_tn_model;
        w->made_tn_model = NULL;
        enter_model(w, model);
    }
    check_state(w);
}

/* ---- sequences ---------------------------------------------------------------------------------------- */

static void ignore_assertion(const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
}

static void tell(void)
{
    fprintf(stderr, "%ld calls\n", made);
}

static glob_t examples;

static void prepare(void)
{
    if (examples.gl_pathc > 0)
        return;
    fuzz_require(glob(TN_EXAMPLES "/*.yaml", 0, NULL, &examples) == 0 &&
                     glob(TN_EXAMPLES "/joints/*.yaml", GLOB_APPEND, NULL, &examples) == 0,
                 "there are examples");
    fuzz_enter_folder();
    (void)atexit(tell);
    tn_set_assert_handler(ignore_assertion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
    world w = {.bytes = {data, data + size, 0}, .text = text};
    prepare();
    w.bytes.wild = byte(&w.bytes) % 4 == 0;
    w.path = examples.gl_pathv[byte(&w.bytes) % examples.gl_pathc];
    w.diags = tn_diagnostics_create();
    w.stream = fopen("/dev/null", "w");
    fuzz_require(tn_spec_read_file(w.path, NULL, &w.spec) == TN_OK, "an example is read");
    tn_model *model = NULL;
    fuzz_require(tn_model_compile(w.spec, NULL, &model) == TN_OK, "it compiles");
    enter_model(&w, model);
    tn_set_stop(is_enough, &w);
    alarm(SECONDS);
    for (int k = 0; k < MOST_CALLS && w.bytes.at < w.bytes.end; k++)
        make_call(&w);
    alarm(0);
    tn_set_stop(NULL, NULL);
    leave_model(&w);
    tn_text_free(w.written);
    tn_spec_destroy(w.spec);
    tn_diagnostics_destroy(w.diags);
    fclose(w.stream);
    free(w.block);
    free(w.before);
    free(w.after);
    return 0;
}
