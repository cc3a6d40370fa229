/* space_balls.h: room method/space: ball joints, several side by side: evaluation, the matrix G H^-1 G^T + E in its
 * blocks of three, write-back and results. Part of space_kernel.h.
 *
 * The filter and the matrix of hinges use axes of G; those of ball joints use axes of the world, since a ball joint
 * constrains a point in all directions. Only E, and multipliers as they are read and written, are in the axes of C,
 * which are those of G here.
 *
 * In: bodies of a trial. Out: as for hinges (space_evaluate.h, space_fill.h, space_tell.h).
 */
#ifndef TN_METHOD_SPACE_SPACE_BALLS_H
#define TN_METHOD_SPACE_SPACE_BALLS_H

#include "method/space/space_bodies.h"
#include "method/space/space_evaluate.h"
#include "method/space/space_fill.h"
#include "method/space/space_tell.h"

enum { TN_BALL_BLOCK = TN_BALL_ROWS * TN_BALL_STRIDE };

/* Index in empty lanes: one past the last joint. */
TN_INLINE int32_t ends_at(const tn_space *space, int32_t k)
{
    const int32_t end = TN_SPACE_SIDE * (k + 1);
    return end < space->hinge_count ? end : space->hinge_count;
}

/* ---- positions and forces ---- */

/* Arms, errors and forces; the largest error of a row goes into `sizes`. */
TN_INLINE void place_ball(tn_space_balls *of, const tn_space_pose *a, const tn_space_pose *b,
                          int at, tn_space_sizes *sizes)
{
    const tn_real3 arm_b = r33_mulv(&b->R, four_3(of->at_b, at));
    const tn_real3 arm_a = r3_add(r3_sub(b->x, a->x), arm_b);
    const tn_real3 error = r3_sub(r33_mulv(&a->R, four_3(of->at_a, at)), arm_a);
    four_put_3(of->arm_a, at, arm_a);
    four_put_3(of->arm_b, at, arm_b);
    four_put_3(of->error, at, error);
    note_size_3(sizes, error);
}

TN_INLINE void note_force(tn_real3 f, tn_real3 arm_a, tn_real3 arm_b, int at,
                          tn_space_pushes *pushes)
{
    tn_real *a = pushes->a[at / TN_LANES], *b = pushes->b[at / TN_LANES];
    r3_store(a, f);
    r3_store(a + 3, r3_cross(arm_a, f));
    r3_store(b, r3(-f.x, -f.y, -f.z));
    r3_store(b + 3, r3_cross(f, arm_b));
}

/* Axes of C in the world: those of the rows. */
typedef struct tn_ball_axes {
    tn_real3 x, y, z;
} tn_ball_axes;

TN_INLINE tn_ball_axes axes_of_ball(const tn_space_balls *of, const tn_space_pose *a, int at)
{
    const tn_real3 x = r33_mulv(&a->R, four_3(of->x_a, at)),
                   z = r33_mulv(&a->R, four_3(of->z_a, at));
    return (tn_ball_axes){x, r3_cross(z, x), z};
}

/* The axes at the pose of the matrix. */
TN_INLINE tn_ball_axes axes_of_matrix(const tn_space_balls *of, int at)
{
    const tn_real3 x = four_3(of->x, at), z = four_3(of->z, at);
    return (tn_ball_axes){x, r3_cross(z, x), z};
}

/* A vector from its components along these axes. */
TN_INLINE tn_real3 along_axes(const tn_ball_axes *g, tn_real3 a)
{
    return r3_axpy(r3_axpy(r3_scale(a.x, g->x), a.y, g->y), a.z, g->z);
}

TN_INLINE tn_real3 by_axes(const tn_ball_axes *g, tn_real3 v)
{
    return r3(r3_dot(g->x, v), r3_dot(g->y, v), r3_dot(g->z, v));
}

TN_INLINE void predict_balls(const tn_sim *sim, const tn_alpha *c, tn_space *space, int32_t k,
                             tn_space_sizes *sizes)
{
    tn_space_balls *of = &space->ball_fours[k];
    tn_space_pushes pushes, stiffness;
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_real lambda[TN_BALL_STRIDE];
        const tn_space_pose a = pose_of(of->a + at), b = pose_of(of->b + at);
        const tn_ball_axes g = axes_of_ball(of, &a, at);
        predict_multipliers(sim, c, of->joint + at, TN_BALL_STRIDE, lambda);
        place_ball(of, &a, &b, at, sizes);
        four_put_3(of->x, at, g.x);
        four_put_3(of->z, at, g.z);
        const tn_real3 r_a = four_3(of->arm_a, at), r_b = four_3(of->arm_b, at);
        const tn_real3 f = along_axes(&g, r3_load(lambda));
        four_put_3(of->force, at, f);
        four_put_3(of->r_a, at, r_a);
        four_put_3(of->r_b, at, r_b);
        stiffness_of(f, r_a, stiffness.a[at / TN_LANES]);
        stiffness_of(f, r3_scale(r_splat(-1.0), r_b), stiffness.b[at / TN_LANES]);
        note_force(f, r_a, r_b, at, &pushes);
    }
    add_pushes(of->a, of->b, &stiffness, offsetof(tn_space_body, push));
    add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
}

/* Copies the numbers of four balls to their rows. */
TN_INLINE tn_rows ball_rows(double *of, int32_t k, int at)
{
    return rows_from(of + TN_BALL_STRIDE * (TN_SPACE_SIDE * (int64_t)k + at), TN_BALL_STRIDE);
}

TN_INLINE tn_real3 take_ball(double *of, int32_t k, int at)
{
    tn_real y[TN_BALL_STRIDE];
    rows_take(ball_rows(of, k, at), TN_BALL_STRIDE, y);
    return r3_load(y);
}

TN_INLINE void put_ball(double *of, int32_t k, int at, tn_real3 a)
{
    const tn_real y[TN_BALL_STRIDE] = {a.x, a.y, a.z, r_splat(0.0)};
    rows_put(ball_rows(of, k, at), TN_BALL_STRIDE, y);
}

TN_INLINE void correct_balls(const tn_alpha *c, tn_space *space, int32_t k, tn_space_sizes *sizes)
{
    tn_space_balls *of = &space->ball_fours[k];
    tn_space_pushes pushes;
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        const tn_space_pose a = pose_of(of->a + at), b = pose_of(of->b + at);
        const tn_real3 f =
            r3_axpy(four_3(of->force, at), r_splat(c->beta_prime), take_ball(space->y, k, at));
        place_ball(of, &a, &b, at, sizes);
        four_put_3(of->force, at, f);
        note_force(f, four_3(of->arm_a, at), four_3(of->arm_b, at), at, &pushes);
    }
    add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
}

/* ---- the matrix ---- */

/* W (r x e), with W = (J + S)^-1 of a body and unit forces e: a column for each axis. */
typedef struct tn_ball_side {
    tn_vec3 x, y, z;
} tn_ball_side;

TN_INLINE tn_vec3 times_inverse(const double *W, tn_vec3 m)
{
    return v3(W[0] * m.x + W[3] * m.y + W[4] * m.z, W[3] * m.x + W[1] * m.y + W[5] * m.z,
              W[4] * m.x + W[5] * m.y + W[2] * m.z);
}

TN_INLINE tn_ball_side side_of(const double *W, tn_vec3 r)
{
    return (tn_ball_side){times_inverse(W, v3(0.0, r.z, -r.y)),
                          times_inverse(W, v3(-r.z, 0.0, r.x)),
                          times_inverse(W, v3(r.y, -r.x, 0.0))};
}

/* A column of by 1 + [r]x^T Q, of column i of Q. */
TN_INLINE tn_vec3 across(tn_vec3 r, tn_vec3 column)
{
    return v3_cross(column, r);
}

/* r x (W (r x .)) of one body, added to K: xx, yy, zz, xy, xz, yz. */
TN_INLINE void add_own_side(tn_space_body *const *bodies, tn_real3 r, tn_real *K)
{
    tn_real W[6];
    rows_take(ROWS_OF_EACH(bodies, W), 6, W);
    const tn_real yx = W[1] * r.z - W[5] * r.y, zx = W[5] * r.z - W[2] * r.y;
    const tn_real xy = W[4] * r.x - W[0] * r.z, yy = W[5] * r.x - W[3] * r.z,
                  zy = W[2] * r.x - W[4] * r.z;
    const tn_real xz = W[0] * r.y - W[3] * r.x, yz = W[3] * r.y - W[1] * r.x;
    K[0] += yx * r.z - zx * r.y;
    K[1] += zy * r.x - xy * r.z;
    K[2] += xz * r.y - yz * r.x;
    K[3] += yy * r.z - zy * r.y;
    K[4] += yz * r.z - (W[4] * r.y - W[5] * r.x) * r.y;
    K[5] += (W[4] * r.y - W[5] * r.x) * r.x - xz * r.z;
}

/* Initial values of a block: E of the rows, and the inverse masses of both bodies: xx, yy, zz, xy, xz, yz. */
TN_INLINE void put_softness(const tn_space_balls *of, int at, double epsilon, tn_real *K)
{
    const tn_ball_axes g = axes_of_matrix(of, at);
    const tn_real3 e = r3_scale(r_splat(epsilon), four_3(of->e, at));
    const tn_real3 x = r3_scale(e.x, g.x), y = r3_scale(e.y, g.y), z = r3_scale(e.z, g.z);
    const tn_real by_own = four(of->by_own, at);
    K[0] = by_own + (x.x * g.x.x + y.x * g.y.x + z.x * g.z.x);
    K[1] = by_own + (x.y * g.x.y + y.y * g.y.y + z.y * g.z.y);
    K[2] = by_own + (x.z * g.x.z + y.z * g.y.z + z.z * g.z.z);
    K[3] = x.x * g.x.y + y.x * g.y.y + z.x * g.z.y;
    K[4] = x.x * g.x.z + y.x * g.y.z + z.x * g.z.z;
    K[5] = x.y * g.x.z + y.y * g.y.z + z.y * g.z.z;
}

TN_INLINE void fill_balls(tn_space *space, double epsilon, int32_t k)
{
    const tn_real none = r_splat(0.0);
    const tn_space_balls *of = &space->ball_fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        double *to = space->matrix.diagonal + TN_BALL_BLOCK * (TN_SPACE_SIDE * (int64_t)k + at);
        tn_real K[6];
        put_softness(of, at, epsilon, K);
        add_own_side(of->a + at, four_3(of->r_a, at), K);
        add_own_side(of->b + at, four_3(of->r_b, at), K);
        const tn_real block[TN_BALL_BLOCK] = {K[0], K[3], K[4], none, K[3], K[1],
                                              K[5], none, K[4], K[5], K[2], none};
        rows_put(rows_from(to, TN_BALL_BLOCK), TN_BALL_BLOCK, block);
    }
}

TN_INLINE tn_vec3 arm_of_ball(const tn_space *space, int32_t k, bool on_a)
{
    const tn_space_balls *of = &space->ball_fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    const tn_four *r = on_a ? of->r_a : of->r_b;
    return v3(r[0][n], r[1][n], r[2][n]);
}

TN_INLINE void fill_ball_pair(tn_space *space, const tn_pair *pair)
{
    const tn_space_body *body = &space->bodies[pair->bar];
    const tn_space_ball *one = &space->balls[pair->first], *other = &space->balls[pair->second];
    const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
    const tn_vec3 r = arm_of_ball(space, pair->first, on_a);
    const tn_ball_side Q = side_of(body->W, arm_of_ball(space, pair->second, on_other_a));
    const double sign = on_a == on_other_a ? 1.0 : -1.0, by_own = body->by_own;
    const tn_vec3 x = across(r, Q.x), y = across(r, Q.y), z = across(r, Q.z);
    double *block = space->matrix.block + TN_BALL_BLOCK * (int64_t)pair->block;
    const double sum[TN_BALL_BLOCK] = {by_own + x.x, y.x, z.x, 0.0, x.y,          by_own + y.y,
                                       z.y,          0.0, x.z, y.z, by_own + z.z, 0.0};
    TN_UNROLL
    for (int n = 0; n < TN_BALL_BLOCK; n += 2) {
        const tn_v2 before = pair->opens ? (tn_v2){0.0} : tn_v2_load(block + n);
        tn_v2_store(block + n, before + sign * tn_v2_load(sum + n));
    }
}

/* Initial values of the columns of four balls. */
TN_INLINE void fill_of_balls(tn_space *space, double epsilon, int32_t k)
{
    const tn_pairs *pairs = &space->pairs;
    const int32_t first = TN_SPACE_SIDE * k, end = ends_at(space, k);
    for (int32_t n = pairs->bare_start[first]; n < pairs->bare_start[end]; n++)
        memset(space->matrix.block + TN_BALL_BLOCK * (int64_t)pairs->bare[n], 0,
               sizeof(double) * TN_BALL_BLOCK);
    fill_balls(space, epsilon, k);
    for (int32_t p = pairs->start[first]; p < pairs->start[end]; p++)
        fill_ball_pair(space, &pairs->pairs[p]);
    spd_note_scale(&space->matrix, first, end, TN_BALL_ROWS);
}

/* ---- a correction ---- */

/* The right-hand side of the forces: errors that remain. */
TN_INLINE void set_rhs_of_balls(tn_space *space, double *y, int32_t k)
{
    const tn_space_balls *of = &space->ball_fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_real a[6], b[6];
        rows_take(ROWS_OF_EACH(of->a + at, way), 6, a);
        rows_take(ROWS_OF_EACH(of->b + at, way), 6, b);
        const tn_real3 way =
            r3_sub(r3_add(r3_load(b), r3_cross(r3_load(b + 3), four_3(of->r_b, at))),
                   r3_add(r3_load(a), r3_cross(r3_load(a + 3), four_3(of->r_a, at))));
        put_ball(y, k, at, r3_sub(way, four_3(of->error, at)));
    }
}

/* G^T y. */
TN_INLINE void push_balls(tn_space *space, double *y, int32_t k)
{
    const tn_space_balls *of = &space->ball_fours[k];
    tn_space_pushes pushes;
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES)
        note_force(take_ball(y, k, at), four_3(of->r_a, at), four_3(of->r_b, at), at, &pushes);
    add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, push));
}

/* ---- the end ---- */

/* Multipliers of the forces, to which the filter is applied. */
TN_INLINE void end_balls(tn_space *space)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_balls *of = &space->ball_fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const tn_space_pose a = pose_of(of->a + at);
            const tn_ball_axes g = axes_of_ball(of, &a, at);
            put_ball(space->y, k, at, by_axes(&g, four_3(of->force, at)));
        }
    }
}

/* The forces G^T y in the metric of H^-1, squared. */
TN_INLINE double size_of_pushes(tn_space *space, double *y)
{
    _Alignas(sizeof(tn_four)) tn_four sums = {0.0};
    for (int32_t k = 0; k < space->first_standing + space->standing; k++)
        memset(space->bodies[k].push, 0, sizeof space->bodies[k].push);
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++)
        push_balls(space, y, k);
    for (int32_t k = 0; k < fours_of(space->moving); k++) {
        const tn_space_bodies *of = &space->fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            tn_real push[6];
            rows_take(ROWS_OF(space->bodies + TN_SPACE_SIDE * k + at, push), 6, push);
            const tn_real3 f = r3_load(push), m = r3_load(push + 3);
            const tn_space_wrench d = way_of(of, at, f, m);
            four_put(sums, at, four(sums, at) + (r3_dot(f, d.force) + r3_dot(m, d.moment)));
        }
    }
    return sum_four(sums);
}

/* y = F x. Returns the square of the forces that remain, computed directly: the round-off of the null space in them
 * is E times smaller than in y E (x - y). */
TN_INLINE double filter_balls(tn_space *space, double epsilon, double *x, double *y)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_balls *of = &space->ball_fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const tn_ball_axes g = axes_of_matrix(of, at);
            const tn_real3 e = r3_scale(r_splat(epsilon), four_3(of->e, at)),
                           was = take_ball(x, k, at);
            put_ball(y, k, at, along_axes(&g, r3(e.x * was.x, e.y * was.y, e.z * was.z)));
        }
    }
    spd_solve(&space->matrix, y, TN_BALL_ROWS);
    const double left = size_of_pushes(space, y);
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const tn_ball_axes g = axes_of_matrix(&space->ball_fours[k], at);
            put_ball(y, k, at, by_axes(&g, take_ball(y, k, at)));
        }
    }
    return left;
}

/* A lower bound of the forces of all joints, squared, in the metric of H^-1: by the motion of the bodies' centres
 * alone. */
static double forces_of_joints(const tn_sim *sim, const tn_space *space)
{
    const tn_vec3 gravity = sim->model->gravity;
    const tn_real3 g = {r_splat(gravity.x), r_splat(gravity.y), r_splat(gravity.z)};
    _Alignas(sizeof(tn_four)) tn_four sums = {0.0};
    for (int32_t k = 0; k < fours_of(space->moving); k++) {
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const tn_space_bodies *of = &space->fours[k];
            const tn_real3 a = r3_sub(four_3(of->udot, at), g);
            four_put(sums, at, four(sums, at) + four(of->mass, at) * r3_dot(a, a));
        }
    }
    return sum_four(sums);
}

/* Subtracts the null-space component after a correction. */
static void take_part_of_balls(tn_space *space)
{
    space->has_results = false;
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        tn_space_balls *of = &space->ball_fours[k];
        tn_space_pushes pushes;
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const tn_space_pose a = pose_of(of->a + at);
            const tn_ball_axes g = axes_of_ball(of, &a, at);
            const tn_real3 part = along_axes(&g, take_ball(space->part, k, at));
            four_put_3(of->force, at, r3_sub(four_3(of->force, at), part));
            note_force(r3(-part.x, -part.y, -part.z), four_3(of->arm_a, at), four_3(of->arm_b, at),
                       at, &pushes);
        }
        add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
    }
}

/* ---- write-back and results ---- */

/* Numbers of tn_joint_kinematics up to the position of T_GD, as a row. */
enum { TN_BALL_SHOWN = 32 };
_Static_assert(offsetof(tn_joint_kinematics, r_A) == 9 * sizeof(double) &&
                   offsetof(tn_joint_kinematics, r_B) == 12 * sizeof(double) &&
                   offsetof(tn_joint_kinematics, error) == 15 * sizeof(double) &&
                   offsetof(tn_joint_kinematics, T_GD) == 21 * sizeof(double),
               "a row of numbers");

typedef struct tn_ball_shown {
    tn_real lambda[TN_BALL_STRIDE], error[TN_BALL_STRIDE];
} tn_ball_shown;

/* The same as tn_joint_refresh: in rows of kin, and the rest of the write-back from the rows. */
TN_INLINE tn_ball_shown show_ball_frames(const tn_sim *sim, const tn_space_balls *of, int at)
{
    double nowhere[TN_BALL_SHOWN];
    const tn_real none = r_splat(0.0);
    const tn_space_pose a = pose_of(of->a + at), b = pose_of(of->b + at);
    const tn_ball_axes C = axes_of_ball(of, &a, at);
    const tn_real3 x = r33_mulv(&b.R, four_3(of->x_b, at)), z = r33_mulv(&b.R, four_3(of->z_b, at)),
                   y = r3_cross(z, x);
    const tn_real3 e = four_3(of->error, at), f = four_3(of->force, at);
    const tn_real3 r_a = four_3(of->arm_a, at), r_b = four_3(of->arm_b, at);
    const tn_real3 l = by_axes(&C, f), d = by_axes(&C, e);
    const tn_ball_shown shown = {{l.x, l.y, l.z, none}, {d.x, d.y, d.z, none}};
    const tn_real row[TN_BALL_SHOWN] = {
        C.x.x,          C.y.x,          C.z.x,          C.x.y,
        C.y.y,          C.z.y,          C.x.z,          C.y.z,
        C.z.z,          r_a.x,          r_a.y,          r_a.z,
        r_b.x,          r_b.y,          r_b.z,          shown.error[0],
        shown.error[1], shown.error[2], none,           none,
        none,           r3_dot(x, C.x), r3_dot(x, C.y), r3_dot(x, C.z),
        r3_dot(y, C.x), r3_dot(y, C.y), r3_dot(y, C.z), r3_dot(z, C.x),
        r3_dot(z, C.y), r3_dot(z, C.z), none,           none};
    tn_rows rows;
    for (int n = 0; n < TN_LANES; n++)
        rows.of[n] =
            of->joint[at + n] < 0 ? nowhere : &sim->sys.kin[of->joint[at + n]].R_GW.m[0][0];
    rows_put(rows, TN_BALL_SHOWN, row);
    return shown;
}

/* Multipliers and errors of one of them, and entries that are constant for such joints. */
TN_INLINE void show_ball(const tn_sim *sim, const tn_space_tally *tally, const tn_space_ball *ball,
                         const tn_ball_shown *shown, int n)
{
    tn_joint_kinematics *kin = &sim->sys.kin[ball->joint];
    const size_t at = (size_t)ball->joint * TN_MAX_ROWS;
    const double *was = tally->past.lambda + at;
    double *lambda = tally->to.lambda + at, *rate = tally->to.lambda_rate + at;
    double *phi = sim->sys.phi + ball->y;
    kin->T_GD.p.z = 0.0;
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    for (int i = 0; i < TN_BALL_ROWS; i++) {
        if (tally->has_rates)
            rate[i] = tally->by_h * (shown->lambda[i][n] - was[i]);
        lambda[i] = shown->lambda[i][n];
        phi[i] = shown->error[i][n];
    }
}

TN_INLINE void note_ball(const tn_space_balls *of, int at, const tn_ball_shown *shown,
                         tn_space_off *off)
{
    const tn_real3 e = r3_load(shown->error);
    const tn_real worst = r_max(r_max(r_abs(e.x), r_abs(e.y)), r_abs(e.z)),
                  joint = four(of->number, at);
    off->joint = r_select((worst > off->worst) | ((worst == off->worst) & (joint < off->joint)),
                          joint, off->joint);
    off->worst = r_max(worst, off->worst);
    off->position = off->worst;
    off->sum += r_abs(e.x) + r_abs(e.y) + r_abs(e.z);
    off->sum += shown->lambda[0] + shown->lambda[1] + shown->lambda[2];
}

TN_INLINE void show_balls(const tn_sim *sim, const tn_space *space, int32_t k,
                          tn_space_tally *tally)
{
    const tn_space_balls *of = &space->ball_fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        const tn_ball_shown shown = show_ball_frames(sim, of, at);
        for (int n = 0; n < TN_LANES && of->joint[at + n] >= 0; n++)
            show_ball(sim, tally, &space->balls[TN_SPACE_SIDE * k + at + n], &shown, n);
        note_ball(of, at, &shown, &tally->off);
    }
}

#endif
