/* auto.c: room method: explicit parts of steps, or implicit ones where the motion is stiff: see
 * choice.c.
 */
#include "method/rkmk.h"

const tn_method tn_method_auto = {
    .traits = {.accelerations = 1, .closes_joints = 1, .divides_steps = 1},
    .sums_work = true,
    .memory_size = tn_parts_memory_size,
    .create = tn_rkmk_create_both,
    .destroy = tn_rkmk_destroy,
    .start = tn_parts_start,
    .step = tn_rkmk_step,
    .begin_part = tn_parts_begin,
    .judge_part = tn_parts_judge,
};
