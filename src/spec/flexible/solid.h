/* solid.h: room spec/flexible: what is found out about a solid before it is added. */
#ifndef TN_SPEC_FLEXIBLE_SOLID_H
#define TN_SPEC_FLEXIBLE_SOLID_H

#include "spec/spec_internal.h"

/* What nodes are. */
typedef struct tn_solid_nodes {
    double *mass;  /* [nodes] kg */
    int32_t *hold; /* [nodes] -1: free */
} tn_solid_nodes;

/* Reports all that is wrong; TN_ERROR_INPUT: something is. hold is filled in. */
tn_status tn_solid_check(const tn_solid_def *def, int32_t *hold, tn_diagnostics *diags);

/* The faces of each surface of a solid without faults; tn_free(*faces). */
tn_status tn_solid_find_surfaces(const tn_solid_def *def, tn_surface_entry *surfaces,
                                 tn_solid_face **faces);

/* Masses of nodes, and size: volume, mass, quality of elements. Of a solid without faults. */
void tn_solid_weigh(const tn_solid_def *def, double *mass, tn_solid_size *size);

#endif
