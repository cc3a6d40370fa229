/* body_kind.c: room model: the motion subspaces of the body kinds. */
#include "base/base.h"
#include "model/model.h"

static const tn_motion_subspace subspaces[TN_BODY_KIND_COUNT] = {
    [TN_BODY_RIGID] = {6, {0, 1, 2, 3, 4, 5}}, [TN_BODY_FIXED] = {0, {0}},
    [TN_BODY_PLANAR] = {3, {0, 1, 5}},         [TN_BODY_PARTICLE] = {3, {0, 1, 2}},
    [TN_BODY_PLANAR_PARTICLE] = {2, {0, 1}},
};

const tn_motion_subspace *tn_motion_subspace_get(tn_body_kind kind)
{
    TN_ASSERT(kind >= 0 && kind < TN_BODY_KIND_COUNT);
    return &subspaces[kind];
}
