/* pinned_step.c: room method/pinned: one step of a tree of planar bodies: may it be taken, what it begins with, and
 * what it found to where everybody else looks for it. See pinned.h.
 */
#include "joint/rotation_about_z.h"
#include "method/alpha/alpha_tree.h"
#include "method/pinned/pinned.h"
#include "motion/kinematics.h"

/* Steps for which one whose iteration did not end is not tried again. */
#define TN_PINNED_PAUSE 4.0

/* The method's numbers for a step. */
typedef struct tn_pinned_rule {
    double h, by_beta, beta, gamma;
    double coast_udot, coast_acc; /* of a+, what does not change any more */
    double drift_acc, drift_coast;
    double u_acc, u_coast;
} tn_pinned_rule;

static tn_pinned_rule rule_of(const tn_alpha *c)
{
    const double rest = 1.0 / (1.0 - c->am);
    return (tn_pinned_rule){.h = c->h,
                            .by_beta = 1.0 / c->beta_prime,
                            .beta = c->beta_prime,
                            .gamma = c->gamma_prime,
                            .coast_udot = c->af * rest,
                            .coast_acc = -c->am * rest,
                            .drift_acc = c->h * c->h * (0.5 - c->beta),
                            .drift_coast = c->h * c->h * c->beta,
                            .u_acc = c->h * (1.0 - c->gamma),
                            .u_coast = c->h * c->gamma};
}

/* ---- the start ---- */

/* With udot going on as it did: its lag, and the increment without it. */
#define LAG(c, udot, rate)  ((c)->by_beta * ((udot) + (c)->h * (rate)))
#define COAST(c, udot, acc) ((c)->coast_udot * (udot) + (c)->coast_acc * (acc))
#define DRIFT(c, u, acc, coast)                                                                    \
    ((c)->h * (u) + ((c)->drift_acc * (acc) + (c)->drift_coast * (coast)))

TN_INLINE void begin_link(const tn_sim *sim, const tn_pinned_rule *c, const tn_alpha_memory *m,
                          const tn_pinned_place *place, tn_pinned_link *k)
{
    const tn_state *s = &sim->state;
    const tn_vec3 *x = &s->x[place->body];
    const tn_quat *q = &s->q[place->body];
    const double *u = s->u + place->u, *udot = s->udot + place->u, *acc = m->acc + place->u,
                 *rate = m->udot_rate + place->u;
    const tn_v2 a = tn_v2_load(acc), coast = COAST(c, tn_v2_load(udot), a);
    k->lag = LAG(c, tn_v2_load(udot), tn_v2_load(rate));
    k->lag_turn = LAG(c, udot[2], rate[2]);
    k->x_drift = (tn_v2){x->x, x->y} + DRIFT(c, tn_v2_load(u), a, coast);
    k->drift = DRIFT(c, u[2], acc[2], COAST(c, udot[2], acc[2]));
    k->half_before = (tn_v2){q->w, q->z};
    k->about_pin = pinned_about(k, k->at);
}

TN_INLINE void begin_all(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    for (int32_t n = 0; n < pinned->count; n++)
        begin_link(sim, c, &m, &pinned->places[n], &pinned->links[n]);
}

TN_WIDE static void begin_all_wide(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    begin_all(sim, c, pinned);
}

static void begin_links(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    if (TN_WIDE_COPIES && pinned->wide) {
        begin_all_wide(sim, c, pinned);
    } else {
        begin_all(sim, c, pinned);
    }
}

/* Nothing but motion happens, and it is to be tried. */
static bool may_try(tn_sim *sim, const tn_alpha *c)
{
    double *steps = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest || !tn_alpha_is_left_alone(sim))
        return false;
    *steps = *steps < 0.0 ? *steps + 1.0 : *steps;
    return *steps >= 0.0;
}

/* ---- the end ---- */

TN_INLINE void show_motion(const tn_sim *sim, const tn_pinned_rule *c, double *memory,
                           const tn_pinned_place *place, const tn_pinned_link *k)
{
    double *u = sim->state.u + place->u, *udot = sim->state.udot + place->u,
           *acc = memory + place->u;
    const tn_v2 a = tn_v2_load(acc), coast = COAST(c, tn_v2_load(udot), a);
    const double spin = COAST(c, udot[2], acc[2]);
    tn_v2_store(u, tn_v2_load(u) + ((c->u_acc * a + c->u_coast * coast) + c->gamma * k->lag));
    u[2] += (c->u_acc * acc[2] + c->u_coast * spin) + c->gamma * k->lag_turn;
    tn_v2_store(udot, c->beta * k->lag);
    udot[2] = c->beta * k->lag_turn;
    tn_v2_store(acc, coast);
    acc[2] = spin;
}

TN_INLINE void show_pose(tn_sim *sim, int32_t body, const tn_pinned_link *k)
{
    const tn_v2 half = pinned_half(k), at = pinned_place(k);
    const double unit = tn_unit_again(pinned_dot(half, half));
    tn_vec3 *x = &sim->state.x[body];
    x->x = at[0];
    x->y = at[1];
    sim->state.q[body] = (tn_quat){unit * half[0], 0.0, 0.0, unit * half[1]};
    sim->sys.T[body] = (tn_xform){m3_rot_z(k->axis[0], k->axis[1]), *x};
}

static inline double height_of(const tn_sim *sim, int32_t body)
{
    return body < 0 ? 0.0 : sim->state.x[body].z;
}

/* A pin from the side of body a. */
typedef struct tn_pinned_side {
    tn_v2 axis_a, axis_b; /* of the bodies */
    tn_v2 arm_a, arm_b;   /* m */
    double z_a, z_b, by;  /* m; rad, what a turned by more than b */
} tn_pinned_side;

TN_INLINE tn_pinned_side side_of(const tn_sim *sim, const tn_pinned_place *place,
                                 const tn_pinned_link *inner, const tn_pinned_link *k)
{
    const double own_z = height_of(sim, place->body), z = height_of(sim, place->inner_body);
    const double own_turn = k->drift + k->lag_turn;
    const double by = own_turn - (inner ? inner->drift + inner->lag_turn : 0.0);
    tn_v2 axis = {1.0, 0.0};
    if (inner)
        axis = inner->axis;
    if (place->sign > 0.0)
        return (tn_pinned_side){k->axis, axis, k->arm - k->error, k->base, own_z, z, by};
    return (tn_pinned_side){axis, k->axis, k->base + k->error, k->arm, z, own_z, -by};
}

TN_INLINE void show_pin(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned_place *place,
                        const tn_pinned_side *side, const tn_pinned_link *k)
{
    const int32_t j = place->joint;
    double *angle = sim->state.coordinates + (size_t)j * TN_MAX_COORDINATES;
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
    tn_v2_store(sim->state.lambda + (size_t)j * TN_MAX_ROWS,
                (c->beta * place->sign) * p2_turn_back(axis, k->force));
    tn_v2_store(sim->sys.phi + place->y, error);
    if (place->is_hinge) /* its turns are counted */
        *angle = tn_nearest_turn(tn_atan2(in_D[1], in_D[0]), *angle + side->by);
}

/* Are all pins hinges? */
TN_INLINE bool show_all(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned *pinned)
{
    double *acc = tn_alpha_remembers(sim->model, &sim->state).acc;
    bool known = true;
    for (int32_t n = 0; n < pinned->count; n++) {
        const tn_pinned_link *k = &pinned->links[n];
        const tn_pinned_place *place = &pinned->places[n];
        show_motion(sim, c, acc, place, k);
        show_pose(sim, place->body, k);
        if (k->floats)
            continue;
        const tn_pinned_link *inner = k->inner < 0 ? NULL : &pinned->links[k->inner];
        const tn_pinned_side side = side_of(sim, place, inner, k);
        show_pin(sim, c, place, &side, k);
        known &= place->is_hinge;
    }
    return known;
}

TN_WIDE static bool show_all_wide(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned *pinned)
{
    return show_all(sim, c, pinned);
}

static void show_links(tn_sim *sim, const tn_pinned_rule *c, const tn_pinned *pinned)
{
    const bool wide = TN_WIDE_COPIES && pinned->wide;
    sim->coordinates_known = wide ? show_all_wide(sim, c, pinned) : show_all(sim, c, pinned);
    sim->sys.lead = 0.0;
    sim->factor_is_old = true;
}

/* Where Newton's iteration with the matrix of each pose is not near, one with that of the prediction is not either.
 * What a step does not resolve has then piled up since a start, and another start is rid of it: the step is cut at
 * once. The first step after a start, and those that look for events, are tried by the general iteration all the
 * same. */
static tn_pinned_end give_up(const tn_sim *sim, tn_pinned_end end)
{
    double *steps = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    const bool cut = *steps > 0.0 && sim->state.head->limited == 0;
    *steps = -TN_PINNED_PAUSE;
    return cut ? end : TN_PINNED_ELSEWHERE;
}

tn_pinned_end tn_pinned_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_pinned *pinned = tn_alpha_of(sim)->pinned;
    if (!pinned || !may_try(sim, c))
        return TN_PINNED_ELSEWHERE;
    const tn_pinned_rule rule = rule_of(c);
    begin_links(sim, &rule, pinned);
    const tn_pinned_end end = tn_pinned_iterate(sim, c, pinned, report);
    if (end != TN_PINNED_DONE)
        return give_up(sim, end);
    show_links(sim, &rule, pinned);
    tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = 1.0;
    return TN_PINNED_DONE;
}
