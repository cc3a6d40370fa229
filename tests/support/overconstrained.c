/* overconstrained.c: test support: see overconstrained.h. */
#include <check.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "overconstrained.h"
#include "sample_mechanisms.h"
#include "solids.h"

static const tn_vec3 X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0}, Z = {0.0, 0.0, 1.0};

/* 1 kg, three different moments of inertia, centre of mass at the frame. */
static tn_body lump(mechanism *m, tn_vec3 at)
{
    tn_body_def def = tn_default_body_def();
    def.pose.p = at;
    def.mass = 1.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.10, 0.12, 0.14);
    return mechanism_body(m, &def);
}

static mechanism four_bar_1(void)
{
    return sample_n_four_bar(1, TN_BODY_RIGID);
}

static mechanism four_bar_2(void)
{
    return sample_n_four_bar(2, TN_BODY_RIGID);
}

static mechanism four_bar_40(void)
{
    return sample_n_four_bar(40, TN_BODY_RIGID);
}

/* Two bodies of the plane on four hinges with one more crank: 3 cranks and the coupler have 12
 * velocities in the plane, 6 hinges 12 rows, and yet it moves: 1. */
static mechanism planar_parallelogram(void)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body_def def = tn_default_body_def();
    def.kind = TN_BODY_PLANAR;
    def.mass = 1.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    def.pose.p = vec(1.0, 1.0, 0.0);
    const tn_body coupler = mechanism_body(&m, &def);
    for (int k = 0; k < 3; k++) {
        def.pose.p = vec(k, 0.5, 0.0);
        const tn_body crank = mechanism_body(&m, &def);
        mechanism_axis_joint(&m, "hinge", crank, tn_ground(), vec(k, 0.0, 0.0), Z);
        mechanism_axis_joint(&m, "hinge", coupler, crank, vec(k, 1.0, 0.0), Z);
    }
    return m;
}

/* The same in space: 24 velocities, 30 rows, 1 degree of freedom. */
static mechanism three_crank_parallelogram(void)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    const tn_body coupler = lump(&m, vec(1.0, 1.0, 0.0));
    for (int k = 0; k < 3; k++) {
        const tn_body crank = lump(&m, vec(k, 0.5, 0.0));
        mechanism_axis_joint(&m, "hinge", crank, tn_ground(), vec(k, 0.0, 0.0), Z);
        mechanism_axis_joint(&m, "hinge", coupler, crank, vec(k, 1.0, 0.0), Z);
    }
    return m;
}

/* Two legs of three parallel hinges each, at right angles, carry a plate straight up and down. */
static mechanism sarrus(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body plate = lump(&m, vec(0.0, 0.0, 1.0));
    for (int leg = 0; leg < 2; leg++) {
        const tn_vec3 axis = leg ? X : Y;
        const tn_vec3 out = leg ? Y : X;
        const tn_vec3 foot = out, head = vec(out.x, out.y, 1.0);
        const tn_vec3 knee = vec(1.5 * out.x, 1.5 * out.y, 0.5);
        const tn_body lower = lump(&m, vec(1.25 * out.x, 1.25 * out.y, 0.25));
        const tn_body upper = lump(&m, vec(1.25 * out.x, 1.25 * out.y, 0.75));
        mechanism_axis_joint(&m, "hinge", lower, tn_ground(), foot, axis);
        mechanism_axis_joint(&m, "hinge", upper, lower, knee, axis);
        mechanism_axis_joint(&m, "hinge", plate, upper, head, axis);
    }
    return m;
}

mechanism door(int hinges)
{
    mechanism m = mechanism_new(vec(9.81, 0.0, 0.0));
    const tn_body leaf = lump(&m, vec(0.5, 0.0, 0.0));
    for (int k = 0; k < hinges; k++)
        mechanism_axis_joint(&m, "hinge", leaf, tn_ground(),
                             vec(0.0, 0.0, 2.0 * k / (hinges - 1) - 1.0), Z);
    return m;
}

static mechanism door_2(void)
{
    return door(2);
}

static mechanism door_3(void)
{
    return door(3);
}

static mechanism door_10(void)
{
    return door(10);
}

/* Two posts clamped in ground and a beam welded between them: 24 rows hold 18 velocities. */
static mechanism h_frame(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body left = lump(&m, vec(-1.0, 0.0, 1.0)), right = lump(&m, vec(1.0, 0.0, 1.0));
    const tn_body beam = lump(&m, vec(0.0, 0.0, 1.0));
    mechanism_axis_joint(&m, "solid", left, tn_ground(), vec(-1.0, 0.0, 0.0), Z);
    mechanism_axis_joint(&m, "solid", right, tn_ground(), vec(1.0, 0.0, 0.0), Z);
    mechanism_axis_joint(&m, "solid", beam, left, vec(-1.0, 0.0, 1.0), Z);
    mechanism_axis_joint(&m, "solid", beam, right, vec(1.0, 0.0, 1.0), Z);
    return m;
}

/* The same on two parallel rails: 22 rows, 18 velocities, 1 degree of freedom. */
static mechanism gantry(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body left = lump(&m, vec(-1.0, 0.0, 1.0)), right = lump(&m, vec(1.0, 0.0, 1.0));
    const tn_body beam = lump(&m, vec(0.0, 0.0, 1.0));
    mechanism_axis_joint(&m, "slider", left, tn_ground(), vec(-1.0, 0.0, 1.0), Y);
    mechanism_axis_joint(&m, "slider", right, tn_ground(), vec(1.0, 0.0, 1.0), Y);
    mechanism_axis_joint(&m, "solid", beam, left, vec(-1.0, 0.0, 1.0), Z);
    mechanism_axis_joint(&m, "solid", beam, right, vec(1.0, 0.0, 1.0), Z);
    return m;
}

/* A universal joint whose roll axis (of D, on b) is along and whose pitch axis is across. */
static void universal(mechanism *m, tn_body a, tn_body b, tn_vec3 at, tn_vec3 along, tn_vec3 across)
{
    const tn_vec3 third = vec_cross(across, along); /* x = y cross z */
    const tn_mat3 R = {
        {{third.x, across.x, along.x}, {third.y, across.y, along.y}, {third.z, across.z, along.z}}};
    tn_joint_def def = tn_default_joint_def();
    def.type = "universal";
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_WORLD_FRAME;
    def.frame_d.p = at;
    def.frame_d.q = tn_quat_from_matrix(&R);
    mechanism_joint(m, &def);
}

/* Two shafts in bearings (hinges) that meet at 30 degrees, one universal joint between them: all
 * axes pass through one point, a spherical four-bar: 12 velocities, 14 rows, 1 degree of freedom.
 * The cross has one axis across each shaft; both at right angles to the shafts' plane would be a
 * singular cross, so the first is in the plane and the second out of it. */
static mechanism cardan_pair(void)
{
    const double c = cos(PI / 6.0), s = sin(PI / 6.0);
    const tn_vec3 in = X, out = vec(c, s, 0.0), across = vec(-s, c, 0.0);
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body first = lump(&m, vec(-1.0, 0.0, 0.0)), second = lump(&m, out);
    mechanism_axis_joint(&m, "hinge", first, tn_ground(), vec(-1.0, 0.0, 0.0), in);
    universal(&m, second, first, vec(0.0, 0.0, 0.0), Z, across);
    mechanism_axis_joint(&m, "hinge", second, tn_ground(), out, out);
    return m;
}

/* Two parallel shafts and a slanted one between two universal joints whose yokes on it are
 * parallel: 18 velocities, 18 rows; it turns at constant speed, so one row is redundant. */
static mechanism double_cardan(void)
{
    const double c = cos(PI / 6.0), s = sin(PI / 6.0);
    const tn_vec3 middle = vec(c, s, 0.0), across = vec(-s, c, 0.0), end = vec(c + 1.0, s, 0.0);
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body first = lump(&m, vec(-1.0, 0.0, 0.0));
    const tn_body shaft = lump(&m, vec(0.5 * c, 0.5 * s, 0.0));
    const tn_body last = lump(&m, end);
    mechanism_axis_joint(&m, "hinge", first, tn_ground(), vec(-1.0, 0.0, 0.0), X);
    universal(&m, shaft, first, vec(0.0, 0.0, 0.0), Z, across); /* across is on the slanted shaft */
    universal(&m, shaft, last, middle, Z, across);
    mechanism_axis_joint(&m, "hinge", last, tn_ground(), end, X);
    return m;
}

/* Six legs: universal joint, slider, ball. 78 velocities, 72 rows. */
static mechanism stewart(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body plate = lump(&m, vec(0.0, 0.0, 1.0));
    for (int k = 0; k < 6; k++) {
        const double pair = 2.0 * PI / 3.0 * (k / 2), side = k % 2 ? 1.0 : -1.0;
        const double below = pair + 0.3 * side, above = pair + 0.8 * side;
        const tn_vec3 p = vec(cos(below), sin(below), 0.0);
        const tn_vec3 q = vec(0.6 * cos(above), 0.6 * sin(above), 1.0);
        const tn_vec3 d = vec_sub(q, p);
        const tn_body lower = lump(&m, vec(p.x + 0.25 * d.x, p.y + 0.25 * d.y, 0.25));
        const tn_body upper = lump(&m, vec(p.x + 0.75 * d.x, p.y + 0.75 * d.y, 0.75));
        universal(&m, lower, tn_ground(), p, X, Y);
        mechanism_axis_joint(&m, "slider", upper, lower, p, d);
        mechanism_axis_joint(&m, "spherical", plate, upper, q, Z);
    }
    return m;
}

/* Hinge, ball, ball, hinge: 18 velocities, 16 rows; one of the two motions is the spin of the rod
 * between the balls. */
static mechanism rssr(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_body crank = lump(&m, vec(0.2, 0.0, 0.0)), bar = lump(&m, vec(0.9, 0.3, 0.4));
    const tn_body rocker = lump(&m, vec(1.4, 0.6, 0.4));
    mechanism_axis_joint(&m, "hinge", crank, tn_ground(), vec(0.0, 0.0, 0.0), Z);
    mechanism_axis_joint(&m, "spherical", bar, crank, vec(0.4, 0.0, 0.0), Z);
    mechanism_axis_joint(&m, "spherical", rocker, bar, vec(1.4, 0.6, 0.8), Z);
    mechanism_axis_joint(&m, "hinge", rocker, tn_ground(), vec(1.4, 0.6, 0.0), Y);
    return m;
}

/* Twelve edges of a cube, welded in pairs where three meet: 24 welds, of which 11 would do. */
static mechanism welded_cube(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body at[8][3]; /* edges of each corner */
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 8; corner++) {
            if (corner >> axis & 1)
                continue;
            double p[3] = {corner & 1, corner >> 1 & 1, corner >> 2 & 1};
            p[axis] = 0.5;
            at[corner][axis] = lump(&m, vec(p[0], p[1], p[2]));
            at[corner | 1 << axis][axis] = at[corner][axis];
        }
    }
    for (int corner = 0; corner < 8; corner++)
        for (int k = 0; k < 3; k++)
            mechanism_axis_joint(&m, "solid", at[corner][k], at[corner][(k + 1) % 3],
                                 vec(corner & 1, corner >> 1 & 1, corner >> 2 & 1), Z);
    return m;
}

const overconstrained overconstrained_list[] = {
    {"four-bar", sample_four_bar, 1, 3, 0},
    {"N-four-bar 1", four_bar_1, 1, 3, 0},
    {"N-four-bar 2", four_bar_2, 1, 6, 0},
    {"Bricard", sample_bricard, 1, 1, 0},
    {"Bennett", sample_bennett, 1, 3, 0},
    {"Sarrus", sarrus, 1, 1, 0},
    {"parallelogram, 3 cranks", three_crank_parallelogram, 1, 7, 0},
    {"planar parallelogram", planar_parallelogram, 1, 1, 0},
    {"door, 2 hinges", door_2, 1, 5, 0},
    {"door, 3 hinges", door_3, 1, 10, 0},
    {"door, 10 hinges", door_10, 1, 45, 0},
    {"H-frame", h_frame, 0, 6, 0},
    {"gantry", gantry, 1, 5, 0},
    {"slider-crank", sample_slider_crank, 1, 3, 0},
    {"Cardan pair", cardan_pair, 1, 3, 0},
    {"double Cardan", double_cardan, 1, 1, 0},
    {"Stewart platform", stewart, 6, 0, 0},
    {"RSSR", rssr, 2, 0, 1},
    {"welded cube", welded_cube, 6, 78, 0},
    {"N-four-bar 40", four_bar_40, 1, 120, 0},
};
const int overconstrained_count = sizeof overconstrained_list / sizeof overconstrained_list[0];

/* ---- means ---- */

static tn_pose small_pose(uint64_t *seed, double amount)
{
    const tn_vec3 w = random_vector(seed), p = random_vector(seed);
    return (tn_pose){vec(amount * p.x, amount * p.y, amount * p.z),
                     tn_quat_from_axis_angle(w, amount * vec_norm(w))};
}

mechanism disturbed(const mechanism *m, double amount, uint64_t seed)
{
    mechanism off = mechanism_new(tn_spec_world(m->spec)->gravity);
    for (int i = 0; i < tn_spec_body_count(m->spec); i++)
        mechanism_body(&off, tn_spec_body(m->spec, (tn_body){i}));
    for (int j = 0; j < tn_spec_joint_count(m->spec); j++) {
        tn_joint_def def = *tn_spec_joint(m->spec, (tn_joint){j});
        tn_model_joint_frames(m->model, (tn_joint){j}, &def.frame_c, &def.frame_d);
        def.frame_c = tn_pose_multiply(def.frame_c, small_pose(&seed, amount));
        def.placement = TN_PLACE_BODY_FRAMES;
        mechanism_joint(&off, &def);
    }
    for (int i = 0; i < tn_spec_marker_count(m->spec); i++) {
        const tn_marker_def *marker = tn_spec_marker(m->spec, (tn_marker){i});
        mechanism_marker(&off, marker->body, marker->position);
    }
    ck_assert_int_eq(tn_model_compile(off.spec, NULL, &off.model), TN_OK);
    return off;
}

void wander(mechanism *m, uint64_t *seed, double h, int steps)
{
    for (int i = 0; i < tn_model_get_size(m->model).bodies; i++)
        if (tn_model_body_kind(m->model, (tn_body){i}) == TN_BODY_RIGID)
            tn_sim_set_body_velocity(m->sim, (tn_body){i},
                                     (tn_twist){random_vector(seed), random_vector(seed)});
    ck_assert_int_eq(tn_sim_project(m->sim, NULL), TN_OK);
    for (int k = 0; k < steps; k++)
        ck_assert_int_eq(tn_sim_step(m->sim, h, NULL), TN_OK);
}

dense_rank dense_rank_of(const tn_sim *sim, double threshold)
{
    dense_rank found = {0, 0, 1.0, 0.0};
    tn_equations eq;
    const tn_status status = tn_sim_equations(sim, (tn_joint){-1}, &eq);
    ck_assert(status == TN_OK || status == TN_ERROR_SINGULAR);
    const int m = eq.rows, n = eq.velocities, least = m < n ? m : n;
    found.rows = m;
    for (int r = 0; r < m; r++) {
        double length = 0.0;
        for (int c = 0; c < n; c++)
            length = hypot(length, eq.jacobian[r * n + c]);
        for (int c = 0; c < n; c++)
            eq.jacobian[r * n + c] /= length;
    }
    double *sigma = calloc((size_t)least + 1, sizeof *sigma);
    ck_assert_ptr_nonnull(sigma);
    if (least > 0)
        ck_assert_int_eq(
            LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', m, n, eq.jacobian, n, sigma, NULL, m, NULL, n),
            0);
    for (int k = 0; k < least; k++) {
        if (sigma[k] >= threshold) {
            found.rank++;
            found.kept = fmin(found.kept, sigma[k]);
        } else {
            found.dropped = fmax(found.dropped, sigma[k]);
        }
    }
    free(sigma);
    tn_equations_free(&eq);
    return found;
}

void expect_dependents(const tn_sim *sim, const tn_analysis *a)
{
    tn_equations eq;
    tn_sim_equations(sim, (tn_joint){-1}, &eq);
    double *rest = calloc((size_t)eq.velocities, sizeof *rest);
    for (int d = 0; d < a->dependent_count; d++) {
        const tn_dependent_row *row = &a->dependents[d];
        memset(rest, 0, sizeof *rest * (size_t)eq.velocities);
        int used = 0;
        for (int r = 0; r < eq.rows; r++) {
            double factor = 0.0;
            if (eq.row_joint[r] == row->joint.i && eq.row_index[r] == row->row)
                factor = 1.0;
            for (int t = 0; t < row->term_count; t++)
                if (eq.row_joint[r] == row->terms[t].joint.i &&
                    eq.row_index[r] == row->terms[t].row)
                    factor = -row->terms[t].coefficient;
            used += factor != 0.0;
            for (int c = 0; c < eq.velocities; c++)
                rest[c] += factor * eq.jacobian[r * eq.velocities + c];
        }
        ck_assert_int_eq(used, row->term_count + 1);
        for (int c = 0; c < eq.velocities; c++)
            ck_assert_double_le(fabs(rest[c]), 1e-8);
    }
    free(rest);
    tn_equations_free(&eq);
}
