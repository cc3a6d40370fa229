/* draw_solids.c: room measure/drawing: the surfaces of elastic solids as they are deformed. */
#include "assemble/load/solids.h"
#include "base/base.h"
#include "measure/drawing/drawing.h"

/* A warm grey: rubber and the like. */
static const tn_vec3 solid_color = {0.62, 0.56, 0.50};

/* Points of the nodes, of which those inside are drawn by no triangle. */
static void draw_solid(tn_drawing *d, const tn_model_solid *solid, tn_vec3 *points)
{
    tn_solid_places(&d->sim->sys, solid, points);
    const tn_primitive p = {.kind = TN_PRIMITIVE_MESH,
                            .role = TN_ROLE_BODY,
                            .body = {-1},
                            .joint = {-1},
                            .coordinate = -1,
                            .color = solid_color,
                            .pose = tn_pose_identity(),
                            .points = points,
                            .point_count = solid->node_count,
                            .triangles = solid->surface,
                            .triangle_count = solid->surface_count};
    tn_draw_emit(d, &p);
}

void tn_draw_solids(tn_drawing *d)
{
    const tn_model *model = d->sim->model;
    for (int32_t s = 0; s < model->solid_count && d->status == TN_OK; s++) {
        tn_vec3 *points = TN_NEW_ARRAY(tn_vec3, model->solids[s].node_count);
        if (!points) {
            d->status = TN_ERROR_MEMORY;
            return;
        }
        draw_solid(d, &model->solids[s], points);
        tn_free(points);
    }
}
