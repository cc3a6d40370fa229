/* ids.h: what names an item of a spec and of its model: bodies, joints, markers, couplings, loads, solids. */
#ifndef TENON_IDS_H
#define TENON_IDS_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Typed indices i, in order of adding. An index keeps its meaning as long as the spec exists, whatever is added
 * or removed: it is not reused. Ids returned by the library (tn_spec_add_..., tn_model_find_...) also contain
 * `of`, a hash of what they name: its name, its kind or type and the bodies it joins; never 0. An id of
 * something removed, of something that never existed, or of another model with something else at this index
 * causes an error (TN_ERROR_ARGUMENT; calls without a status return no number and write nothing). Models of
 * one build share their ids. of = 0, as in (tn_body){3}: the index alone, without a check. */
typedef struct tn_body {
    int32_t i;
    uint32_t of;
} tn_body;
typedef struct tn_joint {
    int32_t i;
    uint32_t of;
} tn_joint;
typedef struct tn_marker {
    int32_t i;
    uint32_t of;
} tn_marker;
typedef struct tn_coupling {
    int32_t i;
    uint32_t of;
} tn_coupling;
typedef struct tn_load {
    int32_t i;
    uint32_t of;
} tn_load;
/* An elastic solid (tenon/solid.h). */
typedef struct tn_solid {
    int32_t i;
} tn_solid;

/* A coupling as a joint (tn_model_coupling_joint): this and its index, behind any joint. */
#define TN_COUPLING_JOINTS 0x40000000
static inline tn_joint tn_coupling_as_joint(tn_coupling coupling)
{
    tn_joint joint;
    const int is_one = coupling.i >= 0 && coupling.i < TN_COUPLING_JOINTS;
    joint.i = is_one ? TN_COUPLING_JOINTS + coupling.i : -1;
    joint.of = coupling.of;
    return joint;
}

/* The world as body of a joint or marker. */
#define TN_GROUND_INDEX (-1)
static inline tn_body tn_ground(void)
{
    tn_body ground;
    ground.i = TN_GROUND_INDEX;
    ground.of = 0;
    return ground;
}

#ifdef __cplusplus
}
#endif
#endif
