/* reactions.c: room step/part: checks the reported multipliers by the Newton-Euler equations of bodies.
 *
 * In: the state after a sub-step. Out: the largest residual of
 *     M u' = f(q, u) + G^T lambda
 * of a body relative to the forces on it (motion/force_balance.c), at the pose the multipliers belong to. Where a
 * method has no accelerations, u' is the change of the velocities in its step, (u+ - u) / h.
 *
 * In a plain step one body in 128 is checked, in the next step the next ones: reactions that are wrong are so for more
 * than one step, and the check costs little. Poses with a tolerance e leave reactions uncertain by m e / h^2.
 */
#include "step/part/reactions.h"

#include <math.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "base/base.h"
#include "motion/loads.h"

/* Steps in which every body is checked once: 1 of 128 bodies a step. */
#define TN_CHECK_GROUPS 128

/* Number of bodies checked in one step. */
static int32_t group_size(const tn_model *model)
{
    return 1 + (model->body_count - 1) / TN_CHECK_GROUPS;
}

/* The groups of bodies on which element j acts, each once. The bodies of group k are checked in the k-th step. `last`
 * has, for each group, the element that was found for it last. */
static int32_t find_groups(const tn_model *model, int32_t j, int32_t *last,
                           int32_t groups[TN_CHECK_GROUPS])
{
    const int32_t some = group_size(model);
    int32_t count = 0;
    for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
        const tn_model_joint *joint = &model->joints[model->through[p]];
        const int32_t *others, n = tn_model_side_b(model, joint, &others);
        for (int32_t side = -1; side < n; side++) {
            const int32_t body = side < 0 ? joint->a : others[side];
            const int32_t group = body < 0 ? -1 : body / some;
            if (group < 0 || last[group] == j)
                continue;
            last[group] = j;
            groups[count++] = group;
        }
    }
    return count;
}

/* The elements of each group, in order. Without a list it counts them; with one it also lists them, each group from its
 * start on. */
static void list_elements(const tn_model *model, const int32_t *start, int32_t *element,
                          int32_t *count)
{
    int32_t last[TN_CHECK_GROUPS], groups[TN_CHECK_GROUPS];
    for (int32_t group = 0; group < TN_CHECK_GROUPS; group++) {
        last[group] = -1;
        count[group] = 0;
    }
    for (int32_t j = 0; j < model->element_count; j++) {
        const int32_t groups_of = find_groups(model, j, last, groups);
        for (int32_t k = 0; k < groups_of; k++) {
            if (element)
                element[start[groups[k]] + count[groups[k]]] = j;
            count[groups[k]]++;
        }
    }
}

static tn_status make_lists(const tn_model *model, tn_reaction_check *check)
{
    int32_t count[TN_CHECK_GROUPS];
    list_elements(model, NULL, NULL, count);
    for (int32_t group = 0; group < TN_CHECK_GROUPS; group++)
        check->start[group + 1] = check->start[group] + count[group];
    check->element = TN_NEW_ARRAY(int32_t, check->start[TN_CHECK_GROUPS]);
    if (!check->element)
        return TN_ERROR_MEMORY;
    list_elements(model, check->start, check->element, count);
    return TN_OK;
}

tn_status tn_reactions_check_create(const tn_model *model, tn_reaction_check *check)
{
    check->residual = TN_NEW_ARRAY(double, model->size.velocities);
    check->udot = TN_NEW_ARRAY(double, model->size.velocities);
    check->scale = TN_NEW_ARRAY(double, 2 * (int64_t)model->body_count);
    check->start = TN_NEW_ARRAY(int32_t, TN_CHECK_GROUPS + 1);
    check->wrenches = TN_NEW_ARRAY(tn_wrench, model->through_start[model->element_count]);
    if (!check->residual || !check->udot || !check->scale || !check->start || !check->wrenches)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < model->body_count; i++)
        check->mass += model->bodies[i].dim > 0 ? model->bodies[i].mass : 0.0;
    return make_lists(model, check);
}

void tn_reactions_check_destroy(tn_reaction_check *check)
{
    tn_free(check->residual);
    tn_free(check->udot);
    tn_free(check->scale);
    tn_free(check->start);
    tn_free(check->element);
    tn_free(check->wrenches);
}

/* The kinematics to which the multipliers belong. */
static tn_system kinematics_of(const tn_sim *sim, const tn_method *method)
{
    tn_system sys = sim->sys;
    if (method->traits.reactions_at_start) {
        sys.T = sim->reactions.T;
        sys.kin = sim->reactions.kin;
        sys.terms = sim->reactions.terms;
    }
    return sys;
}

/* Forces and inertia of the checked bodies; the entries of other bodies have no meaning. */
static void put_bodies(const tn_sim *sim, const tn_balance_of *of, double *f)
{
    for (int32_t i = of->first; i < of->end; i++) {
        if (sim->model->bodies[i].dim > 0) {
            tn_body_force(&sim->model->bodies[i], &of->sys->T[i].R, sim->model->gravity,
                          sim->state.u, of->udot, 1, f);
        }
    }
}

/* Adds the wrenches of their joints, which are also listed. */
static void add_joints(const tn_sim *sim, const tn_balance_of *of, tn_wrench *wrench, double *f)
{
    const tn_model *model = sim->model;
    for (int32_t k = 0; k < of->element_count; k++) {
        const int32_t j = of->elements ? of->elements[k] : k;
        if (!tn_state_is_on(model, &sim->state, j))
            continue;
        for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
            *wrench = tn_element_total(of->sys, &sim->state, j, p);
            tn_joint_add_wrench(of->sys, model->through[p], *wrench++, f);
        }
    }
}

/* (u+ - u) / h of the checked bodies; of all bodies if there are armatures, which need both bodies of a joint. */
static void find_udot(const tn_sim *sim, const tn_part_taken *part, const tn_balance_of *of,
                      double *udot)
{
    const bool all = sim->model->armature_count > 0;
    for (int32_t i = all ? 0 : of->first; i < (all ? sim->model->body_count : of->end); i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        for (int64_t k = body->u; k < body->u + body->dim; k++)
            udot[k] = (sim->state.u[k] - part->u[k]) / part->length;
    }
}

tn_force_balance tn_reactions_check(const tn_sim *sim, const tn_reaction_check *check,
                                    const tn_part_taken *part, bool all)
{
    const tn_model *model = sim->model;
    const int32_t group = sim->state.head->asked, some = group_size(model);
    const int32_t last = (group + 1) * some, *start = check->start + group;
    const tn_system sys = kinematics_of(sim, part->method);
    const double h = part->length;
    tn_balance_of of = {
        .sys = &sys,
        .udot = sim->state.udot,
        .first = all ? 0 : group * some,
        .end = all || last > model->body_count ? model->body_count : last,
        .elements = all ? NULL : check->element + start[0],
        .element_count = all ? model->element_count : start[1] - start[0],
        .wrenches = check->wrenches,
        .unknown = check->mass * sim->options.position_tolerance / (h * h),
    };
    if (!part->method->traits.accelerations) {
        find_udot(sim, part, &of, check->udot);
        of.udot = check->udot;
    }
    put_bodies(sim, &of, check->residual);
    tn_loads_add(sim, sim->state.u, false, check->residual);
    tn_armatures_add_forces(&sys, &sim->state, sim->state.u, of.udot, check->residual);
    add_joints(sim, &of, check->wrenches, check->residual);
    return tn_force_balance_among(sim, &of, check->residual, check->scale);
}

int32_t tn_reactions_next_group(const tn_model *model, int32_t asked)
{
    return (asked + 1) * group_size(model) < model->body_count ? asked + 1 : 0;
}
