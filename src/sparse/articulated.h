/* articulated.h: trees of rigid bodies, eliminated through what their joints leave free.
 *
 * Room sparse: knows no joint types. The system is that of kkt.h for bodies with six motions on
 * hard joints that form a tree, with every body hanging on one other or on the ground,
 *
 *     M du - G^T l = b,     G du = g.
 *
 * Where kkt.h eliminates a body through its six motions and a hinge through its five rows, here the
 * body at the outer end of a joint is eliminated through the joint's free motions, one of a hinge
 * and three of a ball: with the joint's point P, the relative twist e that g asks for, and Z the
 * free twists, its twist at P is that of the inner body plus e + Z s, and
 *     s = (Z^T I Z)^-1 Z^T (b - I (e + V)),
 * I the inertia of the body with all that hangs on it. To the inner body remain
 *     I - I Z (Z^T I Z)^-1 Z^T I   and   b - I (e + Z s)
 * (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7, with the joints' errors in e).
 * Everything is in world axes.
 *
 * In: arms and axes, masses and inertias, then per solve e and b. Out: twists of the centres of
 * mass, and the wrenches of the joints.
 *
 * Limits: no redundant rows, as there are no loops; no softness. Every inertia must be positive.
 */
#ifndef TN_SPARSE_ARTICULATED_H
#define TN_SPARSE_ARTICULATED_H

#include <stdbool.h>
#include <stdint.h>

#include "math/m3.h"

/* A symmetric matrix. */
typedef struct tn_sym3 {
    double xx, yy, zz, xy, xz, yz;
} tn_sym3;

/* Wrench of a twist about one point: f = A v + B w, m = B^T v + C w. */
typedef struct tn_inertia6 {
    tn_sym3 A;
    tn_mat3 B;
    tn_sym3 C;
} tn_inertia6;

/* What a body is held by. */
typedef enum tn_limb_joint {
    TN_LIMB_HINGE,
    TN_LIMB_BALL,
    TN_LIMB_FREE /* by nothing: it floats */
} tn_limb_joint;

/* A body with the joint at its inner end. Inner ones come first. */
typedef struct tn_limb {
    int32_t inner; /* the limb it hangs on; -1: the ground */
    tn_limb_joint joint;
    /* in: of the matrix */
    double mass;       /* kg */
    tn_sym3 J;         /* kg m^2, about the centre of mass */
    tn_vec3 arm, base; /* m, from its and the inner body's centre of mass to P; free ones: 0 */
    tn_vec3 axis;      /* of a hinge */
    /* in: of a right-hand side */
    tn_vec3 e_v, e_w; /* against the inner body at P; of free ones 0 */
    tn_vec3 f, m;     /* on the body, about its centre of mass */
    /* out: its twist, and the wrench of the joint on it, at P */
    tn_vec3 v, w;
    tn_vec3 pull_f, pull_m;
    /* of the factor, at P: I of the body and all that hangs on it */
    tn_inertia6 I;
    tn_vec3 z_f, z_m; /* hinge: I Z */
    double by_d;      /* hinge: 1 / Z^T I Z */
    tn_sym3 by_C, A;  /* else: C^-1, and A - B C^-1 B^T; of free ones its inverse */
    tn_vec3 b_f, b_m; /* of a solve: b of the body and all that hangs on it */
    double s;
} tn_limb;

/* Of the inertias, arms and axes. -1; or the first limb, counted from the tips, whose free motions
 * have no inertia. */
int32_t tn_limbs_factorize(tn_limb *limbs, int32_t count);
/* v, w and the pulls of e, f and m. */
void tn_limbs_solve(tn_limb *limbs, int32_t count);

#endif
