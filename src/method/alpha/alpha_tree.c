/* alpha_tree.c: room method/alpha: which models are trees, and their links in order. See alpha_tree.h. */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "joint/turn/ball_rows.h"
#include "law/drives/drives.h"
#include "method/alpha/alpha_tree.h"
#include "method/method.h"
#include "motion/loads.h"

/* Does it hold a point and nothing else, with rows along the axes of C? */
static bool is_ball(const tn_model_joint *joint)
{
    return joint->type.i == TN_JOINT_spherical || joint->geometry.cls->project == tn_ball_project;
}

static bool is_rigid(const tn_model_body *body)
{
    return body->dim == 0 || (body->dim == 6 && body->stand_in_inertia == 0.0 && body->mass > 0.0 &&
                              !tn_body_is_damped(body));
}

static bool is_tree_joint(const tn_model_joint *joint)
{
    return !joint->in_loop && joint->outer_body >= 0 &&
           (tn_alpha_is_hinge(joint) || is_ball(joint)) &&
           joint->kept_bilateral == joint->geometry.cls->info.bilateral_count;
}

bool tn_alpha_is_tree(const tn_model *model)
{
    bool good = model->element_count == model->joint_count && model->joint_count > 0 &&
                model->load_count == 0;
    for (int32_t i = 0; i < model->body_count && good; i++)
        good = is_rigid(&model->bodies[i]);
    for (int32_t j = 0; j < model->joint_count && good; j++)
        good = is_tree_joint(&model->joints[j]);
    return good;
}

static tn_sym3 symmetric(const tn_mat3 *a)
{
    return (tn_sym3){a->m[0][0], a->m[1][1], a->m[2][2], a->m[0][1], a->m[0][2], a->m[1][2]};
}

/* Body i and what it hangs by: joint j, or -1. */
static void put_link(const tn_model *model, int32_t i, int32_t j, int32_t inner, tn_limb *limb,
                     tn_alpha_link *link)
{
    const tn_model_body *body = &model->bodies[i];
    *limb = (tn_limb){.inner = inner, .joint = TN_LIMB_FREE};
    *link = (tn_alpha_link){.J = symmetric(&body->J),
                            .mass = body->mass,
                            .sign = 1.0,
                            .u = body->u,
                            .body = i,
                            .inner_body = -1,
                            .joint = j};
    if (j < 0)
        return;
    const tn_model_joint *joint = &model->joints[j];
    const bool is_a = joint->a == i;
    const tn_xform *here = is_a ? &joint->geometry.T_CA : &joint->geometry.T_DB;
    const tn_xform *there = is_a ? &joint->geometry.T_DB : &joint->geometry.T_CA;
    limb->joint = tn_alpha_is_hinge(joint) ? TN_LIMB_HINGE : TN_LIMB_BALL;
    link->sign = is_a ? 1.0 : -1.0;
    link->at = here->p;
    link->inner_at = there->p;
    link->axis = m3_column(&here->R, 2);
    link->inner_axis = m3_column(&there->R, 2);
    link->inner_body = is_a ? joint->b : joint->a;
}

/* Bodies by what they hang on: first[k] .. of the body k, or of the ground, k = body_count. */
typedef struct tn_alpha_tree_order {
    int32_t *hung;  /* [bodies] the joint a body hangs by; -1: it floats */
    int32_t *first; /* [bodies + 2] */
    int32_t *next;  /* [bodies] bodies by what they hang on */
    int32_t *stack; /* [bodies] bodies to be placed; their inner limbs in place */
    int32_t *place; /* [bodies + 1] the limb of a body; -1: none */
} tn_alpha_tree_order;

static int32_t base_of(const tn_model *model, const tn_alpha_tree_order *o, int32_t i)
{
    if (o->hung[i] < 0)
        return model->body_count;
    const tn_model_joint *joint = &model->joints[o->hung[i]];
    const int32_t inner = joint->a == i ? joint->b : joint->a;
    return inner < 0 || model->bodies[inner].dim == 0 ? model->body_count : inner;
}

static void sort_by_base(const tn_model *model, tn_alpha_tree_order *o)
{
    const int32_t n = model->body_count;
    for (int32_t i = 0; i < n; i++)
        o->hung[i] = -1;
    for (int32_t j = 0; j < model->joint_count; j++)
        o->hung[model->joints[j].outer_body] = j;
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

static void place(const tn_model *model, tn_alpha_tree_order *o, tn_alpha_tree *tree, int32_t i)
{
    const int32_t k = tree->count++;
    o->place[i] = k;
    put_link(model, i, o->hung[i], o->place[base_of(model, o, i)], &tree->limbs[k],
             &tree->links[k]);
}

/* Do all bodies come after what they hang on as the model has them? Then poses and velocities are
 * gone through in their order. */
static bool is_in_order(const tn_model *model, const tn_alpha_tree_order *o)
{
    const int32_t n = model->body_count;
    for (int32_t i = 0; i < n; i++) {
        if (model->bodies[i].dim > 0 && base_of(model, o, i) < n && base_of(model, o, i) > i)
            return false;
    }
    return true;
}

/* Each body right after what it hangs on where it can be. */
static void place_by_branches(const tn_model *model, tn_alpha_tree_order *o, tn_alpha_tree *tree)
{
    const int32_t n = model->body_count;
    int32_t depth = 0;
    for (int32_t k = o->first[n]; k < o->first[n + 1]; k++)
        o->stack[depth++] = o->next[k];
    while (depth > 0) {
        const int32_t i = o->stack[--depth];
        place(model, o, tree, i);
        for (int32_t t = o->first[i]; t < o->first[i + 1]; t++)
            o->stack[depth++] = o->next[t];
    }
}

static void place_all(const tn_model *model, tn_alpha_tree_order *o, tn_alpha_tree *tree)
{
    const bool in_order = is_in_order(model, o);
    for (int32_t k = 0; k <= model->body_count; k++)
        o->place[k] = -1;
    for (int32_t i = 0; in_order && i < model->body_count; i++) {
        if (model->bodies[i].dim > 0)
            place(model, o, tree, i);
    }
    if (!in_order)
        place_by_branches(model, o, tree);
}

static bool has_range(const tn_model *model)
{
    bool any = false;
    for (int32_t j = 0; j < model->joint_count && !any; j++) {
        const tn_model_joint *joint = &model->joints[j];
        for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++)
            any |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
    }
    return any;
}

static tn_status make_room_aside(const tn_model *model, tn_alpha_tree *tree)
{
    if (!has_range(model))
        return TN_OK;
    tree->aside.T = TN_NEW_ARRAY(tn_xform, model->body_count);
    tree->aside.kin = tn_joint_kinematics_create(model->element_count);
    return tree->aside.T && tree->aside.kin ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_alpha_tree_create(const tn_model *model, tn_alpha_tree **out)
{
    const int32_t n = model->body_count;
    tn_alpha_tree *tree = *out = TN_NEW(tn_alpha_tree);
    if (!tree)
        return TN_ERROR_MEMORY;
    if (!tn_alpha_is_tree(model))
        return TN_OK;
    int32_t *block = TN_NEW_ARRAY(int32_t, 5 * (int64_t)n + 3);
    tree->limbs = TN_NEW_ARRAY(tn_limb, n);
    tree->links = TN_NEW_ARRAY(tn_alpha_link, n);
    if (!block || !tree->limbs || !tree->links) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    tn_alpha_tree_order order = {block, block + n, block + 2 * n + 2, block + 3 * n + 2,
                                 block + 4 * n + 2};
    sort_by_base(model, &order);
    place_all(model, &order, tree);
    tn_free(block);
    return make_room_aside(model, tree);
}

void tn_alpha_tree_destroy(tn_alpha_tree *tree)
{
    if (!tree)
        return;
    tn_free(tree->limbs);
    tn_free(tree->links);
    tn_free(tree->aside.T);
    tn_free(tree->aside.kin);
    tn_free(tree);
}

/* Does nothing act but joints and what holds their coordinates? */
static bool is_left_to_joints(const tn_sim *sim)
{
    return !tn_gap_is_on(&sim->state) && isinf(sim->options.force_tolerance) &&
           sim->state.head->drive_count == 0 && sim->state.head->breakable == 0 &&
           !tn_loads_from_outside(sim);
}

static bool all_are_plain(const tn_sim *sim)
{
    return !memchr(sim->state.plain, 0, (size_t)sim->model->joint_count);
}

bool tn_alpha_is_left_alone(const tn_sim *sim)
{
    return is_left_to_joints(sim) && all_are_plain(sim);
}

const tn_alpha_tree *tn_alpha_tree_of(const tn_sim *sim)
{
    if (sim->method != &tn_method_generalized_alpha)
        return NULL;
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    return tree->limbs ? tree : NULL;
}

bool tn_alpha_tree_goes_on(const tn_sim *sim, double h)
{
    return tn_alpha_tree_of(sim) && tn_alpha_is_left_alone(sim) &&
           sim->options.formulation == TN_INDEX_3 && tn_alpha_keeps_balance(sim, h, false);
}

/* On, and hard in all that it holds? */
static bool is_hard(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->enabled && !s->compliant && s->drive == TN_NO_DRIVE;
}

/* Which joints hold coordinates; false: something of that is not for here. */
static bool take_holds(const tn_sim *sim, tn_alpha_tree *tree)
{
    if (!tree->holds && all_are_plain(sim))
        return true;
    tree->holds = false;
    for (int32_t k = 0; k < tree->count; k++) {
        tn_alpha_link *link = &tree->links[k];
        const int32_t j = link->joint;
        if (j < 0)
            continue;
        const bool did = link->held;
        link->held = !sim->state.plain[j];
        tree->holds |= link->held;
        if (!did && !link->held)
            continue;
        if (link->held && !is_hard(sim, j))
            return false;
        tree->limbs[k].joint =
            tn_alpha_is_hinge(&sim->model->joints[j]) ? TN_LIMB_HINGE : TN_LIMB_BALL;
    }
    return true;
}

bool tn_alpha_tree_begin(tn_sim *sim, const tn_alpha *c)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tree->on = tree->limbs && !c->index_2 && !c->needs_reactions && is_left_to_joints(sim) &&
               take_holds(sim, tree);
    return tree->on;
}
