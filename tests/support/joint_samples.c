/* joint_samples.c: see joint_samples.h. */
#include "joint_samples.h"

#include <string.h>

#include <check.h>
#include "joint_data.h"

/* s: rows are compared over this time. */
#define CLOSE 1e-3

tn_mat3 sample_rotation(uint64_t *seed)
{
    const tn_vec3 axis = random_vector(seed);
    return q_to_m3(tn_quat_from_axis_angle(axis, TN_PI * random_number(seed)));
}

tn_xform sample_pose(uint64_t *seed)
{
    const tn_mat3 R = sample_rotation(seed);
    return (tn_xform){R, random_vector(seed)};
}

/* Inside the allowed interval, of the order of one where it is unbounded. */
static double sample_parameter(const tn_parameter_info *info, uint64_t *seed)
{
    const double x = random_number(seed);
    if (isfinite(info->lower) && isfinite(info->upper))
        return 0.5 * (info->lower + info->upper) + 0.4 * x * (info->upper - info->lower);
    if (isfinite(info->lower))
        return info->lower + 1.0 + 0.7 * x;
    if (isfinite(info->upper))
        return info->upper - 1.0 + 0.7 * x;
    return x;
}

double largest(const double *values, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fabs(values[i]) > most || isnan(values[i]) ? fabs(values[i]) : most;
    return most;
}

static void draw_pose(joint_sample *s, uint64_t *seed)
{
    const tn_joint_type_info *info = &s->cls->info;
    for (int32_t i = 0; i < info->coordinate_count; i++)
        s->q[i] = random_number(seed) * (info->coordinates[i].angular ? 3.0 * TN_PI : 1.0);
    if (info->coordinate_count == info->dof) {
        s->cls->coordinates_to_pose(&s->setup, s->q, &s->T_GD);
        return;
    }
    const tn_xform T_CD = sample_pose(seed);
    tn_joint_project(s->cls, &s->setup, &T_CD, s->q, &s->T_GD);
    s->cls->pose_to_coordinates(&s->setup, &s->T_GD, s->q, s->q);
}

/* Random speeds of the motions; the same for every draw of a sample. */
static void set_speeds(joint_sample *s, uint64_t seed)
{
    double T[TN_MAX_ROWS][6];
    tn_joint_twists(s->cls, &s->setup, &s->T_GD, s->q, T);
    memset(s->twist_GD, 0, sizeof s->twist_GD);
    for (int32_t i = 0; i < s->cls->info.dof; i++) {
        s->motion[i] = random_number(&seed);
        for (int k = 0; k < 6; k++)
            s->twist_GD[k] += s->motion[i] * T[i][k];
    }
}

/* How far the rows get from where they are in the time t. */
static double row_change(const joint_sample *s, double W[TN_MAX_ROWS][6], double t)
{
    joint_sample later = *s;
    double V[TN_MAX_ROWS][6] = {{0}};
    later.T_GD = moved_legally(s, t);
    s->cls->pose_to_coordinates(&s->setup, &later.T_GD, s->q, later.q);
    tn_joint_wrenches(s->cls, &s->setup, &later.T_GD, later.q, V);
    for (int k = 0; k < 36; k++)
        V[k / 6][k % 6] -= W[k / 6][k % 6];
    return largest(V[0], 36);
}

static int is_regular(const joint_sample *s)
{
    double W[TN_MAX_ROWS][6] = {{0}};
    tn_joint_wrenches(s->cls, &s->setup, &s->T_GD, s->q, W);
    return largest(W[0], 36) <= JOINT_SAMPLE_MAX_ROW &&
           row_change(s, W, CLOSE) <= CLOSE * JOINT_SAMPLE_MAX_RATE &&
           row_change(s, W, -CLOSE) <= CLOSE * JOINT_SAMPLE_MAX_RATE;
}

/* Random parameters and data. */
static void make_class(joint_sample *s, uint64_t *seed)
{
    static tn_arena arena; /* reachable until the end: samples are copied */
    const tn_joint_type_info *info = tn_joint_type_get(s->type);
    double parameters[TN_MAX_PARAMETERS] = {0.0};
    for (int32_t i = 0; i < info->parameter_count; i++)
        parameters[i] = sample_parameter(&info->parameters[i], seed);
    s->data = sample_joint_data(s->type, seed);
    if (info->data == TN_JOINT_DATA_AXES && (*seed >> 40 & 1)) /* half of them */
        s->data = joint_data_by_callback(s->type, s->data);
    ck_assert_int_eq(tn_joint_make(s->type, parameters, s->data, &arena, &s->cls, &s->setup),
                     TN_OK);
}

joint_sample sample_joint(tn_joint_type type, uint64_t *seed)
{
    joint_sample s;
    memset(&s, 0, sizeof s);
    s.type = type;
    for (;; s.rejected++) {
        make_class(&s, seed);
        draw_pose(&s, seed);
        set_speeds(&s, *seed);
        if (is_regular(&s))
            break;
    }
    for (int32_t i = 0; i < s.cls->info.dof; i++)
        random_number(seed); /* used by set_speeds */
    return s;
}

static tn_xform inverse(const tn_xform *T)
{
    const tn_xform identity = xf_identity();
    return xf_inv_mul(T, &identity);
}

/* World velocity of A at its centre of mass, from B's and the twist of G in D. */
static tn_twist velocity_of_a(const joint_scene *s)
{
    const tn_xform T_DW = xf_mul(&s->T_B, &s->geometry.T_DB);
    const tn_xform T_GW = xf_mul(&T_DW, &s->joint.T_GD);
    const tn_vec3 r_A = v3_sub(T_GW.p, s->T_A.p), r_B = v3_sub(T_GW.p, s->T_B.p);
    const tn_vec3 w = v3_add(s->B.w, m3_mulv(&T_GW.R, v3_load(s->joint.twist_GD + 3)));
    const tn_vec3 at_g =
        v3_add(v3_add(s->B.v, v3_cross(s->B.w, r_B)), m3_mulv(&T_GW.R, v3_load(s->joint.twist_GD)));
    return (tn_twist){v3_sub(at_g, v3_cross(w, r_A)), w};
}

joint_scene sample_scene(tn_joint_type type, uint64_t *seed)
{
    joint_scene s;
    memset(&s, 0, sizeof s);
    s.joint = sample_joint(type, seed);
    s.geometry.cls = s.joint.cls;
    s.geometry.setup = s.joint.setup;
    s.geometry.T_CA = sample_pose(seed);
    s.geometry.T_DB = sample_pose(seed);
    s.T_B = sample_pose(seed);
    const tn_xform T_DW = xf_mul(&s.T_B, &s.geometry.T_DB);
    const tn_xform T_CW = xf_mul(&T_DW, &s.joint.T_GD);
    const tn_xform T_AC = inverse(&s.geometry.T_CA);
    s.T_A = xf_mul(&T_CW, &T_AC);
    s.B.v = random_vector(seed);
    s.B.w = random_vector(seed);
    s.A = velocity_of_a(&s);
    return s;
}

tn_xform moved_in_frame(const tn_xform *T, const double twist[6], double t)
{
    const tn_mat3 turn = q_to_m3(q_exp(v3_scale(t, v3_load(twist + 3))));
    return (tn_xform){m3_mul(&T->R, &turn), v3_axpy(T->p, t, m3_mulv(&T->R, v3_load(twist)))};
}

tn_xform moved_in_world(const tn_xform *T, tn_twist twist, double t)
{
    const tn_mat3 turn = q_to_m3(q_exp(v3_scale(t, twist.w)));
    return (tn_xform){m3_mul(&turn, &T->R), v3_axpy(T->p, t, twist.v)};
}

tn_xform moved_legally(const joint_sample *sample, double t)
{
    const tn_xform T = moved_in_frame(&sample->T_GD, sample->twist_GD, t);
    tn_xform legal;
    tn_joint_project(sample->cls, &sample->setup, &T, sample->q, &legal);
    return legal;
}

static void central_difference(sample_curve curve, const void *context, int n, double step,
                               double *out)
{
    double before[36];
    curve(context, step, out);
    curve(context, -step, before);
    for (int i = 0; i < n; i++)
        out[i] = (out[i] - before[i]) / (2.0 * step);
}

void curve_derivative(sample_curve curve, const void *context, int n, double step, double *out)
{
    double coarse[36];
    central_difference(curve, context, n, step, coarse);
    central_difference(curve, context, n, 0.5 * step, out);
    for (int i = 0; i < n; i++)
        out[i] += (out[i] - coarse[i]) / 3.0;
}

double pose_distance(const tn_xform *a, const tn_xform *b)
{
    double d[12];
    v3_store(d, v3_sub(a->p, b->p));
    for (int i = 0; i < 9; i++)
        d[3 + i] = a->R.m[i / 3][i % 3] - b->R.m[i / 3][i % 3];
    return largest(d, 12);
}
