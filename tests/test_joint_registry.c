/* What must hold for every joint type of the registry, at random parameters, poses and speeds. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "joint/turn/pole.h"
#include "joint_samples.h"
#include "run_main.h"
#include "support/heavy.h"
#include "tenon/spec.h"

enum { SAMPLES = ALL_OR_FEW(1000, 100) };

static const double step = 1e-4; /* s, m, rad: of finite differences */

/* Fails with the type's name when the figure is above its tolerance (or not a number). */
#define EXPECT_BELOW(sample, what, figure, tolerance)                                              \
    ck_assert_msg((figure) <= (tolerance), "%s: %s %g, allowed %g", (sample)->cls->info.name,      \
                  (what), (figure), (tolerance))

static double dot6(const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

static void rows_of(const joint_sample *s, double W[TN_MAX_ROWS][6])
{
    memset(W, 0, sizeof(double) * TN_MAX_ROWS * 6);
    tn_joint_wrenches(s->cls, &s->setup, &s->T_GD, s->q, W);
}

static void twists_of(const joint_sample *s, double T[TN_MAX_ROWS][6])
{
    memset(T, 0, sizeof(double) * TN_MAX_ROWS * 6);
    tn_joint_twists(s->cls, &s->setup, &s->T_GD, s->q, T);
}

/* ---- what the tables say ------------------------------------------------------------------ */

static int has_one_of(uint32_t flags, uint32_t a, uint32_t b)
{
    return ((flags & a) != 0) + ((flags & b) != 0) == 1;
}

static void check_rows(const tn_joint_type_info *info)
{
    int32_t next = 0;
    for (int32_t k = 0; k < info->row_count; k++) {
        const tn_row_info *row = &info->rows[k];
        ck_assert(has_one_of(row->flags, TN_ROW_BILATERAL, TN_ROW_MOTION));
        ck_assert(has_one_of(row->flags, TN_ROW_LINEAR, TN_ROW_ROTARY));
        ck_assert_int_eq((row->flags & TN_ROW_BILATERAL) != 0, k < info->bilateral_count);
        for (int32_t i = 0; i < k; i++)
            ck_assert_str_ne(row->name, info->rows[i].name);
        if (k < info->bilateral_count || next == info->coordinate_count) {
            ck_assert_int_eq(row->coordinate, -1);
            continue;
        }
        ck_assert_int_eq(row->coordinate, next);
        ck_assert_str_eq(row->name, info->coordinates[next].name);
        ck_assert_int_eq((row->flags & TN_ROW_ROTARY) != 0, info->coordinates[next].angular);
        next++;
    }
    ck_assert_int_eq(next, info->coordinate_count);
}

/* Every row given up is a motion more. */
static void check_reliefs(const tn_joint_class *cls)
{
    for (const tn_joint_relief *r = cls->reliefs; r && r->rows != 0; r++) {
        const tn_joint_type_info *other = tn_joint_type_get((tn_joint_type){r->type});
        int32_t count = 0;
        for (int32_t k = 0; k < 8; k++)
            count += r->rows >> k & 1;
        ck_assert_int_lt(r->rows, 1 << cls->info.bilateral_count);
        ck_assert_ptr_nonnull(other);
        ck_assert_int_eq(other->dof, cls->info.dof + count);
    }
}

START_TEST(tables_are_complete)
{
    const tn_joint_class *cls = tn_joint_class_get((tn_joint_type){_i});
    const tn_joint_type_info *info = &cls->info;
    ck_assert_int_eq(info->row_count, 6);
    ck_assert_int_eq(info->bilateral_count, 6 - info->dof);
    ck_assert_int_le(info->coordinate_count, info->dof);
    ck_assert_uint_gt(strlen(info->summary), 0);
    check_rows(info);
    check_reliefs(cls);
    for (int32_t i = 0; info->ranges && i < info->coordinate_count; i++)
        ck_assert(info->ranges[i][0] < info->ranges[i][1]);
    for (int32_t i = 0; i < info->parameter_count; i++) {
        const tn_parameter_info *p = &info->parameters[i];
        ck_assert(p->lower < p->default_value && p->default_value < p->upper);
        ck_assert_uint_gt(strlen(p->name) * strlen(p->unit) * strlen(p->summary), 0);
    }
    ck_assert((cls->axes != NULL) == (cls->wrenches == NULL));
    ck_assert(cls->axes == NULL || cls->twists == NULL);
}
END_TEST

START_TEST(names_and_aliases_are_unique)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){i});
        tn_joint_type found = {-1};
        ck_assert_int_eq(tn_joint_type_find(info->name, &found), TN_OK);
        ck_assert_int_eq(found.i, i);
        for (const char *const *alias = info->aliases; alias && *alias; alias++) {
            ck_assert_int_eq(tn_joint_type_find(*alias, &found), TN_OK);
            ck_assert_int_eq(found.i, i); /* the first with that name: it has no other owner */
        }
    }
}
END_TEST

/* ---- poses and coordinates ---------------------------------------------------------------- */

static tn_joint_def definition_of(const joint_sample *s)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = s->cls->info.name;
    memcpy(def.parameters, s->setup.parameters, sizeof def.parameters);
    def.data = s->data;
    return def;
}

/* How far references and poses are from the samples (m, rad): types that search the nearest pose
 * promise it near the reference only. */
static double reach_of(const joint_sample *s)
{
    return s->cls->project ? 0.3 : 0.03;
}

START_TEST(coordinates_come_back_from_their_pose)
{
    uint64_t seed = 100 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double reference[TN_MAX_COORDINATES], q[TN_MAX_COORDINATES] = {0};
        for (int32_t i = 0; i < s.cls->info.coordinate_count; i++)
            reference[i] = s.q[i] + reach_of(&s) * random_number(&seed);
        tn_xform T;
        s.cls->coordinates_to_pose(&s.setup, s.q, &T);
        s.cls->pose_to_coordinates(&s.setup, &T, reference, q);
        for (int32_t i = 0; i < s.cls->info.coordinate_count; i++)
            q[i] -= s.q[i];
        EXPECT_BELOW(&s, "coordinate error", largest(q, TN_MAX_COORDINATES), 1e-12);
        /* the public path goes through a quaternion and the projection */
        const tn_pose pose = {T.p, tn_quat_from_matrix(&T.R)};
        const tn_joint_def def = definition_of(&s);
        ck_assert_int_eq(tn_joint_def_pose_to_coordinates(&def, pose, reference, q, NULL), TN_OK);
        for (int32_t i = 0; i < s.cls->info.coordinate_count; i++)
            q[i] -= s.q[i];
        EXPECT_BELOW(&s, "public coordinate error", largest(q, TN_MAX_COORDINATES), 1e-12);
    }
}
END_TEST

/* Anywhere; near enough to the sample for types that search from there. */
static tn_xform pose_to_project(const joint_sample *s, uint64_t *seed)
{
    if (s->cls->project)
        return sample_pose(seed);
    double twist[6];
    v3_store(twist, random_vector(seed));
    v3_store(twist + 3, random_vector(seed));
    return moved_in_frame(&s->T_GD, twist, reach_of(s));
}

START_TEST(pose_comes_back_from_its_coordinates)
{
    const tn_joint_class *cls = tn_joint_class_get((tn_joint_type){_i});
    if (cls->info.coordinate_count < cls->info.dof)
        return; /* the coordinates do not determine the pose */
    uint64_t seed = 200 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        const tn_xform T_CD = pose_to_project(&s, &seed);
        tn_xform T_GD, again;
        tn_joint_project(s.cls, &s.setup, &T_CD, s.q, &T_GD);
        s.cls->pose_to_coordinates(&s.setup, &T_GD, s.q, s.q);
        s.cls->coordinates_to_pose(&s.setup, s.q, &again);
        double W[TN_MAX_ROWS][6];
        tn_joint_wrenches(s.cls, &s.setup, &T_GD, s.q, W);
        if (largest(W[0], 36) > 0.5 / TN_POLE_ZONE)
            continue; /* at a pole the reference decides (test_joint_mistakes.c) */
        /* round-off of angles of many turns: a fine screw far out */
        const double tolerance = 1e-13 * fmax(1.0, largest(s.q, s.cls->info.coordinate_count));
        EXPECT_BELOW(&s, "pose error", pose_distance(&T_GD, &again), tolerance);
    }
}
END_TEST

/* Q^T Q - I */
static double orthogonality_error(const tn_mat3 *R)
{
    const tn_xform a = {m3_tmul(R, R), {0.0, 0.0, 0.0}}, b = xf_identity();
    return pose_distance(&a, &b);
}

START_TEST(projection_is_idempotent)
{
    uint64_t seed = 300 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        const tn_xform T_CD = pose_to_project(&s, &seed);
        tn_xform once, twice;
        tn_joint_project(s.cls, &s.setup, &T_CD, s.q, &once);
        tn_joint_project(s.cls, &s.setup, &once, s.q, &twice);
        EXPECT_BELOW(&s, "projected again", pose_distance(&once, &twice), 1e-13);
        EXPECT_BELOW(&s, "rotation", orthogonality_error(&once.R), 1e-13);
    }
}
END_TEST

START_TEST(projection_leaves_legal_poses_alone)
{
    uint64_t seed = 400 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        tn_xform T;
        double error[6];
        ck_assert_int_eq(tn_joint_project(s.cls, &s.setup, &s.T_GD, s.q, &T), 1);
        EXPECT_BELOW(&s, "projected", pose_distance(&s.T_GD, &T), 1e-13);
        tn_joint_error(&T, &s.T_GD, error);
        EXPECT_BELOW(&s, "error", largest(error, 6), 1e-13);
    }
}
END_TEST

/* A disturbance of size d moves the projected pose by a few d at most, at any d. */
START_TEST(projection_stays_near)
{
    uint64_t seed = 500 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double twist[6];
        v3_store(twist, random_vector(&seed));
        v3_store(twist + 3, random_vector(&seed));
        for (double d = 1e-2; d > 1e-10; d *= 1e-2) {
            const tn_xform T_CD = moved_in_frame(&s.T_GD, twist, d);
            tn_xform T;
            double error[6];
            tn_joint_project(s.cls, &s.setup, &T_CD, s.q, &T);
            tn_joint_error(&T, &T_CD, error);
            EXPECT_BELOW(&s, "distance / disturbance", largest(error, 6) / d,
                         5.0 * JOINT_SAMPLE_MAX_ROW);
        }
    }
}
END_TEST

/* ---- rows and twists ---------------------------------------------------------------------- */

START_TEST(rows_are_dual_to_twists)
{
    uint64_t seed = 600 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double W[TN_MAX_ROWS][6], T[TN_MAX_ROWS][6];
        rows_of(&s, W);
        twists_of(&s, T);
        for (int32_t i = 0; i < s.cls->info.dof; i++) {
            for (int32_t k = 0; k < s.cls->info.row_count; k++) {
                const double one = k == s.cls->info.bilateral_count + i ? 1.0 : 0.0;
                EXPECT_BELOW(&s, "W.T - I", fabs(dot6(W[k], T[i]) - one), 1e-13);
            }
        }
    }
}
END_TEST

/* The rows of a type span all six directions: none is lost, none is double. Gram-Schmidt on unit
 * rows leaves every row something. */
START_TEST(rows_are_independent)
{
    uint64_t seed = 700 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double W[TN_MAX_ROWS][6];
        rows_of(&s, W);
        for (int32_t k = 0; k < s.cls->info.row_count; k++) {
            const double size = sqrt(dot6(W[k], W[k]));
            for (int32_t i = 0; i < k; i++) {
                const double along = dot6(W[k], W[i]);
                for (int c = 0; c < 6; c++)
                    W[k][c] -= along * W[i][c];
            }
            const double left = sqrt(dot6(W[k], W[k]));
            ck_assert_msg(left > 1e-3 * size, "%s: row %d depends on the others", s.cls->info.name,
                          (int)k);
            for (int c = 0; c < 6; c++)
                W[k][c] /= left;
        }
    }
}
END_TEST

typedef struct coordinate_line {
    const joint_sample *sample;
    int32_t coordinate;
} coordinate_line;

/* The pose as seen from the sample's: to first order the twist in G. */
static void pose_along_coordinate(const void *context, double t, double *out)
{
    const coordinate_line *line = context;
    const joint_sample *s = line->sample;
    double q[TN_MAX_COORDINATES];
    memcpy(q, s->q, sizeof q);
    q[line->coordinate] += t;
    tn_xform T;
    s->cls->coordinates_to_pose(&s->setup, q, &T);
    tn_joint_error(&s->T_GD, &T, out);
}

START_TEST(twists_are_derivatives_of_the_pose)
{
    const tn_joint_class *cls = tn_joint_class_get((tn_joint_type){_i});
    if (cls->info.coordinate_count < cls->info.dof)
        return;
    uint64_t seed = 800 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double T[TN_MAX_ROWS][6], d[6];
        twists_of(&s, T);
        for (int32_t i = 0; i < s.cls->info.dof; i++) {
            const coordinate_line line = {&s, i};
            curve_derivative(pose_along_coordinate, &line, 6, step, d);
            for (int c = 0; c < 6; c++)
                d[c] -= T[i][c];
            EXPECT_BELOW(&s, "twist error", largest(d, 6), 1e-8);
        }
    }
}
END_TEST

static void coordinates_along_motion(const void *context, double t, double *out)
{
    const joint_sample *s = context;
    const tn_xform T = moved_legally(s, t);
    s->cls->pose_to_coordinates(&s->setup, &T, s->q, out);
}

START_TEST(motion_rows_measure_coordinate_speeds)
{
    uint64_t seed = 900 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        const int32_t count = s.cls->info.coordinate_count;
        double W[TN_MAX_ROWS][6], d[TN_MAX_COORDINATES] = {0};
        rows_of(&s, W);
        curve_derivative(coordinates_along_motion, &s, count, step, d);
        for (int32_t i = 0; i < count; i++)
            d[i] -= dot6(W[s.cls->info.bilateral_count + i], s.twist_GD);
        EXPECT_BELOW(&s, "speed error", largest(d, count), 1e-8);
    }
}
END_TEST

static void rows_along_motion(const void *context, double t, double *out)
{
    joint_sample s = *(const joint_sample *)context;
    s.T_GD = moved_legally(context, t);
    s.cls->pose_to_coordinates(&s.setup, &s.T_GD, s.q, s.q);
    double W[TN_MAX_ROWS][6];
    rows_of(&s, W);
    memcpy(out, W, sizeof W);
}

START_TEST(wrench_rates_are_derivatives_of_the_rows)
{
    uint64_t seed = 1000 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        double dW[TN_MAX_ROWS][6] = {{0}}, d[36];
        if (s.cls->wrench_rates)
            s.cls->wrench_rates(&s.setup, &s.T_GD, s.q, s.twist_GD, dW);
        curve_derivative(rows_along_motion, &s, 36, step, d);
        for (int k = 0; k < 36; k++)
            d[k] -= dW[k / 6][k % 6];
        EXPECT_BELOW(&s, "row rate error", largest(d, 36), 1e-7);
    }
}
END_TEST

/* ---- chains of turns and shifts ------------------------------------------------------------ */

/* C moved by `by` along a twist in its own axes that is a turn about an axis or a shift, of unit size. */
static void screw_on(tn_xform *T, const double twist[6], double by)
{
    const tn_vec3 v = v3_load(twist), w = v3_load(twist + 3);
    const double turns = v3_norm(w);
    tn_xform moved = {m3_identity(), v3_scale(by, v)};
    if (turns > 0.5) {
        const tn_vec3 at = v3_cross(w, v);
        moved.R = q_to_m3(q_exp(v3_scale(by, w)));
        moved.p = v3_sub(at, m3_mulv(&moved.R, at));
    }
    *T = xf_mul(T, &moved);
    ck_assert_double_le(fabs((turns > 0.5 ? turns : v3_norm(v)) - 1.0), 1e-12);
    ck_assert_double_le(fabs(v3_dot(v, w)), 1e-12);
}

/* The twists at a pose, one after the other in the order of the chain, take C where the coordinates together do. */
START_TEST(chains_are_products_of_their_motions)
{
    uint64_t seed = 2100 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
        if (!s.cls->chain)
            continue;
        double T[TN_MAX_ROWS][6], q[TN_MAX_COORDINATES];
        tn_xform walked, there;
        ck_assert_int_eq(s.cls->info.coordinate_count, s.cls->info.dof);
        s.cls->coordinates_to_pose(&s.setup, s.q, &walked);
        tn_joint_twists(s.cls, &s.setup, &walked, s.q, T);
        for (int32_t k = 0; k < s.cls->info.dof; k++) {
            const int i = s.cls->chain[k];
            const double by = 0.3 + 0.2 * i - 0.001 * n;
            q[i] = s.q[i] + by;
            screw_on(&walked, T[i], by);
        }
        s.cls->coordinates_to_pose(&s.setup, q, &there);
        EXPECT_BELOW(&s, "pose", pose_distance(&walked, &there), 1e-12);
    }
}
END_TEST

/* ---- rows between two bodies -------------------------------------------------------------- */

/* Its rows in *moving. */
static tn_joint_kinematics kinematics_at(const joint_scene *s, double t, tn_joint_moving *moving)
{
    const tn_xform T_A = moved_in_world(&s->T_A, s->A, t), T_B = moved_in_world(&s->T_B, s->B, t);
    tn_joint_kinematics kin = {.moving = moving};
    memset(moving, 0, sizeof *moving);
    tn_joint_kinematics_update(&s->geometry, &T_A, &T_B, s->joint.q, &kin);
    return kin;
}

static void row_speeds(const void *context, double t, double *out)
{
    const joint_scene *s = context;
    tn_joint_moving moving;
    const tn_joint_kinematics kin = kinematics_at(s, t, &moving);
    double twist[6];
    tn_joint_relative_twist(&kin, s->A, s->B, twist);
    for (int32_t k = 0; k < 6; k++)
        out[k] = tn_joint_row_speed(&s->geometry, &kin, k, twist);
}

START_TEST(row_accelerations_are_derivatives_of_row_speeds)
{
    uint64_t seed = 1100 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_scene s = sample_scene((tn_joint_type){_i}, &seed);
        tn_joint_moving moving;
        const tn_joint_kinematics kin = kinematics_at(&s, 0.0, &moving);
        double gamma[TN_MAX_ROWS] = {0}, d[TN_MAX_ROWS], speeds[TN_MAX_ROWS];
        row_speeds(&s, 0.0, speeds);
        EXPECT_BELOW(&s.joint, "G u", largest(speeds, s.joint.cls->info.bilateral_count), 1e-13);
        tn_joint_row_accelerations(&s.geometry, &kin, &s.T_A, &s.T_B, s.A, s.B, gamma);
        curve_derivative(row_speeds, &s, 6, step, d);
        for (int32_t k = 0; k < 6; k++)
            d[k] -= gamma[k];
        EXPECT_BELOW(&s.joint, "gamma error", largest(d, 6), 1e-7);
    }
}
END_TEST

static void row_errors(const void *context, double t, double *out)
{
    const joint_scene *s = context;
    tn_joint_moving moving;
    const tn_joint_kinematics kin = kinematics_at(s, t, &moving);
    for (int32_t k = 0; k < s->joint.cls->info.bilateral_count; k++)
        out[k] = tn_joint_row_error(&s->geometry, &kin, k);
}

/* phi = 0 and d phi/dt = G u, the bodies moving anyhow. */
START_TEST(row_speeds_are_derivatives_of_row_errors)
{
    uint64_t seed = 1200 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        joint_scene s = sample_scene((tn_joint_type){_i}, &seed);
        const int32_t count = s.joint.cls->info.bilateral_count;
        double phi[TN_MAX_ROWS], speeds[TN_MAX_ROWS], d[TN_MAX_ROWS] = {0};
        s.A.v = random_vector(&seed);
        s.A.w = random_vector(&seed);
        row_errors(&s, 0.0, phi);
        EXPECT_BELOW(&s.joint, "phi", largest(phi, count), 1e-13);
        row_speeds(&s, 0.0, speeds);
        curve_derivative(row_errors, &s, count, step, d);
        for (int32_t k = 0; k < count; k++)
            d[k] -= speeds[k];
        EXPECT_BELOW(&s.joint, "d phi/dt - G u", largest(d, count), 1e-8);
    }
}
END_TEST

/* The world force and the moment about the world's origin of a covector on (v, w). */
static void world_wrench(const tn_xform *T, const double row[6], tn_vec3 *f, tn_vec3 *m)
{
    *f = v3_load(row);
    *m = v3_add(m3_mulv(&T->R, v3_load(row + 3)), v3_cross(T->p, *f));
}

static double covector_speed(const tn_xform *T, const double row[6], tn_twist u)
{
    return v3_dot(v3_load(row), u.v) + v3_dot(v3_load(row + 3), m3_tmulv(&T->R, u.w));
}

/* On and off the constraint: the wrenches on A and B cancel, and their power is the row's speed. */
START_TEST(covectors_balance_and_do_the_rows_work)
{
    uint64_t seed = 1300 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        joint_scene s = sample_scene((tn_joint_type){_i}, &seed);
        s.A.v = random_vector(&seed);
        s.T_A = moved_in_world(&s.T_A, s.A, n % 2 ? 0.1 : 0.0);
        tn_joint_moving moving;
        const tn_joint_kinematics kin = kinematics_at(&s, 0.0, &moving);
        double twist[6], a[6], b[6], sum[6];
        tn_joint_relative_twist(&kin, s.A, s.B, twist);
        for (int32_t k = 0; k < 6; k++) {
            tn_joint_row_covector(&s.geometry, &kin, k, &s.T_A.R, kin.r_A, 1.0, a);
            tn_joint_row_covector(&s.geometry, &kin, k, &s.T_B.R, kin.r_B, -1.0, b);
            tn_vec3 f_a, m_a, f_b, m_b;
            world_wrench(&s.T_A, a, &f_a, &m_a);
            world_wrench(&s.T_B, b, &f_b, &m_b);
            v3_store(sum, v3_add(f_a, f_b));
            v3_store(sum + 3, v3_add(m_a, m_b));
            EXPECT_BELOW(&s.joint, "balance", largest(sum, 6), 1e-13 * JOINT_SAMPLE_MAX_ROW);
            const double power = covector_speed(&s.T_A, a, s.A) + covector_speed(&s.T_B, b, s.B);
            const double speed = tn_joint_row_speed(&s.geometry, &kin, k, twist);
            EXPECT_BELOW(&s.joint, "power", fabs(power - speed), 1e-13 * JOINT_SAMPLE_MAX_ROW);
        }
    }
}
END_TEST

/* ---- off the constraints ------------------------------------------------------------------ */

/* C is this far off G, m and rad in every direction, and the bodies move anyhow. */
#define OFF 0.05

static joint_scene scene_off_the_constraints(int type, uint64_t *seed)
{
    joint_scene s = sample_scene((tn_joint_type){type}, seed);
    double twist[6];
    v3_store(twist, random_vector(seed));
    v3_store(twist + 3, random_vector(seed));
    s.T_A = moved_in_frame(&s.T_A, twist, OFF);
    s.A = (tn_twist){random_vector(seed), random_vector(seed)};
    s.B = (tn_twist){random_vector(seed), random_vector(seed)};
    return s;
}

static double matrix_distance(const tn_mat3 *a, const tn_mat3 *b)
{
    return pose_distance(&(tn_xform){*a, {0.0, 0.0, 0.0}}, &(tn_xform){*b, {0.0, 0.0, 0.0}});
}

static double vector_distance(tn_vec3 a, tn_vec3 b)
{
    return v3_norm(v3_sub(a, b));
}

/* Types whose nearest pose is known at once have the frames, errors and rows that the projection gives. */
START_TEST(frames_known_at_once_are_those_of_the_nearest_pose)
{
    uint64_t seed = 1700 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        joint_scene s = scene_off_the_constraints(_i, &seed);
        tn_joint_moving moving, known_moving;
        s.geometry.hinge = s.geometry.ball = 0;
        const tn_joint_kinematics kin = kinematics_at(&s, 0.0, &moving);
        s.geometry.hinge = s.geometry.cls->turns_about_z;
        s.geometry.ball = s.geometry.cls->turns_about_point;
        const tn_joint_kinematics known = kinematics_at(&s, 0.0, &known_moving);
        EXPECT_BELOW(&s.joint, "T_GD", pose_distance(&kin.T_GD, &known.T_GD), 1e-14);
        EXPECT_BELOW(&s.joint, "R_GW", matrix_distance(&kin.R_GW, &known.R_GW), 1e-14);
        EXPECT_BELOW(&s.joint, "r_A", vector_distance(kin.r_A, known.r_A), 1e-14);
        EXPECT_BELOW(&s.joint, "r_B", vector_distance(kin.r_B, known.r_B), 1e-14);
        ck_assert_int_eq(kin.unique, known.unique);
        ck_assert_int_eq(kin.vanished, known.vanished);
        for (int i = 0; i < 6; i++)
            EXPECT_BELOW(&s.joint, "error", fabs(kin.error[i] - known.error[i]), 1e-14);
        for (int i = 0; i < TN_MAX_COORDINATES; i++)
            EXPECT_BELOW(&s.joint, "q", fabs(moving.q[i] - known_moving.q[i]), 1e-12);
        for (int k = 0; k < 36; k++) {
            const double off = moving.W[k / 6][k % 6] - known_moving.W[k / 6][k % 6];
            EXPECT_BELOW(&s.joint, "W", fabs(off), 1e-12);
        }
    }
}
END_TEST

static void coordinates_off(const void *context, double t, double *out)
{
    const joint_scene *s = context;
    tn_joint_moving moving;
    const tn_joint_kinematics kin = kinematics_at(s, t, &moving);
    s->joint.cls->pose_to_coordinates(&s->geometry.setup, &kin.T_GD, s->joint.q, out);
}

static void speeds_off(const void *context, double t, double *out)
{
    const joint_scene *s = context;
    tn_joint_moving moving;
    tn_joint_kinematics kin = kinematics_at(s, t, &moving);
    double twist[6];
    tn_joint_kinematics_off(&s->geometry, &kin);
    tn_joint_relative_twist(&kin, s->A, s->B, twist);
    for (int32_t k = 0; k < 6; k++)
        out[k] = tn_joint_row_speed(&s->geometry, &kin, k, twist);
}

/* Speeds of coordinates and errors, and the derivatives of their rows, wherever a soft joint lets C
 * go. */
START_TEST(rows_are_exact_off_the_constraints)
{
    uint64_t seed = 1500 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_scene s = scene_off_the_constraints(_i, &seed);
        const tn_joint_type_info *info = &s.geometry.cls->info;
        tn_joint_moving moving;
        tn_joint_kinematics kin = kinematics_at(&s, 0.0, &moving);
        tn_joint_kinematics_off(&s.geometry, &kin);
        double d[TN_MAX_ROWS] = {0}, speeds[TN_MAX_ROWS] = {0}, gamma[TN_MAX_ROWS] = {0};
        if (!kin.off || largest(moving.W[0], 36) > 2.0 * JOINT_SAMPLE_MAX_ROW)
            continue; /* at a pole of the coordinates */
        speeds_off(&s, 0.0, speeds);
        curve_derivative(coordinates_off, &s, info->coordinate_count, step, d);
        for (int32_t i = 0; i < info->coordinate_count; i++)
            d[i] -= speeds[info->bilateral_count + i];
        EXPECT_BELOW(&s.joint, "speed", largest(d, info->coordinate_count), 1e-7);
        curve_derivative(row_errors, &s, info->bilateral_count, step, d);
        for (int32_t k = 0; k < info->bilateral_count; k++)
            d[k] -= speeds[k];
        EXPECT_BELOW(&s.joint, "d phi/dt", largest(d, info->bilateral_count), 1e-7);
        tn_joint_row_accelerations(&s.geometry, &kin, &s.T_A, &s.T_B, s.A, s.B, gamma);
        curve_derivative(speeds_off, &s, 6, step, d);
        const double allowed = 1e-6 * (1.0 + largest(d, 6));
        for (int32_t k = 0; k < 6; k++)
            d[k] -= gamma[k];
        EXPECT_BELOW(&s.joint, "gamma", largest(d, 6), allowed);
    }
}
END_TEST

/* Few draws are thrown away: the properties are tested all over the joint's range. */
START_TEST(samples_cover_the_joint)
{
    uint64_t seed = 1400 + (uint64_t)_i;
    int rejected = 0;
    for (int n = 0; n < SAMPLES; n++)
        rejected += sample_joint((tn_joint_type){_i}, &seed).rejected;
    ck_assert_int_lt(rejected, SAMPLES / 2);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("joint registry");
    TCase *tc = tcase_create("every type");
    tcase_add_test(tc, names_and_aliases_are_unique);
    const TTest *const every_type[] = {
        tables_are_complete,
        coordinates_come_back_from_their_pose,
        pose_comes_back_from_its_coordinates,
        projection_is_idempotent,
        projection_leaves_legal_poses_alone,
        projection_stays_near,
        rows_are_dual_to_twists,
        rows_are_independent,
        twists_are_derivatives_of_the_pose,
        motion_rows_measure_coordinate_speeds,
        chains_are_products_of_their_motions,
        wrench_rates_are_derivatives_of_the_rows,
        row_accelerations_are_derivatives_of_row_speeds,
        row_speeds_are_derivatives_of_row_errors,
        covectors_balance_and_do_the_rows_work,
        frames_known_at_once_are_those_of_the_nearest_pose,
        rows_are_exact_off_the_constraints,
        samples_cover_the_joint,
    };
    for (size_t k = 0; k < sizeof every_type / sizeof every_type[0]; k++)
        tcase_add_loop_test(tc, every_type[k], 0, tn_joint_type_count());
    suite_add_tcase(suite, tc);
    return suite;
}
