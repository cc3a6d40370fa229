/* modes.h: room reduce: the lowest modes of a mesh with its interfaces held, or of one that floats. */
#ifndef TN_REDUCE_MODES_H
#define TN_REDUCE_MODES_H

#include "reduce/mesh_matrix.h"

/* mode[count][3 nodes], of unit mass, and their squared circular frequencies, ascending. TN_ERROR_INPUT: there are fewer;
 * TN_ERROR_NOT_CONVERGED; TN_ERROR_MEMORY. */
tn_status tn_mesh_modes(tn_mesh_matrix *m, int32_t count, double *mode, double *square);

#endif
