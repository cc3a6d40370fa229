/* alpha_plane_pass.c: room integrate: one evaluation of packed planar bodies and pins, and their
 * part of the matrix. See alpha_plane.h.
 *
 * With the arms r_A, r_B to D's origin in world axes and F the force on A, in G's axes lambda:
 *     phi = G^T (x_A + c_A - x_B - r_B),  f_A += (F, r_A x F),  f_B -= (F, r_B x F),
 *     rows along the axes e of G: [ e_x, e_y, (r x e)_z ].
 * After a correction F is kept in the world while G turns (alpha_residual.c). The stiffness of a
 * body is the number F . r, which is the same in any axes.
 */
#include <math.h>
#include <string.h>

#include "integrate/alpha_plane.h"

/* The pose after an increment of h dq. */
static inline void move_body(const tn_alpha *c, const double *dq, tn_plane_body *body)
{
    const tn_quat from = {body->from[2], 0.0, 0.0, body->from[3]};
    const tn_quat q = tn_body_turned_z(from, c->h * dq[2]);
    body->x = body->from[0] + c->h * dq[0];
    body->y = body->from[1] + c->h * dq[1];
    body->w = q.w;
    body->z = q.z;
    body->c = 1.0 - 2.0 * (q.z * q.z);
    body->s = 2.0 * (q.w * q.z);
}

static void add_general_forces(tn_sim *sim, const tn_plane_body *body)
{
    tn_body_force(&sim->model->bodies[body->body], &sim->sys.T[body->body].R, sim->model->gravity,
                  sim->state.u, sim->state.udot, 1, sim->sys.f);
}

void tn_plane_evaluate_bodies(tn_sim *sim, const tn_alpha *c)
{
    tn_plane *plane = sim->plane;
    const double g_x = sim->model->gravity.x, g_y = sim->model->gravity.y;
    for (int32_t k = 0; k < plane->body_count; k++) {
        tn_plane_body *body = &plane->bodies[k];
        const double *a = sim->state.udot + body->u;
        v3_store(sim->sys.f + body->u,
                 v3(body->mass * (g_x - a[0]), body->mass * (g_y - a[1]), -body->inertia * a[2]));
        move_body(c, sim->dq + body->u, body);
        if (body->shown)
            tn_plane_show_body(sim, body);
        if (body->damped)
            add_general_forces(sim, body);
    }
}

/* G, the arms and the error after the bodies have moved. */
static inline void move_pin(const tn_plane_body *a, const tn_plane_body *b, tn_plane_pin *pin)
{
    const double b_x = b->c * pin->at_b[0] - b->s * pin->at_b[1];
    const double b_y = b->s * pin->at_b[0] + b->c * pin->at_b[1];
    const double a_x = b->x + b_x - a->x, a_y = b->y + b_y - a->y;
    const double e_x = a->c * pin->at_a[0] - a->s * pin->at_a[1] - a_x;
    const double e_y = a->s * pin->at_a[0] + a->c * pin->at_a[1] - a_y;
    const double c = a->c * pin->turn_a[0] - a->s * pin->turn_a[1];
    const double s = a->s * pin->turn_a[0] + a->c * pin->turn_a[1];
    pin->arm_a[0] = a_x;
    pin->arm_a[1] = a_y;
    pin->arm_b[0] = b_x;
    pin->arm_b[1] = b_y;
    pin->error[0] = c * e_x + s * e_y;
    pin->error[1] = c * e_y - s * e_x;
    pin->c = c;
    pin->s = s;
}

/* The force becomes that of components l, in the axes G has now. */
static inline void add_components(const double *l, double factor, tn_plane_pin *pin)
{
    pin->force[0] += factor * (pin->c * l[0] - pin->s * l[1]);
    pin->force[1] += factor * (pin->s * l[0] + pin->c * l[1]);
}

/* A force (x, y) at an arm on a body with the forces f. */
static inline void push(double *f, const double *arm, double x, double y)
{
    v3_store(f, v3(f[0] + x, f[1] + y, f[2] + (arm[0] * y - arm[1] * x)));
}

static inline void apply_pin(const tn_plane *plane, const tn_plane_pin *pin, double *f)
{
    const double x = pin->force[0], y = pin->force[1];
    push(f + plane->bodies[pin->a].u, pin->arm_a, x, y);
    if (pin->b < plane->body_count)
        push(f + plane->bodies[pin->b].u, pin->arm_b, -x, -y);
}

/* Stiffness of a body, divided by beta'. */
static inline void stiffen(tn_sim *sim, const tn_alpha *c, const tn_plane_pin *pin)
{
    const tn_plane *plane = sim->plane;
    const double x = pin->force[0] / c->beta_prime, y = pin->force[1] / c->beta_prime;
    const size_t a = 6 * (size_t)plane->bodies[pin->a].body + 2;
    sim->stiffness[a] += x * pin->arm_a[0] + y * pin->arm_a[1];
    if (pin->b < plane->body_count) {
        const size_t b = 6 * (size_t)plane->bodies[pin->b].body + 2;
        sim->stiffness[b] -= x * pin->arm_b[0] + y * pin->arm_b[1];
    }
}

/* g where some bodies rest. */
static void right_hand_side_at_rest(const tn_sim *sim, const tn_alpha *c, const tn_plane_pin *pin,
                                    double *g)
{
    double speeds[2];
    if (fabs(pin->error[0]) > c->round_off || fabs(pin->error[1]) > c->round_off ||
        !tn_alpha_joint_rests(sim, c, pin->joint))
        return;
    tn_plane_speeds(sim->plane, pin, sim->state.u, speeds);
    for (int n = 0; n < 2; n++)
        g[n] = tn_alpha_led_row(c, pin->error[n], speeds[n]);
}

static inline void evaluate_pin(tn_sim *sim, const tn_alpha *c, tn_plane_pin *pin, tn_trial trial)
{
    const tn_plane *plane = sim->plane;
    const tn_plane_body *a = &plane->bodies[pin->a], *b = &plane->bodies[pin->b];
    double *g = sim->sys.g + pin->y;
    if (trial == TN_TRIAL_CORRECTED) {
        add_components(g, -c->beta_prime, pin);
        move_pin(a, b, pin);
    } else {
        move_pin(a, b, pin);
        pin->force[0] = pin->force[1] = 0.0;
        add_components(sim->state.lambda + (size_t)pin->joint * TN_MAX_ROWS, 1.0, pin);
        stiffen(sim, c, pin);
    }
    apply_pin(plane, pin, sim->sys.f);
    g[0] = -pin->error[0];
    g[1] = -pin->error[1];
    if (c->some_rest)
        right_hand_side_at_rest(sim, c, pin, g);
}

double tn_plane_evaluate_pins(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    tn_plane *plane = sim->plane;
    double sum[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
    for (int32_t k = 0; k < plane->pin_count; k++) {
        tn_plane_pin *pin = &plane->pins[k];
        if (!pin->packed)
            continue;
        evaluate_pin(sim, c, pin, trial);
        const double *g = sim->sys.g + pin->y;
        for (int n = 0; n < 2; n++) {
            const double distance = fabs(g[n]);
            sum[n] += distance;
            largest[n] = distance > largest[n] ? distance : largest[n];
        }
    }
    return isfinite(sum[0] + sum[1]) ? fmax(largest[0], largest[1]) : NAN;
}

/* Rows along x and y of G. */
static inline void fill_block(const tn_plane_pin *pin, const double *arm, double sign,
                              double *block)
{
    const double c = sign * pin->c, s = sign * pin->s;
    v3_store(block, v3(c, s, arm[0] * s - arm[1] * c));
    v3_store(block + 3, v3(-s, c, arm[0] * c + arm[1] * s));
}

static void assemble_pin(const tn_system *sys, double epsilon, const tn_plane_pin *pin)
{
    const tn_kkt_layout *layout = sys->layout;
    const int64_t *g = layout->g_offset + layout->dual_start[pin->joint];
    sys->values->rows[pin->joint] = 2;
    fill_block(pin, pin->arm_a, 1.0, sys->values->g + g[0]);
    if (sys->model->joints[pin->joint].b >= 0)
        fill_block(pin, pin->arm_b, -1.0, sys->values->g + g[1]);
    for (int n = 0; n < 2; n++) {
        sys->values->a[pin->y + n] = pin->scale[n];
        sys->values->e[pin->y + n] = epsilon * pin->softness * pin->scale[n];
        sys->values->r[pin->y + n] = 0.0;
    }
}

static void assemble_body(tn_sim *sim, double damping_factor, const tn_plane_body *body)
{
    const tn_model_body *of = &sim->model->bodies[body->body];
    const double *S = sim->stiffness + 6 * (size_t)body->body;
    if (body->damped)
        tn_body_fill(&sim->sys, body->body, damping_factor, S);
    else
        tn_body_fill_planar(of, S, sim->sys.values->h + sim->sys.layout->h_offset[body->body]);
}

void tn_plane_assemble(tn_sim *sim, double damping_factor)
{
    const tn_plane *plane = sim->plane;
    const double epsilon = tn_loop_epsilon(&sim->state);
    for (int32_t k = 0; k < plane->body_count; k++)
        assemble_body(sim, damping_factor, &plane->bodies[k]);
    for (int32_t k = 0; k < plane->pin_count; k++)
        if (plane->pins[k].packed)
            assemble_pin(&sim->sys, epsilon, &plane->pins[k]);
}
