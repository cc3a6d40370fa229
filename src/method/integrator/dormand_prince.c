/* dormand_prince.c: room method/integrator: the explicit method of Dormand and Prince (1980), of order 5(4), by
 * the stages of rkmk.c in the sub-steps of parts.c.
 */
#include "method/stages/rkmk.h"

const tn_tableau tn_tableau_dormand_prince = {
    .last = 6,
    .order = 5.0,
    .at = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0},
    .a = {{0.0},
          {1.0 / 5.0},
          {3.0 / 40.0, 9.0 / 40.0},
          {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
          {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
          {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
          {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}},
    .error = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0,
              22.0 / 525.0, -1.0 / 40.0},
};

static tn_status create(tn_sim *sim)
{
    return tn_rkmk_create(sim, &tn_tableau_dormand_prince);
}

const tn_method tn_method_dormand_prince = TN_METHOD_OF_PARTS(create, NULL);
