/* kernel_2.c: room lanes: two worlds at a time, on every machine. See kernel.h. */
#define TN_LANES 2
#include "lanes/kernel.h"

const tn_lane_kernel tn_lane_kernel_2 = {TN_LANES, TN_LANE_WORK_SIZE, sizeof(tn_hinge_inertia), run,
                                         commit};
