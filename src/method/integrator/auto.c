/* auto.c: room method/integrator: explicit sub-steps, or implicit ones where the motion is stiff: see
 * choice.c.
 */
#include "method/stages/rkmk.h"

const tn_method tn_method_auto = TN_METHOD_OF_PARTS(tn_rkmk_create_both, tn_rkmk_look);
