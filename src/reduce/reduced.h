/* reduced.h: room reduce: an elastic body reduced to few particles that turn with it.
 *
 * In: particles of equal mass at x_i, which stand for functions of a mesh, its stiffness K and damping D
 * between them. Out: forces, energy, stiffness. The axes R of the body are those of the mean frame of its particles
 * (element/mean.h). With y_i = R^T (x_i - p), displacements d_i = y_i - Y_i from their places at rest, and d' of velocities:
 *     V = d^T K d / 2 + sum_j (b_j . d q_j + q_j^2 / 2),   g = dV/dd + D d',
 *     f_i = -R (g_i - (G^-1 t) x X_i),   t = sum y_i x g_i
 * The sum is what displacements do to strain in the second order, as far as stress fields j go (stiffening.c): with e_j their
 * strains, of unit energy, V is the energy of e(d) + sum_j q_j e_j. Pull stiffens, pressure softens, and what bends gets
 * shorter; V is never negative. These are the derivatives of V, so that energy is kept; they have no sum and no moment, as K leaves motions as a rigid
 * body without force. Strain is small; displacements against the axes are small beside the body, rotations of these are any.
 */
#ifndef TN_REDUCE_REDUCED_H
#define TN_REDUCE_REDUCED_H

#include <stdbool.h>
#include <stdint.h>

#include "element/mean.h"

/* Most particles: a step has some numbers of each on the stack. */
#define TN_REDUCED_MOST 128

/* Most stress fields that stiffen a body. */
#define TN_REDUCED_STRESSES 24

/* Stress fields j of unit energy: what they do to displacements, q_j = sum g_kl d_k . d_l / 2, and how much of them is in
 * displacements, b_j . d. */
typedef struct tn_stiffening {
    int32_t count;
    const double *force; /* [count][3 particles] b, N */
    const double *shape; /* [count][particles][particles] g, N/m, symmetric */
    const double *move;  /* [count][3 particles] K^-1 b, m: displacements whose stress it is */
} tn_stiffening;

typedef struct tn_reduced {
    int32_t count;
    const tn_vec3 *rest; /* [count] m, Y_i from their mean place */
    const double *K;     /* [3 count][3 count] N/m, row-major */
    const double *D;     /* N s/m; NULL: none */
    tn_stiffening stiffening;
} tn_reduced;

/* A body with its particles as they are; v (m/s) may be NULL: at rest. */
typedef struct tn_reduced_state {
    const tn_reduced *body;
    tn_mean_frame frame;
    tn_vec3 y[TN_REDUCED_MOST];                                    /* m, in its axes */
    tn_vec3 d[TN_REDUCED_MOST];                                    /* m */
    tn_vec3 rate[TN_REDUCED_MOST];                                 /* m/s, d' */
    tn_vec3 force[TN_REDUCED_MOST];                                /* N, g */
    double stress[TN_REDUCED_STRESSES], bent[TN_REDUCED_STRESSES]; /* b_j . d + q_j, q_j */
} tn_reduced_state;

/* 0: the particles are in a line; then all is NaN. */
int tn_reduced_make(const tn_reduced *body, const tn_vec3 *x, const tn_vec3 *v,
                    tn_reduced_state *state);

/* f[count] += forces, world axes. */
void tn_reduced_forces(const tn_reduced_state *state, tn_vec3 *f);
/* J; W, by which it grows; W, lost in damping. */
double tn_reduced_energy(const tn_reduced_state *state);
double tn_reduced_power(const tn_reduced_state *state);
double tn_reduced_losses(const tn_reduced_state *state);

/* Displacements d + sum q_j K^-1 b_j, of which C e is the stress: with the strain of the second order. */
void tn_reduced_strained(const tn_reduced_state *state, tn_vec3 *out);

/* 1: root of the mean square displacement of the mass against the axes, by the radius of gyration. */
double tn_reduced_bent(const tn_reduced_state *state);

/* Parts of the stiffness that all its blocks have in common, of a state without velocities. */
typedef struct tn_reduced_slopes {
    const tn_reduced_state *state;
    double elastic, viscous;
    bool geometric; /* with what stress does */
    tn_mat3 A[TN_REDUCED_MOST], W[TN_REDUCED_MOST], B;
    tn_vec3 h[TN_REDUCED_STRESSES][TN_REDUCED_MOST]; /* N, sum_l g_kl d_l */
} tn_reduced_slopes;

/* Of elastic K + viscous D. `positive`: without what forces in the body do to it. */
void tn_reduced_slopes_make(const tn_reduced_state *state, double elastic, double viscous,
                            bool positive, tn_reduced_slopes *slopes);
/* The block of two particles: minus the derivative of the force on i by the place of j. */
tn_mat3 tn_reduced_block(const tn_reduced_slopes *slopes, int32_t i, int32_t j);

#endif
