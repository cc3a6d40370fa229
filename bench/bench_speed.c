/* bench_speed: what a step of one mechanism costs, as one line of JSON; the instrument of
 * bench/speed.
 *
 * The state is saved, the same steps are taken again and again from it, and the least CPU time
 * counts: other programs run on the machine too. Under valgrind --tool=callgrind
 * --toggle-collect=tn_sim_step the instructions of the steps alone are counted, with REPEATS 1 of
 * these steps only.
 *
 *     bench_speed                                    what there is
 *     bench_speed SCENE N [INTEGRATOR [STEPS [REPEATS [STEP_IN_S [START_IN_S [THREADS]]]]]]
 *     bench_speed SCENE N write FILE                 the model, for other engines
 *     bench_speed SCENE N error                      distance of a marker from the truth, m
 *
 * N = 0: the example's own size. START: simulated before the measured steps. THREADS: of them the least time by the
 * clock counts, in turn with one thread in the same run, and the speed-up is told.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenes/scenes.h"
#include "tenon/io.h"

#define JOINT_STEPS 2e5 /* joints x steps of a repetition where nobody says: a quarter second */
#define MOST_STEPS  200
#define REPEATS     7

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double heap_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static void stop(const char *what, tn_status status)
{
    fprintf(stderr, "bench_speed: %s: %s\n", what, tn_status_text(status));
    exit(1);
}

typedef struct plan {
    const speed_scene *scene;
    int32_t n;
    tn_integrator integrator;
    int32_t steps, repeats;
    double step, start; /* s */
    int32_t threads;
} plan;

/* What was measured; counts of one repetition. */
typedef struct outcome {
    double compile, create; /* s */
    double model_bytes, sim_bytes;
    double seconds; /* the least of a repetition, by one thread */
    double shared;  /* s, likewise by several, and by the clock */
    double first;   /* s, CPU time of the very first step */
    double iterations, factorizations, solves, events, halvings, fallbacks;
    double position, angle; /* m, rad: largest error of a joint at the end */
} outcome;

static tn_sim *make_sim(const plan *p, const tn_model *model)
{
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = p->integrator;
    tn_sim *sim = NULL;
    const tn_status status = tn_sim_create(model, &options, NULL, &sim);
    if (status != TN_OK)
        stop("create", status);
    return sim;
}

static void step_once(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_status status = tn_sim_step(sim, h, report);
    if (status != TN_OK)
        stop("step", status);
}

static void take_steps(const plan *p, tn_sim *sim, int count_them, outcome *out)
{
    for (int32_t k = 0; k < p->steps; k++) {
        tn_step_report report;
        step_once(sim, p->step, &report);
        if (!count_them)
            continue;
        out->iterations += report.iterations;
        out->factorizations += report.factorizations;
        out->solves += report.solves;
        out->events += report.events;
        out->halvings += report.halvings;
        out->fallbacks += report.fallbacks;
        out->position = fmax(out->position, report.position_error);
        out->angle = fmax(out->angle, report.angle_error);
    }
}

/* The same steps by threads, from the state saved; `end`: where one thread has come to, in all bits. */
static double share_steps(const plan *p, tn_sim *sim, const void *begin, const void *end)
{
    const size_t size = tn_sim_state_size(sim);
    void *own = malloc(size);
    tn_sim_restore(sim, begin);
    tn_sim_set_threads(sim, p->threads);
    const double before = seconds_of(CLOCK_MONOTONIC);
    take_steps(p, sim, 0, NULL);
    const double taken = seconds_of(CLOCK_MONOTONIC) - before;
    tn_sim_set_threads(sim, 1);
    tn_sim_save(sim, own);
    if (memcmp(own, end, size) != 0) {
        fprintf(stderr, "bench_speed: threads have other bits\n");
        exit(1);
    }
    free(own);
    return taken;
}

static void repeat_steps(const plan *p, tn_sim *sim, outcome *out)
{
    const size_t size = tn_sim_state_size(sim);
    void *begin = malloc(size), *end = malloc(size);
    tn_sim_save(sim, begin);
    out->seconds = out->shared = INFINITY;
    for (int32_t r = 0; r < p->repeats; r++) {
        if (r > 0)
            tn_sim_restore(sim, begin);
        const double before = cpu_seconds();
        take_steps(p, sim, r == 0, out);
        out->seconds = fmin(out->seconds, cpu_seconds() - before);
        if (p->threads < 2)
            continue;
        tn_sim_save(sim, end);
        out->shared = fmin(out->shared, share_steps(p, sim, begin, end));
    }
    free(begin);
    free(end);
}

static tn_model *compile(const plan *p, outcome *out)
{
    tn_spec *spec = p->scene->make(p->n);
    tn_model *model = NULL;
    if (!spec)
        stop(p->scene->name, TN_ERROR_IO);
    const double bytes = heap_bytes(), before = cpu_seconds();
    const tn_status status = tn_model_compile(spec, NULL, &model);
    out->compile = cpu_seconds() - before;
    out->model_bytes = heap_bytes() - bytes;
    if (status != TN_OK)
        stop("compile", status);
    tn_spec_destroy(spec);
    return model;
}

static void print(const plan *p, const tn_model *model, const outcome *o)
{
    const double joints = tn_model_get_size(model).joints, n = p->steps;
    printf("{\"scene\": \"%s\", \"n\": %d, \"integrator\": \"%s\", \"h\": %g, \"joints\": %g, "
           "\"steps\": %d, \"us_step\": %.5g, \"us_joint\": %.4g, \"iterations\": %.4g, "
           "\"factorizations\": %.4g, \"solves\": %.4g, \"events\": %.4g, \"halvings\": %.4g, "
           "\"fallbacks\": %.4g, \"closed_m\": %.2g, \"closed_rad\": %.2g, \"model_bytes\": %.0f, "
           "\"sim_bytes\": %.0f, \"compile_ms\": %.4g, \"create_ms\": %.4g, \"first_ms\": %.4g",
           p->scene->name, p->n, tn_integrator_name(p->integrator), p->step, joints, p->steps,
           1e6 * o->seconds / n, 1e6 * o->seconds / n / joints, o->iterations / n,
           o->factorizations / n, o->solves / n, o->events / n, o->halvings / n, o->fallbacks / n,
           o->position, o->angle, o->model_bytes / joints, o->sim_bytes / joints, 1e3 * o->compile,
           1e3 * o->create, 1e3 * o->first);
    if (p->threads > 1)
        printf(", \"threads\": %d, \"us_joint_shared\": %.4g, \"speed_up\": %.3g", p->threads,
               1e6 * o->shared / n / joints, o->seconds / o->shared);
    printf("}\n");
}

static void measure(plan *p)
{
    outcome out = {0};
    tn_model *model = compile(p, &out);
    const double joints = tn_model_get_size(model).joints;
    if (p->steps <= 0)
        p->steps = (int32_t)fmin(fmax(JOINT_STEPS / joints, 1.0), MOST_STEPS);
    const double bytes = heap_bytes(), before = cpu_seconds();
    tn_sim *sim = make_sim(p, model);
    out.create = cpu_seconds() - before;
    out.sim_bytes = heap_bytes() - bytes;
    const int32_t early = (int32_t)lround(p->start / p->step);
    for (int32_t k = 0; k < early; k++) {
        const double first = cpu_seconds();
        step_once(sim, p->step, NULL);
        if (k == 0)
            out.first = cpu_seconds() - first;
    }
    repeat_steps(p, sim, &out);
    print(p, model, &out);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

static void measure_error(const plan *p)
{
    const speed_truth *truth = speed_truth_of(p->scene->name, p->n);
    if (!truth) {
        printf("{}\n");
        return;
    }
    outcome ignored = {0};
    tn_model *model = compile(p, &ignored);
    tn_sim *sim = make_sim(p, model);
    tn_marker marker = {0};
    if (truth->marker)
        tn_model_find_marker(model, truth->marker, &marker);
    for (int32_t k = (int32_t)lround(truth->time / p->step); k > 0; k--)
        step_once(sim, p->step, NULL);
    const tn_vec3 at = tn_sim_marker_position(sim, marker);
    printf("{\"scene\": \"%s\", \"n\": %d, \"t\": %g, \"error_m\": %.2e}\n", p->scene->name, p->n,
           truth->time,
           sqrt(pow(at.x - truth->at[0], 2) + pow(at.y - truth->at[1], 2) +
                pow(at.z - truth->at[2], 2)));
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

static void write_model(const plan *p, const char *path)
{
    tn_spec *spec = p->scene->make(p->n);
    if (!spec || tn_spec_write_file(spec, path, NULL) != TN_OK)
        stop(path, TN_ERROR_IO);
    tn_spec_destroy(spec);
}

static void list_scenes(void)
{
    for (int k = 0; speed_scene_at(k); k++)
        printf("%s\t%s\n", speed_scene_at(k)->name, speed_scene_at(k)->what);
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        list_scenes();
        return 0;
    }
    const speed_scene *scene = speed_scene_find(argv[1]);
    if (!scene || argc < 3) {
        fprintf(stderr, "usage: bench_speed SCENE N [INTEGRATOR | error | write FILE ...]\n");
        return 3;
    }
    plan p = {scene, atoi(argv[2]), TN_GENERALIZED_ALPHA, 0, REPEATS, scene->step, scene->start, 1};
    const char *word = argc > 3 ? argv[3] : tn_integrator_name(TN_GENERALIZED_ALPHA);
    if (strcmp(word, "write") == 0 && argc > 4) {
        write_model(&p, argv[4]);
    } else if (strcmp(word, "error") == 0) {
        measure_error(&p);
    } else {
        for (int i = 0; i < TN_INTEGRATOR_COUNT; i++)
            if (strcmp(word, tn_integrator_name((tn_integrator)i)) == 0)
                p.integrator = (tn_integrator)i;
        p.steps = argc > 4 ? atoi(argv[4]) : p.steps;
        p.repeats = argc > 5 ? atoi(argv[5]) : p.repeats;
        p.step = argc > 6 ? strtod(argv[6], NULL) : p.step;
        p.start = argc > 7 ? strtod(argv[7], NULL) : p.start;
        p.threads = argc > 8 ? atoi(argv[8]) : p.threads;
        measure(&p);
    }
    return 0;
}
