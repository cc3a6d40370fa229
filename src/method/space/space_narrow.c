/* space_narrow.c: room method/space: two bodies or hinges at a time, on every machine. See space_kernel.h. */
#define TN_LANES 2
#include "method/space/space_kernel.h"

const tn_space_kernel tn_space_kernel_2 = {iterate, find_part, take_part, tell};
