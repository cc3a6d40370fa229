/* body_kind.c: room model: how bodies of each kind may move: their motion subspaces, and planar ones in their planes.
 *
 * In: where a planar body was, and where a joint that was set would have it. Out: the same in its plane exactly, if it is off by
 * rounding only; else a refusal: such a joint points out of the plane, and there is no such place for the body. (Steps could not
 * follow either: rows at an angle to the plane hold the body.)
 */
#include <math.h>

#include "base/base.h"
#include "model/model.h"
#include "real/real.h"

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

/* rad, and m per m of the lengths of the model: some thousand roundings. */
#define TN_ROUNDED 1e-12

/* m: the largest that positions are made of. */
static double lengths_of(const tn_model *model)
{
    double largest = 0.0;
    for (int32_t i = 0; i < model->body_count; i++)
        largest = fmax(largest, v3_norm(model->bodies[i].x0));
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_joint_geometry *g = &model->joints[j].geometry;
        largest = fmax(largest, fmax(v3_norm(g->T_CA.p), v3_norm(g->T_DB.p)));
    }
    return largest;
}

bool tn_plane_keeps(const tn_model *model, const tn_model_body *body, tn_vec3 from, tn_vec3 *x,
                    tn_quat *q)
{
    const bool turns = body->kind == TN_BODY_PLANAR;
    const double off = fabs(x->z - from.z), tilt = turns ? 2.0 * tn_hypot(q->x, q->y) : 0.0;
    if (!tn_kind_is_flat(body->kind) || (off == 0.0 && tilt == 0.0))
        return true;
    if (!(tilt <= TN_ROUNDED && off <= TN_ROUNDED * lengths_of(model)))
        return false;
    x->z = from.z;
    if (turns)
        *q = q_normalize((tn_quat){q->w, 0.0, 0.0, q->z});
    return true;
}
