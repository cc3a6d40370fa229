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

/* A body with the joint at its inner end; inner ones come first. What goes in and comes out shares
 * its place: a long tree costs what it moves through the memory. */
typedef struct tn_limb {
    int32_t inner; /* the limb it hangs on; -1: the ground */
    tn_limb_joint joint;
    tn_vec3 arm, base; /* m, from its and the inner body's centre of mass to P; free ones: 0 */
    /* in: of the body alone, about its centre of mass; the factor: of the body and all that hangs on
     * it, about P */
    tn_inertia6 I;
    union {
        struct {
            tn_vec3 axis;   /* in */
            tn_vec3 zf, zm; /* the factor: I Z ... */
            double by_d;    /* ... and 1 / Z^T I Z */
        } hinge;
        struct {
            tn_sym3 by_C; /* the factor: C^-1 ... */
            tn_sym3 A;    /* ... and A - B C^-1 B^T; of free ones its inverse */
        } ball;
    } of;
    /* in: the twist e asked for at P against the inner body, of free ones 0; out: the twist of its
     * centre of mass */
    tn_vec3 v, w;
    /* in: b, about its centre of mass; lost */
    tn_vec3 f, m;
    tn_vec3 pull_f, pull_m; /* out: the wrench of the joint on it, at P */
    double s;
} tn_limb;

/* Of the inertias, arms and axes. -1; or the first limb, counted from the tips, whose free motions
 * have no inertia. */
int32_t tn_limbs_factorize(tn_limb *limbs, int32_t count);
/* v, w and the pulls. */
void tn_limbs_solve(tn_limb *limbs, int32_t count);

#endif
