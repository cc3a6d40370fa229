/* space_step.c: room method/space: one step of hinges in space: whether it can be taken, its start, and the
 * write-back of its result. See space.h.
 */
#include <math.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/alpha/alpha_tree.h"
#include "method/space/space.h"
#include "motion/closing/purge.h"
#include "motion/kinematics.h"

/* ---- the beginning ---- */

static void put_pose(tn_space_body *body, const tn_xform *T)
{
    memcpy(body->pose, &T->R, sizeof T->R);
    v3_store(body->pose + 9, T->p);
}

/* Poses of fixed bodies. */
static void begin(const tn_sim *sim, tn_space *space)
{
    for (int32_t k = 0; k < space->standing; k++) {
        tn_space_body *body = &space->bodies[space->first_standing + k];
        put_pose(body, tn_system_xform(&sim->sys, body->body));
        memset(body->pull, 0, sizeof body->pull);
    }
}

/* ---- the end ---- */

/* Writes one of them back. */
static tn_vec3 one_of(const tn_four *of, int n)
{
    return v3(of[0][n], of[1][n], of[2][n]);
}

/* The same as tn_joint_refresh. */
static void show_frames(const tn_space_hinges *of, int n, tn_joint_kinematics *kin)
{
    const tn_vec3 x = one_of(of->axes, n), y = one_of(of->axes + 3, n), z = one_of(of->axes + 6, n);
    const double cosine = of->turn[0][n], sine = of->turn[1][n];
    const double unit = tn_unit_again(cosine * cosine + sine * sine);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_A = one_of(of->arm_a, n);
    kin->r_B = one_of(of->arm_b, n);
    kin->T_GD = (tn_xform){m3_rot_z(unit * cosine, unit * sine), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    for (int i = 0; i < TN_SPACE_ROWS; i++)
        kin->error[i] = of->error[i][n];
    kin->error[TN_SPACE_ROWS] = 0.0;
}

static tn_vec3 turn_of(const tn_state *shown, const tn_space_body *body)
{
    return body->by_own > 0.0 ? v3_load(shown->u + body->at + 3) : v3(0.0, 0.0, 0.0);
}

/* The angle, with turns counted as in tn_joint_follow. */
static double show_angle(const tn_state *own, const tn_space *space, int32_t k, double h,
                         double before)
{
    const tn_space_hinge *hinge = &space->hinges[k];
    const tn_space_hinges *of = &space->hinge_fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    const double speed = v3_dot(hinge->z_a, turn_of(own, &space->bodies[hinge->a])) -
                         v3_dot(hinge->z_b, turn_of(own, &space->bodies[hinge->b]));
    return tn_nearest_turn(tn_atan2(of->turn[1][n], of->turn[0][n]), before + h * speed);
}

static void put_rates(const double *now, const double *before, double h, double *rates)
{
    for (int i = 0; i < TN_SPACE_ROWS; i++)
        rates[i] = 1.0 / h * (now[i] - before[i]);
}

/* Returns a sum of the numbers written. rates: those of multipliers; NULL: not needed. */
static double show_hinge(tn_sim *sim, const tn_state *own, const tn_space *space, int32_t k,
                         double h, double *rates)
{
    const tn_space_hinge *hinge = &space->hinges[k];
    const size_t j = (size_t)hinge->joint;
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *angle = own->coordinates + j * TN_MAX_COORDINATES;
    show_frames(&space->hinge_fours[k / TN_SPACE_SIDE], k % TN_SPACE_SIDE, kin);
    *angle = show_angle(own, space, k, h, sim->state.coordinates[j * TN_MAX_COORDINATES]);
    double *lambda = own->lambda + j * TN_MAX_ROWS, sum = *angle;
    if (rates)
        put_rates(space->y + TN_SPACE_STRIDE * k, sim->state.lambda + j * TN_MAX_ROWS, h,
                  rates + j * TN_MAX_ROWS);
    memcpy(lambda, space->y + TN_SPACE_STRIDE * k, TN_SPACE_ROWS * sizeof(double));
    memcpy(sim->sys.phi + hinge->y, kin->error, TN_SPACE_ROWS * sizeof(double));
    for (int n = 0; n < TN_MAX_ROWS; n++)
        sum += lambda[n];
    return sum;
}

static double show(tn_sim *sim, const tn_space *space, double h)
{
    const tn_state own = tn_state_own(&sim->state);
    double sum = 0.0, *rates = tn_alpha_has_rates(sim)
                                   ? tn_alpha_remembers(sim->model, &own).lambda_rate
                                   : NULL;
    for (int32_t k = 0; space->hinge_fours && k < space->hinge_count; k++)
        sum += show_hinge(sim, &own, space, k, h, rates);
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
    return sum;
}

/* Is the formulation index 3, does no friction depend on reactions, and does nothing else act than the joints? */
static bool may_step(const tn_sim *sim, const tn_alpha *c)
{
    return !c->index_2 && !c->needs_reactions && tn_alpha_is_left_alone(sim);
}

bool tn_space_goes_on(const tn_sim *sim, double h)
{
    return tn_alpha_of(sim)->space && tn_loop_step_goes_on(sim, h);
}

/* Where rows are redundant: reduces the multipliers to the minimum-norm ones, by passes of the filter
 * F = E (S + E)^-1 that leave no forces, as in least_multipliers.c, with the present matrix, which is S + E. false: the
 * rows are not simply redundant, and the general iteration has to decide. */
static bool purge(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    if (!tn_rows_repeat(sim, report))
        return true;
    if (!space->kernel->find_part(sim, space, report))
        return false;
    space->kernel->take_part(space);
    return true;
}

bool tn_space_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_space *space = tn_alpha_of(sim)->space;
    if (!space || !may_step(sim, c))
        return false;
    if (!tn_loop_step_tries(sim))
        return tn_loop_step_gives_up(sim, false);
    begin(sim, space);
    if (!space->kernel->iterate(sim, c, space, report) || !purge(sim, space, report))
        return tn_loop_step_gives_up(sim, !space->some_rest);
    tn_loop_step_results results;
    space->kernel->finish(sim, c, space, &results);
    results.sum += show(sim, space, c->h);
    tn_loop_step_report(sim, &results, report);
    tn_alpha_arrive(sim);
    return true;
}
