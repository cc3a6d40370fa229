/* kennedy_carpenter.c: room method/integrator: the implicit method ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter
 * (2019), of order 5(4), by the stages of rkmk.c in the sub-steps of parts.c.
 *
 * Its first stage is explicit, all others have one gamma, so that they share a matrix, and the last one is the
 * result. L-stable: motion far too fast for its sub-steps is damped out. Stages are of order 2. Since a_i1 = a_i0, c
 * and the other columns determine all coefficients.
 */
#include "method/stages/rkmk.h"

#define TN_GAMMA (23.0 / 125.0)
#define A31      (791020047304.0 / 3561426431547.0)
#define A41      (-158159076358.0 / 11257294102345.0)
#define A42      (-85517644447.0 / 5003708988389.0)
#define A51      (-1653327111580.0 / 4048416487981.0)
#define A52      (1514767744496.0 / 9099671765375.0)
#define A53      (14283835447591.0 / 12247432691556.0)
#define A61      (-4540011970825.0 / 8418487046959.0)
#define A62      (-1790937573418.0 / 7393406387169.0)
#define A63      (10819093665085.0 / 7266595846747.0)
#define A64      (4109463131231.0 / 7386972500302.0)
#define B1       (-188593204321.0 / 4778616380481.0)
#define B2       (2809310203510.0 / 10304234040467.0)
#define B3       (1021729336898.0 / 2364210264653.0)
#define B4       (870612361811.0 / 2470410392208.0)
#define B5       (-1307970675534.0 / 8059683598661.0)
/* Of the embedded method. */
#define D1 (-582099335757.0 / 7214068459310.0)
#define D2 (615023338567.0 / 3362626566945.0)
#define D3 (3192122436311.0 / 6174152374399.0)
#define D4 (6156034052041.0 / 14430468657929.0)
#define D5 (-1011318518279.0 / 9693750372484.0)
#define D6 (1914490192573.0 / 13754262428401.0)

const tn_tableau tn_tableau_kennedy_carpenter = {
    .last = 6,
    .order = 5.0,
    .gamma = TN_GAMMA,
    .at = {0.0, 2.0 * TN_GAMMA, 7121331996143.0 / 11335814405378.0, 49.0 / 353.0,
           3706679970760.0 / 5295570149437.0, 347.0 / 382.0, 1.0},
    .a = {{0.0},
          {TN_GAMMA, TN_GAMMA},
          {A31, A31, TN_GAMMA},
          {A41, A41, A42, TN_GAMMA},
          {A51, A51, A52, A53, TN_GAMMA},
          {A61, A61, A62, A63, A64, TN_GAMMA},
          {B1, B1, B2, B3, B4, B5, TN_GAMMA}},
    .error = {B1 - D1, B1 - D1, B2 - D2, B3 - D3, B4 - D4, B5 - D5, TN_GAMMA - D6},
};

static tn_status create(tn_sim *sim)
{
    return tn_rkmk_create(sim, &tn_tableau_kennedy_carpenter);
}

const tn_method tn_method_kennedy_carpenter = TN_METHOD_OF_PARTS(create, NULL);
