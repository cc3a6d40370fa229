/* geometry.h: room element: an element at its nodes: Jacobians, masses, quality. */
#ifndef TN_ELEMENT_GEOMETRY_H
#define TN_ELEMENT_GEOMETRY_H

#include "element/element.h"

/* det dX/d(own coordinates) at a place of an element with nodes X[type->nodes], and, where that is not 0, N_i and dN_i/dX. */
double tn_element_gradients(const tn_shape_basis *basis, const tn_vec3 *X, const double at[3],
                            double N[TN_ELEMENT_NODES], double grad[TN_ELEMENT_NODES][3]);

/* How many functions the change of volume of an element has: 0, or type->modes. */
int32_t tn_element_modes(const tn_element_type *type, double poisson);

/* At the points of integration of an element with nodes X: weight[points], grad[points][nodes][3], and of this many functions of the
 * change of volume mode[modes][points]: 1, then the coordinates, made orthonormal over the element. */
void tn_element_integrate(const tn_shape_basis *basis, const tn_vec3 *X, int32_t modes,
                          double *weight, double *grad, double *mode);

/* The least of these determinants over corners and points of integration: > 0 of a good element. */
double tn_element_least_jacobian(const tn_shape_basis *basis, const tn_vec3 *X);

/* m^3, and kg of each node, lumped: of elements without middles of edges by their shape functions, of others in the
 * ratio of the squares of these (Hinton, Rock, Zienkiewicz 1976), which are positive. Returns the volume. */
double tn_element_masses(const tn_shape_basis *basis, const tn_vec3 *X, double density,
                         double masses[TN_ELEMENT_NODES]);

/* M[nodes][nodes] = density integral N_i N_j, kg, row-major: its mass consistent with its displacements. */
void tn_element_mass_matrix(const tn_shape_basis *basis, const tn_vec3 *X, double density,
                            double *M);

/* The least value of M over the lumped masses: so much of each may be taken from M, and it stays positive. */
double tn_element_least_mass(const tn_shape_basis *basis, const tn_vec3 *X);

/* Of the worst corner: the volume that its three edges span, over the product of their lengths, over what a regular
 * element has: 1, near 0 where a corner is flat. */
double tn_element_quality(const tn_element_type *type, const tn_vec3 *X);

#endif
