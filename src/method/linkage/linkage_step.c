/* linkage_step.c: room method/linkage: one step of a planar linkage: whether it can be taken, and its stages. See
 * linkage.h. */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha_tree.h"
#include "method/linkage/linkage_begin.h"
#include "motion/kinematics.h"

/* Are fixed bodies still in the pose that the packed data is made for? */
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

/* Is the formulation index 3, does no friction depend on reactions, and is all else held angles? */
static bool may_step(tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    return !c->index_2 && !c->needs_reactions && tn_linkage_hold(sim, c, linkage);
}

bool tn_linkage_goes_on(const tn_sim *sim, double h)
{
    return tn_alpha_of(sim)->linkage && tn_loop_step_goes_on(sim, h);
}

bool tn_linkage_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    if (!linkage || !may_step(sim, c, linkage))
        return false;
    linkage->some_rest = false;
    if (!tn_loop_step_tries(sim) || !begin_standing(sim, linkage))
        return tn_loop_step_gives_up(sim, false);
    if (!tn_linkage_iterate(sim, c, linkage, report) ||
        !tn_linkage_rows_are_clear(sim, linkage, report) || !tn_linkage_bear(sim, linkage))
        return tn_loop_step_gives_up(sim, !linkage->some_rest);
    const tn_linkage_results results =
        linkage->has_results ? linkage->results : tn_linkage_finish(sim, c, linkage);
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
    tn_linkage_show_held(sim, c, linkage);
    tn_loop_step_report(sim, &results.of, report);
    tn_alpha_arrive(sim);
    return true;
}
