/* linkage_begin.h: room method/linkage: start and prediction of a bar. See linkage.h.
 *
 * Predictions are those of generalized_alpha.c in the components of the plane.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_BEGIN_H
#define TN_METHOD_LINKAGE_LINKAGE_BEGIN_H

#include <math.h>

#include "math/dense/worst.h"
#include "method/linkage/linkage.h"

/* A state at the start or the end of a step; velocities and the like are packed. */
typedef struct tn_linkage_past {
    tn_vec3 *x;
    tn_quat *q;
    double *u, *udot, *rate, *acc;
    double *lambda, *lambda_rate, *coordinates;
} tn_linkage_past;

TN_INLINE tn_linkage_past past_of(const tn_sim *sim, const tn_state *s)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    return (tn_linkage_past){s->x,  s->q,      s->u,          s->udot,       m.udot_rate,
                             m.acc, s->lambda, m.lambda_rate, s->coordinates};
}

/* Orientation and position; returns the distance from the plane, m or rad. */
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

/* The components of the plane of a packed velocity. */
TN_INLINE void take_velocity(const tn_linkage *linkage, const tn_bar *bar, const double *u,
                             double *to)
{
    tn_v2_store(to, bar_in_plane(linkage, v3_load(u + bar->at)));
    to[2] = v3_dot(bar->normal, v3_load(u + bar->at + 3));
    to[3] = 0.0;
}

/* Its largest component across the plane, m/s or rad/s. */
TN_INLINE double across_of(const tn_linkage *linkage, const tn_bar *bar, const double *u)
{
    const tn_vec3 w = v3_load(u + bar->at + 3);
    const tn_vec3 tilt = v3_axpy(w, -bar->u[2], bar->normal);
    const double out = fabs(v3_dot(linkage->e[2], v3_load(u + bar->at)));
    return tn_worst(tn_worst(out, fabs(tilt.x)), tn_worst(fabs(tilt.y), fabs(tilt.z)));
}

/* The prediction, in which udot continues to change as it did. */
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

/* Does it start the step at rest? As in tn_alpha_some_body_rests. */
TN_INLINE bool bar_rests(const tn_alpha *c, const tn_linkage_past *past, const tn_bar *bar)
{
    const double *u = past->u + bar->at;
    for (int n = 0; n < 6; n++) {
        if (c->h * fabs(u[n]) > c->round_off)
            return false;
    }
    return true;
}

/* Start and prediction; returns by how much the bar has left the plane, m or rad. */
TN_INLINE double begin_bar(const tn_alpha *c, const tn_linkage_past *past,
                           const tn_linkage *linkage, tn_bar *bar)
{
    double rate[4], acc[4];
    const double pose = take_pose(linkage, bar, past->x[bar->body], past->q[bar->body]);
    take_velocity(linkage, bar, past->u, bar->u);
    take_velocity(linkage, bar, past->udot, bar->udot);
    take_velocity(linkage, bar, past->rate, rate);
    take_velocity(linkage, bar, past->acc, acc);
    const double off = tn_worst(pose, c->h * across_of(linkage, bar, past->u));
    predict_bar(c, rate, acc, bar);
    bar->S = 0.0;
    return off;
}

#endif
