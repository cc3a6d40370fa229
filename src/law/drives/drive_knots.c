/* drive_knots.c: room law/drives: springs whose force over the way is given by points, or by a formula with bends.
 *
 * A force that is a table, a spline or a step of the way changes its course at each of its points: a part of a step that went over
 * one would lose its order, and one that went over a narrow barrier would not know of it. So a part is taken between two points,
 * and a point is an event like a limit, at which nothing changes.
 */
#include <math.h>

#include "assemble/drive_terms.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"

/* m, rad: so near to a point, which events are found to (law/limits/limits.h), it is there. */
#define TN_AT_KNOT 2e-10

/* NULL: it has no such points. */
static const tn_function *law_of(const tn_sim *sim, const tn_drive *d)
{
    if (!d->set.sprung || d->set.law_function == TN_NO_FUNCTION)
        return NULL;
    const tn_function *law = tn_drive_function_at(&sim->sys, d->set.law_function);
    return tn_function_has_knots(law) ? law : NULL;
}

bool tn_drive_knots_are(const tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count && sim->traits.divides_steps; k++) {
        if (law_of(sim, &sim->state.drives[k]))
            return true;
    }
    return false;
}

/* The points that the part is taken between: of the drive's coordinate. */
static double *between(const tn_sim *sim, const tn_drive *d)
{
    return sim->drive_knots + 2 * ((size_t)d->joint * TN_MAX_COORDINATES + (size_t)d->coordinate);
}

/* rad, m: where the spring is on its way. */
static double place_of(const tn_sim *sim, const tn_drive *d)
{
    return tn_drive_coordinate(sim, d) - d->rest;
}

int32_t tn_drive_knots_choose(tn_sim *sim)
{
    int32_t changed = 0;
    for (int32_t k = 0; k < sim->state.head->drive_count && sim->traits.divides_steps; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const tn_function *law = law_of(sim, d);
        if (!law)
            continue;
        /* at a point: those of the side to which it goes */
        const double ahead = tn_sign(tn_drive_speed(sim, d) - d->rest_rate) * TN_AT_KNOT;
        double now[2], *at = between(sim, d);
        tn_function_knots_around(law, place_of(sim, d) + ahead, now);
        changed += now[0] != at[0] || now[1] != at[1];
        at[0] = now[0];
        at[1] = now[1];
    }
    return changed;
}

double tn_drive_knots_beyond(const tn_sim *sim)
{
    double worst = -INFINITY;
    for (int32_t k = 0; k < sim->state.head->drive_count && sim->traits.divides_steps; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (!law_of(sim, d))
            continue;
        const double x = place_of(sim, d), *at = between(sim, d);
        worst = fmax(worst, fmax(x - at[1], at[0] - x));
    }
    return worst;
}
