/* bench.c: runs one engine on one scene and measures it, the same way for all.
 *
 * Ten seconds; CPU time is taken inside the step calls only. Every hundredth of a second the
 * bodies are read back, and from their poses and velocities alone, in double precision, come
 *     separation  largest distance of the two halves of a hinge's centre, and angle of its axes
 *     drift       largest departure of kinetic plus potential energy from its value at the start
 *     fold        the two bodies that must stay parallel are not (planar linkages at their flat
 *                 pose can change over to another motion)
 *     error       largest distance of the tip from the reference, where that has a sample
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"

#define DURATION     10.0 /* s */
#define SAMPLE       0.01 /* s between looks at the bodies */
#define FOLDED       0.1  /* rad between bodies that must stay parallel: another motion */
#define PATIENCE     60.0 /* s of CPU time, after which a run is stopped and says so */
#define LOST         1.0  /* m of separation: the mechanism has come apart, go no further */
#define MOST_SAMPLES 1024

typedef struct scene_entry {
    const char *name;
    const char *file;    /* model */
    const char *marker;  /* its tip */
    const char *truth;   /* CSV with a header: t, ... */
    int column[3];       /* of the tip in it; -1: not compared */
    const char *twin[2]; /* bodies that stay parallel; NULL: none */
} scene_entry;

static const scene_entry scenes[] = {
    {"four_bar",
     PEERS_EXAMPLES "/four_bar_hard.yaml",
     "corner",
     PEERS_DATA "/four_bar_corner.csv",
     {1, -1, 2},
     {"link1", "link3"}},
    {"bricard",
     PEERS_EXAMPLES "/bricard.yaml",
     "J4",
     PEERS_TRUTH "/A04.csv",
     {7, 8, 9},
     {NULL, NULL}},
    {"n_four_bar_1",
     PEERS_MODELS "/n_four_bar_1.yaml",
     "first",
     PEERS_TRUTH "/A02_N1.csv",
     {1, 2, -1},
     {"crank0", "crank1"}},
    {"n_four_bar_40",
     PEERS_EXAMPLES "/n_four_bar_40.yaml",
     "first",
     PEERS_TRUTH "/A02_N40.csv",
     {1, 2, -1},
     {"crank0", "crank40"}},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

typedef struct truth {
    int count;
    double t[MOST_SAMPLES];
    double p[MOST_SAMPLES][3];
} truth;

typedef struct measure {
    double error, separation, tilt, drift; /* m, m, rad, J: the largest so far */
    double energy;                         /* J at the start */
    double seconds;                        /* CPU time of all steps */
    double time;                           /* s simulated */
    double folded;                         /* s at which twins first were not parallel, or -1 */
    char what[80];                         /* "" if nothing went wrong */
} measure;

static bool read_truth(const scene_entry *entry, truth *out)
{
    FILE *file = fopen(entry->truth, "r");
    char line[4096];
    out->count = -1; /* the header */
    while (file != NULL && out->count < MOST_SAMPLES && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        char *at = line;
        for (int column = 0; out->count >= 0 && *at != '\0' && *at != '\n'; column++) {
            const double value = strtod(at, &at);
            at += *at == ',';
            if (column == 0)
                out->t[out->count] = value;
            for (int i = 0; i < 3; i++)
                if (entry->column[i] == column)
                    out->p[out->count][i] = value;
        }
        out->count++;
    }
    if (file != NULL)
        fclose(file);
    if (out->count < 1)
        fprintf(stderr, "peers: cannot read %s\n", entry->truth);
    return out->count >= 1;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* at: in the body's axes as at the start */
static void point_of(const engine_motion *m, const double at[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m->p[i] + m->r[i][0] * at[0] + m->r[i][1] * at[1] + m->r[i][2] * at[2];
}

static const engine_motion still = {.r = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void hinge_half(const scene *s, const engine_motion *all, int body, const scene_hinge *hinge,
                       double point[3], double axis[3])
{
    const engine_motion *m = body == SCENE_GROUND ? &still : &all[body];
    engine_motion turn = *m;
    double at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = hinge->p[i] - (body == SCENE_GROUND ? 0.0 : s->body[body].p[i]);
        turn.p[i] = 0.0;
    }
    point_of(m, at, point);
    point_of(&turn, hinge->axis, axis);
}

static void measure_hinges(const scene *s, const engine_motion *all, measure *m)
{
    for (int k = 0; k < s->hinge_count; k++) {
        double pa[3], pb[3], za[3], zb[3];
        hinge_half(s, all, s->hinge[k].a, &s->hinge[k], pa, za);
        hinge_half(s, all, s->hinge[k].b, &s->hinge[k], pb, zb);
        const double apart[3] = {pa[0] - pb[0], pa[1] - pb[1], pa[2] - pb[2]};
        const double cross[3] = {za[1] * zb[2] - za[2] * zb[1], za[2] * zb[0] - za[0] * zb[2],
                                 za[0] * zb[1] - za[1] * zb[0]};
        m->separation = fmax(m->separation, length(apart));
        m->tilt = fmax(m->tilt, length(cross));
    }
}

static double energy_of(const scene *s, const engine_motion *all)
{
    double sum = 0.0;
    for (int k = 0; k < s->body_count; k++) {
        const scene_body *body = &s->body[k];
        const engine_motion *m = &all[k];
        for (int i = 0; i < 3; i++) {
            const double w = m->r[0][i] * m->w[0] + m->r[1][i] * m->w[1] + m->r[2][i] * m->w[2];
            sum += 0.5 * body->mass * m->v[i] * m->v[i] + 0.5 * body->inertia[i] * w * w -
                   body->mass * s->gravity[i] * m->p[i];
        }
    }
    return sum;
}

/* Angle between the orientations of two bodies, both the identity at the start. */
static double twist_between(const engine_motion *a, const engine_motion *b)
{
    double trace = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            trace += a->r[i][j] * b->r[i][j];
    return acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0))));
}

static void compare_tip(const scene *s, const scene_entry *entry, const truth *reference,
                        const engine_motion *all, measure *m)
{
    double tip[3], off[3] = {0};
    point_of(&all[s->tip], s->tip_at, tip);
    for (int k = 0; k < reference->count; k++) {
        if (fabs(reference->t[k] - m->time) > 1e-6)
            continue;
        for (int i = 0; i < 3; i++)
            off[i] = entry->column[i] < 0 ? 0.0 : tip[i] - reference->p[k][i];
        m->error = fmax(m->error, length(off));
    }
}

static bool all_finite(const engine_motion *all, int count)
{
    const double *value = (const double *)all;
    for (size_t i = 0; i < (size_t)count * sizeof *all / sizeof *value; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

/* One look at the bodies; false when there is no point in going on. */
static bool look(const engine *e, void *running, const scene *s, const scene_entry *entry,
                 const truth *reference, engine_motion *all, measure *m)
{
    if (e->refresh != NULL)
        e->refresh(running);
    for (int k = 0; k < s->body_count; k++)
        e->body(running, k, &all[k]);
    if (!all_finite(all, s->body_count)) {
        snprintf(m->what, sizeof m->what, "NaN at %.2f s", m->time);
        return false;
    }
    const double energy = energy_of(s, all);
    if (m->time == 0.0)
        m->energy = energy;
    m->drift = fmax(m->drift, fabs(energy - m->energy));
    measure_hinges(s, all, m);
    compare_tip(s, entry, reference, all, m);
    if (entry->twin[0] != NULL && m->folded < 0.0 &&
        twist_between(&all[scene_find(s, entry->twin[0])], &all[scene_find(s, entry->twin[1])]) >
            FOLDED)
        m->folded = m->time;
    if (m->separation > LOST)
        snprintf(m->what, sizeof m->what, "comes apart at %.2f s", m->time);
    return m->separation <= LOST;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void simulate(const engine *e, const char *setting, const scene *s, const scene_entry *entry,
                     const truth *reference, double h, measure *m)
{
    engine_motion *all = calloc((size_t)s->body_count, sizeof *all);
    void *running = e->create(s, setting, h);
    const int steps = (int)lround(SAMPLE / h), samples = (int)lround(DURATION / SAMPLE);
    bool good = running != NULL && all != NULL && steps >= 1;
    snprintf(m->what, sizeof m->what, "%s", good ? "" : "cannot be built");
    good = good && look(e, running, s, entry, reference, all, m);
    for (int sample = 1; good && sample <= samples; sample++) {
        const double before = cpu_seconds();
        const char *trouble = NULL;
        for (int i = 0; i < steps && trouble == NULL; i++)
            trouble = e->step(running, h);
        m->seconds += cpu_seconds() - before;
        m->time = sample * SAMPLE;
        if (trouble != NULL)
            snprintf(m->what, sizeof m->what, "%s at %.2f s", trouble, m->time);
        good = trouble == NULL && look(e, running, s, entry, reference, all, m);
        if (good && m->seconds > PATIENCE && sample < samples) {
            snprintf(m->what, sizeof m->what, "stopped at %.2f s: too slow", m->time);
            good = false;
        }
    }
    if (running != NULL)
        e->destroy(running);
    free(all);
}

#define WARM_UP 20 /* steps: first touches of memory are not the price of a step */

#define MOST_BLOCKS 1000

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NAME time FILE SETTING STEP STEPS REPEATS: the least CPU time of so many blocks of steps, us for
 * a step, and the median. */
static int time_steps(const engine *e, char **argv)
{
    const double h = strtod(argv[4], NULL);
    const long steps = strtol(argv[5], NULL, 10), repeats = strtol(argv[6], NULL, 10);
    scene *s = scene_read(argv[2], NULL);
    void *running = s != NULL && h > 0.0 && steps > 0 && repeats > 0 && repeats <= MOST_BLOCKS
                        ? e->create(s, argv[3], h)
                        : NULL;
    const char *trouble = running == NULL ? "cannot be built" : NULL;
    double blocks[MOST_BLOCKS]; /* s */
    for (long k = 0; k < WARM_UP && trouble == NULL; k++)
        trouble = e->step(running, h);
    for (long r = 0; r < repeats && trouble == NULL; r++) {
        const double before = cpu_seconds();
        for (long k = 0; k < steps && trouble == NULL; k++)
            trouble = e->step(running, h);
        blocks[r] = 1e6 * (cpu_seconds() - before) / (double)steps;
    }
    if (trouble == NULL) {
        qsort(blocks, (size_t)repeats, sizeof blocks[0], by_size);
        printf("%s\t%s\t%s\t%.5g\t%.5g\n", e->name, e->version, argv[3], blocks[0],
               blocks[repeats / 2]);
    } else {
        fprintf(stderr, "%s: %s\n", e->name, trouble);
    }
    if (running != NULL)
        e->destroy(running);
    scene_free(s);
    return trouble != NULL;
}

static int usage(const engine *e)
{
    printf("%s %s: SCENE SETTING STEP\n", e->name, e->version);
    for (size_t k = 0; k < SCENES; k++)
        printf("scene\t%s\n", scenes[k].name);
    for (const engine_setting *setting = e->settings; setting->name != NULL; setting++)
        printf("setting\t%s\t%s\n", setting->name, setting->what);
    return 3;
}

/* With the number of its version, if it has one: several may be there. */
static void print_name(const char *where, const engine *e)
{
    const int digits = (int)strspn(e->version, "0123456789.");
    printf("%s\t%s%s%.*s", where, e->name, digits > 0 ? " " : "", digits, e->version);
}

int engine_main(int argc, char **argv, const engine *e)
{
    const scene_entry *entry = NULL;
    if (argc == 7 && strcmp(argv[1], "time") == 0)
        return time_steps(e, argv);
    for (size_t k = 0; argc == 4 && k < SCENES; k++)
        if (strcmp(scenes[k].name, argv[1]) == 0)
            entry = &scenes[k];
    const double h = argc == 4 ? strtod(argv[3], NULL) : 0.0;
    static truth reference;
    if (entry == NULL || !(h > 0.0))
        return usage(e);
    scene *s = scene_read(entry->file, entry->marker);
    if (s == NULL || !read_truth(entry, &reference))
        return 1;
    measure m = {.folded = -1.0};
    simulate(e, argv[2], s, entry, &reference, h, &m);
    if (m.what[0] == '\0' && m.folded >= 0.0)
        snprintf(m.what, sizeof m.what, "folds at %.2f s", m.folded);
    print_name(entry->name, e);
    printf("\t%s\t%g\t%.1e\t%.1e\t%.1e\t%.1e\t%.2g\t%s\n", argv[2], h, m.error, m.separation,
           m.tilt, m.drift, m.time > 0.0 ? m.seconds / m.time : 0.0, m.what);
    scene_free(s);
    return 0;
}

void engine_rotation(double r[3][3], double w, double x, double y, double z)
{
    const double out[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    memcpy(r, out, sizeof out);
}

void engine_axis_point(const scene_hinge *hinge, int side, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = hinge->p[i] + (side == 0 ? -1.0 : 1.0) * ENGINE_HALF_SPAN * hinge->axis[i];
}
