/* stress.h: elastic solids of a simulation: the places of their nodes, and the stress there.
 */
#ifndef TENON_STRESS_H
#define TENON_STRESS_H

#include "tenon/sim.h"
#include "tenon/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cauchy stress, Pa, in world axes. */
typedef struct tn_stress {
    double xx, yy, zz, xy, yz, zx;
} tn_stress;

/* Pa, of von Mises. */
TN_API double tn_stress_von_mises(tn_stress stress);

/* Places of all nodes of a solid, m, world, into places[tn_solid_size.nodes]. TN_ERROR_ARGUMENT: there is no such
 * solid. */
TN_API tn_status tn_sim_solid_places(const tn_sim *sim, tn_solid solid, tn_vec3 *places);

/* Elastic stress at all nodes, into stress[tn_solid_size.nodes], without the stress of damping. In each element the
 * stress at its integration points is extrapolated linearly to its nodes; a node has the mean of its elements,
 * weighted by volume. Exact for constant stress. Of a modal body by its small strain. NaN at nodes of elements that are turned inside out.
 * TN_ERROR_ARGUMENT: there is no such solid; TN_ERROR_MEMORY. */
TN_API tn_status tn_sim_solid_stress(const tn_sim *sim, tn_solid solid, tn_stress *stress);

#ifdef __cplusplus
}
#endif
#endif
