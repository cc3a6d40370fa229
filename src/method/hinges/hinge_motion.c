/* hinge_motion.c: room method/hinges: how coordinates along which something acts move in a trial.
 *
 * In: the links of a trial, or frames of joints at it. Out: coordinates, their speeds and accelerations: of a joint of one freedom
 * from the motions of its two links; of chains and cuts as the general evaluation has them (assemble/joint_terms.h).
 */
#include "assemble/joint_terms.h"
#include "method/hinges/alpha_hinges.h"

/* Of a velocity u that changes by udot and goes by acc where the step begins. */
static double coasting(const tn_hinge_rule *c, double u, double udot, double a)
{
    return u + (c->coast_a * a + c->coast_acc * (c->acc_udot * udot + c->acc_acc * a));
}

static tn_hinge_coast coast_of(const tn_hinge_world *w, const tn_hinge_rule *c, int64_t u)
{
    tn_hinge_coast coast;
    double now[6], udot[6], acc[6];
    hinge_get_six(w, w->at.u, u, now);
    hinge_get_six(w, w->at.udot, u, udot);
    hinge_get_six(w, w->at.acc, u, acc);
    for (int i = 0; i < 6; i++)
        coast.u[i] = coasting(c, now[i], udot[i], acc[i]);
    return coast;
}

void tn_hinge_act_coasts(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_act *act)
{
    if (act->turns)
        return;
    act->own_coast = coast_of(w, c, w->places[act->link].u);
    if (act->inner_link >= 0)
        act->inner_coast = coast_of(w, c, w->places[act->inner_link].u);
}

/* rad/s^2, m/s^2 in axes of the body: derivatives of its velocity in the trial, of the angular one from 3. */
static tn_vec3 trial_udot(const double *link, size_t first)
{
    return limb_v3(link + TN_LIMB_FIELD(udot) + first * TN_HINGE_WIDTH);
}

/* m/s, rad/s: velocity of the centre of mass, or the angular one, 0 or 3, in the trial. */
static tn_vec3 trial_u(const tn_hinge_rule *c, const tn_hinge_coast *coast, const double *link,
                       size_t first)
{
    return v3_axpy(v3_load(coast->u + first), c->u_udot, trial_udot(link, first));
}

/* m/s: of a point of the body, so far from its centre of mass. */
static tn_vec3 point_speed(const tn_hinge_rule *c, const tn_hinge_coast *coast, const double *link,
                           tn_vec3 arm)
{
    const tn_quat q = limb_q(link + TN_LIMB_FIELD(q));
    const tn_vec3 w = hinge_in_world(q, trial_u(c, coast, link, 3));
    return v3_add(trial_u(c, coast, link, 0), v3_cross(w, arm));
}

/* m: of P on the body from the inner one's centre of mass. */
static tn_vec3 base_of(const tn_hinge_act *act)
{
    return v3_add(limb_v3(act->own + TN_LIMB_FIELD(span)),
                  limb_v3(act->inner + TN_LIMB_FIELD(arm)));
}

/* m/s: of P on the inner body, which may be welded to that of the inner link. */
static tn_vec3 inner_speed(const tn_hinge_rule *c, const tn_hinge_act *act)
{
    const tn_hinge_weld *weld = act->weld;
    const tn_vec3 arm = base_of(act);
    if (!weld)
        return point_speed(c, &act->inner_coast, act->inner, arm);
    const tn_vec3 w = hinge_in_world(limb_q(act->inner + TN_LIMB_FIELD(q)),
                                     trial_u(c, &act->inner_coast, act->inner, 3));
    return v3_add(tn_hinge_weld_speed(c, weld), v3_cross(w, v3_sub(arm, weld->offset)));
}

double tn_hinge_act_speed(const tn_hinge_acting *by_link, const tn_hinge_rule *c,
                          const tn_hinge_act *act)
{
    if (act->chained)
        return act->speed;
    if (act->turns)
        return act->sign * by_link->speed[act->link];
    const double *own = act->own;
    tn_vec3 v = point_speed(c, &act->own_coast, own, limb_v3(own + TN_LIMB_FIELD(arm)));
    if (act->inner_link >= 0)
        v = v3_sub(v, inner_speed(c, act));
    return act->sign * v3_dot(limb_v3(own + TN_LIMB_FIELD(axis)), v);
}

/* m/s^2: of a point of the body, so far from its centre of mass. */
static tn_vec3 point_acceleration(const tn_hinge_rule *c, const tn_hinge_coast *coast,
                                  const double *link, tn_vec3 arm)
{
    const tn_quat q = limb_q(link + TN_LIMB_FIELD(q));
    const tn_vec3 w = hinge_in_world(q, trial_u(c, coast, link, 3)),
                  spin = hinge_in_world(q, trial_udot(link, 3));
    return v3_add(v3_add(trial_udot(link, 0), v3_cross(spin, arm)), v3_cross(w, v3_cross(w, arm)));
}

/* m/s^2: likewise. */
static tn_vec3 inner_acceleration(const tn_hinge_rule *c, const tn_hinge_act *act)
{
    const tn_hinge_weld *weld = act->weld;
    const tn_vec3 arm = weld ? v3_sub(base_of(act), weld->offset) : base_of(act),
                  a = point_acceleration(c, &act->inner_coast, act->inner, arm);
    return weld ? v3_add(a, v3_sub(weld->udot, trial_udot(act->inner, 0))) : a;
}

/* Of one that slides: what the inner body turns by counts twice the speed along the axis, and none of that lies along it. */
double tn_hinge_act_acceleration(const tn_hinge_acting *by_link, const tn_hinge_rule *c,
                                 const tn_hinge_act *act)
{
    if (act->chained)
        return act->rate;
    if (act->turns)
        return act->sign * by_link->rate[act->link];
    const double *own = act->own;
    tn_vec3 a = point_acceleration(c, &act->own_coast, own, limb_v3(own + TN_LIMB_FIELD(arm)));
    if (act->inner_link >= 0)
        a = v3_sub(a, inner_acceleration(c, act));
    return act->sign * v3_dot(limb_v3(own + TN_LIMB_FIELD(axis)), a);
}

double tn_hinge_act_coordinate(const tn_hinge_act *act)
{
    return act->cut >= 0 ? act->at : act->start + act->sign * act->own[TN_LIMB_FIELD(turn)];
}

/* The first act after n of another joint. */
static int32_t next_joint(const tn_hinge_acts *acts, int32_t n)
{
    const int32_t joint = acts->all[n].joint;
    while (n < acts->count && acts->all[n].joint == joint)
        n++;
    return n;
}

/* Where the coordinates of a cut are, of so many acts. */
static void measure_coordinates(tn_sim *sim, double h, tn_hinge_act *first, int32_t count)
{
    double q[TN_MAX_COORDINATES];
    tn_joint_follow(&sim->sys, &sim->state, first->joint, h, q);
    for (int32_t n = 0; n < count; n++)
        first[n].at = q[first[n].coordinate];
}

/* Speeds and accelerations of the coordinates of a chain or a cut, of so many acts, with frames as they are. */
static void measure_rates(const tn_sim *sim, const double *u, const double *udot,
                          tn_hinge_act *first, int32_t count)
{
    int8_t row[TN_MAX_ROWS];
    double speeds[TN_MAX_ROWS], rates[TN_MAX_ROWS], turning[TN_MAX_ROWS];
    bool weighs = false;
    for (int32_t n = 0; n < count; n++) {
        row[n] = (int8_t)first[n].row;
        weighs |= first[n].armature > 0.0;
    }
    tn_joint_speeds(&sim->sys, first->joint, u, (tn_row_list){row, count}, speeds);
    if (weighs) {
        tn_joint_speeds(&sim->sys, first->joint, udot, (tn_row_list){row, count}, rates);
        tn_joint_accelerations(&sim->sys, first->joint, u, turning);
    }
    for (int32_t n = 0; n < count; n++) {
        first[n].speed = speeds[n];
        first[n].rate = weighs ? rates[n] + turning[row[n]] : 0.0;
    }
}

void tn_hinges_measure_chains(tn_sim *sim, const double *u, const double *udot, double h,
                              bool shown)
{
    tn_hinge_acts *acts = &tn_alpha_of(sim)->hinges->acts;
    for (int32_t n = 0; n < acts->count && acts->on_chains;) {
        const int32_t end = next_joint(acts, n);
        if (acts->all[n].chained && !shown)
            tn_joint_refresh(&sim->sys, &sim->state, acts->all[n].joint);
        if (acts->all[n].cut >= 0 && !shown)
            measure_coordinates(sim, h, &acts->all[n], end - n);
        if (acts->all[n].chained)
            measure_rates(sim, u, udot, &acts->all[n], end - n);
        n = end;
    }
}
