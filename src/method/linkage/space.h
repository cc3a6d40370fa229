/* space.h: room method/linkage: steps of rigid bodies on hinges in space, with loops, that nothing drives.
 *
 * The equations and the iteration are those of alpha_residual.c and alpha_newton.c, E on rows of loops and the filter
 * of multipliers (solve/singular.h) among them; what differs is the way through the matrix. Bodies are eliminated first:
 * with H = diag(m, J + S) of each of them, in axes of the world,
 *     (G H^-1 G^T + E) y = g - G H^-1 f,    d = H^-1 (f + G^T y),
 * one block of 5 x 5 a hinge, and one for each two hinges of one body. A hinge's rows are along x, y, z of G and about
 * x and y; with X its axes and r the arm of a body, P = (r x X, x, y) of it,
 *     G H^-1 G^T = sum (X^T X / m + P^T (J + S)^-1 P).
 * What this does not bring to an end, or to a verdict that rows of loops repeat others and nothing else, the general
 * iteration does from the start.
 *
 * In: a state of such a mechanism, and h. Out: the state h later, or word that the other way is to take the step.
 */
#ifndef TN_METHOD_LINKAGE_SPACE_H
#define TN_METHOD_LINKAGE_SPACE_H

#include "method/alpha/alpha.h"
#include "method/linkage/pairs.h"

enum { TN_SPACE_ROWS = 5, TN_SPACE_STRIDE = 6 };

typedef struct tn_space_body {
    /* of the trial, world axes */
    tn_vec3 x; /* m, centre of mass */
    tn_quat q;
    tn_mat3 R;
    tn_vec3 f, m; /* N, N m: what is left of forces and moments; divided by beta' in a correction */
    tn_vec3 dv, dw; /* m, rad: H^-1 (f, m) */
    /* of the matrix */
    tn_mat3 W;     /* (J + S)^-1 */
    double S[6];   /* kg m^2, stiffness of the hinges' forces: xx, yy, zz, xy, xz, yz */
    double by_own; /* 1/kg; 0: it stands */
    /* packed as velocities are */
    double u[6], udot[6], dq[6]; /* dq: the increment of the pose, per second over the step */
    double base[6];              /* of a+, what does not change any more */
    /* of the start */
    tn_vec3 x_before;
    tn_quat q_before;
    /* of the model */
    tn_mat3 J;
    double mass;
    tn_vec3 by_inertia; /* body axes, as tn_model_body.inverse_inertia */
    int64_t at;         /* offset in velocities */
    int32_t body;       /* -1: ground */
} tn_space_body;

/* One side of a hinge in the matrix, by components: P, and (J + S)^-1 P. */
typedef struct tn_space_side {
    double P[3][TN_SPACE_STRIDE], Q[3][TN_SPACE_STRIDE];
} tn_space_side;

typedef struct tn_space_hinge {
    /* of the trial, world axes */
    tn_vec3 axes[3];       /* of G */
    tn_vec3 arm_a, arm_b;  /* m, from the centres of mass to G's origin */
    tn_vec3 force, moment; /* N, N m, on body a at G's origin */
    double error[TN_SPACE_STRIDE];
    /* of the matrix */
    tn_vec3 X[3], r_a, r_b;          /* axes and arms of its pose */
    double rows[3][TN_SPACE_STRIDE]; /* X by components, of the rows that are forces */
    tn_space_side side_a, side_b;
    /* of the model */
    tn_vec3 at_a, at_b;        /* m, in axes of the bodies */
    tn_vec3 x_a, z_b;          /* x of C in a, z of D in b */
    tn_vec3 z_a, x_b;          /* z of C in a, x of D in b */
    double e[TN_SPACE_STRIDE]; /* E of the rows, by tn_loop_epsilon */
    int64_t y;                 /* offset in row vectors */
    int32_t a, b, joint;
} tn_space_hinge;

typedef struct tn_space {
    tn_space_body *bodies;  /* [moving + standing] */
    tn_space_hinge *hinges; /* [hinge_count] in the order of the matrix */
    tn_pairs pairs;
    tn_spd matrix;
    double *y, *once, *part; /* [hinge_count][stride] what is solved for; of multipliers */
    int32_t moving, standing, hinge_count;
    bool wide; /* this machine runs the AVX2 copies of the passes (same bits) */
} tn_space;

/* space_model.c: NULL in *out: it is no such mechanism. */
tn_status tn_space_create(const tn_model *model, tn_space **out);
void tn_space_destroy(tn_space *space);

/* space_step.c: the step, its start being tn_alpha_work.from; false: it is to be taken otherwise, from there. */
bool tn_space_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

/* space_iterate.c: Newton's iteration, from what tn_space_step has begun. */
bool tn_space_iterate(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                      tn_step_report *report);

/* space_purge.c: multipliers of the motion found, into space.part, those of least energy where rows repeat others;
 * false: that is not all there is to be said of the rows. */
bool tn_space_purge(const tn_sim *sim, tn_space *space, tn_step_report *report);

#endif
