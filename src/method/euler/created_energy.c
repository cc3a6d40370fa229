/* created_energy.c: room method/euler: energy that a step of first order creates.
 *
 * In: velocities u before and sys.du after the velocity solve, its impulses sys.y, the rows of the start. Ideal
 * joints do no work; in a step of first order they do
 *     W = y . G (u + u+) / 2,
 * since the rows are those of the start, not those of the motion in between. With moving rows, G u+ = -h G' u, that
 * is h^2 a^2 / 2 for every kilogram, a the acceleration that the joints enforce: for a body that turns about a joint
 * (h w)^2 / 2 of its kinetic energy in each step, pi h w in each turn.
 *
 * Limits: hard bilateral rows only; the work of limits, drives and soft rows is real.
 */
#include <string.h>

#include "assemble/joint_terms.h"
#include "method/euler/euler.h"

static double work_of_joints(const tn_sim *sim, const double *speeds)
{
    double work = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (row < sim->model->joints[j].geometry.cls->info.bilateral_count &&
                s->compliance[row] <= 0.0)
                work += 0.5 * sim->sys.y[slot + n] * speeds[slot + n];
        }
    }
    return work;
}

double tn_created_share(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    const tn_euler_work *w = sim->work;
    const int64_t size = sys->layout->u_size;
    double *sum = w->sum, *speeds = w->speeds, twice_kinetic = 0.0;
    for (int64_t k = 0; k < size; k++)
        sum[k] = sim->state.u[k] + sys->du[k];
    tn_assemble_speeds(sys, &sim->state, sum, speeds);
    memset(sys->f, 0, sizeof(double) * (size_t)size);
    tn_assemble_momentum(sys, &sim->state, sys->du, sys->f);
    for (int64_t k = 0; k < size; k++)
        twice_kinetic += sys->du[k] * sys->f[k];
    const double work = work_of_joints(sim, speeds);
    return twice_kinetic > 0.0 ? 2.0 * work / twice_kinetic : 0.0;
}
