/* stiffening.h: room reduce: stress fields of a mesh that stiffen it or soften it: those of its loads. */
#ifndef TN_REDUCE_STIFFENING_H
#define TN_REDUCE_STIFFENING_H

#include "reduce/functions.h"

/* Of functions that have been shared out, K[3 count][3 count] the stiffness between them; the mesh matrix is that of its stiffness.
 * What comes out is in the arena. TN_ERROR_MEMORY. */
tn_status tn_stiffening_make(tn_functions *f, const double *K, tn_arena *arena, tn_stiffening *out);

#endif
