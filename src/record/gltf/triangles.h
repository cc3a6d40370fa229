/* triangles.h: room record/gltf: solids of the draw list as triangles. */
#ifndef TN_RECORD_GLTF_TRIANGLES_H
#define TN_RECORD_GLTF_TRIANGLES_H

#include "tenon/draw.h"

typedef struct tn_triangles {
    float *points; /* [count][3] three after three, counter-clockwise seen from outside */
    int32_t count, capacity;
} tn_triangles;

/* Adds the surface of a primitive, in the frame of its pose; lines and texts have none.
 * TN_ERROR_MEMORY. */
tn_status tn_triangles_add(tn_triangles *t, const tn_primitive *p);

#endif
