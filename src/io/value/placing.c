/* placing.c: items of a placed instance of a part, from the part's axes to the world's (placing.h).
 */
#include "real/real.h"
#include "io/value/placing.h"

#include <math.h>

static bool is_ground(tn_body body)
{
    return body.i == TN_GROUND_INDEX;
}

void tn_place_body(const tn_reader *reader, tn_body_def *def)
{
    if (tn_frame_is_placed(reader)) {
        def->pose = tn_frame_pose(reader, def->pose);
        def->velocity.v = tn_frame_vector(reader, def->velocity.v);
        def->velocity.w = tn_frame_vector(reader, def->velocity.w);
    }
}

/* Without a second axis D follows from z by the shortest rotation, in the part's axes: its x axis
 * is kept, since the shortest rotation to the turned z would be another. */
static void place_axes(const tn_reader *reader, tn_joint_def *def)
{
    const tn_vec3 z = def->axis;
    const bool alone = isnan(def->x_axis.x) && isnan(def->y_axis.x);
    const bool directed = tn_hypot(tn_hypot(z.x, z.y), z.z) > 0.0; /* else it is reported later */
    if (alone && directed && !reader->planar) {
        const tn_pose along = {{0.0, 0.0, 0.0}, tn_quat_from_z_axis(z)};
        def->x_axis = tn_pose_rotate_vector(along, (tn_vec3){1.0, 0.0, 0.0});
    }
    def->axis = tn_frame_vector(reader, def->axis);
    def->x_axis = tn_frame_vector(reader, def->x_axis);
    def->y_axis = tn_frame_vector(reader, def->y_axis);
}

void tn_place_joint(const tn_reader *reader, tn_joint_def *def)
{
    if (!tn_frame_is_placed(reader)) {
        return;
    }
    switch (def->placement) {
    case TN_PLACE_WORLD_FRAME:
        def->frame_d = tn_frame_pose(reader, def->frame_d);
        break;
    case TN_PLACE_BODY_FRAMES:
        if (is_ground(def->b)) {
            def->frame_d = tn_frame_pose(reader, def->frame_d);
        }
        break;
    case TN_PLACE_WORLD_FRAMES:
        def->frame_c = tn_frame_pose(reader, def->frame_c);
        def->frame_d = tn_frame_pose(reader, def->frame_d);
        break;
    case TN_PLACE_AXIS:
        def->origin = tn_frame_point(reader, def->origin);
        place_axes(reader, def);
        break;
    case TN_PLACE_ORIGIN: /* axes of the part, which are no longer those of the world */
        def->frame_d = tn_frame_pose(reader, (tn_pose){def->origin, tn_pose_identity().q});
        def->placement = TN_PLACE_WORLD_FRAME;
        break;
    }
}

void tn_place_marker(const tn_reader *reader, tn_marker_def *def)
{
    if (is_ground(def->body) && tn_frame_is_placed(reader)) {
        const tn_pose placed = tn_frame_pose(reader, (tn_pose){def->position, def->rotation});
        def->position = placed.p;
        def->rotation = placed.q;
    }
}

void tn_place_pulley(const tn_reader *reader, tn_pulley_def *def)
{
    def->end_a = tn_frame_point(reader, def->end_a);
    def->pulley_a = tn_frame_point(reader, def->pulley_a);
    def->end_b = tn_frame_point(reader, def->end_b);
    def->pulley_b = tn_frame_point(reader, def->pulley_b);
}
