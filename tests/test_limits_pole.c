/* test_limits_pole.c: limits of roll and yaw where roll and yaw turn about the same axis.
 *
 * At the pole of a gimbal, cos(pitch) = 0, a limit of roll or yaw keeps its direction while the
 * coordinate itself is lost. What is asked there: no step is refused, no coordinate reported is
 * beyond its limit, the coordinates are those of the pose, and at rest the reactions are steady
 * and balance the weight.
 */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "joint/joint_class.h"
#include "joint_samples.h"
#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

#define PI       3.14159265358979323846
#define DEADBAND 1e-10 /* rad */

static const tn_joint g = {0};

/* Largest things met. */
typedef struct pole_run {
    double over;     /* rad, of any coordinate beyond its limit */
    double mismatch; /* between the pose and that of the coordinates */
    double nearest;  /* |cos(pitch)| */
    int refused, fallbacks, events;
} pole_run;

static const pole_run nothing_yet = {-INFINITY, 0.0, INFINITY, 0, 0, 0};

/* Of the ellipsoid: m, m, m, rad. */
static const tn_joint_setup setup = {.parameters = {0.5, 0.4, 0.6, 0.3, 0.0}};

static const tn_joint_class *class_in(const mechanism *m)
{
    return tn_joint_class_get(tn_model_joint_type(m->model, g));
}

static int first_angle(const tn_joint_class *cls)
{
    return cls->info.coordinate_count == 6 ? 3 : 0;
}

/* The distance of the body's orientation from that of the coordinates; the frames of the joint are
 * those of body and world. */
static double pose_mismatch(const mechanism *m, const double *q)
{
    tn_xform T = xf_identity(), is = xf_identity();
    class_in(m)->coordinates_to_pose(&setup, q, &T);
    is.R = q_to_m3(tn_sim_body_pose(m->sim, (tn_body){0}).q);
    T.p = is.p;
    return pose_distance(&T, &is);
}

static void look(const mechanism *m, const tn_step_report *report, pole_run *run)
{
    double q[TN_MAX_COORDINATES] = {0}, lower, upper;
    const int first = first_angle(class_in(m));
    tn_sim_joint_coordinates(m->sim, g, q);
    for (int32_t i = first; i < first + 3; i++) {
        ck_assert_int_eq(tn_sim_get_range(m->sim, g, i, &lower, &upper), TN_OK);
        run->over = fmax(run->over, fmax(q[i] - upper, lower - q[i]));
    }
    /* what the joint is open is no coordinate's */
    run->mismatch = fmax(run->mismatch, pose_mismatch(m, q) - report->angle_error);
    run->nearest = fmin(run->nearest, fabs(cos(q[first + 1])));
    run->events += tn_sim_event_count(m->sim);
}

/* Steps of h until the time is over or one is refused. */
static void run_for(mechanism *m, double h, double time, pole_run *run)
{
    const int steps = (int)lround(time / h);
    for (int k = 0; k < steps && !run->refused; k++) {
        tn_step_report report;
        run->refused += tn_sim_step(m->sim, h, &report) != TN_OK;
        run->fallbacks += report.fallbacks;
        look(m, &report, run);
    }
}

static void expect_inside(const pole_run *run)
{
    ck_assert_int_eq(run->refused, 0);
    ck_assert_double_le(run->over, DEADBAND);
    ck_assert_double_le(run->mismatch, 1e-11);
}

/* Watches steady reactions: the largest change of a multiplier, N m. */
static double unrest(mechanism *m, double h, int count)
{
    double first[TN_MAX_ROWS], now[TN_MAX_ROWS], change = 0.0;
    tn_sim_joint_multipliers(m->sim, g, first);
    for (int k = 0; k < count; k++) {
        ck_assert_int_eq(tn_sim_step(m->sim, h, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_event_count(m->sim), 0);
        tn_sim_joint_multipliers(m->sim, g, now);
        for (int n = 0; n < TN_MAX_ROWS; n++)
            change = fmax(change, fabs(now[n] - first[n]));
    }
    return change;
}

/* ---- what a type says of held coordinates near its pole ---- */

static const char *const with_a_pole[] = {"gimbal", "free", "ellipsoid"};
enum { TYPES = sizeof with_a_pole / sizeof *with_a_pole };

static const tn_joint_class *class_of(const char *name)
{
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find(name, &type), TN_OK);
    return tn_joint_class_get(type);
}

/* A pose near the pole whose coordinates are held as they are; twist is a legal one. */
typedef struct held_pose {
    const tn_joint_class *cls;
    unsigned held;
    double value[TN_MAX_COORDINATES], lower[TN_MAX_COORDINATES], upper[TN_MAX_COORDINATES];
    tn_xform T_GD;
    double twist[6];
} held_pose;

static held_pose held_near_the_pole(const char *type, double distance, unsigned held,
                                    uint64_t *seed)
{
    held_pose at = {.cls = class_of(type)};
    const int count = at.cls->info.coordinate_count, first = first_angle(at.cls);
    for (int i = 0; i < count; i++) {
        at.value[i] = random_number(seed);
        at.lower[i] = -INFINITY;
        at.upper[i] = INFINITY;
    }
    at.value[first + 1] = (random_number(seed) < 0.0 ? -0.5 : 0.5) * PI + distance;
    at.held = held << first;
    at.cls->coordinates_to_pose(&setup, at.value, &at.T_GD);
    double T[TN_MAX_ROWS][6] = {{0.0}};
    tn_joint_twists(at.cls, &setup, &at.T_GD, at.value, T);
    for (int i = 0; i < at.cls->info.dof; i++) {
        const double rate = random_number(seed);
        for (int k = 0; k < 6; k++)
            at.twist[k] += rate * T[i][k];
    }
    tn_vec3 any = random_vector(seed); /* the motion that no coordinate counts at the pole */
    for (int k = 0; k < 3 && at.cls->info.dof != 4; k++)
        at.twist[3 + k] += k == 0 ? any.x : k == 1 ? any.y : any.z;
    return at;
}

static void errors_after(const held_pose *at, double t, double *q, double *error)
{
    const tn_joint_stops stops = {at->held, at->value, at->lower, at->upper};
    const tn_xform moved = moved_in_frame(&at->T_GD, at->twist, t);
    tn_xform legal;
    tn_joint_project(at->cls, &setup, &moved, at->value, &legal);
    memset(error, 0, sizeof(double) * TN_MAX_COORDINATES);
    ck_assert_int_eq(at->cls->stop_at_pole(&setup, &legal, &stops, at->value, q, error), 1);
}

/* Held coordinates are where they are held, and leave there with the speeds of their rows. Those of
 * yaw and theta keep their part along the axis of C, or across the surface, within the clamp, where
 * the other part is some 1e4: they are off by that much of the motion. */
START_TEST(errors_grow_as_the_rows_say)
{
    static const double distances[] = {8e-3, -1e-3, 3e-4, 2e-5, -1e-6, 1e-7};
    uint64_t seed = 5;
    for (int n = 0; n < 6 * 3 * 20; n++) {
        const unsigned held = n % 3 == 0 ? 1u : n % 3 == 1 ? 4u : 5u;
        const double distance = distances[n / 3 % 6], t = fmin(1e-7, 0.03 * fabs(distance));
        const held_pose at = held_near_the_pole(with_a_pole[_i], distance, held, &seed);
        const double clamped = fabs(distance) < 1e-4 ? 2.0 * largest(at.twist, 6) : 0.0;
        double q[TN_MAX_COORDINATES], now[TN_MAX_COORDINATES], after[TN_MAX_COORDINATES];
        double before[TN_MAX_COORDINATES], W[TN_MAX_ROWS][6] = {{0.0}};
        errors_after(&at, t, q, after);
        errors_after(&at, -t, q, before);
        errors_after(&at, 0.0, q, now);
        tn_joint_wrenches(at.cls, &setup, &at.T_GD, q, W);
        for (int32_t i = 0; i < at.cls->info.coordinate_count; i++) {
            const double *row = W[at.cls->info.bilateral_count + i];
            double speed = 0.0;
            for (int k = 0; k < 6; k++)
                speed += row[k] * at.twist[k];
            if ((at.held >> i & 1) == 0)
                continue;
            ck_assert_double_le(fabs(q[i] + now[i] - at.value[i]), 1e-10);
            const double change = (after[i] - before[i]) / (2.0 * t);
            if (held != 5u)
                ck_assert_msg(fabs(change - speed) <= 2e-5 * largest(row, 6) + clamped,
                              "%s, %g from the pole, %s: error changes by %g, the row says %g",
                              at.cls->info.name, distance, at.cls->info.coordinates[i].name, change,
                              speed);
        }
    }
}
END_TEST

/* ---- a pendulum that slides along its stop through the pole ---- */

static const char *const through = "tenon: 1\n"
                                   "gravity: [0, -6, -9.81]\n"
                                   "damping: {rotary: 1}\n"
                                   "bodies:\n"
                                   "  rod:\n"
                                   "    position: [0.6, 0, 0.4]\n"
                                   "    mass: 1\n"
                                   "    inertia: [0.05, 0.06, 0.04]\n"
                                   "    velocity: {angular: [0.4, -3, 0.2]}\n"
                                   "joints:\n"
                                   "  g:\n"
                                   "    type: gimbal\n"
                                   "    a: rod\n"
                                   "    origin: [0, 0, 0]\n"
                                   "    range: {roll: [-2, 2], pitch: [-1, 2.5], yaw: [-3, 3]}\n";

START_TEST(slides_through_the_pole_and_comes_to_rest)
{
    mechanism m = mechanism_read(through);
    mechanism_start_tight(&m, _i);
    pole_run run = nothing_yet;
    run_for(&m, 1e-3, 5.0, &run); /* it passes the pole within a second */
    run_for(&m, 1e-2, 55.0, &run);
    const double change = unrest(&m, 1e-2, 100);
    printf("%-27s 60 s: %.1e rad from the pole, over %.1e, mismatch %.1e, %d events; at rest "
           "multipliers change by %.1e\n",
           method_name(_i), run.nearest, run.over, run.mismatch, run.events, change);
    expect_inside(&run);
    ck_assert_int_eq(run.fallbacks, 0);
    ck_assert_double_lt(run.nearest, 1e-3);
    ck_assert_double_le(change, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- at rest on a stop at some distance from the pole ---- */

static const double mass = 0.4, gravity = 9.81, reach = 0.5;

/* A rod along x of 1 m hangs down, which is pitch = 90 degrees; gravity leans by `lean` to where
 * roll may not go: 60 degrees beyond its upper limit. */
static mechanism leaning(double lean)
{
    const double at = reach + PI / 3.0;
    mechanism m = mechanism_new(
        vec(gravity * sin(lean) * cos(at), gravity * sin(lean) * sin(at), -gravity * cos(lean)));
    tn_body_def body = tn_default_body_def();
    body.pose.p = vec(1.0, 0.0, 0.0);
    body.mass = mass;
    body.com = vec(0.0, 0.0, 0.0);
    body.inertia = mat_diagonal(0.02, 0.04, 0.05);
    body.rotary_damping = 1.6;
    mechanism_body(&m, &body);
    tn_joint_def def = tn_default_joint_def();
    def.type = "gimbal";
    def.a = (tn_body){0};
    def.b = tn_ground();
    def.placement = TN_PLACE_AXIS;
    def.axis = vec(0.0, 0.0, 1.0);
    def.lower[0] = -reach;
    def.upper[0] = reach;
    mechanism_joint(&m, &def);
    return m;
}

/* It lies on the upper limit, before the pole, or on the lower one, beyond it: whichever it meets.
 * The stop carries what of the weight leans across it. */
START_TEST(rests_on_a_stop_near_the_pole)
{
    static const double leans[] = {1e-2, 6e-4, 1e-5, 1e-8};
    for (int k = 0; k < 4; k++) {
        mechanism m = leaning(leans[k]);
        mechanism_start_tight(&m, _i);
        pole_run run = nothing_yet;
        run_for(&m, 2e-2, 15.0, &run);
        const double change = unrest(&m, 2e-2, 100);
        double q[TN_MAX_COORDINATES] = {0};
        tn_sim_joint_coordinates(m.sim, g, q);
        const int side = tn_sim_at_limit(m.sim, g, 0, NULL);
        const double across = side > 0 ? PI / 3.0 : 2.0 * PI / 3.0 - 2.0 * reach;
        const tn_wrench limit = tn_sim_joint_wrench_part(m.sim, g, TN_WRENCH_LIMIT, TN_WRENCH_IN_D);
        const double moment = mass * gravity * sin(leans[k]) * sin(across);
        const double pitch = 0.5 * PI - side * atan(tan(leans[k]) * cos(across));
        printf("%-27s lean %.0e: on stop %+d, %.1e rad from the pole, off by %.1e; moment off by "
               "%.1e N m, multipliers change by %.1e\n",
               method_name(_i), leans[k], side, fabs(0.5 * PI - q[1]), fabs(q[1] - pitch),
               fabs(vec_norm(limit.m) - moment), change);
        expect_inside(&run);
        ck_assert_int_ne(side, 0);
        ck_assert_double_le(fabs(q[1] - pitch), 1e-9);
        ck_assert_double_le(fabs(vec_norm(limit.m) - moment), 1e-9);
        ck_assert_double_le(change, 1e-9);
        mechanism_free(&m);
    }
}
END_TEST

/* ---- a family ---- */

/* Three numbers, drawn from the last on, or from the first on: two families of the same seed. */
typedef struct bounds {
    double lower, upper;
} bounds;

static tn_vec3 draw_three(const bounds of[3], bool first_on, uint64_t *seed)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        const int i = first_on ? k : 2 - k;
        x[i] = random_between(seed, of[i].lower, of[i].upper);
    }
    return vec(x[0], x[1], x[2]);
}

/* Random pendulums of which most hang near the pole; ranges of some coordinates. */
static mechanism member(const char *type, bool first_on, uint64_t *seed)
{
    static const bounds moments[3] = {{0.1, 0.2}, {0.15, 0.3}, {0.2, 0.25}};
    static const bounds spins[3] = {{-4.0, 4.0}, {-4.0, 4.0}, {-4.0, 4.0}}; /* rad/s */
    const int first = first_angle(class_of(type)), glides = strcmp(type, "ellipsoid") == 0;
    const double size = random_between(seed, 0.2, 1.0), kg = random_between(seed, 0.2, 5.0);
    const double down = (random_between(seed, 0.0, 1.0) < 0.7 ? 0.5 : -0.5) * PI +
                        random_between(seed, -0.05, 0.05);
    const double about = random_between(seed, -2.0, 2.0);
    const double pull = random_between(seed, 3.0, 12.0); /* m/s^2 */
    /* Rz(about) Ry(down) takes x there */
    mechanism m = mechanism_new(
        vec(pull * cos(about) * cos(down), pull * sin(about) * cos(down), -pull * sin(down)));
    tn_body_def body = tn_default_body_def();
    const int at_origin = first > 0 || glides;
    body.pose.p =
        at_origin ? vec(0.0, 0.0, glides ? setup.parameters[2] : 0.0) : vec(size, 0.0, 0.0);
    body.mass = kg;
    body.com = first ? vec(size, 0.0, 0.0) : vec(0.0, 0.0, 0.0);
    const double moment = kg * size * size;
    const tn_vec3 J = draw_three(moments, first_on, seed);
    body.inertia = mat_diagonal(moment * J.x, moment * J.y, moment * J.z);
    const tn_vec3 w = draw_three(spins, first_on, seed);
    body.velocity = (tn_twist){vec_cross(w, body.pose.p), w};
    body.rotary_damping = random_between(seed, 0.0, 2.0) > 1.0 ? moment : 0.0;
    mechanism_body(&m, &body);
    tn_joint_def def = tn_default_joint_def();
    def.type = type;
    def.a = (tn_body){0};
    def.b = tn_ground();
    def.placement = glides ? TN_PLACE_WORLD_FRAME : TN_PLACE_AXIS;
    if (glides)
        memcpy(def.parameters, setup.parameters, 5 * sizeof(double));
    else
        def.axis = vec(0.0, 0.0, 1.0);
    const int which = 1 + (int)random_between(seed, 0.0, 7.0);
    for (int i = 0; i < 3; i++) {
        const double lower = -random_between(seed, 0.2, 3.0),
                     upper = random_between(seed, 0.2, 3.0);
        const double restitution = random_between(seed, -1.0, 0.8);
        if ((which >> i & 1) == 0)
            continue;
        def.lower[first + i] = lower;
        def.upper[first + i] = upper;
        def.restitution[first + i] = fmax(0.0, restitution);
    }
    for (int i = 0; i < first; i++)
        def.locked[i] = 1;
    mechanism_joint(&m, &def);
    return m;
}

typedef struct family_kind {
    const char *type;
    double h; /* s */
    int count;
    double time;   /* s */
    uint64_t seed; /* a tenth at least must come near the pole */
    bool first_on; /* draw_three */
} family_kind;

/* In the last one a step ends where a limit is reached 2e-4 rad from the pole: 1e-4 rad turn roll by 0.6 rad there. */
static const family_kind families[] = {
    {"gimbal", 1e-4, 3, 0.5, 8, false},   {"gimbal", 1e-3, 12, 1.5, 17, false},
    {"gimbal", 5e-3, 24, 3.0, 17, false}, {"gimbal", 2e-2, 40, 3.0, 17, false},
    {"free", 1e-3, 6, 1.5, 17, false},    {"ellipsoid", 2e-3, 10, 1.5, 17, false},
    {"gimbal", 2e-2, 34, 1.0, 17, true},
};
enum { FAMILIES = sizeof families / sizeof *families };

START_TEST(no_member_of_the_family_is_refused)
{
    const family_kind *kind = &families[_i / METHODS];
    const int integrator = _i % METHODS;
    uint64_t seed = kind->seed;
    pole_run all = nothing_yet;
    int near = 0;
    for (int k = 0; k < kind->count; k++) {
        mechanism m = member(kind->type, kind->first_on, &seed);
        mechanism_start(&m, integrator);
        pole_run run = nothing_yet;
        run_for(&m, kind->h, kind->time, &run);
        all.refused += run.refused;
        all.fallbacks += run.fallbacks;
        all.events += run.events;
        all.over = fmax(all.over, run.over);
        all.mismatch = fmax(all.mismatch, run.mismatch);
        near += run.nearest < 1e-2;
        mechanism_free(&m);
    }
    printf("%-27s %s, h = %.0e: %d of %d within 1e-2 of the pole, refused %d, fallbacks %d, over "
           "%.1e, mismatch %.1e, %d events\n",
           method_name(integrator), kind->type, kind->h, near, kind->count, all.refused,
           all.fallbacks, all.over, all.mismatch, all.events);
    ck_assert_int_ge(10 * near, kind->count);
    expect_inside(&all);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("limits at the pole");
    TCase *one = tcase_create("one");
    tcase_add_loop_test(one, slides_through_the_pole_and_comes_to_rest, 0, METHODS);
    tcase_add_loop_test(one, rests_on_a_stop_near_the_pole, 0, METHODS);
    suite_add_tcase(suite, one);
    TCase *types = tcase_create("types");
    tcase_add_loop_test(types, errors_grow_as_the_rows_say, 0, TYPES);
    suite_add_tcase(suite, types);
    TCase *family = tcase_create("family");
    tcase_add_loop_test(family, no_member_of_the_family_is_refused, 0,
                        ALL_OR_FEW(FAMILIES * METHODS, (FAMILIES - 1) * METHODS + 1));
    suite_add_tcase(suite, family);
    return suite;
}
