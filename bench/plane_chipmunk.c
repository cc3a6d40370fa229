/* plane_chipmunk.c: the chain of bench_plane in Chipmunk 7, with its default settings. Pivots are
 * given no hidden softness beyond Chipmunk's own (error bias, ten iterations).
 */
#include "bench_plane.h"

#include <math.h>

#include <chipmunk/chipmunk.h>

#define ITERATIONS 10 /* Chipmunk's default */

static double energy_of(cpBody **links, int32_t n)
{
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++)
        sum += cpBodyKineticEnergy(links[k]) / 2.0 + /* it answers m v^2 + i w^2 */
               cpBodyGetMass(links[k]) * PLANE_GRAVITY * cpBodyGetPosition(links[k]).y;
    return sum;
}

static double separation_of(cpBody **links, int32_t n)
{
    double worst = 0.0;
    cpVect at = cpvzero;
    for (int32_t k = 0; k < n; k++) {
        worst = fmax(worst, cpvdist(at, cpBodyLocalToWorld(links[k], cpv(-0.5, 0.0))));
        at = cpBodyLocalToWorld(links[k], cpv(0.5, 0.0));
    }
    return worst;
}

static void make_chain(cpSpace *space, const plane_chain *chain, cpBody **links,
                       cpConstraint **pins)
{
    cpSpaceSetGravity(space, cpv(0.0, -PLANE_GRAVITY));
    cpSpaceSetIterations(space, ITERATIONS);
    for (int32_t k = 0; k < chain->links; k++) {
        const double mass = k + 1 == chain->links ? chain->tip_mass : 1.0;
        links[k] = cpSpaceAddBody(space, cpBodyNew(mass, mass / 12.0));
        cpBodySetPosition(links[k], cpv(k + 0.5, 0.0));
        cpBody *before = k == 0 ? cpSpaceGetStaticBody(space) : links[k - 1];
        pins[k] = cpSpaceAddConstraint(space, cpPivotJointNew(before, links[k], cpv(k, 0.0)));
    }
}

static plane_result run(const plane_chain *chain)
{
    cpSpace *space = cpSpaceNew();
    cpBody **links = cpcalloc((size_t)chain->links, sizeof(cpBody *));
    cpConstraint **pins = cpcalloc((size_t)chain->links, sizeof(cpConstraint *));
    make_chain(space, chain, links, pins);
    plane_result result = {0.0, 0.0, 0.0, chain->steps};
    const double before = energy_of(links, chain->links);
    double seconds = 0.0;
    for (int32_t k = 0; k < chain->steps; k++) {
        const double start = plane_seconds();
        cpSpaceStep(space, chain->step);
        seconds += plane_seconds() - start;
        result.separation = fmax(result.separation, separation_of(links, chain->links));
    }
    result.microseconds = 1e6 * seconds / chain->steps / chain->links;
    result.energy = (energy_of(links, chain->links) - before) / plane_energy_scale(chain);
    for (int32_t k = 0; k < chain->links; k++) {
        cpConstraintFree(pins[k]);
        cpBodyFree(links[k]);
    }
    cpfree(links);
    cpfree(pins);
    cpSpaceFree(space);
    return result;
}

const plane_engine plane_chipmunk = {"chipmunk 7, 10 iterations", run};
