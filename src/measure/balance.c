/* balance.c: room measure: residuals of Newton's and Euler's equations of every body, with the reported multipliers.
 *
 *     residual = M u' - f(q, u) - G^T lambda,
 * relative to the largest single force (moment) on that body; see motion/force_balance.c.
 */
#include "assemble/drive_terms.h"
#include "motion/force_balance.h"
#include "motion/loads.h"
#include "measure/measure.h"

tn_status tn_sim_balance(const tn_sim *sim, tn_balance *out)
{
    if (tn_sim_is_at_work(sim)) /* it evaluates loads, and would come here again */
        return TN_ERROR_BUSY;
    if (!sim || !out)
        return TN_ERROR_ARGUMENT;
    if (!sim->traits.accelerations || sim->state.head->restart)
        return TN_ERROR_UNSUPPORTED;
    *out = (tn_balance){0.0, 0.0, {-1}};
    double *residual = TN_NEW_ARRAY(double, sim->sys.layout->u_size);
    double *scale = TN_NEW_ARRAY(double, 2 * (int64_t)sim->model->body_count);
    const tn_status status = residual && scale ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        tn_assemble_forces(&sim->sys, &sim->state, sim->state.u, sim->state.udot, 1, residual);
        tn_assemble_applied_forces(&sim->sys, &sim->state, residual);
        tn_loads_add(sim, sim->state.u, false, residual);
        tn_assemble_joint_forces(&sim->sys, &sim->state, residual);
        const tn_force_balance balance = tn_force_balance_of(sim, residual, scale);
        *out = (tn_balance){balance.force, balance.moment, {balance.worst}};
    }
    tn_free(residual);
    tn_free(scale);
    return status;
}
