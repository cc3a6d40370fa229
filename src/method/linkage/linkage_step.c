/* linkage_step.c: room method/linkage: one step of a planar linkage: may it be taken, and its parts. See linkage.h. */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha_tree.h"
#include "method/linkage/linkage_begin.h"
#include "motion/kinematics.h"

/* Steps for which a linkage that is singular, or whose iteration did not end, is not tried again. */
#define TN_LINKAGE_PAUSE 16.0

/* Is what stands where it may be? */
static bool begin_standing(const tn_sim *sim, tn_linkage *linkage)
{
    bool good = true;
    for (int32_t k = linkage->bar_count; k < linkage->bar_count + linkage->standing_count; k++) {
        static const tn_vec3 origin = {0.0, 0.0, 0.0};
        static const tn_quat no_turn = {1.0, 0.0, 0.0, 0.0};
        tn_bar *bar = &linkage->bars[k];
        const tn_vec3 x = bar->body < 0 ? origin : sim->state.x[bar->body];
        const tn_quat q = bar->body < 0 ? no_turn : sim->state.q[bar->body];
        good &= take_pose(linkage, bar, x, q) <= sim->options.position_tolerance;
        memset(bar->f, 0, sizeof bar->f);
        bar->x = bar->x_before;
        bar->half = bar->half_before;
        bar->axis = bar_double(bar->half);
    }
    return good;
}

/* Nothing but motion happens, some of it prescribed, and it is to be tried. */
static bool may_step(tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    double *pause = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    if (c->index_2 || c->needs_reactions || !tn_linkage_hold(sim, c, linkage))
        return false;
    *pause = fmin(*pause + 1.0, 0.0);
    return *pause == 0.0;
}

bool tn_linkage_goes_on(const tn_sim *sim, double h)
{
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    return tn_alpha_of(sim)->linkage && tn_alpha_is_left_alone(sim) &&
           tn_alpha_keeps_balance(sim, h, false) && balance->hinge_steps == 0.0 &&
           balance->parts > 0.0;
}

/* In another way. */
static bool give_up_step(tn_sim *sim, bool pause)
{
    tn_state_stay(sim->crew, &sim->state, &sim->backup);
    if (pause)
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_LINKAGE_PAUSE;
    return false;
}

/* So that nobody has to look again. */
static void put_told(tn_sim *sim, const tn_linkage_told *told, tn_step_report *report)
{
    sim->told = (tn_told){.moves = true,
                          .sound = isfinite(told->sum),
                          .errors = true,
                          .balances = told->balances,
                          .moved = told->moved};
    report->position_error = told->position;
    report->angle_error = told->angle;
    report->worst_joint.i = told->joint;
    report->skipped_rows = 0;
}

bool tn_linkage_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    if (!linkage)
        return false;
    linkage->some_rest = false;
    if (!may_step(sim, c, linkage) || !begin_standing(sim, linkage))
        return give_up_step(sim, false);
    if (!tn_linkage_iterate(sim, c, linkage, report) ||
        !tn_linkage_rows_are_clear(sim, linkage, report) || !tn_linkage_bear(sim, linkage))
        return give_up_step(sim, !linkage->some_rest);
    const tn_linkage_told told =
        linkage->is_told ? linkage->told : tn_linkage_tell(sim, c, linkage);
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
    tn_linkage_show_held(sim, c, linkage);
    put_told(sim, &told, report);
    tn_alpha_arrive(sim);
    return true;
}
