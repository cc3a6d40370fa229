/* alpha_index_2.c: room method/alpha: the stabilized index-2 formulation of generalized-alpha.
 *
 * Arnold, Bruels, Cardona 2015. Both poses and velocities satisfy the rows of joints:
 *     dq = u + h (1/2 - beta) a + h beta a+ - M^-1 G^T eta,     phi(q+) = 0,     G u+ = v,
 * v the speeds of driven coordinates, everything else as in generalized_alpha.c. eta closes the joints without a force,
 * so that the multipliers have to satisfy the velocities only: round-off of poses is divided by h in them instead of
 * h^2, velocities are those of a motion that the mechanism can make, and the work of its joints vanishes at the ends of
 * steps. The energy error, which oscillates with the motion, is two thirds of that of index 3 (a particle on a rod of
 * length l released from the horizontal: 0.14 instead of 0.20 m v^4 h^2 / l^2).
 *
 * Newton's method with the matrix of the index-3 form: the correction d of the pose has a part p that changes the
 * accelerations, udot+ by beta' p and u+ by gamma' p, and a part e of eta:
 *     G p = (v - G u+) / gamma',       G e = -phi - G p,
 * two solves with one factor. Compliant rows are in the first solve and do not contribute to eta.
 *
 * Limits: loops with gaps have speeds that contradict each other: they use index 3.
 */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha_plane.h"

/* v - G u of the rows, into speeds. */
static void measure_speeds(tn_sim *sim)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_plane *plane = w->plane;
    const double *u = sim->state.u;
    double *speeds = w->speeds;
    for (int32_t k = 0; k < plane->pin_count; k++) {
        if (plane->pins[k].packed)
            tn_v2_store(speeds + plane->pins[k].y, tn_plane_speeds(&plane->pins[k], u));
    }
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (!plane->is_packed[j] && tn_state_is_on(sim->model, &sim->state, j)) {
            tn_element_speeds(tn_element_ops_of(&sim->sys, j), &sim->sys, &sim->state, j, u,
                              speeds + sim->sys.layout->y_offset[j]);
        }
    }
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        speeds[k] = -speeds[k];
    tn_assemble_hold_rates(&sim->sys, &sim->state, 1, speeds);
}

double tn_alpha_lead_by_speeds(tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    tn_system *sys = &sim->sys;
    double *rest = w->rest, largest = 0.0;
    measure_speeds(sim);
    memset(rest, 0, sizeof(double) * (size_t)sys->layout->y_size);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        if (!tn_state_is_on(sim->model, &sim->state, j))
            continue;
        for (int32_t n = 0; n < tn_active_rows(sim->model, &sim->state, j).count; n++) {
            const int64_t k = slot + n;
            const double led = w->speeds[k] / c->gamma_prime;
            if (sim->state.plain[j] || tn_active_compliance(&sim->state, j, n) <= 0.0) {
                rest[k] = sys->g[k] - led;
                sys->g[k] = led;
            }
            largest = fmax(largest, fabs(sys->g[k]));
        }
    }
    return largest;
}

/* Adds to the right-hand side of bodies what turns the predicted M^-1 G^T eta into that of the present pose. */
static void start_correction(tn_sim *sim, const tn_alpha *c, double *e)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const int32_t n = sim->model->size.velocities;
    if (!w->closing_is_guess) {
        memset(e, 0, sizeof(double) * (size_t)n);
        return;
    }
    const double *closing = tn_alpha_remembers(sim->model, &sim->state).closing;
    for (int32_t k = 0; k < n; k++)
        w->taken[k] = -c->h * closing[k];
    tn_kkt_apply_h(sim->model->kkt, sim->sys.values, w->taken, e);
}

void tn_alpha_correct_pose(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    tn_system *sys = &sim->sys;
    double *e = sys->f, largest = 0.0; /* scratch: forces are computed again before use */
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        largest = fmax(largest, fabs(w->rest[k]));
    if (largest <= c->round_off && !w->closing_is_guess)
        return;
    start_correction(sim, c, e);
    tn_kkt_solve(sim->model->kkt, sys->factor, e, w->rest);
    tn_clear_armatures(sys, w->rest);
    w->closing_is_guess = 0;
    report->solves++;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        w->dq[k] += e[k] / c->h;
}

void tn_alpha_keep_closing(tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_state *start = w->from;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    const double *acc = tn_alpha_remembers(sim->model, start).acc;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        const double moved = start->u[k] + c->h * ((0.5 - c->beta) * acc[k] + c->beta * m.acc[k]);
        m.closing[k] = w->dq[k] - moved;
    }
}
