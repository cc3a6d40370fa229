/* evaluate_make.c: room method/evaluate: which models and states have stages in joint coordinates, and what is made for them. See
 * evaluate.h. */
#include <math.h>

#include "base/base.h"
#include "joint/joint_class.h"
#include "law/drives/drives.h"
#include "method/evaluate/evaluate.h"
#include "motion/loads.h"
#include "motion/tree/tree.h"

/* ---- making ---- */

/* Bodies on joints in space that all carry one, with nothing that ties coordinates together. */
static bool fits_model(const tn_model *model)
{
    bool fits = tn_tree_has_links(model) && !tn_graph_is_flat(model) && model->loop_joints == 0 &&
                !model->stand_ins && model->element_count == model->joint_count;
    for (int32_t j = 0; j < model->joint_count && fits; j++)
        fits = tn_tree_hangs(&model->joints[j]) >= 0;
    return fits;
}

/* The coordinates of a joint in the order of their turns and shifts, from the inner body outward. */
static void put_coordinates(const tn_model_joint *joint, tn_stage_joint *to)
{
    const tn_joint_class *cls = joint->geometry.cls;
    const int32_t dof = cls->info.dof;
    for (int32_t n = 0; n < dof; n++) {
        const int32_t at = to->link.sign > 0.0 ? n : dof - 1 - n;
        const int8_t i = cls->chain ? cls->chain[at] : (int8_t)at;
        if (!tn_model_has_motion(joint, i))
            continue;
        to->coordinate[to->count] = i;
        to->armature[to->count++] = joint->armature[i];
    }
}

/* Does it turn freely about a point, whatever its coordinates are? */
static bool is_ball(const tn_joint_class *cls)
{
    return cls->turns_about_point || (cls->stop_at_pole && cls->info.dof == 3) ||
           (cls->info.dof > 0 && !cls->chain && !cls->screws_along_z);
}

/* False: its coordinates have a pole and it is no ball joint, or it has an armature along one that is none of its columns. */
static bool make_joint(const tn_model *model, const tn_tree_link *link, tn_stage_joint *to)
{
    const double at_0[TN_MAX_COORDINATES] = {0.0};
    *to = (tn_stage_joint){.link = *link};
    if (link->joint < 0) {
        to->kind = TN_STAGE_FREE;
        to->count = 6;
        return true;
    }
    const tn_model_joint *joint = &model->joints[link->joint];
    const tn_joint_class *cls = joint->geometry.cls;
    if (is_ball(cls)) {
        to->kind = TN_STAGE_BALL;
        to->count = 3;
        return !tn_model_has_armature(joint);
    }
    put_coordinates(joint, to);
    if (to->count == 1)
        tn_stage_put_screws(joint, cls->chain ? joint->q0 : at_0, to);
    return !cls->stop_at_pole;
}

static bool make_joints(const tn_model *model, const tn_tree_link *links, tn_joint_stages *w)
{
    bool good = true;
    for (int32_t k = 0; k < w->count && good; k++) {
        good = make_joint(model, &links[k], &w->joints[k]);
        w->joints[k].first = w->size;
        w->size += w->joints[k].count;
    }
    return good;
}

static tn_status make_numbers(tn_joint_stages *w)
{
    const int64_t n = w->size;
    w->d = TN_NEW_ARRAY(double, (3 + 2 * w->stages) * n);
    if (!w->d)
        return TN_ERROR_MEMORY;
    w->s = w->d + n;
    w->s_0 = w->s + n;
    w->rates = w->s_0 + n;
    w->sdots = w->rates + w->stages * n;
    return TN_OK;
}

/* *good: all joints are such. */
static tn_status make(const tn_model *model, tn_joint_stages *w, bool *good)
{
    tn_tree_link *links = NULL;
    tn_status status = tn_tree_links_create(model, true, &links, &w->count);
    if (status == TN_OK) {
        w->joints = TN_NEW_ARRAY(tn_stage_joint, w->count);
        w->bodies = TN_NEW_ARRAY(tn_stage_body, w->count + 1);
        w->branches = TN_NEW_ARRAY(tn_branch, w->count);
        if (!w->joints || !w->bodies || !w->branches)
            status = TN_ERROR_MEMORY;
    }
    if (status == TN_OK)
        *good = make_joints(model, links, w);
    tn_free(links);
    return status == TN_OK ? make_numbers(w) : status;
}

tn_status tn_joint_stages_create(const tn_sim *sim, int32_t stages, tn_joint_stages **out)
{
    *out = NULL;
    if (!fits_model(sim->model))
        return TN_OK;
    tn_joint_stages *w = TN_NEW(tn_joint_stages);
    if (!w)
        return TN_ERROR_MEMORY;
    bool good = false;
    w->stages = stages;
    const tn_status status = make(sim->model, w, &good);
    if (status == TN_OK && good) {
        *out = w;
        return TN_OK;
    }
    tn_joint_stages_destroy(w);
    return status;
}

void tn_joint_stages_destroy(tn_joint_stages *w)
{
    if (!w)
        return;
    tn_free(w->joints);
    tn_free(w->bodies);
    tn_free(w->branches);
    tn_free(w->d);
    tn_free(w);
}

/* ---- the state ---- */

static bool has_column(const tn_stage_joint *joint, int32_t i)
{
    bool has = false;
    for (int32_t n = 0; n < joint->count && joint->kind == TN_STAGE_SCREWS; n++)
        has |= joint->coordinate[n] == i;
    return has;
}

/* Its constraints are there and hard, and what holds or drives its coordinates does so along columns, hard or as a spring. */
static bool bears(const tn_sim *sim, const tn_stage_joint *joint)
{
    const int32_t j = joint->link.joint;
    if (j < 0 || sim->state.plain[j])
        return true;
    const tn_switches *s = &sim->state.switches[j];
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    bool good = tn_state_is_on(sim->model, &sim->state, j);
    for (int32_t row = 0; row < info->bilateral_count && good; row++)
        good = !(s->compliance[row] > 0.0);
    for (int32_t i = 0; i < info->coordinate_count && good; i++) {
        const int32_t row = tn_motion_row(&sim->model->joints[j], i);
        const bool held = s->hold[i] > TN_HOLD_SPRING;
        good = !held || (has_column(joint, i) && !(s->compliance[row] > 0.0));
    }
    return good;
}

static bool are_driven_along(const tn_joint_stages *w, const tn_sim *sim)
{
    bool good = true;
    for (int32_t k = 0; k < w->count && good; k++) {
        const tn_stage_joint *joint = &w->joints[k];
        if (joint->link.joint < 0)
            continue;
        int32_t n = sim->state.switches[joint->link.joint].drive;
        for (; n != TN_NO_DRIVE && good; n = sim->state.drives[n].next)
            good =
                has_column(joint, sim->state.drives[n].coordinate) && !sim->state.drives[n].round;
    }
    return good;
}

static bool find_fit(const tn_joint_stages *w, const tn_sim *sim)
{
    bool good = true;
    for (int32_t k = 0; k < w->count && good; k++)
        good = bears(sim, &w->joints[k]);
    return good;
}

/* Do coordinates move all there is, as things stand? */
static bool fits_state(tn_joint_stages *w, const tn_sim *sim)
{
    const tn_state *s = &sim->state;
    if (!tn_body_tree_serves(sim) || sim->pieces || s->head->breakable > 0 ||
        tn_loads_read_joints(sim))
        return false;
    if (!w->is_known || !tn_same_edition(w->borne, s->edition)) {
        w->fits = find_fit(w, sim);
        w->borne = s->edition;
        w->is_known = true;
    }
    return w->fits && !tn_drives_need_reactions(sim) && are_driven_along(w, sim);
}

/* Square of the sine between axes of turns, or of the volume of three, below which a sub-step does not begin in their coordinates:
 * these change by the inverse of it, and sub-steps would be as short. It is 13 degrees, of which sub-steps turn few. */
#define TN_NEAR_POLE 0.05

/* Axes of several turns, of which two are nearly parallel, or three nearly in a plane. */
static bool is_near_pole(const tn_stage_joint *joint, const tn_stage_body *b)
{
    tn_vec3 axes[TN_MAX_ROWS];
    double sizes = 1.0;
    int32_t count = 0;
    for (int32_t n = 0; n < joint->count && joint->kind == TN_STAGE_SCREWS; n++) {
        if (joint->screws[n].spin == 0.0)
            continue;
        axes[count++] = b->z[n].w;
        sizes *= v3_dot(b->z[n].w, b->z[n].w);
    }
    if (count < 2)
        return false;
    const tn_vec3 across = v3_cross(axes[0], axes[1]);
    const double volume = count > 2 ? v3_dot(across, axes[2]) : 0.0;
    return (count > 2 ? volume * volume : v3_dot(across, across)) < TN_NEAR_POLE * sizes;
}

bool tn_joint_stages_begin(tn_joint_stages *w, const tn_sim *sim)
{
    if (!fits_state(w, sim))
        return false;
    for (int32_t n = 0; n < w->size; n++)
        w->d[n] = 0.0;
    for (int32_t k = 0; k < w->count; k++) {
        tn_stage_begin_joint(w, sim, k);
        tn_stage_put_pose(w, sim, k);
        if (is_near_pole(&w->joints[k], &w->bodies[k + 1]))
            return false;
    }
    tn_joint_stages_read(w, sim, 0);
    for (int32_t n = 0; n < w->size; n++)
        w->s_0[n] = w->s[n];
    return true;
}
