/* radau.c: room method/integrator: the implicit method Radau IIA with five stages, of order 9, by the sweeps of
 * collocation.c in the sub-steps of parts.c.
 *
 * Its stages are the points at which a polynomial of degree 5 has the rates of the motion (collocation); the last
 * one is the end: a_ij = integral of l_j from 0 to c_i, with Lagrange's polynomials l_j. L-stable, and of stage
 * order 5. The error estimate is the difference between the accelerations of the start and those of the polynomial,
 * gamma h (f_0 - sum l_j(0) F_j), which goes with h^6, smoothed by the matrix of the end (Hairer, Wanner II, IV.8).
 */
#include "method/stages/rkmk.h"

static const tn_sweeps sweeps_5 = {
    .by = {{0.0},
           {0.0, 0.0729988643179033243},
           {0.0, 0.153775231479182469, 0.202533986894234878},
           {0.0, 0.140063045684809872, 0.350264254965224724, 0.262818675056515517},
           {0.0, 0.144894308109534758, 0.329566610810663806, 0.412050369120743824,
            0.221269382593926666},
           {0.0, 0.143713560791225941, 0.333990116629763646, 0.400036344264949275,
            0.310105334482993341, 0.0769230769230769231}},
};

const tn_tableau tn_tableau_radau = {
    .last = 5,
    .order = 6.0,
    .gamma = 0.0769230769230769231,
    .sweeps = &sweeps_5,
    .at = {0.0, 0.0571041961145176822, 0.276843013638123828, 0.58359043236891682,
           0.860240135656219448, 1.0},
    .a = {{0.0},
          {0.0, 0.0729988643179033243, -0.0267353311079455719, 0.0186769297639843544,
           -0.0128791060933064399, 0.00504283923388201521},
          {0.0, 0.153775231479182469, 0.146214867847493507, -0.0364445689051280895,
           0.0212330631193047194, -0.00793557990272877753},
          {0.0, 0.140063045684809872, 0.298967129491283479, 0.167585070135248963,
           -0.0339691016866177466, 0.0109442887441922523},
          {0.0, 0.144894308109534758, 0.276500068760159228, 0.32579792291042103,
           0.128756753254909761, -0.0157089173788053284},
          {0.0, 0.143713560791225941, 0.28135601514946206, 0.311826522975741254,
           0.223103901083570744, 0.04}},
    .error = {0.0769230769230769231, -0.122031376937409865, 0.0775475293460286915,
              -0.0562288358584451893, 0.0391742219113648248, -0.0153846153846153846},
};

static tn_status create(tn_sim *sim)
{
    return tn_rkmk_create(sim, &tn_tableau_radau);
}

const tn_method tn_method_radau = TN_METHOD_OF_PARTS(create, NULL);
