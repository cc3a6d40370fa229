/* pinned_show.c: room method/pinned: writes back the result of a step, and computes what the verification needs. See
 * pinned.h.
 */
#include <math.h>

#include "joint/rotation_about_z.h"
#include "math/lanes.h"
#include "method/pinned/pinned.h"
#include "motion/kinematics.h"

/* The states before and after the step, which may be the same arrays, and the results of the links written so far. */
typedef struct tn_pinned_showing {
    const tn_state *from, *to;
    tn_alpha_memory at, into; /* their memories */
    bool has_rates;
    tn_v2 gravity;
    double made, moved, size; /* J, of tn_moved */
    tn_v2 moves, turns;       /* J, of mean velocities and of changes */
    double off;               /* m */
    int32_t worst;            /* joint with the largest error; -1: none has any */
    tn_v2 sum;                /* of all numbers of its motion: NaN if one of them is */
    bool known;               /* all coordinates are computed */
} tn_pinned_showing;

/* The same sums as add_planar in step/part/books.c. */
TN_INLINE void sum_moved(const tn_pinned_rule *c, const tn_pinned_link *k, tn_v2 dx, tn_v2 v0,
                         tn_v2 v, double w0, double w, tn_pinned_showing *s)
{
    const tn_v2 mean = 0.5 * (v + v0), change = v - v0;
    const tn_v2 spin = {0.5 * (w + w0), w - w0};
    const tn_v2 x = {mean[0], change[0]}, y = {mean[1], change[1]};
    const tn_v2 run = k->mass * (x * x + y * y), spun = k->inertia * spin * spin;
    const double made = k->mass * (x[1] * x[0] + y[1] * y[0]) + k->inertia * spin[1] * spin[0];
    const double fallen = k->mass * pinned_dot(s->gravity, dx), falls = fabs(fallen);
    s->made += made - fallen;
    s->moved +=
        sqrt(run[1] * run[0]) + sqrt(spun[1] * spun[0]) + c->h * spun[0] * fabs(spin[0]) + falls;
    s->size += falls;
    s->moves += run;
    s->turns += spun;
}

/* Velocities, accelerations and their entries in the memory for the next step. */
TN_INLINE void show_motion(const tn_pinned_rule *c, const tn_pinned_place *place,
                           const tn_pinned_link *k, tn_v2 dx, tn_pinned_showing *s)
{
    const size_t n = (size_t)place->u;
    const double *u0 = s->from->u + n, *before = s->from->udot + n, *acc0 = s->at.acc + n;
    double *u = s->to->u + n, *udot = s->to->udot + n, *acc = s->into.acc + n,
           *rate = s->into.udot_rate + n;
    const tn_v2 a = tn_v2_load(acc0), was = tn_v2_load(before), v0 = tn_v2_load(u0);
    const double a_turn = acc0[2], was_turn = before[2], w0 = u0[2];
    const tn_v2 coast = TN_PINNED_COAST(c, was, a);
    const double spin = TN_PINNED_COAST(c, was_turn, a_turn);
    const tn_v2 v = v0 + ((c->u_acc * a + c->u_coast * coast) + c->gamma * k->lag);
    const double w = w0 + ((c->u_acc * a_turn + c->u_coast * spin) + c->gamma * k->lag_turn);
    const tn_v2 now = c->beta * k->lag;
    const double now_turn = c->beta * k->lag_turn;
    if (s->has_rates) {
        tn_v2_store(rate, 1.0 / c->h * (now - was));
        rate[2] = 1.0 / c->h * (now_turn - was_turn);
    }
    tn_v2_store(u, v);
    u[2] = w;
    tn_v2_store(udot, now);
    udot[2] = now_turn;
    tn_v2_store(acc, coast + c->keep * now);
    acc[2] = spin + c->keep * now_turn;
    s->sum += (v + now) + (tn_v2){w, now_turn};
    sum_moved(c, k, dx, v0, v, w0, w, s);
}

/* The change of its position. */
TN_INLINE tn_v2 show_pose(tn_sim *sim, int32_t body, const tn_pinned_link *k, tn_pinned_showing *s)
{
    const tn_v2 half = pinned_half(k), at = pinned_place(k);
    const double unit = tn_unit_again(pinned_dot(half, half));
    const tn_v2 before = tn_v2_load(&s->from->x[body].x);
    tn_vec3 *x = &s->to->x[body];
    x->x = at[0];
    x->y = at[1];
    s->to->q[body] = (tn_quat){unit * half[0], 0.0, 0.0, unit * half[1]};
    sim->sys.T[body] = (tn_xform){m3_rot_z(k->axis[0], k->axis[1]), *x};
    s->sum += at + unit * half;
    return at - before;
}

static inline double height_of(const tn_state *state, int32_t body)
{
    return body < 0 ? 0.0 : state->x[body].z;
}

/* A pin from the side of body a. */
typedef struct tn_pinned_side {
    tn_v2 axis_a, axis_b; /* of the bodies */
    tn_v2 arm_a, arm_b;   /* m */
    double z_a, z_b, by;  /* m; by: rad, rotation of a relative to b in the step */
} tn_pinned_side;

TN_INLINE tn_pinned_side side_of(const tn_state *state, const tn_pinned_place *place,
                                 const tn_pinned_link *inner, const tn_pinned_link *k)
{
    const double own_z = height_of(state, place->body), z = height_of(state, place->inner_body);
    const double own_turn = k->drift + k->lag_turn;
    const double by = own_turn - (inner ? inner->drift + inner->lag_turn : 0.0);
    tn_v2 axis = {1.0, 0.0};
    if (inner)
        axis = inner->axis;
    if (place->sign > 0.0)
        return (tn_pinned_side){k->axis, axis, k->arm - k->error, k->base, own_z, z, by};
    return (tn_pinned_side){axis, k->axis, k->base + k->error, k->arm, z, own_z, -by};
}

/* Multipliers of two rows, in the axes of G, and their rates. */
TN_INLINE void show_force(const tn_pinned_rule *c, int32_t j, tn_v2 force, tn_pinned_showing *s)
{
    const size_t n = (size_t)j * TN_MAX_ROWS;
    const tn_v2 before = tn_v2_load(s->from->lambda + n);
    tn_v2_store(s->to->lambda + n, force);
    s->sum += force;
    if (!s->has_rates)
        return;
    tn_v2_store(s->into.lambda_rate + n, 1.0 / c->h * (force - before));
    for (size_t row = 2; row < TN_MAX_ROWS; row++)
        s->into.lambda_rate[n + row] = 0.0;
}

/* Updates the largest error by that of its two rows; NaN counts as large. */
TN_INLINE void note_error(tn_v2 error, int32_t j, tn_pinned_showing *s)
{
    const tn_v2 sizes = tn_v2_abs(error);
    const double off = sizes[0] > sizes[1] ? sizes[0] : sizes[1];
    s->sum += error;
    s->worst = off > s->off ? j : s->worst;
    s->off = off > s->off ? off : s->off;
}

TN_INLINE void show_pin(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned_place *place,
                        const tn_pinned_side *side, const tn_pinned_link *k, tn_pinned_showing *s)
{
    const int32_t j = place->joint;
    const size_t n = (size_t)j * TN_MAX_COORDINATES;
    const tn_v2 axis = p2_turn(side->axis_a, place->axis_a);
    const tn_v2 in_D = p2_turn_back(p2_turn(side->axis_b, place->axis_b), axis);
    const tn_v2 error = place->sign * p2_turn_back(axis, k->error);
    const tn_pin_frames frames = {
        .c = axis[0],
        .s = axis[1],
        .r_A = {side->arm_a[0], side->arm_a[1], side->z_b + place->z_b - side->z_a},
        .r_B = {side->arm_b[0], side->arm_b[1], place->z_b},
        .error = {error[0], error[1], (side->z_a + place->z_a) - (side->z_b + place->z_b)},
        .c_GD = in_D[0],
        .s_GD = in_D[1],
    };
    tn_joint_put_pin(&frames, &sim->sys.kin[j]);
    tn_v2_store(sim->sys.phi + place->y, error);
    show_force(c, j, (c->beta * place->sign) * p2_turn_back(axis, k->force), s);
    note_error(error, j, s);
    s->known &= place->is_hinge;
    if (!place->is_hinge)
        return;
    const double angle = /* with turns counted */
        tn_nearest_turn(tn_atan2(in_D[1], in_D[0]), s->from->coordinates[n] + side->by);
    s->to->coordinates[n] = angle;
    s->sum += (tn_v2){angle, 0.0};
}

TN_INLINE void show_all(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned *pinned,
                        tn_pinned_showing *s)
{
    for (int32_t n = 0; n < pinned->count; n++) {
        const tn_pinned_link *k = &pinned->links[n];
        const tn_pinned_place *place = &pinned->places[n];
        show_motion(c, place, k, show_pose(sim, place->body, k, s), s);
        if (k->floats)
            continue;
        const tn_pinned_link *inner = k->inner < 0 ? NULL : &pinned->links[k->inner];
        const tn_pinned_side side = side_of(s->from, place, inner, k);
        show_pin(sim, c, place, &side, k, s);
    }
}

TN_WIDE static void show_all_wide(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned *pinned,
                                  tn_pinned_showing *s)
{
    show_all(sim, c, pinned, s);
}

/* Reports the results, so that they are not computed again. Numbers that are not written were finite before. */
static void report_results(tn_sim *sim, const tn_pinned_showing *s, tn_step_report *report)
{
    sim->told.moved = (tn_moved){.made = s->made,
                                 .moved = s->moved,
                                 .size = s->size,
                                 .run = s->moves[0],
                                 .pushed = s->moves[1],
                                 .spun = s->turns[0],
                                 .twisted = s->turns[1]};
    sim->told.moves = true;
    sim->told.sound = sim->state.sound && isfinite(s->sum[0] + s->sum[1]);
    sim->told.errors = isfinite(s->sum[0] + s->sum[1]);
    report->position_error = s->off;
    report->angle_error = 0.0;
    report->worst_joint.i = s->worst;
    report->skipped_rows = 0;
}

void tn_pinned_show(tn_sim *sim, const tn_pinned_rule *c, tn_step_report *report)
{
    const tn_pinned *pinned = tn_alpha_of(sim)->pinned;
    const tn_state own = tn_state_own(&sim->state);
    const tn_vec3 g = sim->model->gravity;
    tn_pinned_showing s = {.from = &sim->state,
                           .to = &own,
                           .at = tn_alpha_remembers(sim->model, &sim->state),
                           .into = tn_alpha_remembers(sim->model, &own),
                           .gravity = {g.x, g.y},
                           .worst = -1,
                           .known = true};
    s.has_rates = tn_alpha_has_rates(sim);
    if (TN_WIDE_COPIES && pinned->wide) {
        show_all_wide(sim, c, pinned, &s);
    } else {
        show_all(sim, c, pinned, &s);
    }
    report_results(sim, &s, report);
    sim->coordinates_known = s.known;
    sim->sys.lead = 0.0;
    sim->factor_is_old = true;
}
