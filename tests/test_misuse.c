/* test_misuse.c: every public function with every argument wrong in turn: null pointers, indices of
 * nothing or of another model, numbers that are none, counts below zero, empty definitions. Nothing
 * crashes, nothing hangs, and the simulation goes on afterwards. The calls are made from the headers
 * by scripts/make_misuse.py; they run in a child process, which is started again after a crash.
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/run_main.h"
#include "tenon/io.h"
#include "tenon/record.h"
#include "tenon/tenon.h"

#define MOST_ARGUMENTS 12
#define ROOM           65536 /* bytes behind a pointer */
#define SECONDS        20    /* of a call, on a busy machine */

/* What is right: made anew for every case. */
struct good {
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
    tn_diagnostics *diags;
    tn_recorder *recorder;
    tn_batch *batch;
    tn_stage *stage;
    const tn_shape_parameter *parameter;
    tn_analysis analysis;
    FILE *stream;
};

struct call {
    const char *name;
    void (*function)(struct good *good, const int *choice);
    int arguments;
    int choices[MOST_ARGUMENTS];
    int in_stage; /* only within a load's callback */
    int reads;    /* a simulation, and does not change it */
};

/* A call with the id of something that was removed, or of another model: is it refused? */
struct refusal {
    const char *name;
    bool (*refuses)(struct good *good, const int *choice);
    int argument, choice;
    int report; /* argument that may be written: it tells of the refusal; -1: none */
    int in_stage;
};

/* What changes a simulation, or a batch: is it refused from inside the step? */
struct change {
    const char *name;
    bool (*refused)(struct good *good, const int *choice);
    int batch;
};

/* Everywhere the second of its kind. */
#define REMOVED 1
/* What ids of nothing here tell of what they name. */
#define FOREIGN 0x5eed5eedu

static unsigned char rooms[MOST_ARGUMENTS][ROOM] __attribute__((aligned(16)));

static void *room(int argument)
{
    return rooms[argument];
}

static const void *nothing(void)
{
    static const unsigned char zeros[ROOM] __attribute__((aligned(16)));
    return zeros;
}

/* What is handed out is there. */
static void touch(const void *answer)
{
    static volatile unsigned char read;
    if (answer)
        read = *(const unsigned char *)answer;
    (void)read;
}

static tn_status draw_nothing(void *context, const tn_primitive *primitive)
{
    (void)context;
    (void)primitive;
    return TN_OK;
}

static void load_nothing(void *context, tn_stage *stage)
{
    (void)context;
    (void)stage;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#include "misuse_calls.h"
#pragma GCC diagnostic pop

#define CALLS (int)(sizeof calls / sizeof *calls)

static const char model_text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  a: {position: [1, 0, 0], mass: 1, inertia: [1, 1, 1], shapes: [sphere: {radius: 0.1}]}\n"
    "  gone: {position: [3, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {position: [2, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0],\n"
    "      motor: {theta: {speed: 1, max_force: 1}}}\n"
    "  gone: {type: hinge, a: gone, b: b, origin: [3, 0, 0], axis: [0, 1, 0]}\n"
    "  k: {type: universal, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0]}\n"
    "couplings: {c: {terms: [{coordinate: j.theta}, {coordinate: k.roll}]},\n"
    "            gone_too: {terms: [{coordinate: j.theta}, {coordinate: gone.theta}]}}\n"
    "markers: {m: {body: a, position: [1, 0, 0]}, gone: {body: gone}}\n"
    "loads: {f: {body: a, force: [1, 0, 0]}, gone: {body: gone, force: [1, 0, 0]}}\n"
    "measures: {v: {marker: m, quantity: velocity}, gone: {marker: gone, quantity: velocity}}\n";

static void ignore_assertion(const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
}

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "violated: %s\n", what);
        abort();
    }
}

static void make(struct good *good)
{
    const tn_record_def record = tn_default_record_def();
    memset(good, 0, sizeof *good);
    memset(rooms, 0, sizeof rooms);
    good->diags = tn_diagnostics_create();
    tn_diagnostics_add(good->diags, TN_NOTE, TN_OK, (tn_location){"good", 1, 1}, "a hint",
                       "a note");
    tn_status status =
        tn_spec_read_string(model_text, sizeof model_text - 1, "good", good->diags, &good->spec);
    if (status != TN_OK)
        tn_diagnostics_print(good->diags, stderr, model_text, sizeof model_text - 1);
    require(status == TN_OK, "the good model reads");
    require(tn_spec_remove_body(good->spec, (tn_body){REMOVED}) == TN_OK, "all that is gone goes");
    require(tn_model_compile(good->spec, NULL, &good->model) == TN_OK, "it compiles");
    require(tn_sim_create(good->model, NULL, NULL, &good->sim) == TN_OK, "it starts");
    require(tn_model_analyze(good->model, NULL, &good->analysis) == TN_OK, "it is analysed");
    require(tn_recorder_create(good->sim, &record, &good->recorder) == TN_OK, "it is recorded");
    const tn_model *model = good->model;
    require(tn_batch_create(&model, 1, 2, NULL, 1, NULL, &good->batch) == TN_OK, "many start");
    require(tn_sim_state_size(good->sim) <= ROOM, "a state has room");
    tn_sim_save(good->sim, rooms[1]);
    good->parameter = tn_shape_kind_get((tn_shape_kind)0)->parameters;
    good->stream = fopen("/dev/null", "w");
}

static void unmake(struct good *good)
{
    tn_recorder_destroy(good->recorder);
    tn_batch_destroy(good->batch);
    tn_sim_destroy(good->sim);
    tn_analysis_free(&good->analysis);
    tn_model_destroy(good->model);
    tn_spec_destroy(good->spec);
    tn_diagnostics_destroy(good->diags);
    fclose(good->stream);
}

/* What the call destroyed must not be touched again. */
static void forget(struct good *good, const char *name, const int *choice)
{
    if (choice[0] != 0)
        return;
    if (!strcmp(name, "tn_spec_destroy"))
        good->spec = NULL;
    if (!strcmp(name, "tn_model_destroy")) {
        good->model = NULL; /* those that live on it are left behind */
        good->sim = NULL;
        good->recorder = NULL;
        good->batch = NULL;
    }
    if (!strcmp(name, "tn_sim_destroy")) {
        good->sim = NULL;
        good->recorder = NULL;
    }
    if (!strcmp(name, "tn_diagnostics_destroy"))
        good->diags = NULL;
    if (!strcmp(name, "tn_batch_destroy"))
        good->batch = NULL;
    if (!strcmp(name, "tn_recorder_destroy"))
        good->recorder = NULL;
    if (!strcmp(name, "tn_analysis_free"))
        memset(&good->analysis, 0, sizeof good->analysis);
}

/* A case within a load's callback. */
typedef struct visit {
    struct good *good;
    const struct call *call;
    const int *choice;
} visit;

static void call_in_stage(void *context, tn_stage *stage)
{
    const visit *v = context;
    v->good->stage = stage;
    v->call->function(v->good, v->choice);
}

static void run_case(const struct call *call, const int *choice)
{
    struct good good;
    make(&good);
    visit v = {&good, call, choice};
    if (call->in_stage) {
        require(tn_sim_set_load_callback(good.sim, call_in_stage, &v) == TN_OK, "callbacks");
        tn_sim_step(good.sim, 1e-3, NULL);
        require(tn_sim_set_load_callback(good.sim, NULL, NULL) == TN_OK, "no callbacks");
    } else {
        call->function(&good, choice);
    }
    forget(&good, call->name, choice);
    double poses[21];
    if (good.sim && tn_sim_step(good.sim, 1e-3, NULL) == TN_OK) {
        tn_sim_get_poses(good.sim, poses);
        for (int i = 0; i < 21; i++)
            require(isfinite(poses[i]), "poses are numbers");
    }
    unmake(&good);
}

/* A stale id, within a load's callback. */
typedef struct stale_visit {
    struct good *good;
    const struct refusal *call;
    const int *choice;
    bool refused;
} stale_visit;

static void refuse_in_stage(void *context, tn_stage *stage)
{
    stale_visit *v = context;
    v->good->stage = stage;
    v->refused = v->call->refuses(v->good, v->choice);
}

static bool is_refused(const struct refusal *call)
{
    static unsigned char before[MOST_ARGUMENTS][ROOM];
    struct good good;
    int choice[MOST_ARGUMENTS] = {0};
    make(&good);
    choice[call->argument] = call->choice;
    memcpy(before, rooms, sizeof before);
    stale_visit v = {&good, call, choice, false};
    if (call->in_stage) {
        require(tn_sim_set_load_callback(good.sim, refuse_in_stage, &v) == TN_OK, "callbacks");
        tn_sim_step(good.sim, 1e-3, NULL);
    } else {
        v.refused = call->refuses(&good, choice);
    }
    unmake(&good);
    if (call->report >= 0)
        memcpy(before[call->report], rooms[call->report], ROOM);
    return v.refused && memcmp(before, rooms, sizeof before) == 0;
}

/* Where the child is: shared, so that its parent knows where it fell. */
typedef struct place {
    int call, argument, choice;
    long cases;
    int finished;
} place;

static void go_on(place *at)
{
    tn_set_assert_handler(ignore_assertion);
    for (; at->call < CALLS; at->call++, at->argument = 0, at->choice = 0) {
        const struct call *call = &calls[at->call];
        for (; at->argument < call->arguments; at->argument++, at->choice = 1) {
            for (; at->choice < call->choices[at->argument]; at->choice++) {
                int choice[MOST_ARGUMENTS] = {0};
                choice[at->argument] = at->choice;
                at->cases++;
                alarm(SECONDS);
                run_case(call, choice);
            }
        }
    }
    at->finished = 1;
    _exit(0);
}

START_TEST(every_argument_wrong)
{
    place *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int crashes = 0;
    ck_assert(at != MAP_FAILED);
    while (!at->finished) {
        const pid_t child = fork();
        ck_assert(child >= 0);
        if (child == 0)
            go_on(at);
        int ended = 0;
        ck_assert_int_eq(waitpid(child, &ended, 0), child);
        if (at->finished)
            break;
        crashes++;
        fprintf(stderr, "%s: argument %d, choice %d: %s %d\n", calls[at->call].name, at->argument,
                at->choice, WIFSIGNALED(ended) ? "signal" : "exit",
                WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
        at->choice++;
    }
    printf("misuse: %d functions, %ld wrong calls, %d crashes\n", CALLS, at->cases, crashes);
    ck_assert_int_gt(at->cases, 1000);
    ck_assert_int_eq(crashes, 0);
    munmap(at, sizeof *at);
}
END_TEST

/* What was removed: every public call that takes its id says so, and writes nothing. */
START_TEST(stale_ids_are_refused)
{
    const int count = (int)(sizeof refusals / sizeof *refusals);
    int taken = 0;
    tn_set_assert_handler(ignore_assertion);
    for (int k = 0; k < count; k++)
        if (!is_refused(&refusals[k]))
            taken += fprintf(stderr, "%s: argument %d, choice %d\n", refusals[k].name,
                             refusals[k].argument, refusals[k].choice) > 0;
    printf("stale ids: %d calls, %d taken\n", count, taken);
    ck_assert_int_eq(taken, 0);
    ck_assert_int_gt(count, 80);
}
END_TEST

/* ---- from inside a step ---- */

typedef struct insider {
    struct good *good;
    int batch;
    long calls, taken;
} insider;

static void change_all(insider *in)
{
    const int none[MOST_ARGUMENTS] = {0};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        if (changes[k].batch != in->batch)
            continue;
        in->calls++;
        if (!changes[k].refused(in->good, none))
            in->taken += fprintf(stderr, "%s: was taken from inside a step\n", changes[k].name) > 0;
    }
}

static void change_in_load(void *context, tn_stage *stage)
{
    (void)stage;
    change_all(context);
}

static void change_in_motion(void *context, double x, double *out)
{
    out[0] = x;
    out[1] = 1.0;
    out[2] = 0.0;
    change_all(context);
}

/* Every public call that changes a simulation, out of a load and out of a given motion, in each
 * integrator: refused, and the step is as if they had not been made. */
START_TEST(changes_from_inside_a_step_are_refused)
{
    tn_set_assert_handler(ignore_assertion);
    for (int integrator = 0; integrator < TN_INTEGRATOR_COUNT; integrator++) {
        struct good good;
        make(&good);
        insider in = {&good, 0, 0, 0};
        const tn_function_def motion = {
            .kind = TN_FUNCTION_CALLBACK, .callback = change_in_motion, .context = &in};
        tn_sim_options options = tn_default_sim_options(good.model);
        options.integrator = (tn_integrator)integrator;
        tn_sim *other = good.sim;
        ck_assert_int_eq(tn_sim_create(good.model, &options, NULL, &good.sim), TN_OK);
        ck_assert_int_eq(tn_sim_set_motor(good.sim, (tn_joint){0}, 0, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_set_driver(good.sim, (tn_joint){0}, 0, &motion), TN_OK);
        ck_assert_int_eq(tn_sim_set_load_callback(good.sim, change_in_load, &in), TN_OK);
        in.calls = 0;
        ck_assert_int_eq(tn_sim_step(good.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_gt(in.calls, 80);
        ck_assert_int_eq(in.taken, 0);
        ck_assert_double_eq_tol(tn_sim_time(good.sim), 1e-3, 1e-15);
        ck_assert_int_eq(tn_sim_set_driver(good.sim, (tn_joint){0}, 0, NULL), TN_OK);
        tn_sim_destroy(good.sim);
        good.sim = other;
        unmake(&good);
    }
}
END_TEST

START_TEST(changes_from_inside_a_batch_are_refused)
{
    struct good good;
    tn_set_assert_handler(ignore_assertion);
    make(&good);
    insider in = {&good, 1, 0, 0};
    ck_assert_int_eq(tn_sim_set_load_callback(tn_batch_sim(good.batch, 0), change_in_load, &in),
                     TN_OK);
    ck_assert_int_eq(tn_batch_step(good.batch, 1e-3, 1, NULL, NULL), TN_OK);
    ck_assert_int_gt(in.calls, 3);
    ck_assert_int_eq(in.taken, 0);
    ck_assert_int_eq(tn_batch_step(good.batch, 1e-3, 100000000, NULL, NULL), TN_ERROR_WORK);
    tn_batch *many = NULL;
    const tn_model *model = good.model;
    ck_assert_int_eq(tn_batch_create(&model, 1, 1000000000, NULL, 1, NULL, &many), TN_ERROR_MEMORY);
    ck_assert_ptr_null(many);
    unmake(&good);
}
END_TEST

/* What only reads a simulation. */
static void read_all(insider *in)
{
    const int none[MOST_ARGUMENTS] = {0};
    for (int k = 0; k < CALLS; k++) {
        if (calls[k].reads) {
            calls[k].function(in->good, none);
            in->calls++;
        }
    }
}

static void read_in_load(void *context, tn_stage *stage)
{
    (void)stage;
    if (context)
        read_all(context);
}

/* The state after some steps with loads that read all there is to be read, and with loads that do not. */
START_TEST(reading_from_inside_a_step_changes_nothing)
{
    static unsigned char states[2][ROOM];
    tn_set_assert_handler(ignore_assertion);
    for (int integrator = 0; integrator < TN_INTEGRATOR_COUNT; integrator++) {
        for (int reads = 0; reads < 2; reads++) {
            struct good good;
            make(&good);
            insider in = {&good, 0, 0, 0};
            tn_sim_options options = tn_default_sim_options(good.model);
            options.integrator = (tn_integrator)integrator;
            tn_sim *other = good.sim;
            ck_assert_int_eq(tn_sim_create(good.model, &options, NULL, &good.sim), TN_OK);
            ck_assert_int_eq(tn_sim_set_load_callback(good.sim, read_in_load, reads ? &in : NULL),
                             TN_OK);
            for (int k = 0; k < 3; k++)
                ck_assert_int_eq(tn_sim_step(good.sim, 1e-3, NULL), TN_OK);
            memset(states[reads], 0, ROOM);
            tn_sim_save(good.sim, states[reads]);
            ck_assert(reads == 0 || in.calls > 50);
            tn_sim_destroy(good.sim);
            good.sim = other;
            unmake(&good);
        }
        ck_assert_msg(memcmp(states[0], states[1], ROOM) == 0, "integrator %d", integrator);
    }
}
END_TEST

static void step_another(void *context, tn_stage *stage)
{
    (void)stage;
    tn_sim *other = context;
    ck_assert_int_eq(tn_sim_advance(other, tn_sim_time(other) + 1e-3, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_apply_effort(other, (tn_joint){0}, 0, 1.0), TN_OK);
}

/* Co-simulation: another simulation may be changed from there, and stepped. */
START_TEST(another_simulation_may_be_changed)
{
    struct good good;
    make(&good);
    tn_sim *other = NULL;
    ck_assert_int_eq(tn_sim_create(good.model, NULL, NULL, &other), TN_OK);
    ck_assert_int_eq(tn_sim_set_load_callback(good.sim, step_another, other), TN_OK);
    ck_assert_int_eq(tn_sim_step(good.sim, 1e-3, NULL), TN_OK);
    ck_assert_double_gt(tn_sim_time(other), 0.0);
    tn_sim_destroy(other);
    unmake(&good);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("misuse");
    TCase *tests = tcase_create("wrong arguments");
    tcase_add_test(tests, every_argument_wrong);
    tcase_add_test(tests, stale_ids_are_refused);
    tcase_add_test(tests, changes_from_inside_a_step_are_refused);
    tcase_add_test(tests, changes_from_inside_a_batch_are_refused);
    tcase_add_test(tests, reading_from_inside_a_step_changes_nothing);
    tcase_add_test(tests, another_simulation_may_be_changed);
    suite_add_tcase(suite, tests);
    return suite;
}
