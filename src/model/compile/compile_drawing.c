/* compile_drawing.c: room model/compile: keeps what the bodies and joints look like. */
#include "model/compile/compile.h"
#include "spec/shape/outline.h"

static tn_status compile_outline(tn_model_drawing *drawing, const tn_shape_def *shape, int32_t body,
                                 tn_body_kind kind, tn_primitive *out)
{
    *out = (tn_primitive){.pose = shape->pose, .coordinate = -1};
    out->pose.q = q_normalize(shape->pose.q);
    out->role = tn_motion_subspace_get(kind)->dim > 0 ? TN_ROLE_BODY : TN_ROLE_FIXED;
    out->body.i = body;
    out->joint.i = -1;
    return tn_outline_of_kind(shape->kind)(shape, &drawing->arena, out);
}

static tn_status compile_outlines(tn_model *model, const tn_spec *spec)
{
    tn_model_drawing *drawing = &model->drawing;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_body_def *def = tn_spec_body(spec, (tn_body){i});
        for (int32_t k = 0; k < def->shape_count; k++) {
            const tn_status status = compile_outline(drawing, &def->shapes[k], i, def->kind,
                                                     &drawing->outlines[drawing->first[i] + k]);
            if (status != TN_OK)
                return status;
        }
    }
    return TN_OK;
}

/* Largest distance of an outline's points from the origin of its pose, m. */
static double outline_radius(const tn_primitive *p)
{
    double radius = v3_norm(p->size);
    for (int32_t i = 0; i < p->point_count; i++)
        radius = fmax(radius, v3_norm(v3_axpy(p->points[i], 0.5, v3(0.0, 0.0, p->size.z))));
    return radius;
}

/* How far each body reaches from its centre of mass: to its outlines or, without any, to its
 * joints. */
static void body_radii(const tn_model *model, double *radius)
{
    const tn_model_drawing *drawing = &model->drawing;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        radius[joint->a] = fmax(radius[joint->a], v3_norm(joint->geometry.T_CA.p));
        if (joint->b >= 0)
            radius[joint->b] = fmax(radius[joint->b], v3_norm(joint->geometry.T_DB.p));
    }
    for (int32_t i = 0; i < model->body_count; i++) {
        if (drawing->first[i] < drawing->first[i + 1])
            radius[i] = 0.0;
        for (int32_t k = drawing->first[i]; k < drawing->first[i + 1]; k++)
            radius[i] = fmax(radius[i], outline_radius(&drawing->outlines[k]));
    }
}

#define SIZE_OF_SPREAD                                                                             \
    0.2 /* a body's size where all are points, by the extent of the mechanism                      \
         */

/* The largest distance of a body's centre of mass from the first one's, m. */
static double spread(const tn_model *model)
{
    double most = 0.0;
    for (int32_t i = 1; i < model->body_count; i++) {
        most = fmax(most, v3_norm(v3_sub(tn_model_initial_xform(model, i).p,
                                         tn_model_initial_xform(model, 0).p)));
    }
    return most;
}

/* Only an impression of scale: what has no size does not count. */
static tn_status compile_size(tn_model *model)
{
    double *radius = TN_NEW_ARRAY(double, model->body_count);
    if (!radius)
        return TN_ERROR_MEMORY;
    body_radii(model, radius);
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        sum += radius[i];
        count += radius[i] > 0.0;
    }
    model->drawing.body_size = count > 0 ? sum / count : SIZE_OF_SPREAD * spread(model);
    tn_free(radius);
    return TN_OK;
}

/* Elements of a beam stand in the order of its nodes: the first node's colour goes on from one to the next. */
static void compile_hues(tn_model *model)
{
    int32_t *hues = model->drawing.hues;
    for (int32_t i = 0; i < model->body_count; i++)
        hues[i] = i;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j) || joint->b < 0 ||
            !joint->geometry.cls->errors)
            continue;
        const int32_t hue = hues[joint->a] < hues[joint->b] ? hues[joint->a] : hues[joint->b];
        hues[joint->a] = hues[joint->b] = hue;
    }
}

tn_status tn_model_compile_drawing(tn_model *model, const tn_spec *spec)
{
    tn_model_drawing *drawing = &model->drawing;
    drawing->first = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    drawing->looks = TN_NEW_ARRAY(tn_joint_look, model->joint_count);
    drawing->hues = TN_NEW_ARRAY(int32_t, model->body_count);
    if (!drawing->first || !drawing->looks || !drawing->hues)
        return TN_ERROR_MEMORY;
    compile_hues(model);
    for (int32_t i = 0; i < model->body_count; i++)
        drawing->first[i + 1] = drawing->first[i] + tn_spec_body(spec, (tn_body){i})->shape_count;
    for (int32_t j = 0; j < model->joint_count; j++)
        drawing->looks[j] = tn_spec_joint(spec, (tn_joint){j})->look;
    drawing->outlines = TN_NEW_ARRAY(tn_primitive, drawing->first[model->body_count]);
    const tn_status status = drawing->outlines ? compile_outlines(model, spec) : TN_ERROR_MEMORY;
    return status == TN_OK ? compile_size(model) : status;
}

void tn_model_drawing_free(tn_model_drawing *drawing)
{
    tn_free(drawing->outlines);
    tn_free(drawing->first);
    tn_free(drawing->looks);
    tn_free(drawing->hues);
    tn_arena_free(&drawing->arena);
}
