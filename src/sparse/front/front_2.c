/* front_2.c: room sparse/front: two columns at a time, on every machine. See front.h.
 */
#define TN_LANES 2
#include "sparse/front/front_kernel.h"

const tn_front_kernel tn_front_kernel_2 = {TN_LANES, divide, update, push, pull};
