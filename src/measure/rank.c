/* rank.c: room measure: how many of the active rows are independent at the current pose. */
#include <string.h>

#include "integrate/sim_internal.h"
#include "measure/measure.h"

tn_status tn_sim_rank(const tn_sim *sim, tn_rank *out)
{
    if (!sim || !out)
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    tn_system sys = {0};
    tn_kkt_rank_report report = {0};
    tn_status status = tn_measure_system(sim, &sys);
    if (status == TN_OK)
        status = tn_kkt_rank(sim->model->kkt, sys.values, NULL, NULL, &report);
    tn_system_destroy(&sys);
    if (status != TN_OK)
        return status;
    out->rows = report.rows;
    out->rank = report.rank;
    out->redundant = report.rows - report.rank;
    out->dof = sim->model->size.velocities - report.rank;
    out->gap_low = report.largest_dropped;
    out->gap_high = report.smallest_kept;
    return TN_OK;
}
