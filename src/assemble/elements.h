/* elements.h: room assemble: what one element, joint or coupling, adds to the equations.
 *
 * One table of operations for each kind. An element acts on bodies through joints, its parts
 * (through[] of model.h): a joint through itself, a coupling through those of its terms.
 *
 * A loop that every step makes over all elements is a TN_INLINE function of a table and a range,
 * run for one kind after the other by TN_BOTH_KINDS: the operations of joints are inlined there.
 */
#ifndef TN_ASSEMBLE_ELEMENTS_H
#define TN_ASSEMBLE_ELEMENTS_H

#include "assemble/drive_terms.h"
#include "assemble/joint_terms.h"
#include "base/base.h"

typedef struct tn_element_ops {
    /* kin from T; of a coupling from its joints' kin, which come first among the elements. */
    void (*refresh)(tn_system *sys, const tn_state *state, int32_t j);
    /* Coordinates from kin, turns and branches nearest to reference, to the last digit. */
    void (*measure)(const tn_system *sys, const tn_state *state, int32_t j, const double *reference,
                    tn_dd *q);
    /* The same as one number, turns counted from a prediction over the h seconds since the state's. */
    void (*follow)(tn_system *sys, const tn_state *state, int32_t j, double h, double *q);
    /* G u of the rows listed; (dG/dt) u of all rows at constant body velocities. */
    void (*speeds)(const tn_system *sys, int32_t j, const double *u, tn_row_list rows,
                   double *speeds);
    void (*accelerations)(const tn_system *sys, int32_t j, const double *u, double *gamma);
    /* The same, at least of the rows that act. */
    void (*active_accelerations)(const tn_system *sys, const tn_state *state, int32_t j,
                                 const double *u, double *gamma);
    /* What the multipliers lambda[row], and what the known forces of its drives as they were found
     * last, do through part p: on A of its joint, at G's origin, world axes. */
    tn_wrench (*wrench)(const tn_system *sys, const tn_state *state, int32_t j, int32_t p,
                        const double *lambda);
    tn_wrench (*known)(const tn_system *sys, const tn_state *state, int32_t j, int32_t p);
    /* What it carries as its thresholds count it: force and moment at frame C, world axes; of a coupling
     * its one force along x. */
    tn_wrench (*load)(const tn_system *sys, const tn_state *state, int32_t j);
    /* G of the active rows into values; G M^-1 G^T of a row, with the diagonal of M, of the G that
     * was filled in last; 1 / (G M^-1 G^T) exactly, kg or kg m^2. */
    void (*fill)(tn_system *sys, const tn_state *state, int32_t j);
    double (*scale)(const tn_system *sys, int32_t j, int32_t row);
    double (*row_mass)(const tn_system *sys, const tn_state *state, int32_t j, int32_t row);
} tn_element_ops;

static inline tn_wrench tn_joint_part_wrench(const tn_system *sys, const tn_state *state, int32_t j,
                                             int32_t p, const double *lambda)
{
    (void)p;
    return tn_joint_wrench(&sys->model->joints[j].geometry, &sys->kin[j], &state->switches[j],
                           lambda);
}

static inline double tn_joint_scale(const tn_system *sys, int32_t j, int32_t row)
{
    return sys->model->joints[j].row_scale[row];
}

static const tn_element_ops tn_joint_ops = {
    .refresh = tn_joint_refresh,
    .measure = tn_joint_measure,
    .follow = tn_joint_follow,
    .speeds = tn_joint_speeds,
    .accelerations = tn_joint_accelerations,
    .active_accelerations = tn_joint_active_accelerations,
    .wrench = tn_joint_part_wrench,
    .known = tn_joint_known_wrench,
    .load = tn_joint_load,
    .fill = tn_joint_fill,
    .scale = tn_joint_scale,
    .row_mass = tn_joint_row_mass,
};
extern const tn_element_ops tn_coupling_ops;

/* couplings.c: of a coupling, an element: the speed of its value; the whole force on it, of
 * multiplier and known forces; and the wrench of a force on it through term t, on A of its joint,
 * at G's origin, world axes. */
double tn_coupling_speed(const tn_system *sys, int32_t j, const double *u);
double tn_coupling_force(const tn_state *state, int32_t j);
tn_wrench tn_coupling_wrench(const tn_system *sys, int32_t t, double force);

#define TN_BOTH_KINDS(run, model, ...)                                                             \
    do {                                                                                           \
        run(&tn_joint_ops, 0, (model)->joint_count, __VA_ARGS__);                                  \
        run(&tn_coupling_ops, (model)->joint_count, (model)->element_count, __VA_ARGS__);          \
    } while (0)

static inline const tn_element_ops *tn_element_ops_of(const tn_system *sys, int32_t j)
{
    return j < sys->model->joint_count ? &tn_joint_ops : &tn_coupling_ops;
}

/* G of the active rows and their R, E and scale into values. */
void tn_element_fill(tn_system *sys, const tn_state *state, const tn_row_law *law, int32_t j);

/* Multipliers and known forces together, through part p. */
tn_wrench tn_element_total(const tn_system *sys, const tn_state *state, int32_t j, int32_t p);

/* f += the known forces of its drives, as they were found last. */
void tn_element_add_known(const tn_system *sys, const tn_state *state, int32_t j, double *f);

/* Error of a held motion row: how far its coordinate is from where it is held. */
double tn_element_hold_error(const tn_system *sys, const tn_state *state, int32_t j, int32_t row);

/* phi of the active rows of element j, from where gaps of the loops put their zeros. */
static inline void tn_element_errors(const tn_system *sys, const tn_state *state, int32_t j,
                                     double *phi)
{
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    const tn_switches *s = &state->switches[j];
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (tn_joint_row_vanished(geometry, &sys->kin[j], row)) {
            phi[n] = 0.0;
        } else {
            phi[n] = row < geometry->cls->info.bilateral_count
                         ? tn_joint_row_error(geometry, &sys->kin[j], row)
                         : tn_element_hold_error(sys, state, j, row);
        }
    }
    if (tn_gap_is_on(state)) {
        for (int32_t n = 0; n < s->active_count; n++)
            phi[n] -= sys->gap[sys->layout->y_offset[j] + n];
    }
}

/* Speeds of the active rows of element j. */
TN_INLINE void tn_element_speeds(const tn_element_ops *ops, const tn_system *sys,
                                 const tn_state *state, int32_t j, const double *u, double *speeds)
{
    const tn_switches *s = &state->switches[j];
    if (s->active_count > 0)
        ops->speeds(sys, j, u, (tn_row_list){s->active, s->active_count}, speeds);
}

/* G^T lambda of element j, lambda[row]. */
TN_INLINE void tn_element_add_forces(const tn_element_ops *ops, const tn_system *sys,
                                     const tn_state *state, int32_t j, const double *lambda,
                                     double *f)
{
    const int32_t *through = sys->model->through, *start = sys->model->through_start;
    for (int32_t p = start[j]; p < start[j + 1] && state->switches[j].active_count > 0; p++)
        tn_joint_add_wrench(sys, through[p], ops->wrench(sys, state, j, p, lambda), f);
}

#endif
