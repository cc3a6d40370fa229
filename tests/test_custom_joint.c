/* Joints made of the user's own axes, and points that slide on lines: against the built-in types
 * they can be, closed forms, conserved energy, and what is refused. */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "joint/custom/custom_plain.h"
#include "joint/custom/custom_search.h"
#include "math/m3.h"
#include "support/mechanism.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "support/solids.h"
#include "tenon/io.h"

#define PI 3.14159265358979323846

/* ---- a body on a joint to ground ----------------------------------------------------------- */

static mechanism hanging(const tn_joint_def *joint, tn_vec3 gravity, double forces)
{
    mechanism m = mechanism_new(gravity);
    tn_body_def body = tn_default_body_def();
    body.mass = 1.3;
    body.com = vec(0.2, -0.1, 0.15);
    body.inertia = mat_diagonal(0.02, 0.03, 0.025);
    tn_joint_def def = *joint;
    def.a = mechanism_body(&m, &body);
    def.placement = TN_PLACE_BODY_FRAMES;
    mechanism_joint(&m, &def);
    tn_sim_options options = mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    options.force_tolerance = forces;
    mechanism_start_with(&m, &options);
    return m;
}

static double pose_difference(tn_pose a, tn_pose b)
{
    const double same = fabs(a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z);
    return fmax(fmax(fabs(a.p.x - b.p.x), fabs(a.p.y - b.p.y)),
                fmax(fabs(a.p.z - b.p.z), fabs(1.0 - same)));
}

/* ---- the built-in types, made of axes ------------------------------------------------------ */

#define PITCH 0.05 /* m/rad */

static const double screw_numbers[] = {0.0, PITCH};
static const double skew = 0.4;

typedef struct twin {
    const char *type;
    double parameter; /* NaN: none */
    int32_t coordinates, axes;
    tn_coordinate_info coordinate[3];
    tn_joint_axis axis[3];
    double q[3]; /* at the start */
} twin;

static twin twin_at(int i)
{
    const tn_function_def line = {
        .kind = TN_FUNCTION_POLYNOMIAL, .numbers = screw_numbers, .count = 2};
    const tn_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    const twin twins[] = {
        {"hinge", NAN, 1, 1, {{"a", 1}}, {{1, z, 0, {0}}}, {0.3}},
        {"slider", NAN, 1, 1, {{"a", 0}}, {{0, z, 0, {0}}}, {0.3}},
        {"cylindrical",
         NAN,
         2,
         2,
         {{"a", 0}, {"b", 1}},
         {{0, z, 0, {0}}, {1, z, 1, {0}}},
         {0.1, 1}},
        {"screw", PITCH, 1, 2, {{"a", 1}}, {{1, z, 0, {0}}, {0, z, 0, line}}, {0.3}},
        {"universal",
         NAN,
         2,
         2,
         {{"a", 1}, {"b", 1}},
         {{1, z, 0, {0}}, {1, y, 1, {0}}},
         {0.3, 0.7}},
        {"skewed_universal",
         skew,
         2,
         2,
         {{"a", 1}, {"b", 1}},
         {{1, z, 0, {0}}, {1, {0.0, cos(skew), sin(skew)}, 1, {0}}},
         {0.3, 0.5}},
        {"gimbal",
         NAN,
         3,
         3,
         {{"a", 1}, {"b", 1}, {"c", 1}},
         {{1, z, 0, {0}}, {1, y, 1, {0}}, {1, x, 2, {0}}},
         {0.3, 0.4, -0.2}},
        {"planar",
         NAN,
         3,
         3,
         {{"x", 0}, {"y", 0}, {"t", 1}},
         {{0, x, 0, {0}}, {0, y, 1, {0}}, {1, z, 2, {0}}},
         {0.1, 0.2, 0.4}},
        {"slotted_hinge",
         NAN,
         2,
         2,
         {{"x", 0}, {"t", 1}},
         {{0, x, 0, {0}}, {1, z, 1, {0}}},
         {0.1, 1}},
    };
    return twins[i];
}

enum { TWINS = 9 };

/* The same poses of the same coordinates, and the same motion through half a second. */
START_TEST(built_in_types_are_special_cases)
{
    const twin t = twin_at(_i);
    const tn_joint_data data = {.coordinates = t.coordinate,
                                .coordinate_count = t.coordinates,
                                .axes = t.axis,
                                .axis_count = t.axes};
    tn_joint_def plain = tn_default_joint_def(), own = tn_default_joint_def();
    plain.type = t.type;
    plain.parameters[0] = t.parameter;
    own.type = "custom";
    own.data = &data;
    tn_pose a, b;
    ck_assert_int_eq(tn_joint_def_coordinates_to_pose(&plain, t.q, &a), TN_OK);
    ck_assert_int_eq(tn_joint_def_coordinates_to_pose(&own, t.q, &b), TN_OK);
    ck_assert_double_le(pose_difference(a, b), 1e-14);
    memcpy(plain.set, t.q, sizeof t.q);
    memcpy(own.set, t.q, sizeof t.q);
    for (int k = t.coordinates; k < 3; k++)
        plain.set[k] = own.set[k] = NAN;
    /* trees of one freedom a joint are iterated in their coordinates, which ends at round-off; others are told to */
    const bool in_coordinates = strcmp(t.type, "hinge") == 0 || strcmp(t.type, "slider") == 0 ||
                                strcmp(t.type, "screw") == 0;
    mechanism m = hanging(&plain, vec(2.0, -3.0, -9.0), INFINITY);
    mechanism n = hanging(&own, vec(2.0, -3.0, -9.0), in_coordinates ? 1e-13 : INFINITY);
    double worst = 0.0, moved = 0.0, p[TN_MAX_COORDINATES], q[TN_MAX_COORDINATES];
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){0});
    for (int step = 0; step < 500; step++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(n.sim, 1e-3, NULL), TN_OK);
        const tn_pose now = tn_sim_body_pose(m.sim, (tn_body){0});
        worst = fmax(worst, pose_difference(now, tn_sim_body_pose(n.sim, (tn_body){0})));
        moved = fmax(moved, pose_difference(now, before));
        tn_sim_joint_coordinates(m.sim, (tn_joint){0}, p);
        tn_sim_joint_coordinates(n.sim, (tn_joint){0}, q);
        for (int k = 0; k < t.coordinates; k++)
            worst = fmax(worst, fabs(p[k] - q[k]));
    }
    ck_assert_double_ge(moved, 0.01);
    ck_assert_msg(worst <= 1e-12, "%s: %g", t.type, worst);
    mechanism_free(&m);
    mechanism_free(&n);
}
END_TEST

/* ---- one coordinate along an axis anywhere ---------------------------------------------------- */

/* Axes of a turn, or a shift, in the frames of the joint. */
static const double somewhere[][3] = {
    {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0}, {0.6, 0.0, 0.8}, {-0.48, 0.6, -0.64}};
enum { SOMEWHERE = sizeof somewhere / sizeof *somewhere };

/* Two bodies, each on a joint about an axis of its frames: custom, or a hinge or slider whose frames are turned so that the axis is their z.
 */
static mechanism two_on(const double axis[3], bool turns, bool custom)
{
    const tn_vec3 along = vec(axis[0], axis[1], axis[2]);
    const tn_coordinate_info coordinate = {"a", turns};
    const tn_joint_axis own = {turns, along, 0, {0}};
    const tn_joint_data data = {
        .coordinates = &coordinate, .coordinate_count = 1, .axes = &own, .axis_count = 1};
    const tn_quat to_axis = q_normalize((tn_quat){1.0 + axis[2], -axis[1], axis[0], 0.0});
    mechanism m = mechanism_new(vec(2.0, -3.0, -9.0));
    for (int32_t k = 0; k < 2; k++) {
        tn_body_def body = tn_default_body_def();
        tn_joint_def def = tn_default_joint_def();
        body.mass = 1.3 - 0.4 * k;
        body.com = vec(0.2, -0.1, 0.15);
        body.inertia = mat_diagonal(0.02, 0.03, 0.025);
        body.pose.p = vec(0.5 * k, 0.0, 0.2 * k);
        def.a = mechanism_body(&m, &body);
        def.b.i = k - 1;
        def.placement = TN_PLACE_BODY_FRAMES;
        def.type = custom ? "custom" : turns ? "hinge" : "slider";
        def.data = custom ? &data : NULL;
        def.frame_d.p = k > 0 ? vec(0.5, 0.0, 0.2) : def.frame_d.p;
        if (!custom)
            def.frame_c.q = def.frame_d.q = to_axis;
        mechanism_joint(&m, &def);
    }
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

START_TEST(one_axis_anywhere)
{
    const bool turns = _i % 2 == 0;
    mechanism own = two_on(somewhere[_i / 2], turns, true),
              plain = two_on(somewhere[_i / 2], turns, false);
    const tn_pose before = tn_sim_body_pose(plain.sim, (tn_body){1});
    for (int step = 0; step < 200; step++) {
        ck_assert_int_eq(tn_sim_step(own.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(plain.sim, 1e-3, NULL), TN_OK);
        for (int32_t k = 0; k < 2; k++)
            ck_assert_double_le(pose_difference(tn_sim_body_pose(own.sim, (tn_body){k}),
                                                tn_sim_body_pose(plain.sim, (tn_body){k})),
                                1e-9);
    }
    ck_assert_double_ge(pose_difference(before, tn_sim_body_pose(plain.sim, (tn_body){1})), 0.01);
    mechanism_free(&own);
    mechanism_free(&plain);
}
END_TEST

/* ---- axes at right angles --------------------------------------------------------------------- */

/* Turns by their axes in a frame of their own: 0 x, 1 y, 2 z; -1: none; then shifts. */
static const int plain_axes[][6] = {
    {2, 1, 0, -1, -1, -1}, {0, 1, 2, -1, -1, -1},  {2, 0, 2, -1, -1, -1}, {1, 2, 1, 0, 1, 2},
    {1, -1, -1, 0, 2, -1}, {2, 1, -1, -1, -1, -1}, {0, 2, -1, 1, -1, -1}, {-1, -1, -1, 2, 0, -1},
};
enum { PLAIN = sizeof plain_axes / sizeof *plain_axes };

static const tn_pose_family *plain_family(int kind, tn_quat frame, tn_arena *arena)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    extern const tn_joint_class tn_joint_class_custom;
    const tn_mat3 R = q_to_m3(frame);
    tn_coordinate_info coordinates[6];
    tn_joint_axis axes[6];
    tn_joint_data data = {.coordinates = coordinates, .axes = axes};
    for (int i = 0; i < 6; i++) {
        const int along = plain_axes[kind][i];
        if (along < 0)
            continue;
        const int n = data.axis_count++;
        const tn_vec3 axis = {along == 0, along == 1, along == 2};
        coordinates[n] = (tn_coordinate_info){names[n], i < 3};
        axes[n] = (tn_joint_axis){.angular = i < 3, .axis = m3_mulv(&R, axis), .coordinate = n};
    }
    data.coordinate_count = data.axis_count;
    tn_joint_setup setup = {.data = NULL};
    const tn_joint_class *cls;
    ck_assert_int_eq(tn_joint_class_custom.build(&data, arena, &setup, &cls), TN_OK);
    return setup.data;
}

static tn_xform pose_at(const tn_pose_family *family, const double *q)
{
    tn_family_point point;
    family->at(family, q, NULL, &point);
    return point.T_GD;
}

static double xform_difference(tn_xform a, tn_xform b)
{
    double worst = v3_norm(v3_sub(a.p, b.p));
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(a.R.m[i / 3][i % 3] - b.R.m[i / 3][i % 3]));
    return worst;
}

/* Coordinates of legal poses come back, from some a little beside them, with their turns; off a legal pose the closed form
 * is where the search comes to. */
START_TEST(axes_at_right_angles_are_not_searched)
{
    uint64_t seed = 7;
    int exact = 0, legal = 0, all = 0;
    for (int round = 0; round < 100; round++) {
        tn_arena arena = {0};
        const tn_quat frame = q_exp(random_within(&seed, 2.0));
        const tn_pose_family *family = plain_family(_i, frame, &arena);
        const int n = family->own.info.coordinate_count;
        double q[6], closed[6], searched[6];
        for (int k = 0; k < n; k++) {
            q[k] = random_between(&seed, -4.0, 4.0);
            closed[k] = q[k] + random_between(&seed, -0.05, 0.05);
        }
        tn_xform T = pose_at(family, q);
        tn_closed_form found = tn_custom_plain(family, &T, closed);
        all++;
        legal += found == TN_CLOSED_EXACT;
        if (found != TN_CLOSED_NONE) {
            ck_assert_double_le(xform_difference(pose_at(family, closed), T), 1e-13);
            for (int k = 0; k < n; k++)
                ck_assert_double_eq_tol(closed[k], q[k], 1e-11);
        }
        const tn_mat3 off = q_to_m3(q_exp(random_within(&seed, 0.03)));
        T.R = m3_mul(&off, &T.R);
        T.p = v3_add(T.p, random_within(&seed, 0.03));
        memcpy(closed, q, sizeof q);
        memcpy(searched, q, sizeof q);
        found = tn_custom_plain(family, &T, closed);
        ck_assert_int_eq(tn_custom_search(family, &T, TN_SEARCH_ANYWHERE, searched), 1);
        exact += found == TN_CLOSED_EXACT;
        if (found != TN_CLOSED_NONE) { /* two turns: a start, as far off as the pose */
            ck_assert_double_le(
                xform_difference(pose_at(family, closed), pose_at(family, searched)),
                found == TN_CLOSED_EXACT ? 1e-9 : 0.1);
        }
        tn_arena_free(&arena);
    }
    const bool two = plain_axes[_i][1] >= 0 && plain_axes[_i][2] < 0;
    ck_assert_int_ge(legal, all - 10); /* poles are seldom */
    ck_assert_int_ge(exact, two ? 0 : all - 10);
    ck_assert_int_le(exact, two ? 0 : all);
}
END_TEST

/* ---- a bead on an ellipse, by callbacks ---------------------------------------------------- */

static void ellipse_x(void *context, double q, double out[3])
{
    const double a = *(const double *)context;
    out[0] = a * cos(q);
    out[1] = -a * sin(q);
    out[2] = -a * cos(q);
}

static void ellipse_z(void *context, double q, double out[3])
{
    const double b = ((const double *)context)[1];
    out[0] = b * sin(q);
    out[1] = b * cos(q);
    out[2] = -b * sin(q);
}

/* A point mass carried round an ellipse, its turn locked: E = m |x'|^2 / 2 + m g z is kept, and the
 * speed is that of the closed form where it passes the lowest point. The coordinate is the value of
 * no axis, and each axis turns back somewhere. */
START_TEST(a_bead_on_an_ellipse)
{
    double size[2] = {0.5, 0.3};
    const tn_function_def fx = {
        .kind = TN_FUNCTION_CALLBACK, .callback = ellipse_x, .context = size};
    const tn_function_def fz = {
        .kind = TN_FUNCTION_CALLBACK, .callback = ellipse_z, .context = size};
    const tn_joint_axis axes[] = {{0, {1.0, 0.0, 0.0}, 0, fx}, {0, {0.0, 0.0, 1.0}, 0, fz}};
    const tn_coordinate_info q = {"phase", 1};
    const tn_joint_data data = {
        .coordinates = &q, .coordinate_count = 1, .axes = axes, .axis_count = 2};
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "custom";
    joint.data = &data;
    joint.set[0] = 0.2;
    mechanism m = hanging(&joint, vec(0.0, 0.0, -9.81), INFINITY);
    const double start = tn_sim_energy(m.sim).total;
    double fastest = 0.0, worst = 0.0;
    for (int step = 0; step < 1000; step++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
        fastest = fmax(fastest, vec_norm(tn_sim_body_velocity(m.sim, (tn_body){0}).v));
        worst = fmax(worst, fabs(tn_sim_energy(m.sim).total - start));
    }
    const double fall = size[1] * (sin(0.2) + 1.0);
    ck_assert_double_eq_tol(fastest, sqrt(2.0 * 9.81 * fall), 1e-4);
    ck_assert_double_le(worst, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* ---- lines --------------------------------------------------------------------------------- */

#define BEAD_MASS 0.7

/* A bead (its turning does not matter: the joint acts on its centre) on a line, with a velocity. */
static mechanism bead(const char *type, const double (*points)[2], int32_t count, double rounding,
                      tn_vec3 at, tn_vec3 velocity, tn_vec3 gravity)
{
    mechanism m = mechanism_new(gravity);
    tn_body_def body = tn_default_body_def();
    body.mass = BEAD_MASS;
    body.inertia = mat_diagonal(1e-3, 1e-3, 1e-3);
    body.pose.p = at;
    body.velocity.v = velocity;
    const tn_joint_data data = {.points = points, .point_count = count};
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.data = &data;
    joint.parameters[0] = rounding;
    joint.a = mechanism_body(&m, &body);
    joint.placement = TN_PLACE_BODY_FRAMES;
    mechanism_joint(&m, &joint);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static const double corner[][2] = {{-1.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}};

/* Over a corner of 45 degrees, without gravity: the speed stays, the direction is the new one, and
 * the force in the arc is m v^2 / r, r = cut / tan(turn / 2). */
START_TEST(a_corner_keeps_the_speed)
{
    mechanism m = bead("segmented_plane", corner, 3, 0.3, vec(-0.6, 0.2, 0.0), vec(2.0, 0.1, 0.0),
                       vec(0.0, 0.0, 0.0));
    const double radius = 0.3 / tan(PI / 8.0);
    double largest = 0.0;
    for (int step = 0; step < 500; step++) {
        double lambda[TN_MAX_ROWS];
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
        tn_sim_joint_multipliers(m.sim, (tn_joint){0}, lambda);
        if (fabs(tn_sim_body_pose(m.sim, (tn_body){0}).p.x) < 0.1)
            largest = fmax(largest, fabs(lambda[0] - BEAD_MASS * 4.0 / radius));
    }
    const tn_twist u = tn_sim_body_velocity(m.sim, (tn_body){0});
    ck_assert_double_eq_tol(u.v.x, sqrt(2.0), 1e-4);
    ck_assert_double_eq_tol(u.v.z, sqrt(2.0), 1e-4);
    ck_assert_double_eq_tol(u.v.y, 0.1, 1e-12);
    ck_assert_double_le(largest, 0.01 * BEAD_MASS * 4.0 / radius);
    mechanism_free(&m);
}
END_TEST

/* Sharp corners at long steps: the bead stays on the line, never gains energy, and loses at most
 * what an impact on the new segment would take, (v sin turn)^2 / v^2. */
START_TEST(a_jumped_corner_gains_nothing)
{
    mechanism m = bead("segmented_plane", corner, 3, 1e-3, vec(-0.615, 0.0, 0.0),
                       vec(2.0, 0.0, 0.0), vec(0.0, 0.0, 0.0));
    const double start = tn_sim_energy(m.sim).total;
    for (int step = 0; step < 50; step++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, &report), TN_OK);
        ck_assert_double_le(report.position_error, 1e-9);
    }
    const double kept = tn_sim_energy(m.sim).total / start;
    printf("corner of 45 degrees jumped: %.3f of the energy kept\n", kept);
    ck_assert_double_le(kept, 1.0 + 1e-6);
    ck_assert_double_ge(kept, 0.5 - 1e-6);
    mechanism_free(&m);
}
END_TEST

static const double ledge[][2] = {{-1.0, 0.0}, {0.0, 0.0}, {1.0, -0.5}};

/* Over an edge that bends away a bead is carried round only while m v^2 / r < m g cos: at 3 m/s it
 * flies, on the parabola, at 0.3 m/s it follows. */
START_TEST(a_fast_bead_leaves_the_edge)
{
    const tn_vec3 gravity = vec(0.0, 0.0, -9.81);
    mechanism fast = bead("segmented_half_space", ledge, 3, 0.1, vec(-0.5, 0.0, 0.0),
                          vec(3.0, 0.0, 0.0), gravity);
    mechanism slow = bead("segmented_half_space", ledge, 3, 0.1, vec(-0.15, 0.0, 0.0),
                          vec(0.3, 0.0, 0.0), gravity);
    const double begin = -0.1; /* of the arc */
    double gap = 0.0, q[TN_MAX_COORDINATES], left = NAN;
    for (int step = 0; step < 250; step++) {
        ck_assert_int_eq(tn_sim_step(fast.sim, 1e-3, NULL), TN_OK);
        tn_sim_joint_coordinates(fast.sim, (tn_joint){0}, q);
        ck_assert_double_ge(q[0], -1e-9);
        const tn_vec3 p = tn_sim_body_pose(fast.sim, (tn_body){0}).p;
        const double t = fmax(0.0, (p.x - begin) / 3.0);
        /* the force jumps where the arc begins: found within a step */
        ck_assert_double_eq_tol(p.z, -0.5 * 9.81 * t * t, 9.81 * t * 1e-3 + 1e-6);
        if (isnan(left) && q[0] > 1e-9)
            left = p.x;
    }
    ck_assert_double_eq_tol(left, begin, 0.01);
    for (int step = 0; step < 1000; step++) {
        ck_assert_int_eq(tn_sim_step(slow.sim, 1e-3, NULL), TN_OK);
        tn_sim_joint_coordinates(slow.sim, (tn_joint){0}, q);
        gap = fmax(gap, fabs(q[0]));
    }
    ck_assert_double_gt(tn_sim_body_pose(slow.sim, (tn_body){0}).p.x, 0.5);
    ck_assert_double_le(gap, 1e-9);
    mechanism_free(&fast);
    mechanism_free(&slow);
}
END_TEST

/* ---- the knee ------------------------------------------------------------------------------- */

static tn_spec *read_example(const char *name)
{
    tn_spec *spec = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/joints/%s.yaml", TN_EXAMPLES, name);
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &spec), TN_OK);
    return spec;
}

/* At its measured points the knee stands where they say. */
START_TEST(the_knee_goes_through_its_points)
{
    tn_spec *spec = read_example("custom");
    const tn_joint_def *knee = tn_spec_joint(spec, (tn_joint){0});
    ck_assert_int_eq(knee->data->axis_count, 3);
    const tn_function_def *x = &knee->data->axes[1].function, *y = &knee->data->axes[2].function;
    for (int32_t i = 0; i < x->count; i += 2) {
        tn_pose T;
        double q = 0.0;
        ck_assert_int_eq(tn_joint_def_coordinates_to_pose(knee, &x->numbers[i], &T), TN_OK);
        ck_assert_double_eq_tol(T.p.x, x->numbers[i + 1], 1e-15);
        ck_assert_double_eq_tol(2.0 * atan2(T.q.z, T.q.w), x->numbers[i], 1e-14);
        ck_assert_int_eq(tn_joint_def_pose_to_coordinates(knee, T, NULL, &q, NULL), TN_OK);
        ck_assert_double_eq_tol(q, x->numbers[i], 1e-13);
    }
    for (int32_t i = 0; i < y->count; i += 2) {
        tn_pose T;
        ck_assert_int_eq(tn_joint_def_coordinates_to_pose(knee, &y->numbers[i], &T), TN_OK);
        ck_assert_double_eq_tol(T.p.y, y->numbers[i + 1], 1e-15);
    }
    tn_spec_destroy(spec);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *lines; /* of the joint, after its type's */
    const char *said;
    int line; /* of the file */
} refusal;

#define ONE_AXIS "    axes: [{rotation: [0, 0, 1], coordinate: q}]\n"

static const refusal refusals[] = {
    {"    type: hinge\n    points: [[0, 0], [1, 0]]\n", "takes no points", 7},
    {"    type: segmented_plane\n", "a line needs two points at least", 5},
    {"    type: segmented_plane\n    points: [[0, 0]]\n", "a line needs two points at least", 7},
    {"    type: segmented_plane\n    points: [[0, 0], [1, 0], [1, 0]]\n", "point 2 is the same", 7},
    {"    type: segmented_plane\n    points: [[0, 0], [1, 0], [0, 0]]\n", "turns straight back", 7},
    {"    type: segmented_plane\n    points: [[0, 0], [1, 0, 0]]\n", "2 numbers", 7},
    {"    type: custom\n", "it needs coordinates and axes", 5},
    {"    type: custom\n    coordinates: {q: bend}\n" ONE_AXIS, "unknown kind of coordinate 'bend'",
     7},
    {"    type: custom\n    coordinates: {q: angle, r: angle}\n" ONE_AXIS,
     "the coordinate 'r' moves no axis", 7},
    {"    type: custom\n    coordinates: {q: angle}\n"
     "    axes: [{rotation: [0, 0, 1], coordinate: qq}]\n",
     "unknown coordinate 'qq'", 8},
    {"    type: custom\n    coordinates: {q: angle}\n    axes: [{coordinate: q}]\n",
     "neither a rotation nor a translation", 8},
    {"    type: custom\n    coordinates: {q: angle}\n"
     "    axes: [{rotation: [0, 0, 0], coordinate: q}]\n",
     "axis 0 has no direction", 8},
    {"    type: custom\n    coordinates: {q: angle, r: angle}\n"
     "    axes: [{rotation: [0, 0, 1], coordinate: q}, {rotation: [0, 0, 2], coordinate: r}]\n",
     "about the same axis", 8},
    {"    type: custom\n    coordinates: {q: angle}\n"
     "    axes: [{rotation: [0, 0, 1], coordinate: q}, {translation: [1, 0, 0]}]\n",
     "has no coordinate to go by", 8},
    {"    type: custom\n    coordinates: {q: angle}\n" ONE_AXIS "    range: {theta: [0, 1]}\n",
     "unknown coordinate 'theta'", 9},
};

START_TEST(bad_lists_are_refused)
{
    const refusal *r = &refusals[_i];
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
             "  j:\n%s    a: b\n    origin: [0, 0, 0]\n",
             r->lines);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_status status = tn_spec_read_string(text, strlen(text), "file.yaml", diags, &spec);
    if (status == TN_OK)
        status = tn_model_compile(spec, diags, &model);
    ck_assert_int_eq(status, TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(d->message, r->said) != NULL, "said: %s", d->message);
    ck_assert_int_eq(d->at.line, r->line);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("custom joints");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, built_in_types_are_special_cases, 0, TWINS);
    tcase_add_loop_test(tc, axes_at_right_angles_are_not_searched, 0, PLAIN);
    tcase_add_loop_test(tc, one_axis_anywhere, 0, 2 * SOMEWHERE);
    tcase_add_test(tc, a_bead_on_an_ellipse);
    tcase_add_test(tc, a_corner_keeps_the_speed);
    tcase_add_test(tc, a_jumped_corner_gains_nothing);
    tcase_add_test(tc, a_fast_bead_leaves_the_edge);
    tcase_add_test(tc, the_knee_goes_through_its_points);
    tcase_add_loop_test(tc, bad_lists_are_refused, 0, (int)(sizeof refusals / sizeof *refusals));
    suite_add_tcase(suite, tc);
    return suite;
}
