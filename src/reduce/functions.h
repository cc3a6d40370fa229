/* functions.h: room reduce: functions of the nodes that span modes, orthogonal in the masses. */
#ifndef TN_REDUCE_FUNCTIONS_H
#define TN_REDUCE_FUNCTIONS_H

#include "reduce/mesh_matrix.h"

typedef struct tn_functions {
    tn_mesh_matrix *m;
    int32_t count;
    double *all;   /* [TN_REDUCED_MOST][nodes], of unit mass; 1 is the first */
    double *work;  /* [2][3 nodes] */
    double *one;   /* [nodes] M 1: mass by nodes, of which some may be negative */
    double mass;   /* kg */
    bool too_many; /* not all found room */
} tn_functions;

/* With 1, X, Y, Z. TN_ERROR_INPUT: the mesh is flat. */
tn_status tn_functions_start(tn_functions *f, tn_mesh_matrix *m);
void tn_functions_free(tn_functions *f);
/* Those that the components of a mode need, [3 nodes]. */
void tn_functions_add(tn_functions *f, const double *mode, double left_out);
/* m, of mass. */
tn_vec3 tn_functions_center(const tn_functions *f);
/* All are turned so that their sum is 1 and their masses are equal. Returns the mass of each. */
double tn_functions_share_out(tn_functions *f);

#endif
