/* metric.c: room motion/closing: the system of the mass metric, its factor, and its solutions.
 *
 * Positions (project.c), velocities (velocity.c) and accelerations (acceleration.c) are projected onto the joints by
 * the same saddle-point problem with the mass matrix,
 *     [ M  -G^T ] [ d      ]   [ b ]
 *     [ G   R   ] [ lambda ] = [ g ],
 * solved exactly on the hard rows by refinement:
 *     position correction   b = 0,   g = -phi,      R = C on compliant rows
 *     velocity projection   b = 0,   g = v - G u,   compliant rows left out
 *     acceleration          b = f + compliant forces,   g = v' - (dG/dt) u,   compliant rows left out
 * with v the speeds that prescribed motions and motors give to the rows they hold, else 0.
 */

#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "assemble/armature.h"
#include "motion/closing/metric.h"
#include "motion/closing/gap.h"
#include "motion/closing/project.h"
#include "sparse/factor/factor.h"

static const tn_row_law hard_rows_law = {.leave_out_compliant = 1};

void tn_clear_system(tn_sim *sim)
{
    memset(sim->sys.du, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memset(sim->sys.y, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
}

static void assemble_rows(tn_sim *sim, const tn_row_law *law)
{
    tn_assemble_mass(&sim->sys, &sim->state, 0.0, NULL);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    tn_assemble_row_law(&sim->sys, &sim->state, law);
}

void tn_prepare_rows(tn_sim *sim, const tn_row_law *law)
{
    assemble_rows(sim, law);
    tn_clear_system(sim);
}

void tn_assemble_hard_rows(tn_sim *sim)
{
    assemble_rows(sim, &hard_rows_law);
}

void tn_prepare_hard_rows(tn_sim *sim)
{
    tn_prepare_rows(sim, &hard_rows_law);
}

/* Without loops no row has E > 0. If no body has a stand-in inertia either, the factor is that of the matrix itself,
 * and no refinement is needed: the next pass corrects the error of a solve. */
bool tn_factor_is_exact(const tn_sim *sim)
{
    return sim->model->loop_joints == 0 && !sim->model->stand_ins;
}

bool tn_any_yields(const tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (sim->state.switches[j].compliant)
            return true;
    }
    return false;
}

/* Reports the result of a factorization: the node that failed, or the smallest pivot. */
static tn_status report_factor(tn_sim *sim, tn_status status, int32_t node, tn_step_report *report)
{
    int32_t dual = -1;
    if (status != TN_OK) {
        if (node < sim->model->body_count) {
            report->culprit_body.i = node;
        } else {
            report->culprit_joint.i = tn_element_of_dual(sim->model, node - sim->model->body_count);
        }
        return status;
    }
    const double pivot = tn_kkt_smallest_pivot(sim->sys.factor, &dual);
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return TN_OK;
}

tn_status tn_factorize(tn_sim *sim, tn_step_report *report)
{
    int32_t node = -1;
    const tn_status spent = tn_spend(&report->factorizations, TN_MOST_FACTORIZATIONS);
    if (spent != TN_OK)
        return spent;
    tn_assemble_stand_ins(&sim->sys, &sim->state);
    /* counted although nothing is computed: methods depend on the count, which must not depend on what is cached */
    if (tn_kkt_is_kept(sim->model->kkt, sim->sys.values, sim->sys.factor))
        return report_factor(sim, TN_OK, node, report);
    const tn_status status =
        tn_kkt_factorize(sim->model->kkt, sim->sys.values, sim->sys.factor, &node);
    return report_factor(sim, status, node, report);
}

tn_status tn_factorize_to_keep(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_factorize(sim, report);
    if (status == TN_OK && !tn_kkt_is_kept(sim->model->kkt, sim->sys.values, sim->sys.factor))
        tn_kkt_keep(sim->model->kkt, sim->sys.values, sim->sys.factor);
    return status;
}

tn_status tn_factorize_and_solve(tn_sim *sim, double *u, double *y, tn_step_report *report)
{
    int32_t node = -1;
    const tn_status spent = tn_spend(&report->factorizations, TN_MOST_FACTORIZATIONS);
    if (spent != TN_OK)
        return spent;
    tn_assemble_stand_ins(&sim->sys, &sim->state);
    const tn_status status =
        tn_kkt_factorize_and_solve(sim->model->kkt, sim->sys.values, sim->sys.factor, u, y, &node);
    report->solves++;
    return report_factor(sim, status, node, report);
}

double tn_reach(const tn_sim *sim)
{
    return tn_singular_reach(tn_gap_is_on(&sim->state), sim->model->loop_joints);
}

tn_status tn_solve_to(tn_sim *sim, double tolerance, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    if (tn_gap_is_on(&sim->state))
        tn_gap_keep_in_reach(sim, sim->sys.g, report);
    return tn_singular_solve(&sim->singular, sys->f, sys->g, sys->du, sys->y, tn_reach(sim),
                             tolerance, NULL, &report->solves);
}

tn_status tn_solve(tn_sim *sim, tn_step_report *report)
{
    return tn_solve_to(sim, TN_SOLVE_TOLERANCE, report);
}

double tn_solve_at_fold(tn_sim *sim, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    double left = 0.0;
    tn_singular_solve(&sim->singular, sys->f, sys->g, sys->du, sys->y, tn_reach(sim),
                      TN_SOLVE_TOLERANCE, &left, &report->solves);
    return left;
}

/* Slots beyond the active rows of a joint keep old numbers and are not read. */
double tn_size_of_rows(const tn_sim *sim)
{
    const tn_kkt_values *values = sim->sys.values;
    const tn_kkt_layout *layout = sim->sys.layout;
    const double *a = values->a, *g = sim->sys.g;
    double most = 0.0;
    for (int32_t dual = 0; dual < layout->n_dual; dual++) {
        const int64_t first = layout->y_offset[dual];
        for (int64_t k = first; k < first + values->rows[dual]; k++) {
            if (g[k] != 0.0 && a[k] > 0.0)
                most = fmax(most, g[k] * g[k] / a[k]);
        }
    }
    return sqrt(most);
}

double tn_tolerance_for(double enough, double size)
{
    const double share = size > 0.0 ? enough / size : 0.0;
    return fmin(fmax(share, TN_SOLVE_TOLERANCE), 1.0 / TN_FAR);
}

/* Where the factor is exact, one solve is enough for tolerances above E: its round-off is less than half of the digits
 * unless the matrix is nearly singular. */
tn_status tn_solve_for(tn_sim *sim, double enough, double size, tn_step_report *report)
{
    const double tolerance = tn_tolerance_for(enough, size);
    if (tolerance < TN_EPSILON || !tn_factor_is_exact(sim))
        return tn_solve_to(sim, tolerance, report);
    memcpy(sim->sys.du, sim->sys.f, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memcpy(sim->sys.y, sim->sys.g, sizeof(double) * (size_t)sim->sys.layout->y_size);
    tn_kkt_solve(sim->model->kkt, sim->sys.factor, sim->sys.du, sim->sys.y);
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.y[k] = -sim->sys.y[k];
    report->solves++;
    return TN_OK;
}
