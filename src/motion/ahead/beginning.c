/* beginning.c: room motion/ahead: velocities or loads with which no motion can begin.
 *
 * At a singular pose several branches of the motion meet. The rows then allow velocities to first order that belong to
 * none of these branches (redundancy/second.c).
 */
#include <math.h>
#include <string.h>

#include "assemble/holds.h"
#include "motion/kinematics.h"
#include "motion/closing/project.h"
#include "motion/ahead/refusals.h"

/* The joints cannot supply the accelerations if the missing part exceeds this share of the accelerations of bodies
 * that turn this fast: well above what loops with errors of round-off leave. */
#define TN_NO_MOTION 1e-3

/* Size of the accelerations due to rotation, in the mass metric: |M^(1/2) u| |w|, with w of bodies and of lines across
 * the mechanism. */
static double turning(const tn_sim *sim, double *scratch)
{
    double square = 0.0, fastest = 0.0;
    memset(scratch, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_assemble_momentum(&sim->sys, &sim->state, sim->state.u, scratch);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        square += scratch[k] * sim->state.u[k];
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_twist twist = tn_assemble_twist(&sim->sys, sim->state.u, i);
        fastest = fmax(fastest, v3_norm(twist.w));
        if (sim->size > 0.0) /* points also turn about each other */
            fastest = fmax(fastest, v3_norm(twist.v) / sim->size);
    }
    return sqrt(square) * fastest;
}

/* The largest row of v in the mass metric, and its joint. */
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

/* The accelerations of the rows must cancel (dG/dt) u. A part of it that no motion cancels exists at singular poses
 * only, and only for velocities of no branch: for example one crank of a flat parallelogram turned alone. at_hand:
 * the factor of the hard rows of this pose is available. Returns the joint that opens; -1: none. */
static int32_t opened_by_velocities(tn_sim *sim, bool at_hand)
{
    tn_system *sys = &sim->sys;
    tn_step_report step = tn_empty_report();
    int32_t joint = -1, solves = 0;
    if (!at_hand) {
        tn_prepare_hard_rows(sim);
        if (tn_factorize_to_keep(sim, &step) != TN_OK)
            return -1; /* the step that follows reports why */
    }
    tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_singular_out_of_reach(&sim->singular, sys->g, sys->y, &solves);
    const double lacking = largest_row(sim, sys->y, &joint);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    return lacking > TN_NO_MOTION * turning(sim, sys->f) ? joint : -1;
}

/* u = the accelerations that the rows allow under a random force (seed). */
static tn_status free_part(tn_sim *sim, int seed, double *u)
{
    tn_step_report step = tn_empty_report();
    uint64_t random = 2654435761u * (uint64_t)(seed + 1);
    tn_prepare_hard_rows(sim);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        sim->sys.f[k] = (double)(random >> 33) / 2147483648.0 - 0.5;
    }
    memset(sim->sys.g, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
    tn_status status = tn_factorize(sim, &step);
    if (status == TN_OK)
        status = tn_solve(sim, &step);
    memcpy(u, sim->sys.du, sizeof(double) * (size_t)sim->sys.layout->u_size);
    return status;
}

/* a . M b */
static double product(tn_sim *sim, const double *a, const double *b)
{
    double sum = 0.0;
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_assemble_momentum(&sim->sys, &sim->state, b, sim->sys.f);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sum += a[k] * sim->sys.f[k];
    return sum;
}

/* Do the rows leave a single degree of freedom? Then any load leads along it. */
static bool has_one_freedom(tn_sim *sim)
{
    double *u = sim->state.u, *v = sim->state.udot;
    if (free_part(sim, 0, u) != TN_OK || free_part(sim, 1, v) != TN_OK)
        return false;
    const double uu = product(sim, u, u), vv = product(sim, v, v), uv = product(sim, u, v);
    return uu * vv > 0.0 && uu * vv - uv * uv <= TN_AS_NONE * uu * vv;
}

/* The accelerations by the loads without joints, in the mass metric: f . M^-1 f. */
static double freely_moved(tn_sim *sim)
{
    double loaded = 0.0;
    tn_prepare_hard_rows(sim);
    tn_prepare_acceleration(sim);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        loaded += sim->sys.f[k] * sim->sys.f[k] * sim->inverse_inertia[k];
    return loaded;
}

/* The joint that opens as the loads accelerate the mechanism from rest; -1: none. share: residual of that solve, as
 * a share of the loads. *moved: a . M a. */
static int32_t opened_by_loads(tn_sim *sim, double share, double *moved)
{
    tn_step_report step = tn_empty_report();
    double *u = sim->state.u;
    *moved = 0.0;
    if (tn_solve_acceleration_roughly(sim, share, &step) != TN_OK)
        return -1;
    memcpy(u, sim->state.udot, sizeof(double) * (size_t)sim->sys.layout->u_size);
    *moved = product(sim, u, u);
    return *moved > 0.0 ? opened_by_velocities(sim, true) : -1;
}

/* At rest. The joint that blocks a load along the only degree of freedom, if that is one to first order only: no
 * motion follows, and no finite reaction carries the load, as of bars in line with a weight between them. The first
 * solve is as accurate as forces need be; if the mechanism accelerates freely under the loads, that settles it,
 * however weak its rows. Else an exact solve follows. The state is overwritten. */
static int32_t jammed(tn_sim *sim)
{
    double moved = 0.0;
    const double loaded = freely_moved(sim), much = loaded / (TN_FAR * TN_FAR);
    int32_t joint = opened_by_loads(sim, TN_FORCES_KNOWN, &moved);
    if (joint >= 0 || !(moved > much)) {
        memset(sim->state.u, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
        joint = opened_by_loads(sim, 0.0, &moved);
    }
    return joint >= 0 && moved > TN_AS_NONE * loaded && has_one_freedom(sim) ? joint : -1;
}

/* Releases friction that sticks and motors with a force limit: what is faster overcomes them, so they contradict
 * nothing. */
static void let_bounded_go(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const tn_hold_kind *kind = tn_hold_kind_of(&sim->state, d->joint, d->coordinate);
        if (kind->bound && isfinite(kind->bound(d, d->static_bound)))
            tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
    }
}

int32_t tn_joint_without_motion(tn_sim *sim)
{
    if (sim->options.keep_velocities || sim->model->loop_joints == 0 || tn_gap_is_on(&sim->state) ||
        sim->options.solver != TN_SOLVER_DIRECT)
        return -1;
    const bool moving = tn_sim_moves(sim);
    if (moving && !sim->traits.accelerations)
        return -1;
    tn_state_copy(&sim->backup, &sim->state);
    if (moving)
        let_bounded_go(sim);
    const int32_t joint = moving ? opened_by_velocities(sim, false) : jammed(sim);
    tn_state_copy(&sim->state, &sim->backup);
    return joint;
}
