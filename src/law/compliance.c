/* compliance.c: room law: compliance and damping of rows while a simulation runs.
 *
 * In: what the user sets. Out: the switches of the joint, and a restart: the multiplier of a row
 * whose law changes jumps.
 *     critical damping of a row      D = 2 sqrt(m / C),   m = 1 / (G M^-1 G^T)
 *     from a frequency               1 / C = m (2 pi f)^2,   D = 2 ratio m (2 pi f)
 */
#include <math.h>

#include "assemble/elements.h"
#include "motion/simulation.h"

/* The element that has this row; -1: there is no such one. */
static int32_t element_with_row(const tn_sim *sim, tn_joint joint, int32_t row)
{
    const int32_t j = tn_sim_element(sim, joint);
    return j >= 0 && TN_IN(row, sim->model->joints[j].geometry.cls->info.row_count) ? j : -1;
}

/* Where compliance (0) and damping (1) of a row of element j with switches s are: those of a lock or
 * limit wait in the drive while a spring, motor or friction has the row. */
static double *row_number(const tn_sim *sim, int32_t j, tn_switches *s, int32_t row, int which)
{
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    tn_drive *drive = row >= info->bilateral_count
                          ? tn_state_drive(&sim->state, j, info->rows[row].coordinate)
                          : NULL;
    if (drive)
        return which ? &drive->hold_damping : &drive->hold_compliance;
    return which ? &s->damping[row] : &s->compliance[row];
}

static bool is_allowed(double value)
{
    return isfinite(value) && value >= 0.0;
}

/* What waits in the drives goes to the rows that have it now. */
static void hold_anew(tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    for (int32_t k = s->drive; k != TN_NO_DRIVE; k = sim->state.drives[k].next) {
        const int32_t i = sim->state.drives[k].coordinate;
        tn_state_hold(sim->model, &sim->state, j, i, (tn_hold)s->hold[i]);
    }
}

static void changed(tn_sim *sim, int32_t j)
{
    tn_state_update_active(sim->model, &sim->state, j);
    sim->state.head->restart = 1;
}

tn_status tn_sim_set_compliance(tn_sim *sim, tn_joint joint, int32_t row, double compliance,
                                double damping)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = element_with_row(sim, joint, row);
    if (j < 0 || !is_allowed(compliance) || !is_allowed(damping))
        return TN_ERROR_ARGUMENT;
    tn_switches *s = tn_state_edit(&sim->state, j);
    *row_number(sim, j, s, row, 0) = compliance;
    *row_number(sim, j, s, row, 1) = damping;
    hold_anew(sim, j);
    changed(sim, j);
    return TN_OK;
}

tn_status tn_sim_get_compliance(const tn_sim *sim, tn_joint joint, int32_t row, double *compliance,
                                double *damping)
{
    const int32_t j = element_with_row(sim, joint, row);
    if (j < 0 || !compliance || !damping)
        return TN_ERROR_ARGUMENT;
    tn_switches now = sim->state.switches[j];
    *compliance = *row_number(sim, j, &now, row, 0);
    *damping = *row_number(sim, j, &now, row, 1);
    return TN_OK;
}

double tn_sim_row_mass(const tn_sim *sim, tn_joint joint, int32_t row)
{
    const int32_t j = element_with_row(sim, joint, row);
    if (j < 0)
        return NAN;
    return tn_element_ops_of(&sim->sys, j)->row_mass(&sim->sys, &sim->state, j, row);
}

/* Is the row one of the collective setters'? */
static int in_group(const tn_joint_type_info *info, int32_t row, uint32_t group)
{
    return tn_joint_row_holds(info, row) && (info->rows[row].flags & group) != 0;
}

static bool is_group(uint32_t group)
{
    return group == TN_ROW_LINEAR || group == TN_ROW_ROTARY;
}

tn_status tn_sim_set_group_compliance(tn_sim *sim, tn_joint joint, uint32_t group,
                                      double compliance, double damping_ratio)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = element_with_row(sim, joint, 0);
    if (j < 0 || !is_group(group) || !is_allowed(compliance) || !is_allowed(damping_ratio))
        return TN_ERROR_ARGUMENT;
    tn_switches *s = tn_state_edit(&sim->state, j);
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    for (int32_t row = 0; row < info->row_count; row++) {
        if (!in_group(info, row, group))
            continue;
        const double mass = tn_sim_row_mass(sim, joint, row);
        *row_number(sim, j, s, row, 0) = compliance;
        *row_number(sim, j, s, row, 1) =
            compliance > 0.0 ? 2.0 * damping_ratio * sqrt(mass / compliance) : 0.0;
    }
    hold_anew(sim, j);
    changed(sim, j);
    return TN_OK;
}

tn_status tn_sim_get_group_compliance(const tn_sim *sim, tn_joint joint, uint32_t group,
                                      double *compliance, int *mixed)
{
    const int32_t j = element_with_row(sim, joint, 0);
    if (j < 0 || !is_group(group) || !compliance || !mixed)
        return TN_ERROR_ARGUMENT;
    tn_switches now = sim->state.switches[j];
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    double first = (double)NAN;
    *mixed = 0;
    for (int32_t row = 0; row < info->row_count; row++) {
        if (!in_group(info, row, group))
            continue;
        const double here = *row_number(sim, j, &now, row, 0);
        first = isnan(first) ? here : first;
        *mixed |= here != first;
    }
    if (isnan(first))
        return TN_ERROR_NOT_FOUND;
    *compliance = *mixed ? NAN : first;
    return TN_OK;
}

tn_status tn_compliance_from_frequency(double mass, double hertz, double damping_ratio,
                                       double *compliance, double *damping)
{
    if (!(mass > 0.0) || !isfinite(mass) || !(hertz > 0.0) || !isfinite(hertz) ||
        !is_allowed(damping_ratio) || !compliance || !damping)
        return TN_ERROR_ARGUMENT;
    const double rate = 2.0 * TN_PI * hertz; /* rad/s */
    const double C = 1.0 / (mass * rate * rate), D = 2.0 * damping_ratio * mass * rate;
    if (!(C > 0.0) || !isfinite(C) || !isfinite(D))
        return TN_ERROR_ARGUMENT; /* not known: too far from 1 */
    *compliance = C;
    *damping = D;
    return TN_OK;
}
