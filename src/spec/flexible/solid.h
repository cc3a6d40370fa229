/* solid.h: room spec/flexible: what is found out about a solid before it is added. */
#ifndef TN_SPEC_FLEXIBLE_SOLID_H
#define TN_SPEC_FLEXIBLE_SOLID_H

#include "spec/spec_internal.h"

/* What nodes are. */
typedef struct tn_solid_nodes {
    double *mass;  /* [nodes] kg */
    int32_t *hold; /* [nodes] -1: free */
} tn_solid_nodes;

/* Reports all that is wrong; TN_ERROR_INPUT: something is. hold, and material_of [elements], are filled in: 0 is the material of
 * the definition, k that of part k - 1. */
tn_status tn_solid_check(const tn_solid_def *def, int32_t *hold, int32_t *material_of,
                         tn_diagnostics *diags);

/* Material 0 or that of a part. */
const tn_solid_material *tn_solid_material_at(const tn_solid_def *def, int32_t number);

/* The faces of each surface of a solid without faults; tn_free(*faces). */
tn_status tn_solid_find_surfaces(const tn_solid_def *def, tn_surface_entry *surfaces,
                                 tn_solid_face **faces);

/* Masses of nodes, and size: volume, mass, quality of elements. Of a solid without faults. */
void tn_solid_weigh(const tn_solid_def *def, const int32_t *material_of, double *mass,
                    tn_solid_size *size);

#endif
