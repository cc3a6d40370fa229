/* beginning.c: room motion: velocities that are the beginning of no motion.
 *
 * At a singular pose rows allow velocities to first order that no motion of the mechanism has: the
 * branches that meet there have some of them only (measure/redundancy_second.c).
 */
#include <math.h>
#include <string.h>

#include "motion/kinematics.h"
#include "motion/project.h"
#include "motion/refusals.h"

static int moves(const tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        if (sim->state.u[k] != 0.0)
            return 1;
    return 0;
}

/* Share of the accelerations of bodies that turn so fast, above which what the rows lack is a
 * motion that is none: well above what loops that are off by rounding leave. */
#define TN_NO_MOTION 1e-3

/* What turning does to velocities, in the mass metric: |M^(1/2) u| |w|, w of bodies and of lines
 * across the mechanism. */
static double turning(const tn_sim *sim, double *scratch)
{
    double square = 0.0, fastest = 0.0;
    memset(scratch, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_assemble_momentum(&sim->sys, sim->state.u, scratch);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        square += scratch[k] * sim->state.u[k];
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_twist twist = tn_assemble_twist(&sim->sys, sim->state.u, i);
        fastest = fmax(fastest, v3_norm(twist.w));
        if (sim->size > 0.0) /* points turn about others */
            fastest = fmax(fastest, v3_norm(twist.v) / sim->size);
    }
    return sqrt(square) * fastest;
}

/* The row with most of v, in the mass metric; its joint. */
static double largest_row(const tn_sim *sim, const double *v, int32_t *joint)
{
    double worst = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            const int64_t slot = sim->sys.layout->y_offset[j] + n;
            const double size = fabs(v[slot]) / sqrt(sim->sys.values->a[slot]);
            if (size <= worst)
                continue;
            worst = size;
            *joint = j;
        }
    }
    return worst;
}

/* (dG/dt) u is what the rows' accelerations must make up for. What of it no motion takes away is
 * there at singular poses only, and for velocities only that are those of no branch: one crank of a
 * flat parallelogram turned alone. */
int32_t tn_joint_without_motion(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_step_report step = tn_empty_report();
    int32_t joint = -1, solves = 0;
    if (!sim->traits.accelerations || sim->options.keep_velocities ||
        sim->model->loop_joints == 0 || !moves(sim) || tn_gap_is_on(&sim->state))
        return -1;
    tn_prepare_hard_rows(sim);
    if (tn_factorize(sim, &step) != TN_OK)
        return -1; /* the step tells why */
    tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_singular_out_of_reach(&sim->singular, sys->g, sys->y, &solves);
    const double lacking = largest_row(sim, sys->y, &joint);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    return lacking > TN_NO_MOTION * turning(sim, sys->f) ? joint : -1;
}
