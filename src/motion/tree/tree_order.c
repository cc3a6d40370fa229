/* tree_order.c: room motion/tree: which models are trees, and their links in order. See tree_order.h. */
#include "motion/tree/tree_order.h"

#include <math.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "model/graph/graph.h"

/* All that move do so in space, or all in the plane. */
static bool is_of_tree(const tn_model_body *body, bool flat)
{
    const tn_body_kind kind = flat ? TN_BODY_PLANAR : TN_BODY_RIGID;
    return body->dim == 0 || (body->kind == kind && tn_body_is_plain(body) && body->mass > 0.0);
}

static bool is_in_coordinates(const tn_model_joint *joint)
{
    const tn_joint_class *cls = joint->geometry.cls;
    return !tn_tree_is_hinge(joint) && !tn_graph_holds_point(joint) &&
           (tn_tree_is_solid(joint) || cls->screws_along_z || cls->chain);
}

int32_t tn_tree_screws(const tn_model_joint *joint)
{
    const int32_t motions = joint->kept_count - joint->kept_bilateral;
    return motions > 1 ? motions : 1;
}

/* On a body that moves. */
static bool acts(const tn_model_joint *joint)
{
    return joint->hangs >= 0 || joint->in_loop;
}

/* Can it be rows? Bodies feel all that it holds, in the plane what they can. */
static bool can_be_rows(const tn_model_joint *joint, bool flat)
{
    const tn_joint_class *cls = joint->geometry.cls;
    return !cls->pieces && (flat || joint->kept_bilateral == cls->info.bilateral_count);
}

bool tn_tree_has_links(const tn_model *model)
{
    bool good = model->joint_count > 0 && model->solid_count == 0;
    const bool flat = tn_graph_is_flat(model);
    for (int32_t i = 0; i < model->body_count && good; i++)
        good = is_of_tree(&model->bodies[i], flat);
    for (int32_t j = 0; j < model->joint_count && good; j++)
        good = acts(&model->joints[j]) &&
               (model->joints[j].carries || can_be_rows(&model->joints[j], flat));
    return good;
}

bool tn_is_tree(const tn_model *model)
{
    bool good = tn_tree_has_links(model) && model->element_count == model->joint_count &&
                !tn_graph_is_flat(model);
    for (int32_t j = 0; j < model->joint_count && good; j++)
        good = model->joints[j].carries && !is_in_coordinates(&model->joints[j]) &&
               !model->joints[j].in_loop;
    return good;
}

bool tn_tree_is_bare(const tn_model *model)
{
    bool bare = model->load_count == 0 && model->solid_count == 0 && model->armature_count == 0;
    for (int32_t i = 0; i < model->body_count && bare; i++)
        bare = model->bodies[i].dim == 0 || !tn_body_is_damped(&model->bodies[i]);
    return bare;
}

static tn_sym3 symmetric(const tn_mat3 *a)
{
    return (tn_sym3){a->m[0][0], a->m[1][1], a->m[2][2], a->m[0][1], a->m[0][2], a->m[1][2]};
}

/* Body i and what it hangs by: joint j, or -1. */
static tn_tree_link link_of(const tn_model *model, int32_t i, int32_t j, int32_t inner)
{
    const tn_model_body *body = &model->bodies[i];
    tn_tree_link link = {.J = body->kind == TN_BODY_PLANAR ? (tn_sym3){.zz = body->J.m[2][2]}
                                                           : symmetric(&body->J),
                         .mass = body->mass,
                         .sign = 1.0,
                         .u = body->u,
                         .body = i,
                         .inner_body = -1,
                         .inner = inner,
                         .joint = j};
    if (j < 0)
        return link;
    const tn_model_joint *joint = &model->joints[j];
    const bool is_a = joint->a == i;
    const tn_xform *here = is_a ? &joint->geometry.T_CA : &joint->geometry.T_DB;
    const tn_xform *there = is_a ? &joint->geometry.T_DB : &joint->geometry.T_CA;
    link.is_hinge = tn_tree_is_hinge(joint);
    link.in_coordinates = is_in_coordinates(joint);
    link.sign = is_a ? 1.0 : -1.0;
    link.at = here->p;
    link.inner_at = there->p;
    link.axis = m3_column(&here->R, 2);
    link.inner_axis = m3_column(&there->R, 2);
    link.inner_body = is_a ? joint->b : joint->a;
    return link;
}

/* Bodies by what they hang on: first[k] .. of the body k, or of the ground, k = body_count. */
typedef struct tn_tree_order {
    int32_t *hung;  /* [bodies] the joint a body hangs by; -1: it floats */
    int32_t *first; /* [bodies + 2] */
    int32_t *next;  /* [bodies] bodies by what they hang on */
    int32_t *stack; /* [bodies] bodies to be placed; their inner limbs in place */
    int32_t *place; /* [bodies + 1] the link of a body; -1: none */
    int32_t count;  /* of those placed */
} tn_tree_order;

static int32_t base_of(const tn_model *model, const tn_tree_order *o, int32_t i)
{
    if (o->hung[i] < 0)
        return model->body_count;
    const tn_model_joint *joint = &model->joints[o->hung[i]];
    const int32_t inner = joint->a == i ? joint->b : joint->a;
    return inner < 0 || model->bodies[inner].dim == 0 ? model->body_count : inner;
}

static void sort_by_base(const tn_model *model, bool in_coordinates, tn_tree_order *o)
{
    const int32_t n = model->body_count;
    for (int32_t i = 0; i < n; i++)
        o->hung[i] = -1;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t body =
            in_coordinates ? tn_tree_hangs(&model->joints[j]) : model->joints[j].hangs;
        if (body >= 0)
            o->hung[body] = j;
    }
    for (int32_t i = 0; i < n; i++) {
        if (model->bodies[i].dim > 0)
            o->first[base_of(model, o, i) + 1]++;
    }
    for (int32_t k = 0; k <= n; k++)
        o->first[k + 1] += o->first[k];
    for (int32_t i = n - 1; i >= 0; i--) { /* fills from the end: the last body comes first */
        if (model->bodies[i].dim > 0)
            o->next[o->first[base_of(model, o, i)] + o->place[base_of(model, o, i)]++] = i;
    }
}

static void place(const tn_model *model, tn_tree_order *o, tn_tree_link *links, int32_t i)
{
    const int32_t k = o->count++;
    o->place[i] = k;
    links[k] = link_of(model, i, o->hung[i], o->place[base_of(model, o, i)]);
}

/* Do all bodies come after what they hang on as the model has them? Then poses and velocities are
 * gone through in their order. */
static bool is_in_order(const tn_model *model, const tn_tree_order *o)
{
    const int32_t n = model->body_count;
    for (int32_t i = 0; i < n; i++) {
        if (model->bodies[i].dim > 0 && base_of(model, o, i) < n && base_of(model, o, i) > i)
            return false;
    }
    return true;
}

/* Each body right after what it hangs on where it can be. */
static void place_by_branches(const tn_model *model, tn_tree_order *o, tn_tree_link *links)
{
    const int32_t n = model->body_count;
    int32_t depth = 0;
    for (int32_t k = o->first[n]; k < o->first[n + 1]; k++)
        o->stack[depth++] = o->next[k];
    while (depth > 0) {
        const int32_t i = o->stack[--depth];
        place(model, o, links, i);
        for (int32_t t = o->first[i]; t < o->first[i + 1]; t++)
            o->stack[depth++] = o->next[t];
    }
}

static void place_all(const tn_model *model, tn_tree_order *o, tn_tree_link *links)
{
    const bool in_order = is_in_order(model, o);
    for (int32_t k = 0; k <= model->body_count; k++)
        o->place[k] = -1;
    for (int32_t i = 0; in_order && i < model->body_count; i++) {
        if (model->bodies[i].dim > 0)
            place(model, o, links, i);
    }
    if (!in_order)
        place_by_branches(model, o, links);
}

tn_status tn_tree_links_create(const tn_model *model, bool in_coordinates, tn_tree_link **links,
                               int32_t *count)
{
    const int32_t n = model->body_count;
    *links = NULL;
    *count = 0;
    int32_t *block = TN_NEW_ARRAY(int32_t, 5 * (int64_t)n + 3);
    *links = TN_NEW_ARRAY(tn_tree_link, n);
    if (!block || !*links) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    tn_tree_order order = {
        block, block + n, block + 2 * n + 2, block + 3 * n + 2, block + 4 * n + 2, 0};
    sort_by_base(model, in_coordinates, &order);
    place_all(model, &order, *links);
    *count = order.count;
    tn_free(block);
    return TN_OK;
}

bool tn_model_has_range(const tn_model *model)
{
    bool any = false;
    for (int32_t j = 0; j < model->joint_count && !any; j++) {
        const tn_model_joint *joint = &model->joints[j];
        for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++)
            any |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
    }
    return any;
}
