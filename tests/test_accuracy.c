/* test_accuracy.c: an accuracy that is asked for: what a run tells, against reference data
 * (tests/data/mechanisms), is within ten times of it, and follows it; advancing to a time; and
 * what is refused.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/stages/rkmk.h"
#include "sim/sim_internal.h"
#include "support/heavy.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/trajectories.h"
#include "tenon/io.h"

/* What was asked for, and what came of it. */
typedef struct outcome {
    double error;      /* relative */
    int parts, solves; /* taken and rejected; systems factored */
} outcome;

static void start_by(mechanism *m, const tn_method *method, tn_integrator integrator,
                     double accuracy)
{
    tn_sim_options options = mechanism_compile(m, 0);
    options.integrator = integrator;
    options.accuracy = accuracy;
    ck_assert_int_eq(tn_sim_create_with(m->model, &options, method, NULL, &m->sim), TN_OK);
}

static void start(mechanism *m, tn_integrator integrator, double accuracy)
{
    start_by(m, NULL, integrator, accuracy);
}

/* Of lengths and angles to the larger of 1 and what they come to, of the others too. */
static double deviation(const trajectory *t, const csv_table *table, int row, const double *seen,
                        const double *scale)
{
    double worst = 0.0;
    for (int k = 0; t->columns[k]; k++)
        worst = fmax(worst, fabs(seen[k] - csv_table_at(table, row, t->columns[k])) / scale[k]);
    return worst;
}

static void find_scales(const trajectory *t, const csv_table *table, double *scale)
{
    for (int k = 0; t->columns[k]; k++) {
        scale[k] = 1.0;
        for (int row = 0; row < table->row_count; row++)
            scale[k] = fmax(scale[k], fabs(csv_table_at(table, row, t->columns[k])));
    }
}

/* method NULL: that of the integrator. The motion is looked at in every stride-th row. */
static outcome follow_at(const trajectory *t, const tn_method *method, tn_integrator integrator,
                         double accuracy, int stride)
{
    outcome out = {0.0, 0, 0};
    double scale[MAX_SEEN], seen[MAX_SEEN];
    csv_table table = csv_table_read(t->file);
    mechanism m = t->build();
    start_by(&m, method, integrator, accuracy);
    find_scales(t, &table, scale);
    for (int row = stride; row < table.row_count; row += stride) {
        tn_step_report report;
        const double time = csv_table_at(&table, row, "t");
        if (time > 1.000001 * t->duration)
            break;
        ck_assert_msg(tn_sim_advance(m.sim, time, &report) == TN_OK, "%s at %g s: %s", t->name,
                      tn_sim_time(m.sim), tn_status_text(report.status));
        ck_assert_double_eq_tol(tn_sim_time(m.sim), time, 1e-14 * time);
        out.parts += report.parts + report.rejections;
        out.solves += report.factorizations;
        t->observe(&m, seen);
        out.error = fmax(out.error, deviation(t, &table, row, seen, scale));
    }
    mechanism_free(&m);
    csv_table_free(&table);
    return out;
}

static outcome follow(const trajectory *t, const tn_method *method, tn_integrator integrator,
                      double accuracy)
{
    return follow_at(t, method, integrator, accuracy, 1);
}

static const char *const followed[] = {
    "N=1",
    "N=2",
    "bricard",
    "bricard slender",
    "bennett",
    "slider-crank",
    "slider-crank forces",
    "cylinder",
    "cylinder wrench",
    "top",
};

/* What asking for ten times more must gain and may gain, in the mean, where nobody keeps parts short
 * by looking: ten times in all. Below ROUNDED it is rounding and the digits of the reference. */
#define LEAST_GAIN 4.0
#define MOST_GAIN  40.0
#define FEW_LOOKS  10
/* Of what is asked for at the coarsest: parts are short for what comes, a stop say, and not for what they err. */
#define NOTHING_TO_GAIN 1e-5
#define COARSEST        1e-3
#define FINEST          1e-10
#define ROUNDED         2e-11
#define FINE            1e-9 /* asked for; finer, the squeezer is rounding */

/* known: what the reference itself is known to; below it no gain is seen. */
static void expect_gain(const trajectory *t, double known)
{
    double first = NAN, last = NAN;
    int decades = -1;
    csv_table table = csv_table_read(t->file);
    const int stride = (table.row_count - 1) / FEW_LOOKS;
    csv_table_free(&table);
    for (double accuracy = COARSEST; accuracy > 0.5 * FINE; accuracy *= 0.1) {
        const outcome o = follow_at(t, NULL, TN_ACCURATE_INTEGRATOR, accuracy, stride);
        printf("%-20s accuracy %.0e: error %.2e, few looks, %d parts\n", t->name, accuracy, o.error,
               o.parts);
        if (o.error < fmax(known, ROUNDED))
            break;
        first = decades < 0 ? o.error : first;
        last = o.error;
        decades++;
    }
    if (isnan(last) || first < NOTHING_TO_GAIN * COARSEST)
        return;
    ck_assert_int_ge(decades, 1);
    const double gain = pow(first / last, 1.0 / decades);
    printf("%-20s ten times more asked for: %.1f times more right\n", t->name, gain);
    ck_assert_double_ge(gain, LEAST_GAIN);
    ck_assert_double_le(gain, MOST_GAIN);
}

static void expect_what_is_asked_for(const trajectory *t, double known)
{
    for (double accuracy = COARSEST; accuracy > 0.5 * ALL_OR_FEW(FINEST, 1e-6); accuracy *= 0.1) {
        const outcome o = follow(t, NULL, TN_ACCURATE_INTEGRATOR, accuracy);
        printf("%-20s accuracy %.0e: error %.2e = %5.2f of it, %d parts, %d systems\n", t->name,
               accuracy, o.error, o.error / accuracy, o.parts, o.solves);
        ck_assert_double_le(o.error, 10.0 * accuracy);
    }
    expect_gain(t, known);
}

START_TEST(errors_are_what_was_asked_for)
{
    expect_what_is_asked_for(trajectory_find(followed[_i]), 0.0);
}
END_TEST

/* Parallelograms pass 13 change points, where a stage of a part may come to lie near or far: at
 * accuracies in between, and with other looks, no part ends there, and none errs. */
static const char *const parallelograms[] = {"N=1", "N=2"};
#define STRIDE     7
#define MOST_PARTS 700

START_TEST(change_points_are_passed)
{
    const trajectory *t = trajectory_find(parallelograms[_i]);
    for (double accuracy = 1e-7; accuracy > ALL_OR_FEW(0.9e-10, 3e-8);
         accuracy *= 0.562341325190349) {
        const outcome o = follow_at(t, NULL, TN_ACCURATE_INTEGRATOR, accuracy, STRIDE);
        printf("%-20s accuracy %.1e: error %5.2f of it, %d parts\n", t->name, accuracy,
               o.error / accuracy, o.parts);
        ck_assert_double_le(o.error, 10.0 * accuracy);
        ck_assert_int_le(o.parts, MOST_PARTS);
    }
}
END_TEST

/* By order 5, whose one estimate does not tell rounding from motion near change points: as accurate as asked for, or
 * refused there, and so until then; at any accuracy, with many looks and with few. */
START_TEST(change_points_are_passed_by_order_5_or_refused)
{
    const trajectory *t = trajectory_find(parallelograms[_i]);
    csv_table table = csv_table_read(t->file);
    static const int strides[] = {1, STRIDE};
    for (double accuracy = COARSEST; accuracy > ALL_OR_FEW(0.05 * FINEST, 0.05 * COARSEST);
         accuracy *= 0.1) {
        for (int k = 0; k < 2; k++) {
            double scale[MAX_SEEN], seen[MAX_SEEN], error = 0.0;
            tn_status status = TN_OK;
            tn_step_report report;
            mechanism m = t->build();
            start(&m, TN_DORMAND_PRINCE, accuracy);
            find_scales(t, &table, scale);
            for (int row = strides[k]; row < table.row_count; row += strides[k]) {
                const double time = csv_table_at(&table, row, "t");
                if (time > 1.000001 * t->duration)
                    break;
                status = tn_sim_advance(m.sim, time, &report);
                if (status != TN_OK)
                    break;
                t->observe(&m, seen);
                error = fmax(error, deviation(t, &table, row, seen, scale));
            }
            printf("%-20s order 5, accuracy %.1e: %s at %.3f s, error %5.2f of it\n", t->name,
                   accuracy, tn_status_text(status), tn_sim_time(m.sim), error / accuracy);
            mechanism_free(&m);
            ck_assert_double_le(error, 10.0 * accuracy);
            if (status == TN_OK)
                continue;
            ck_assert_int_eq(status, TN_ERROR_INACCURATE);
            ck_assert_int_eq(report.imbalance, TN_IMBALANCE_ROUNDING);
            ck_assert_double_gt(report.unbalanced, report.allowed);
            ck_assert_int_ge(report.culprit_joint.i, 0);
        }
    }
    csv_table_free(&table);
}
END_TEST

/* ---- further mechanisms ---- */

/* A03: Andrews' squeezing mechanism, whose crank turns five times in 0.05 s. Its speed jumps, so that
 * what the angle is late by is more of the speed. */
static mechanism squeezer(void)
{
    return mechanism_read_file("models/andrews.yaml");
}

static void see_squeezer(const mechanism *m, double *seen)
{
    const tn_vec3 p = tn_sim_marker_position(m->sim, (tn_marker){0});
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    seen[0] -= 0.0620;
    seen[1] = p.x;
    seen[2] = p.y;
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 3);
}

static void see_pendulum(const mechanism *m, double *seen)
{
    const tn_vec3 p = tn_sim_body_pose(m->sim, (tn_body){0}).p;
    seen[0] = p.x;
    seen[1] = p.y;
    seen[2] = vec_norm(tn_sim_joint_wrench(m->sim, (tn_joint){0}, TN_WRENCH_ON_A).f);
}

static mechanism rod_that_stays(void)
{
    return sample_rod_above_a_stop(0.0);
}

static void see_rod(const mechanism *m, double *seen)
{
    const tn_vec3 f = tn_sim_joint_wrench(m->sim, (tn_joint){0}, TN_WRENCH_ON_A).f;
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, seen);
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, seen + 1);
    seen[2] = f.x;
    seen[3] = f.y;
    seen[4] = 0.0;
    tn_sim_at_limit(m->sim, (tn_joint){0}, 0, seen + 4);
}

/* P09: two masses on one axis, and a hinge between them that yields along it. */
static mechanism two_masses(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.inertia = mat_diagonal(0.1, 0.2, 0.3);
    def.mass = 2.0;
    def.pose.p.z = -0.006;
    tn_joint_def joint = tn_default_joint_def();
    joint.b = mechanism_body(&m, &def);
    def.mass = 3.0;
    def.pose.p.z = 0.004;
    joint.a = mechanism_body(&m, &def);
    joint.type = "hinge";
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.compliance[2] = 1e-4;
    joint.damping[2] = 5.0;
    mechanism_joint(&m, &joint);
    return m;
}

static void see_two_masses(const mechanism *m, double *seen)
{
    double rows[TN_MAX_ROWS];
    tn_sim_joint_error(m->sim, (tn_joint){0}, rows);
    seen[0] = rows[2];
    seen[1] = tn_sim_body_velocity(m->sim, (tn_body){1}).v.z -
              tn_sim_body_velocity(m->sim, (tn_body){0}).v.z;
    tn_sim_joint_multipliers(m->sim, (tn_joint){0}, rows);
    seen[2] = rows[2];
    seen[3] = tn_sim_body_pose(m->sim, (tn_body){0}).p.z;
    seen[4] = tn_sim_body_pose(m->sim, (tn_body){1}).p.z;
}

static const trajectory more[] = {
    {"rod on a stop",
     rod_that_stays,
     "P02",
     {"theta", "thetadot", "hinge_Fx", "hinge_Fy", "limit_torque"},
     see_rod,
     0,
     1.0,
     0},
    {"two masses",
     two_masses,
     "P09",
     {"phi", "phidot", "lambda", "z1", "z2"},
     see_two_masses,
     0,
     0.5,
     0},
    {"squeezer", squeezer, "A03_iftomm", {"beta", "Fx", "Fy", "betadot"}, see_squeezer, 0, 0.05, 0},
    {"pendulum", sample_pendulum, "A01", {"x", "y", "rod_tension"}, see_pendulum, 0, 10.0, 0},
};

START_TEST(further_mechanisms_too)
{
    /* the crank's speed in A03.csv: two integrations of it agree to 5.5e-11 */
    expect_what_is_asked_for(&more[_i], more[_i].build == squeezer ? 1e-10 : 0.0);
}
END_TEST

/* Steps in which the rod turns by any angle are no steps through its end. */
START_TEST(looks_may_be_far_apart)
{
    const trajectory *t = &more[3];
    csv_table table = csv_table_read(t->file);
    mechanism m = t->build();
    double seen[MAX_SEEN];
    start(&m, TN_ACCURATE_INTEGRATOR, 1e-6);
    for (int row = 10; row < table.row_count; row += 10) {
        ck_assert_int_eq(tn_sim_advance(m.sim, csv_table_at(&table, row, "t"), NULL), TN_OK);
        t->observe(&m, seen);
        for (int k = 0; t->columns[k]; k++)
            ck_assert_double_eq_tol(seen[k], csv_table_at(&table, row, t->columns[k]), 1e-5);
    }
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* ---- what is stiff ---- */

/* What each kind of parts adds up to is what the report says of all. */
static void add_history(tn_step_report *sum, const tn_step_report *report)
{
    const tn_part_history *explicit_ = &report->history[TN_PARTS_EXPLICIT];
    const tn_part_history *implicit = &report->history[TN_PARTS_IMPLICIT];
    ck_assert_int_eq(explicit_->taken + implicit->taken, report->parts);
    ck_assert_int_eq(implicit->taken, report->implicit_parts);
    ck_assert_double_eq(fmax(explicit_->longest, implicit->longest), report->longest_part);
    int32_t rejected = 0;
    for (int k = 0; k < TN_PARTS_KIND_COUNT; k++) {
        const tn_part_history *h = &report->history[k];
        rejected += h->off + h->unsolved + h->unbalanced;
        ck_assert(h->taken == 0 ? h->longest == 0.0
                                : 0.0 < h->shortest && h->shortest <= h->longest);
        ck_assert(h->shortest == 0.0 || h->shortest >= report->shortest_part);
        sum->history[k].taken += h->taken;
        sum->history[k].off += h->off;
    }
    ck_assert_int_eq(rejected, report->rejections);
}

/* What is seen of the governor against A05, whose fastest mode is 1000 times as fast as its swing:
 * slider's height, speed of the shaft. */
static outcome govern(const tn_method *method, tn_integrator integrator, double accuracy,
                      tn_step_report *sum)
{
    outcome out = {0.0, 0, 0};
    csv_table table = csv_table_read("A05");
    mechanism m = mechanism_read_file("models/governor.yaml");
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = integrator;
    options.accuracy = accuracy;
    ck_assert_int_eq(tn_sim_create_with(m.model, &options, method, NULL, &m.sim), TN_OK);
    *sum = (tn_step_report){.parts = 0};
    for (int row = 1; row < table.row_count && csv_table_at(&table, row, "t") < 3.0; row++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_advance(m.sim, csv_table_at(&table, row, "t"), &report), TN_OK);
        sum->parts += report.parts;
        sum->implicit_parts += report.implicit_parts;
        add_history(sum, &report);
        sum->factorizations += report.factorizations + report.iterations;
        const double s = tn_sim_body_pose(m.sim, (tn_body){1}).p.z;
        const double omega = tn_sim_body_velocity(m.sim, (tn_body){0}).w.z;
        out.error = fmax(out.error, fabs(s - csv_table_at(&table, row, "s")));
        out.error = fmax(out.error, fabs(omega - csv_table_at(&table, row, "omega")) / 6.3);
    }
    mechanism_free(&m);
    csv_table_free(&table);
    return out;
}

/* By choice, and by implicit parts alone. */
START_TEST(a_stiff_governor_turns_as_it_should)
{
    const tn_method *methods[] = {NULL, &tn_method_kennedy_carpenter, &tn_method_radau};
    static const char *const names[] = {"auto", "in stages", "together"};
    for (double accuracy = 1e-3; accuracy > ALL_OR_FEW(0.5e-10, 0.5e-5); accuracy *= 0.1) {
        for (int k = 0; k < 3; k++) {
            tn_step_report sum;
            const outcome o = govern(methods[k], TN_AUTO, accuracy, &sum);
            printf("governor %s, accuracy %.0e: error %.1e = %5.2f of it, %d parts, %d implicit, "
                   "work %d\n",
                   names[k], accuracy, o.error, o.error / accuracy, sum.parts, sum.implicit_parts,
                   sum.factorizations);
            ck_assert_double_le(o.error, 10.0 * accuracy);
            ck_assert_int_ge(sum.implicit_parts, k ? sum.parts : sum.parts / 2);
            ck_assert_int_eq(sum.history[TN_PARTS_EXPLICIT].taken > 0, k == 0);
        }
    }
}
END_TEST

/* What 10 s cost, looked at every 0.1 s, in back-solves: by callgrind a factorization with its matrix
 * costs some 3 of them, an iteration of an implicit stage, with a pose and its forces, 5 beside its
 * own. */
static double cost_of(const char *file, double accuracy)
{
    mechanism m = mechanism_read_file(file);
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = TN_AUTO;
    options.accuracy = accuracy;
    mechanism_start_with(&m, &options);
    double cost = 0.0;
    for (int k = 1; k <= 100; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_advance(m.sim, 0.1 * k, &report), TN_OK);
        cost += 3.0 * report.factorizations + report.solves + 5.0 * report.iterations;
    }
    mechanism_free(&m);
    return cost;
}

/* Against the governor with rigid rods. */
START_TEST(stiffness_costs_no_more_than_three_times)
{
    for (double accuracy = 1e-3; accuracy > 0.5e-6; accuracy *= 0.1) {
        const double soft = cost_of("models/governor.yaml", accuracy),
                     rigid = cost_of("models/governor_rigid.yaml", accuracy);
        printf("accuracy %.0e: stiff %.0f, rigid %.0f, %.2f times\n", accuracy, soft, rigid,
               soft / rigid);
        ck_assert_double_le(soft, 3.0 * rigid);
    }
}
END_TEST

/* Implicit parts follow what is not stiff too, loops and reactions included, and their order is 5:
 * ten thousand times less error take some ten times as many parts. */
static const char *const implicit_cases[] = {
    "bricard",  "bennett",         "slider-crank", "slider-crank forces",
    "cylinder", "cylinder wrench", "top"};

static const tn_method *const implicit_methods[] = {&tn_method_kennedy_carpenter, &tn_method_radau};

START_TEST(implicit_parts_follow_the_reference)
{
    const trajectory *t = trajectory_find(implicit_cases[_i / 2]);
    int parts[2];
    for (int k = 0; k < 2; k++) {
        const double accuracy = k ? 1e-8 : 1e-4;
        const outcome o = follow(t, implicit_methods[_i % 2], TN_AUTO, accuracy);
        printf("%-20s implicit, accuracy %.0e: error %.2e = %5.2f of it, %d parts\n", t->name,
               accuracy, o.error, o.error / accuracy, o.parts);
        ck_assert_double_le(o.error, 10.0 * accuracy);
        parts[k] = o.parts;
    }
    ck_assert_int_le(parts[1], 15 * parts[0]);
}
END_TEST

/* A damped spring along a coordinate, whose force is no unknown of a stage: what it loses is added up
 * by the weights of the stages all the same, by all ways to take parts. */
#define SPRUNG                                                                                     \
    "tenon: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                  \
    "  b: {position: [0.05, 0.02, -0.05], mass: 0.01, inertia: [6e-6, 9e-6, 5e-6]}\n"              \
    "joints:\n  j: {type: cylindrical, a: b, origin: [0, 0, 0], axis: [0.5, -0.6, 0.3],\n"         \
    "    spring: {z: {stiffness: 1.4, damping: 0.15}}}\n"
START_TEST(what_is_lost_is_told)
{
    static const tn_method *const methods[] = {NULL, &tn_method_dormand_prince,
                                               &tn_method_kennedy_carpenter, &tn_method_radau};
    mechanism m = mechanism_read(SPRUNG);
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = TN_AUTO;
    options.accuracy = 1e-6;
    ck_assert_int_eq(tn_sim_create_with(m.model, &options, methods[_i], NULL, &m.sim), TN_OK);
    const double start = tn_sim_energy(m.sim).total;
    ck_assert_int_eq(tn_sim_advance(m.sim, 0.3, NULL), TN_OK);
    const tn_energy e = tn_sim_energy(m.sim);
    printf("method %d: %.3e J lost, %.1e J made\n", _i, e.lost, e.total + e.lost - start);
    ck_assert_double_gt(e.lost, 1e-4);
    ck_assert_double_eq_tol(e.total + e.lost, start, 1e-6 * e.lost);
    mechanism_free(&m);
}
END_TEST

/* ---- advancing ---- */

/* A disc that turns freely at rate rad/s, without gravity. */
static mechanism spinner(double rate)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(0.1, 0.1, 0.2);
    def.velocity.w = vec(0.0, 0.0, rate);
    mechanism_axis_joint(&m, "hinge", mechanism_body(&m, &def), tn_ground(), vec(0.0, 0.0, 0.0),
                         vec(0.0, 0.0, 1.0));
    return m;
}

/* Ten thousand radians are more parts than a step may have, and their turns are counted. */
START_TEST(one_call_may_take_many_steps)
{
    mechanism m = spinner(1e4);
    start(&m, TN_ACCURATE_INTEGRATOR, 1e-6);
    tn_step_report report;
    double q;
    ck_assert_int_eq(tn_sim_step(m.sim, 1.0, &report), TN_ERROR_STIFF);
    ck_assert_int_eq(tn_sim_advance(m.sim, 1.0, &report), TN_OK);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &q);
    printf("1e4 rad: %.15g, %d parts of %.2e to %.2e s\n", q, report.parts, report.shortest_part,
           report.longest_part);
    ck_assert_double_eq_tol(q, 1e4, 1e-6);
    ck_assert_double_eq_tol(tn_sim_time(m.sim), 1.0, 1e-15);
    ck_assert_int_ge(report.parts, 10000);
    ck_assert(0.0 < report.shortest_part && report.shortest_part <= report.longest_part);
    ck_assert_double_le(report.longest_part, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* Of fixed steps: those of the model, and what remains. */
START_TEST(fixed_steps_reach_the_time_too)
{
    mechanism m[2] = {spinner(3.0), spinner(3.0)};
    mechanism_start(&m[0], TN_GENERALIZED_ALPHA);
    mechanism_start(&m[1], TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_advance(m[0].sim, 0.0105, NULL), TN_OK);
    for (int k = 0; k < 10; k++)
        ck_assert_int_eq(tn_sim_step(m[1].sim, 1e-3, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_step(m[1].sim, 0.0105 - tn_sim_time(m[1].sim), NULL), TN_OK);
    double q[2];
    for (int k = 0; k < 2; k++)
        tn_sim_joint_coordinates(m[k].sim, (tn_joint){0}, &q[k]);
    ck_assert_double_eq(q[0], q[1]);
    ck_assert_double_eq(tn_sim_time(m[0].sim), 0.0105);
    for (int k = 0; k < 2; k++)
        mechanism_free(&m[k]);
}
END_TEST

START_TEST(time_does_not_go_back)
{
    mechanism m = spinner(1.0);
    start(&m, TN_ACCURATE_INTEGRATOR, 1e-6);
    ck_assert_int_eq(tn_sim_advance(m.sim, 0.5, NULL), TN_OK);
    static const double wrong[] = {0.5, 0.25, -1.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ck_assert_int_eq(tn_sim_advance(m.sim, wrong[k], NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_advance(NULL, 1.0, NULL), TN_ERROR_ARGUMENT);
    ck_assert_double_eq(tn_sim_time(m.sim), 0.5);
    mechanism_free(&m);
}
END_TEST

/* ---- model files ---- */

#define BAR                                                                                        \
    "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"                             \
    "  j: {type: hinge, a: b, origin: [0, 0, 0]}\n"

typedef struct said {
    const char *section;
    double accuracy, step;
} said;

static const said files[] = {
    {"simulation: {accuracy: 1.0e-8}\n", 1e-8, 1e-3},
    {"simulation: {accuracy: 1.0e-8, duration: 20}\n", 1e-8, 0.02},
    {"simulation: {accuracy: 1.0e-8, duration: 20}\nrecord: {every: 0.5}\n", 1e-8, 0.5},
    {"simulation: {accuracy: 1.0e-8, step: 0.25, duration: 20}\n", 1e-8, 0.25},
    {"", 1e-6, 1e-3},
    {"simulation: {duration: 20}\n", 1e-6, 0.02},
    {"simulation: {duration: 20}\nrecord: {every: 0.25}\n", 1e-6, 0.25},
    {"simulation: {position_tolerance: 1.0e-10}\n", 1e-6, 1e-3},
    {"simulation: {formulation: stabilized_index_2}\n", 0.0, 1e-3},
    {"simulation: {relative_tolerance: 1.0e-4}\n", 0.0, 1e-3},
    {"simulation: {accuracy: 0}\n", 0.0, 1e-3},
    {"simulation: {step: 0.25, duration: 20}\n", 0.0, 0.25},
    {"simulation: {integrator: generalized_alpha, duration: 20}\n", 0.0, 1e-3},
};

/* What a file says of accuracy and steps, and says again when it is written. */
START_TEST(files_ask_for_accuracy)
{
    char text[512];
    snprintf(text, sizeof text, BAR "%s", files[_i].section);
    tn_spec *spec = read_text(text);
    for (int k = 0; k < 2; k++) {
        const tn_simulation_def *def = tn_spec_simulation(spec);
        ck_assert_double_eq(def->accuracy, files[_i].accuracy);
        ck_assert_double_eq(def->step, files[_i].step);
        ck_assert_int_eq(tn_integrator_controls_errors(def->integrator), def->accuracy > 0.0);
        tn_spec *again = written_and_read(spec);
        tn_spec_destroy(spec);
        spec = again;
    }
    tn_spec_destroy(spec);
}
END_TEST

static const char *const wrong_files[][2] = {
    {"simulation: {accuracy: 0.5}\n", "accuracy must be between 1e-12 and 0.1"},
    {"simulation: {accuracy: -1.0e-3}\n", "accuracy must be between"},
    {"simulation: {accuracy: 1.0e-6, integrator: backward_euler}\n", "steps of one length"},
};

START_TEST(wrong_accuracies_are_told)
{
    char text[512];
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    snprintf(text, sizeof text, BAR "%s", wrong_files[_i][0]);
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), NULL, diags, &spec), TN_ERROR_INPUT);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(d->message, wrong_files[_i][1]) != NULL, "%s", d->message);
    ck_assert_int_eq(d->at.line, 6);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    mechanism m = spinner(1.0);
    tn_sim_options options = mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    options.accuracy = 1e-6;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_ERROR_UNSUPPORTED);
    options.integrator = TN_ACCURATE_INTEGRATOR;
    static const double wrong[] = {-1.0, 0.5, 1e-14, NAN, INFINITY};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        options.accuracy = wrong[k];
        ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_ERROR_ARGUMENT);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("accuracy");
    TCase *known = tcase_create("known motions");
    tcase_add_loop_test(known, errors_are_what_was_asked_for, 0,
                        (int)(sizeof followed / sizeof *followed));
    tcase_add_loop_test(known, change_points_are_passed, 0,
                        (int)(sizeof parallelograms / sizeof *parallelograms));
    tcase_add_loop_test(known, change_points_are_passed_by_order_5_or_refused, 0,
                        (int)(sizeof parallelograms / sizeof *parallelograms));
    tcase_add_loop_test(known, further_mechanisms_too, 0, (int)(sizeof more / sizeof *more));
    tcase_add_test(known, looks_may_be_far_apart);
    tcase_set_timeout(known, 600.0);
    suite_add_tcase(suite, known);
    TCase *stiff = tcase_create("stiff");
    tcase_add_test(stiff, a_stiff_governor_turns_as_it_should);
    tcase_add_loop_test(stiff, what_is_lost_is_told, 0, 4);
    tcase_add_test(stiff, stiffness_costs_no_more_than_three_times);
    tcase_add_loop_test(stiff, implicit_parts_follow_the_reference, 0,
                        2 * (int)(sizeof implicit_cases / sizeof *implicit_cases));
    tcase_set_timeout(stiff, 600.0);
    suite_add_tcase(suite, stiff);
    TCase *asked = tcase_create("asking");
    tcase_add_test(asked, one_call_may_take_many_steps);
    tcase_add_test(asked, fixed_steps_reach_the_time_too);
    tcase_add_test(asked, time_does_not_go_back);
    tcase_add_loop_test(asked, files_ask_for_accuracy, 0, (int)(sizeof files / sizeof *files));
    tcase_add_loop_test(asked, wrong_accuracies_are_told, 0,
                        (int)(sizeof wrong_files / sizeof *wrong_files));
    tcase_add_test(asked, wrong_options_are_refused);
    suite_add_tcase(suite, asked);
    return suite;
}
