/* linkage_step.c: room method/linkage: one step of a planar linkage: may it be taken, and what it begins with. See
 * linkage.h.
 *
 * Predictions are those of generalized_alpha.c in the components of the plane.
 */
#include <math.h>
#include <string.h>

#include "math/dense/worst.h"
#include "method/alpha/alpha_tree.h"
#include "method/linkage/linkage.h"
#include "motion/kinematics.h"

/* Steps for which a linkage that is singular, or whose iteration did not end, is not tried again. */
#define TN_LINKAGE_PAUSE 16.0

/* Orientation and place; returns how far they are off the plane, m or rad. */
TN_INLINE double take_pose(const tn_linkage *linkage, tn_bar *bar, tn_vec3 x, tn_quat q)
{
    const tn_v4 *turn = (const tn_v4 *)(const void *)bar->turned;
    const tn_v4 parts = (q.w * turn[0] + q.x * turn[1]) + (q.y * turn[2] + q.z * turn[3]);
    const tn_v2 half = {parts[0], parts[1]};
    const double tilt = tn_worst(fabs(parts[2]), fabs(parts[3]));
    bar->x_before = bar_in_plane(linkage, x);
    bar->half_before = tn_unit_again(p2_dot(half, half)) * half;
    return tn_worst(2.0 * tilt, fabs(v3_dot(linkage->e[2], x) - bar->z));
}

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

/* The components of the plane of a packed velocity. */
TN_INLINE void take_velocity(const tn_linkage *linkage, const tn_bar *bar, const double *u,
                             double *to)
{
    tn_v2_store(to, bar_in_plane(linkage, v3_load(u + bar->at)));
    to[2] = v3_dot(bar->normal, v3_load(u + bar->at + 3));
    to[3] = 0.0;
}

/* What of it is across the plane, m/s or rad/s. */
TN_INLINE double across_of(const tn_linkage *linkage, const tn_bar *bar, const double *u)
{
    const tn_vec3 w = v3_load(u + bar->at + 3);
    const tn_vec3 tilt = v3_axpy(w, -bar->u[2], bar->normal);
    const double out = fabs(v3_dot(linkage->e[2], v3_load(u + bar->at)));
    return tn_worst(tn_worst(out, fabs(tilt.x)), tn_worst(fabs(tilt.y), fabs(tilt.z)));
}

/* With udot going on as it did. */
TN_INLINE void predict_bar(const tn_alpha *c, const double *rate, const double *acc, tn_bar *bar)
{
    const double rest = 1.0 / (1.0 - c->am), keep = (1.0 - c->af) * rest;
    const double x_old = c->h * (0.5 - c->beta), x_new = c->h * c->beta;
    const double u_old = c->h * (1.0 - c->gamma), u_new = c->h * c->gamma;
    const tn_v4 before = TN_BAR(bar->u), udot = TN_BAR(bar->udot), a = TN_BAR(acc);
    const tn_v4 next = udot + c->h * TN_BAR(rate), base = (c->af * udot - c->am * a) * rest;
    const tn_v4 a_next = base + keep * next;
    TN_BAR_AT(bar->u_before) = before;
    TN_BAR_AT(bar->dq) = before + (x_old * a + x_new * a_next);
    TN_BAR_AT(bar->u) = before + (u_old * a + u_new * a_next);
    TN_BAR_AT(bar->udot) = next;
    TN_BAR_AT(bar->base) = base;
}

/* Start and prediction of what moves; false: it has left the plane. */
TN_INLINE bool begin_bars(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    double off = 0.0;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        double rate[4], acc[4];
        const double pose = take_pose(linkage, bar, s->x[bar->body], s->q[bar->body]);
        take_velocity(linkage, bar, s->u, bar->u);
        take_velocity(linkage, bar, s->udot, bar->udot);
        take_velocity(linkage, bar, m.udot_rate, rate);
        take_velocity(linkage, bar, m.acc, acc);
        off = tn_worst(off, tn_worst(pose, c->h * across_of(linkage, bar, s->u)));
        predict_bar(c, rate, acc, bar);
    }
    return off <= sim->options.position_tolerance;
}

static bool begin_bars_narrow(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    return begin_bars(sim, c, linkage);
}

TN_WIDE static bool begin_bars_wide(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    return begin_bars(sim, c, linkage);
}

static bool begin(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    return begin_standing(sim, linkage) &&
           (TN_WIDE_COPIES && linkage->wide ? begin_bars_wide(sim, c, linkage)
                                            : begin_bars_narrow(sim, c, linkage));
}

/* Nothing but motion happens, some of it prescribed, and it is to be tried. */
static bool may_step(tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    double *pause = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest || !tn_linkage_hold(sim, c, linkage))
        return false;
    *pause = fmin(*pause + 1.0, 0.0);
    return *pause == 0.0;
}

bool tn_linkage_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    if (!linkage || !may_step(sim, c, linkage) || !begin(sim, c, linkage))
        return false;
    if (!tn_linkage_iterate(sim, c, linkage, report) ||
        !tn_linkage_rows_are_clear(sim, linkage, report) || !tn_linkage_bear(sim, linkage)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_LINKAGE_PAUSE;
        return false;
    }
    tn_linkage_show(sim, c->h, linkage);
    tn_linkage_show_held(sim, linkage);
    tn_linkage_tell(sim, c, linkage, report);
    return true;
}
