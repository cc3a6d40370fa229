/* pinned_model.c: room method/pinned: which models are trees of planar bodies on pins, and the order of their links.
 * See pinned.h.
 */
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "method/pinned/pinned.h"

static bool is_flat_body(const tn_model_body *body)
{
    return body->dim == 0 ||
           (body->kind == TN_BODY_PLANAR && tn_body_is_plain(body) && body->mass > 0.0 &&
            body->J.m[2][2] > 0.0 && !tn_body_is_damped(body));
}

static bool moves(const tn_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].dim > 0;
}

static bool is_tree_pin(const tn_model *model, const tn_model_joint *joint)
{
    return joint->geometry.pin && !joint->in_loop && joint->outer_body >= 0 &&
           moves(model, joint->a) && (joint->b < 0 || moves(model, joint->b));
}

static bool is_pinned(const tn_model *model)
{
    bool good = model->element_count == model->joint_count && model->joint_count > 0 &&
                model->load_count == 0 && model->armature_count == 0;
    for (int32_t i = 0; i < model->body_count && good; i++)
        good = is_flat_body(&model->bodies[i]);
    for (int32_t j = 0; j < model->joint_count && good; j++)
        good = is_tree_pin(model, &model->joints[j]);
    return good;
}

/* [bodies]: the joint to the inner body, -1: it floats; its link, -1: none yet; and bodies still to be placed. */
typedef struct tn_pinned_order {
    int32_t *hung, *place, *stack;
} tn_pinned_order;

static int32_t inner_of(const tn_model *model, const tn_pinned_order *o, int32_t i)
{
    if (o->hung[i] < 0)
        return -1;
    const tn_model_joint *joint = &model->joints[o->hung[i]];
    return joint->a == i ? joint->b : joint->a;
}

static void put_pin(const tn_model *model, const tn_model_joint *joint, tn_pinned_link *link,
                    tn_pinned_place *place)
{
    const tn_xform *C = &joint->geometry.T_CA, *D = &joint->geometry.T_DB;
    const tn_v2 at_a = {C->p.x, C->p.y}, at_b = {D->p.x, D->p.y};
    const bool is_a = joint->a == place->body;
    link->at = at_b;
    link->inner_at = at_a;
    if (is_a) {
        link->at = at_a;
        link->inner_at = at_b;
    }
    place->axis_a = (tn_v2){C->R.m[0][0], C->R.m[1][0]};
    place->axis_b = (tn_v2){D->R.m[0][0], D->R.m[1][0]};
    place->sign = is_a ? 1.0 : -1.0;
    place->z_a = C->p.z;
    place->z_b = D->p.z;
    place->is_hinge = joint->type.i == TN_JOINT_hinge;
    place->y = tn_kkt_get_layout(model->kkt)->y_offset[place->joint];
}

static void put_pinned_link(const tn_model *model, const tn_pinned_order *o, int32_t i,
                            tn_pinned_link *link, tn_pinned_place *place)
{
    const tn_model_body *body = &model->bodies[i];
    const int32_t inner = inner_of(model, o, i), joint = o->hung[i];
    const double J = body->J.m[2][2];
    *place = (tn_pinned_place){.u = body->u, .body = i, .inner_body = inner, .joint = joint};
    *link = (tn_pinned_link){.mass = body->mass,
                             .inertia = J,
                             .by_mass = {1.0 / body->mass, 1.0 / body->mass},
                             .by_inertia = {0.0, 1.0 / J},
                             .inner = inner < 0 ? -1 : o->place[inner],
                             .floats = joint < 0,
                             .ends = true};
    if (joint >= 0)
        put_pin(model, &model->joints[joint], link, place);
}

/* Places a body after all bodies between it and the root. */
static void place_body(const tn_model *model, tn_pinned_order *o, tn_pinned *pinned, int32_t i)
{
    int32_t depth = 0;
    for (; i >= 0 && o->place[i] < 0; i = inner_of(model, o, i))
        o->stack[depth++] = i;
    while (depth > 0) {
        const int32_t body = o->stack[--depth], k = pinned->count++;
        o->place[body] = k;
        put_pinned_link(model, o, body, &pinned->links[k], &pinned->places[k]);
    }
}

static void place_links(const tn_model *model, tn_pinned_order *o, tn_pinned *pinned)
{
    memset(o->hung, -1, sizeof *o->hung * (size_t)model->body_count);
    memset(o->place, -1, sizeof *o->place * (size_t)model->body_count);
    for (int32_t j = 0; j < model->joint_count; j++)
        o->hung[model->joints[j].outer_body] = j;
    for (int32_t i = 0; i < model->body_count; i++) {
        if (model->bodies[i].dim > 0)
            place_body(model, o, pinned, i);
    }
    for (int32_t k = pinned->count - 1; k >= 0; k--) {
        const int32_t inner = pinned->links[k].inner;
        if (inner < 0)
            continue;
        pinned->links[k].last = pinned->links[inner].ends;
        pinned->links[inner].passes = pinned->links[inner].ends && inner == k - 1;
        pinned->links[inner].ends = false;
    }
}

tn_status tn_pinned_create(const tn_model *model, tn_pinned **out)
{
    const int64_t n = model->body_count;
    *out = NULL;
    if (!is_pinned(model))
        return TN_OK;
    tn_pinned *pinned = *out = TN_NEW(tn_pinned);
    int32_t *block = TN_NEW_ARRAY(int32_t, 3 * n);
    if (pinned) {
        pinned->links = TN_NEW_ARRAY(tn_pinned_link, n);
        pinned->places = TN_NEW_ARRAY(tn_pinned_place, n);
        pinned->loads = TN_NEW_ARRAY(tn_pinned_load, n);
    }
    if (!pinned || !block || !pinned->links || !pinned->places || !pinned->loads) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    tn_pinned_order order = {block, block + n, block + 2 * n};
    pinned->wide = tn_wide_lanes();
    place_links(model, &order, pinned);
    tn_free(block);
    return TN_OK;
}

void tn_pinned_destroy(tn_pinned *pinned)
{
    if (!pinned)
        return;
    tn_free(pinned->links);
    tn_free(pinned->places);
    tn_free(pinned->loads);
    tn_free(pinned);
}
