/* alpha_tree.c: room method/alpha: creates a tree, and decides which steps are taken as one. See alpha_tree.h. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "law/drives/drives.h"
#include "method/alpha/alpha_tree.h"
#include "method/method.h"
#include "motion/loads.h"

static tn_status make_room_aside(const tn_model *model, tn_alpha_tree *tree)
{
    if (!tree->bare || !tn_model_has_range(model))
        return TN_OK;
    tree->aside.T = TN_NEW_ARRAY(tn_xform, model->body_count);
    tree->aside.kin = tn_joint_kinematics_create(model->element_count);
    return tree->aside.T && tree->aside.kin ? TN_OK : TN_ERROR_MEMORY;
}

static void put_link(const tn_tree_link *link, tn_limb *limb, tn_alpha_link *to)
{
    *limb = (tn_limb){.inner = link->inner,
                      .joint = link->joint < 0  ? TN_LIMB_FREE
                               : link->is_hinge ? TN_LIMB_HINGE
                                                : TN_LIMB_BALL};
    *to = (tn_alpha_link){.at = link->at,
                          .inner_at = link->inner_at,
                          .axis = link->axis,
                          .inner_axis = link->inner_axis,
                          .J = link->J,
                          .mass = link->mass,
                          .sign = link->sign,
                          .in_coordinates = link->in_coordinates,
                          .u = link->u,
                          .body = link->body,
                          .inner_body = link->inner_body,
                          .joint = link->joint};
}

tn_status tn_alpha_tree_create(const tn_model *model, tn_alpha_tree **out)
{
    const int32_t n = model->body_count;
    tn_tree_link *links = NULL;
    tn_alpha_tree *tree = *out = TN_NEW(tn_alpha_tree);
    if (!tree)
        return TN_ERROR_MEMORY;
    if (!tn_tree_has_links(model))
        return TN_OK;
    const tn_status status = tn_tree_links_create(model, true, &links, &tree->count);
    if (status != TN_OK) {
        tn_free(links);
        return status;
    }
    tree->bare = tn_is_tree(model) && tn_tree_is_bare(model);
    tree->limbs = TN_NEW_ARRAY(tn_limb, n);
    tree->links = TN_NEW_ARRAY(tn_alpha_link, n);
    for (int32_t k = 0; k < tree->count && tree->limbs && tree->links; k++)
        put_link(&links[k], &tree->limbs[k], &tree->links[k]);
    tn_free(links);
    return tree->limbs && tree->links ? make_room_aside(model, tree) : TN_ERROR_MEMORY;
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

/* Does nothing act on the bodies but joints, limits and locks? */
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
    return tree->limbs && tree->bare ? tree : NULL;
}

bool tn_alpha_tree_goes_on(const tn_sim *sim, double h)
{
    return tn_alpha_tree_of(sim) && tn_alpha_is_left_alone(sim) &&
           sim->options.formulation == TN_INDEX_3 && tn_alpha_keeps_balance(sim, h, false);
}

/* Is the joint switched on, and are all its rows hard? */
static bool is_hard(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->enabled && !s->compliant && s->drive == TN_NO_DRIVE;
}

/* Finds the joints that hold coordinates; false: one of them cannot be treated here. */
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
            tn_tree_is_hinge(&sim->model->joints[j]) ? TN_LIMB_HINGE : TN_LIMB_BALL;
    }
    return true;
}

bool tn_alpha_tree_begin(tn_sim *sim, const tn_alpha *c)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tree->on = tree->limbs && tree->bare && !c->index_2 && !c->needs_reactions &&
               is_left_to_joints(sim) && take_holds(sim, tree);
    return tree->on;
}
