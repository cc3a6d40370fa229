/* space_model.c: room method/linkage: which models are hinges in space with loops, and what of them is packed. See
 * space.h. */
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/space.h"

/* Pairs, blocks and updates a hinge, at most: bodies with more hinges are better eliminated after them. */
#define TN_SPACE_FILL 8

static void put_body(const tn_model *model, int32_t i, tn_space_body *body)
{
    *body = (tn_space_body){.body = i};
    if (i < 0 || model->bodies[i].dim == 0)
        return;
    const tn_model_body *of = &model->bodies[i];
    body->J = of->J;
    body->mass = of->mass;
    body->by_own = 1.0 / of->mass;
    body->by_inertia = v3_load(of->inverse_inertia + 3);
    body->at = of->u;
}

static void put_hinge(const tn_model *model, const int32_t *number, int32_t ground, int32_t j,
                      tn_space_hinge *hinge)
{
    const tn_model_joint *joint = &model->joints[j];
    const tn_xform *C = &joint->geometry.T_CA, *D = &joint->geometry.T_DB;
    *hinge = (tn_space_hinge){.at_a = C->p,
                              .at_b = D->p,
                              .x_a = m3_column(&C->R, 0),
                              .z_a = m3_column(&C->R, 2),
                              .z_b = m3_column(&D->R, 2),
                              .x_b = m3_column(&D->R, 0),
                              .y = tn_kkt_get_layout(model->kkt)->y_offset[j],
                              .a = number[joint->a],
                              .b = joint->b < 0 ? ground : number[joint->b],
                              .joint = j};
    for (int n = 0; n < TN_SPACE_ROWS && joint->in_loop; n++)
        hinge->e[n] = joint->softness * joint->row_scale[n];
}

/* Numbers of bodies, those that move first. */
static void number_bodies(const tn_model *model, int32_t *number, tn_space *space)
{
    for (int32_t i = 0; i < model->body_count; i++)
        space->moving += model->bodies[i].dim > 0;
    int32_t move = 0, stand = space->moving;
    for (int32_t i = 0; i < model->body_count; i++)
        number[i] = model->bodies[i].dim > 0 ? move++ : stand++;
    space->standing = stand - space->moving + 1;
}

static tn_status fill(const tn_model *model, const int32_t *number, tn_space *space, bool *fits)
{
    const int32_t n = space->hinge_count = model->joint_count;
    const int32_t ground = space->moving + space->standing - 1;
    space->bodies = TN_NEW_ARRAY(tn_space_body, ground + 1);
    space->hinges = TN_NEW_ARRAY(tn_space_hinge, n);
    space->y = TN_NEW_ARRAY(double, TN_SPACE_STRIDE *(int64_t)n);
    space->once = TN_NEW_ARRAY(double, TN_SPACE_STRIDE *(int64_t)n);
    space->part = TN_NEW_ARRAY(double, TN_SPACE_STRIDE *(int64_t)n);
    if (!space->bodies || !space->hinges || !space->y || !space->once || !space->part)
        return TN_ERROR_MEMORY;
    const tn_pairs_of of = {model, number, space->moving, TN_SPACE_ROWS, TN_SPACE_FILL};
    const tn_status status = tn_pairs_create(&of, &space->matrix, &space->pairs, fits);
    if (status != TN_OK || !*fits)
        return status;
    for (int32_t i = 0; i < model->body_count; i++)
        put_body(model, i, &space->bodies[number[i]]);
    put_body(model, -1, &space->bodies[ground]);
    for (int32_t j = 0; j < n; j++)
        put_hinge(model, number, ground, j, &space->hinges[space->matrix.position[j]]);
    return TN_OK;
}

tn_status tn_space_create(const tn_model *model, tn_space **out)
{
    bool fits = false;
    *out = NULL;
    if (!tn_are_rigid_on_hinges(model))
        return TN_OK;
    tn_space *space = *out = TN_NEW(tn_space);
    int32_t *number = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    tn_status status = space && number ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        space->wide = tn_wide_lanes();
        number_bodies(model, number, space);
        status = fill(model, number, space, &fits);
    }
    tn_free(number);
    if (!fits) {
        tn_space_destroy(space);
        *out = NULL;
    }
    return status;
}

void tn_space_destroy(tn_space *space)
{
    if (!space)
        return;
    tn_free(space->bodies);
    tn_free(space->hinges);
    tn_free(space->pairs.pairs);
    tn_free(space->y);
    tn_free(space->once);
    tn_free(space->part);
    tn_spd_destroy(&space->matrix);
    tn_free(space);
}
