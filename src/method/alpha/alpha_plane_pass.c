/* alpha_plane_pass.c: room method/alpha: one evaluation of packed planar bodies and pins, and their
 * part of the matrix. See alpha_plane.h.
 *
 * With the arms r_A, r_B to D's origin in world axes and F the force on A, in G's axes lambda:
 *     phi = G^T (x_A + c_A - x_B - r_B),  f_A += (F, r_A x F),  f_B -= (F, r_B x F),
 *     rows along the axes e of G: [ e_x, e_y, (r x e)_z ].
 * After a correction F is kept in the world while G turns (alpha_residual.c). The stiffness of a body is the number
 * F . r, which is the same in any axes.
 */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha_plane.h"
#include "math/lanes.h"

/* The pose after an increment of h dq. */
static inline void move_body(const tn_alpha *c, const double *dq, tn_plane_body *body)
{
    const tn_quat before = {body->half_before[0], 0.0, 0.0, body->half_before[1]};
    const tn_quat q = tn_body_turned_z(before, c->h * dq[2]);
    body->x = body->x_before + c->h * tn_v2_load(dq);
    body->half = (tn_v2){q.w, q.z};
    body->axis = (tn_v2){1.0 - 2.0 * (q.z * q.z), 2.0 * (q.w * q.z)};
}

static void add_general_forces(tn_sim *sim, const tn_plane_body *body)
{
    tn_body_force(&sim->model->bodies[body->body], &sim->sys.T[body->body].R, sim->model->gravity,
                  sim->state.u, sim->state.udot, 1, sim->sys.f);
}

TN_INLINE void evaluate_bodies(tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    tn_plane *plane = w->plane;
    const double *dq = w->dq;
    const tn_v2 gravity = {sim->model->gravity.x, sim->model->gravity.y};
    for (int32_t k = 0; k < plane->body_count; k++) {
        tn_plane_body *body = &plane->bodies[k];
        const double *udot = sim->state.udot + body->u;
        double *f = sim->sys.f + body->u;
        tn_v2_store(f, body->mass * (gravity - tn_v2_load(udot)));
        f[2] = -body->inertia * udot[2];
        move_body(c, dq + body->u, body);
        if (body->shown)
            tn_plane_show_body(sim, body);
        if (body->damped)
            add_general_forces(sim, body);
    }
}

static void bodies_plain(tn_sim *sim, const tn_alpha *c)
{
    evaluate_bodies(sim, c);
}

TN_WIDE static void bodies_wide(tn_sim *sim, const tn_alpha *c)
{
    evaluate_bodies(sim, c);
}

void tn_plane_evaluate_bodies(tn_sim *sim, const tn_alpha *c)
{
    if (TN_WIDE_COPIES && tn_alpha_of(sim)->plane->wide) {
        bodies_wide(sim, c);
    } else {
        bodies_plain(sim, c);
    }
}

/* G, the arms and the error after the bodies have moved. */
static inline void move_pin(tn_plane_pin *pin)
{
    const tn_plane_body *a = pin->a, *b = pin->b;
    const tn_v2 arm_b = p2_turn(b->axis, pin->at_b), arm_a = b->x + arm_b - a->x;
    const tn_v2 axis = p2_turn(a->axis, pin->axis_a);
    pin->axis = axis;
    pin->arm_a = arm_a;
    pin->arm_b = arm_b;
    pin->error = p2_turn_back(axis, p2_turn(a->axis, pin->at_a) - arm_a);
}

/* A force at an arm on a body with the forces f. */
static inline void push(double *f, tn_v2 arm, tn_v2 force)
{
    tn_v2_store(f, tn_v2_load(f) + force);
    f[2] += p2_cross(arm, force);
}

static inline void apply_pin(const tn_plane_pin *pin, double *f)
{
    push(f + pin->a->u, pin->arm_a, pin->force);
    if (pin->b->body >= 0)
        push(f + pin->b->u, pin->arm_b, -pin->force);
}

/* Stiffness of a body, divided by beta'. */
static inline void stiffen(double *S, const tn_alpha *c, int32_t body, tn_v2 arm, tn_v2 force)
{
    const tn_v2 part = arm * force;
    S[6 * (size_t)body + 2] += (part[0] + part[1]) / c->beta_prime;
}

static inline void stiffen_pin(const tn_alpha *c, double *S, const tn_plane_pin *pin)
{
    stiffen(S, c, pin->a->body, pin->arm_a, pin->force);
    if (pin->b->body >= 0)
        stiffen(S, c, pin->b->body, pin->arm_b, -pin->force);
}

void tn_plane_stiffen(tn_sim *sim, const tn_alpha *c)
{
    const tn_plane *plane = tn_alpha_of(sim)->plane;
    for (int32_t k = 0; k < plane->pin_count; k++) {
        if (plane->pins[k].packed)
            stiffen_pin(c, tn_alpha_of(sim)->stiffness, &plane->pins[k]);
    }
}

/* Takes the force from the multipliers. */
static inline void predict_pin(const tn_sim *sim, const tn_alpha *c, double *S, tn_plane_pin *pin)
{
    move_pin(pin);
    const double *lambda = sim->state.lambda + (size_t)pin->joint * TN_MAX_ROWS;
    pin->force = p2_turn(pin->axis, tn_v2_load(lambda));
    stiffen_pin(c, S, pin);
}

/* Corrects the force by components in the axes that G had before the correction. */
static inline void correct_pin(const tn_alpha *c, const double *y, tn_plane_pin *pin)
{
    pin->force -= c->beta_prime * p2_turn(pin->axis, tn_v2_load(y));
    move_pin(pin);
}

/* g of the rows. */
static inline tn_v2 right_hand_side(const tn_sim *sim, const tn_alpha *c, const tn_plane_pin *pin)
{
    const tn_v2 error = pin->error, size = tn_v2_abs(error);
    if (!c->some_rest || size[0] > c->round_off || size[1] > c->round_off ||
        !tn_alpha_joint_rests(sim, c, pin->joint))
        return -error;
    const tn_v2 speeds = tn_plane_speeds(pin, sim->state.u);
    return (tn_v2){tn_alpha_led_row(c, error[0], speeds[0]),
                   tn_alpha_led_row(c, error[1], speeds[1])};
}

TN_INLINE double evaluate_pins(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    const tn_plane *plane = tn_alpha_of(sim)->plane;
    double *S = tn_alpha_of(sim)->stiffness;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t k = 0; k < plane->pin_count; k++) {
        tn_plane_pin *pin = &plane->pins[k];
        double *g = sim->sys.g + pin->y;
        if (!pin->packed)
            continue;
        if (trial == TN_TRIAL_CORRECTED) {
            correct_pin(c, g, pin);
        } else {
            predict_pin(sim, c, S, pin);
        }
        apply_pin(pin, sim->sys.f);
        const tn_v2 rhs = right_hand_side(sim, c, pin);
        tn_v2_store(g, rhs);
        tn_sizes_note(&sizes, 0, tn_v2_abs(rhs));
    }
    return tn_sizes_largest(&sizes);
}

static double pins_plain(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    return evaluate_pins(sim, c, trial);
}

TN_WIDE static double pins_wide(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    return evaluate_pins(sim, c, trial);
}

double tn_plane_evaluate_pins(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    return TN_WIDE_COPIES && tn_alpha_of(sim)->plane->wide ? pins_wide(sim, c, trial)
                                                           : pins_plain(sim, c, trial);
}

/* Rows along x and y of G. */
static inline void fill_block(tn_v2 axis, tn_v2 arm, double *block)
{
    const tn_v2 across = p2_across(axis);
    v3_store(block, v3(axis[0], axis[1], p2_cross(arm, axis)));
    v3_store(block + 3, v3(across[0], across[1], p2_cross(arm, across)));
}

static void assemble_pin(const tn_system *sys, double epsilon, const tn_plane_pin *pin)
{
    const tn_kkt_layout *layout = sys->layout;
    const int64_t *g = layout->g_offset + layout->dual_start[pin->joint];
    sys->values->rows[pin->joint] = 2;
    fill_block(pin->axis, pin->arm_a, sys->values->g + g[0]);
    if (pin->b->body >= 0)
        fill_block(-pin->axis, pin->arm_b, sys->values->g + g[1]);
    tn_v2_store(sys->values->a + pin->y, pin->scale);
    tn_v2_store(sys->values->e + pin->y, epsilon * pin->softness * pin->scale);
    tn_v2_store(sys->values->r + pin->y, (tn_v2){0.0, 0.0});
}

static void assemble_body(tn_sim *sim, const double *stiffness, double damping_factor,
                          const tn_plane_body *body)
{
    const double *S = stiffness + 6 * (size_t)body->body;
    if (body->damped) {
        tn_body_fill(&sim->sys, body->body, damping_factor, S);
    } else {
        tn_put_planar_mass(body->mass, body->inertia, body->stand_in, S[2],
                           sim->sys.values->h + sim->sys.layout->h_offset[body->body]);
    }
}

void tn_plane_assemble(tn_sim *sim, double damping_factor)
{
    const tn_plane *plane = tn_alpha_of(sim)->plane;
    const double *stiffness = tn_alpha_of(sim)->stiffness;
    const double epsilon = tn_rows_epsilon(&sim->sys, &sim->state);
    for (int32_t k = 0; k < plane->body_count; k++)
        assemble_body(sim, stiffness, damping_factor, &plane->bodies[k]);
    for (int32_t k = 0; k < plane->pin_count; k++) {
        if (plane->pins[k].packed)
            assemble_pin(&sim->sys, epsilon, &plane->pins[k]);
    }
}
