/* material.h: room element: elastic materials: from the deformation gradient to energy, stress and its derivative.
 *
 * With F the deformation gradient, C = F^T F, E = (C - 1) / 2, J = det F, F = R U its polar decomposition and Lame's
 * lambda and mu, the energies per volume without deformation are
 *     linear        mu tr (U - 1)^2 + lambda/2 tr^2 (U - 1)     linear elastic, whatever the rotation (corotated)
 *     st_venant     mu E:E + lambda/2 tr^2 E                    St Venant, Kirchhoff
 *     neo_hookean   mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J
 *     mooney_rivlin c1 (J^-2/3 I1 - 3) + c2 (J^-4/3 I2 - 3) + K/2 (J - 1)^2,  2 (c1 + c2) = mu, K = lambda + 2/3 mu
 * Matrices are row-major, F[3 i + j] = dx_i / dX_j.
 */
#ifndef TN_ELEMENT_MATERIAL_H
#define TN_ELEMENT_MATERIAL_H

#include "tenon/solid.h"

typedef struct tn_elastic {
    tn_elastic_law law;
    double lambda, mu; /* Pa */
    double share;      /* of mooney_rivlin: c2 / (c1 + c2) */
    double viscous;    /* s: stress of the rates of strain is that of strain times this */
    double density;    /* kg/m^3 */
} tn_elastic;

tn_elastic tn_elastic_of(const tn_solid_material *material);

/* What a deformation gradient does. */
typedef struct tn_response {
    double W;    /* J/m^3 */
    double P[9]; /* Pa, first Piola-Kirchhoff stress dW/dF */
} tn_response;

/* A[9][9] = dP/dF, or NULL. 0: there is no such material state, J <= 0 or not finite; nothing is set then. */
int tn_elastic_at(const tn_elastic *m, const double F[9], tn_response *out, double A[9][9]);

/* The viscous stress, objective: F S with S = viscous (lambda tr E' 1 + 2 mu E'), E' = sym(F^T F'). */
void tn_viscous_at(const tn_elastic *m, const double F[9], const double rate[9], double P[9]);
/* dP/dF' of the same with viscous 1, positive semidefinite: what stands in for dP/dF where that is not. */
void tn_viscous_slopes(const tn_elastic *m, const double F[9], double A[9][9]);

/* Cauchy stress P F^T / J, symmetric. */
void tn_cauchy_of(const double F[9], const double P[9], double sigma[9]);

#endif
