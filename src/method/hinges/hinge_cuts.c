/* hinge_cuts.c: room method/hinges: joints that close loops of a tree of links (method/limbs/loops.h).
 *
 * The rows of a cut are those that its type has (joint/joint_rows.h): whatever it holds, it can be a cut. Its multipliers
 * are what the bodies' equations have of it at the end of the step, as general steps have them.
 *
 * In: a trial. Out: openings of rows, and the wrenches of their multipliers on what bodies weigh; after the step what is shown of
 * such joints.
 *
 * What acts along a coordinate of a cut is a wrench by its motion row; how that answers is a compliance of the row, 1 by what it
 * would add to the pivot of a link. A coordinate that is held is a hard row. Others are no rows.
 *
 * Limits: what cuts hold is hard (tn_hinges_bear).
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"

/* ---- making ---- */

/* By body: the link that it is itself; -1: it does not move. */
static void put_links(const tn_model *model, const tn_alpha_hinges *hinges, int32_t *links)
{
    for (int32_t i = 0; i < model->body_count; i++)
        links[i] = -1;
    for (int32_t k = 0; k < hinges->count; k++) {
        if (hinges->places[k].part != TN_LIMB_SHADOW)
            links[hinges->places[k].body] = k;
    }
}

/* Those that hold, and those of coordinates. */
static int32_t rows_of(const tn_model_joint *joint)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return info->bilateral_count + info->coordinate_count;
}

static tn_status make(const tn_model *model, int32_t count, tn_alpha_hinges *hinges)
{
    tn_loop_cut *cuts = TN_NEW_ARRAY(tn_loop_cut, count);
    int32_t *joints = TN_NEW_ARRAY(int32_t, count + model->body_count), n = 0;
    int32_t *links = joints ? joints + count : NULL;
    tn_status status = cuts && joints ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        put_links(model, hinges, links);
    for (int32_t j = 0; j < model->joint_count && status == TN_OK; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (joint->hangs >= 0)
            continue;
        joints[n] = j;
        cuts[n++] = (tn_loop_cut){.link = {links[joint->a], joint->b < 0 ? -1 : links[joint->b]},
                                  .count = rows_of(joint)};
    }
    if (status == TN_OK)
        status = tn_loops_create(hinges->inner, hinges->count, cuts, count, &hinges->loops);
    for (n = 0; hinges->loops && n < count; n++) {
        const tn_loop_cut *cut = &hinges->loops->cuts[n];
        hinges->cuts[n].joint = joints[cut->given];
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
            hinges->acts.limb[(size_t)joints[cut->given] * TN_MAX_COORDINATES + (size_t)i] = -2 - n;
        for (int side = 0; side < 2; side++) {
            if (cut->link[side] >= 0)
                hinges->is_cut[cut->link[side]] = 1;
        }
    }
    tn_free(cuts);
    tn_free(joints);
    return status;
}

tn_status tn_hinge_cuts_create(const tn_model *model, tn_alpha_hinges *hinges, bool *fits)
{
    int32_t count = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        count += model->joints[j].hangs < 0;
    if (count == 0)
        return TN_OK;
    hinges->cuts = TN_NEW_ARRAY(tn_hinge_cut, count);
    hinges->is_cut = TN_NEW_ARRAY(int8_t, (int64_t)hinges->forest.world.blocks * TN_HINGE_WIDTH);
    const tn_status status =
        hinges->cuts && hinges->is_cut ? make(model, count, hinges) : TN_ERROR_MEMORY;
    hinges->forest.world.loops = hinges->loops;
    *fits = hinges->loops != NULL;
    return status == TN_OK && *fits ? tn_hinge_shares_create(model, hinges, fits) : status;
}

void tn_hinge_cuts_destroy(tn_alpha_hinges *hinges)
{
    tn_hinge_shares_destroy(hinges->shares);
    tn_loops_destroy(hinges->loops);
    tn_free(hinges->cuts);
    tn_free(hinges->is_cut);
}

/* ---- a step ---- */

void tn_hinge_cuts_begin(const tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const double *rate = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        const size_t at = (size_t)hinges->cuts[n].joint * TN_MAX_ROWS;
        tn_hinge_cut *cut = &hinges->cuts[n];
        for (int32_t row = 0; row < hinges->loops->cuts[n].count; row++)
            cut->lambda[row] = sim->state.lambda[at + (size_t)row] + c->h * rate[at + (size_t)row];
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
            cut->effort[i] = cut->yield[i] = cut->off[i] = 0.0;
    }
}

/* Of the row of coordinate i; less than 0, what holds. */
static double compliance_of(const tn_hinge_cut *cut, int32_t i)
{
    if (i < 0)
        return 0.0;
    return cut->yield[i] > 0.0 ? 1.0 / cut->yield[i] : TN_NO_ROW;
}

/* Rows of the matrix: wrenches about O of each body's tree, which the link's joint and the body's centre are seen from. */
static void put_rows(const tn_sim *sim, const tn_alpha_hinges *hinges, int32_t n)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    tn_vec3 at[2] = {kin->r_A, kin->r_B};
    for (int side = 0; side < 2; side++) {
        const double *limb = hinge_limb_at(&hinges->forest.world, cut->link[side]);
        at[side] = v3_add(at[side], v3_sub(limb_v3(limb + TN_LIMB_FIELD(place)),
                                           limb_v3(limb + TN_LIMB_FIELD(arm))));
    }
    for (int32_t row = 0; row < cut->count; row++) {
        tn_loop_row *to = &hinges->loops->rows[cut->first + row];
        tn_vec3 m;
        tn_joint_row_wrench(geometry, kin, row, &to->f, &m);
        to->turns = v3_dot(to->f, to->f) == 0.0;
        to->compliance = compliance_of(&hinges->cuts[n], row - geometry->cls->info.bilateral_count);
        for (int side = 0; side < 2; side++) {
            to->at[side] = at[side];
            to->m[side] = v3_add(m, v3_cross(at[side], to->f));
        }
    }
}

static void weigh(const tn_sim *sim, const tn_hinge_rule *c, int32_t n, bool predicted)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    tn_vec3 F = {0.0, 0.0, 0.0}, M = F;
    for (int32_t row = 0; row < cut->count; row++) {
        const tn_hinge_cut *own = &hinges->cuts[n];
        const int32_t i = row - geometry->cls->info.bilateral_count;
        const double by = i < 0 ? own->lambda[row]
                                : own->effort[i] + (isinf(own->yield[i]) ? own->lambda[row] : 0.0);
        tn_vec3 f, m;
        tn_joint_row_wrench(geometry, kin, row, &f, &m);
        F = v3_axpy(F, by, f);
        M = v3_axpy(M, by, m);
        hinges->loops->rows[cut->first + row].off =
            i < 0 ? tn_joint_row_error(geometry, kin, row) : own->off[i];
    }
    if (cut->link[0] >= 0)
        tn_hinge_push(hinges, c, cut->link[0], predicted, F, v3_add(M, v3_cross(kin->r_A, F)));
    F = v3_scale(-1.0, F);
    M = v3_scale(-1.0, M);
    if (cut->link[1] >= 0)
        tn_hinge_push(hinges, c, cut->link[1], predicted, F, v3_add(M, v3_cross(kin->r_B, F)));
}

void tn_hinge_cuts_weigh(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        tn_joint_refresh(&sim->sys, &sim->state, hinges->cuts[n].joint);
        if (trial == TN_HINGE_PREDICTED)
            put_rows(sim, hinges, n);
        weigh(sim, c, n, trial == TN_HINGE_PREDICTED);
    }
}

void tn_hinge_cuts_take(const tn_alpha_hinges *hinges, const tn_hinge_rule *c)
{
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++) {
        const tn_loop_cut *cut = &hinges->loops->cuts[n];
        for (int32_t row = 0; row < cut->count; row++)
            hinges->cuts[n].lambda[row] += c->beta * hinges->loops->rows[cut->first + row].mu;
    }
}

/* ---- the end ---- */

/* Frames are those of the wrenches found last, where bodies are. */
static void show(tn_sim *sim, const tn_alpha_hinges *hinges, int32_t n, double h)
{
    const tn_hinge_world *w = &hinges->forest.world;
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const int32_t count = geometry->cls->info.bilateral_count;
    const size_t at = (size_t)j * TN_MAX_ROWS;
    double before[TN_MAX_ROWS], *lambda = w->to.lambda + at;
    memcpy(before, w->at.lambda + at, sizeof before);
    memcpy(lambda, before, sizeof before);
    memcpy(lambda, hinges->cuts[n].lambda, sizeof *lambda * (size_t)count);
    if (geometry->cls->info.coordinate_count > 0)
        tn_joint_follow(&sim->sys, &sim->state, j, h,
                        w->to.coordinates + (size_t)j * TN_MAX_COORDINATES);
    for (size_t row = 0; row < TN_MAX_ROWS && w->has_rates; row++)
        w->to.lambda_rate[at + row] = 1.0 / h * (lambda[row] - before[row]);
    double *phi = sim->sys.phi + sim->sys.layout->y_offset[j];
    for (int32_t row = 0; row < count; row++)
        phi[row] = tn_joint_row_error(geometry, &sim->sys.kin[j], row);
}

void tn_hinge_cuts_show(tn_sim *sim, double h)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++)
        show(sim, hinges, n, h);
}
