/* dilatation.h: room element: elements whose change of volume is a projection.
 *
 * Near a Poisson's ratio of 1/2 an element that must keep its volume at each of its points can hardly deform
 * (Hughes, The Finite Element Method, 1987, ch. 4). So the change of volume J = det F of these elements is replaced by its
 * projection theta onto few functions f_a, orthonormal over the reference shape (Simo, Taylor, Pister 1985): with w the weights of points,
 *     theta_p = sum_a f_a(p) c_a,   c_a = sum_q w_q f_a(q) J_q,   F~ = s F,   s = (theta/J)^(1/3),   energy = sum w W(F~).
 * This is an energy of the nodes: its forces balance, and its stiffness is symmetric. With N = F^-T, P~ = dW/dF at F~,
 * t = P~:F~/3 and the pressure p, which is the projection of t/theta,
 *     P = s P~ + (p J - t) N
 * takes the place of dW/dF in the forces. F of constant strain has theta = J: patch tests hold as they do without it.
 */
#ifndef TN_ELEMENT_DILATATION_H
#define TN_ELEMENT_DILATATION_H

#include "element/body.h"

/* P and W at the points of an element with modes. 0: it is turned inside out. */
int tn_dilated_stresses(const tn_deformed *e, tn_element_state *state);

/* P += the viscous stress: of the deviator of the strain rate at each point, of the rate of theta with the bulk modulus. */
void tn_dilated_viscous(const tn_deformed *e, tn_element_state *state);

/* As tn_element_stiffness: the upper triangle of blocks, added to K. */
int tn_dilated_stiffness(const tn_deformed *e, double elastic, double viscous, bool positive,
                         double *K);

/* K += sum over a point of w g_i . A . g_j, the upper triangle of blocks (body.c). */
void tn_element_add_point(const tn_element_data *d, int32_t point, double A[9][9], double *K);

#endif
