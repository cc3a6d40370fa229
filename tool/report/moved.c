/* moved.c: how far bodies are from their poses in the file (moved.h). */
#include "report/moved.h"

#include <math.h>

tool_moved tool_find_moved(const tool_loaded *loaded)
{
    tool_moved result = {0.0, 0.0};
    for (int32_t i = 0; i < tn_spec_body_count(loaded->spec); i++) {
        tn_pose before = tn_spec_body(loaded->spec, (tn_body){i})->pose;
        tn_pose after = tn_sim_body_pose(loaded->sim, (tn_body){i});
        tn_pose change = tn_pose_multiply(tn_pose_inverse(before), after);
        double sine = hypot(hypot(change.q.x, change.q.y), change.q.z);
        result.distance = fmax(result.distance, hypot(hypot(change.p.x, change.p.y), change.p.z));
        result.angle = fmax(result.angle, 2.0 * atan2(sine, fabs(change.q.w)));
    }
    return result;
}

/* m: how far from the world's origin bodies are. */
static double span_of(const tool_loaded *loaded)
{
    double span = 0.0;
    for (int32_t i = 0; i < tn_spec_body_count(loaded->spec); i++) {
        const tn_vec3 p = tn_sim_body_pose(loaded->sim, (tn_body){i}).p;
        span = fmax(span, hypot(hypot(p.x, p.y), p.z));
    }
    return span;
}

bool tool_is_seen(const tool_loaded *loaded, tool_moved moved)
{
    return moved.angle > TOOL_SEEN_MOVE || moved.distance > TOOL_SEEN_MOVE * span_of(loaded);
}
