/* branches.h: room sparse/tree: trees of bodies on joints with any number of freedoms, eliminated through these
 * freedoms.
 *
 * Knows no joint types. The system is that of kkt.h for bodies with six motions on joints that form a tree, each body
 * hanging on one other or on a fixed one,
 *
 *     M du - G^T l = b,     G du = g.
 *
 * With P the point of a joint, e the required twist of the body relative to the inner one, and Z the free twists of
 * the joint, the body's twist at P is that of the inner body, V, plus e + Z s. With I the inertia of the body and
 * of all that hangs on it, and A = diag(a) that of the free motions themselves (armatures, compliance along them),
 *     s = (Z^T I Z + A)^-1 (Z^T (b - I (e + V)) + t), t the efforts along the free motions,
 * and for the inner body remain
 *     I - I Z (Z^T I Z + A)^-1 Z^T I   and   b - I (e + Z s)
 * (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7). Columns of Z are made conjugate one after the other,
 * so that Z^T I Z + A is a diagonal. Everything is in world axes.
 *
 * In: arms, inertias and free twists, then per solve e and b. Out: twists of the centres of mass, and the wrenches
 * of the joints.
 *
 * Limits: no loops; holding rows are hard. Free motions must have inertia.
 */
#ifndef TN_SPARSE_BRANCHES_H
#define TN_SPARSE_BRANCHES_H

#include <stdint.h>

#include "sparse/tree/articulated_kernel.h"
#include "tenon/math.h"

enum { TN_BRANCH_MOTIONS = 6 };

/* A free motion. */
typedef struct tn_branch_motion {
    tn_twist z;    /* in: about P; the factor: conjugate to those before it */
    double own;    /* in: kg, kg m^2, its own inertia, a */
    double effort; /* in: N, N m, what acts along it; the factor: along z */
    tn_vec3 f, m;  /* the factor: I z, and ... */
    double by_d;   /* ... 1 / (z^T I z + a) */
    double s;      /* result of a solve */
    double
        mixed[TN_BRANCH_MOTIONS]; /* the factor: z is the motion plus so much of each before it */
} tn_branch_motion;

/* A body with the joint at its inner end; inner ones come first. Input and output share their places. */
typedef struct tn_branch {
    int32_t inner;     /* the branch it hangs on; -1: a fixed body */
    int32_t free;      /* motions in use */
    tn_vec3 arm, base; /* m, from its and the inner body's centre of mass to P */
    tn_inertia6
        I; /* in: of the body, about its centre of mass; the factor: of all that hangs there, about P */
    tn_twist twist;         /* in: e at P; out: of its centre of mass */
    tn_vec3 f, m;           /* in: b, about its centre of mass; overwritten */
    tn_vec3 pull_f, pull_m; /* out: the wrench of the joint on it, at P */
    tn_branch_motion motions[TN_BRANCH_MOTIONS];
} tn_branch;

/* Factorizes inertias, arms and free motions. Returns -1, or the first branch, counted from the tips, with a free
 * motion without inertia. */
int32_t tn_branches_factorize(tn_branch *branches, int32_t count);
/* Computes twists and pulls. */
void tn_branches_solve(tn_branch *branches, int32_t count);
/* [free] The solution along the motions as they were put in. */
void tn_branch_rates(const tn_branch *branch, double *rates);

#endif
