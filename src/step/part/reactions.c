/* reactions.c: room step/part: Newton and Euler asked of bodies with the multipliers reported.
 *
 * In: the state after a part of a step. Out: the largest residual of
 *     M u' = f(q, u) + G^T lambda
 * of a body relative to what acts on it (motion/force_balance.c), at the pose the multipliers belong
 * to. Where a method has no accelerations u' is what its step made of the velocities, (u+ - u) / h.
 *
 * In a plain step one body in 128 is asked, the next ones in the next step: what is wrong
 * with reactions is so for more than an instant, and the whole costs little then. Poses met to a
 * tolerance e leave reactions unknown by m e / h^2.
 */
#include "step/part/reactions.h"

#include <math.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "base/base.h"
#include "motion/loads.h"

/* One body of so many is asked. */
#define TN_ASKED_IN_TURN 128

/* Bodies asked at a time. */
static int32_t asked_at_once(const tn_model *model)
{
    return 1 + (model->body_count - 1) / TN_ASKED_IN_TURN;
}

/* The turns in which element j is asked: those of the bodies it acts on, each once. `last` has of each turn the element that
 * was in it last. */
static int32_t find_turns(const tn_model *model, int32_t j, int32_t *last,
                          int32_t turns[TN_ASKED_IN_TURN])
{
    const int32_t some = asked_at_once(model);
    int32_t count = 0;
    for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
        const tn_model_joint *joint = &model->joints[model->through[p]];
        const int32_t *others, n = tn_model_side_b(model, joint, &others);
        for (int32_t side = -1; side < n; side++) {
            const int32_t body = side < 0 ? joint->a : others[side];
            const int32_t turn = body < 0 ? -1 : body / some;
            if (turn < 0 || last[turn] == j)
                continue;
            last[turn] = j;
            turns[count++] = turn;
        }
    }
    return count;
}

/* Goes through them in order: counts those of each turn where there is no list, else lists them, each turn from its
 * start on. */
static void list_elements(const tn_model *model, const int32_t *start, int32_t *element,
                          int32_t *count)
{
    int32_t last[TN_ASKED_IN_TURN], turns[TN_ASKED_IN_TURN];
    for (int32_t turn = 0; turn < TN_ASKED_IN_TURN; turn++) {
        last[turn] = -1;
        count[turn] = 0;
    }
    for (int32_t j = 0; j < model->element_count; j++) {
        const int32_t turns_of = find_turns(model, j, last, turns);
        for (int32_t k = 0; k < turns_of; k++) {
            if (element)
                element[start[turns[k]] + count[turns[k]]] = j;
            count[turns[k]]++;
        }
    }
}

static tn_status make_lists(const tn_model *model, tn_reaction_check *check)
{
    int32_t count[TN_ASKED_IN_TURN];
    list_elements(model, NULL, NULL, count);
    for (int32_t turn = 0; turn < TN_ASKED_IN_TURN; turn++)
        check->start[turn + 1] = check->start[turn] + count[turn];
    check->element = TN_NEW_ARRAY(int32_t, check->start[TN_ASKED_IN_TURN]);
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
    check->start = TN_NEW_ARRAY(int32_t, TN_ASKED_IN_TURN + 1);
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

/* The kinematics of the multipliers. */
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

/* Of the bodies asked; what others have is of no meaning. */
static void put_bodies(const tn_sim *sim, const tn_balance_of *of, double *f)
{
    for (int32_t i = of->first; i < of->end; i++) {
        if (sim->model->bodies[i].dim > 0) {
            tn_body_force(&sim->model->bodies[i], &of->sys->T[i].R, sim->model->gravity,
                          sim->state.u, of->udot, 1, f);
        }
    }
}

/* Their wrenches go into the list, too. */
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

/* (u+ - u) / h of the bodies asked; of all where armatures ask for those of both bodies of a joint. */
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
    const int32_t turn = sim->state.head->asked, some = asked_at_once(model);
    const int32_t last = (turn + 1) * some, *start = check->start + turn;
    const tn_system sys = kinematics_of(sim, part->method);
    const double h = part->length;
    tn_balance_of of = {
        .sys = &sys,
        .udot = sim->state.udot,
        .first = all ? 0 : turn * some,
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

int32_t tn_reactions_asked_next(const tn_model *model, int32_t asked)
{
    return (asked + 1) * asked_at_once(model) < model->body_count ? asked + 1 : 0;
}
