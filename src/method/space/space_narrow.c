/* space_narrow.c: room method/space: two bodies or hinges at a time, on every machine. See space_kernel.h. */
#define TN_LANES 2
#include "method/space/space_kernel.h"

const tn_space_kernel tn_space_kernel_2 = {iterate_hinges, find_part_of_hinges, take_part,
                                           finish_hinges_of};
const tn_space_kernel tn_space_balls_2 = {iterate_balls, find_part_of_balls, take_part_of_balls,
                                          finish_balls};
