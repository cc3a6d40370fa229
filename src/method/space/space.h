/* space.h: room method/space: steps of rigid bodies on hinges in space, or on ball joints, with loops, that nothing drives.
 *
 * The equations and the iteration are those of alpha_residual.c and alpha_newton.c, E on rows of loops and the filter
 * of multipliers (solve/singular.h) among them; what differs is the way through the matrix. Bodies are eliminated first:
 * with H = diag(m, J + S) of each of them, in axes of the world,
 *     (G H^-1 G^T + E) y = g - G H^-1 f,    d = H^-1 (f + G^T y),
 * one block of 5 x 5 a hinge, and one for each two hinges of one body. A hinge's rows are along x, y, z of G and about
 * x and y; with X its axes and r the arm of a body, P = (r x X, x, y) of it,
 *     G H^-1 G^T = sum (X^T X / m + P^T (J + S)^-1 P).
 * Of ball joints it is one of 3 x 3, in axes of the world (space_balls.h).
 * What is done to each body, and to each joint, is done to four of them side by side, in vectors of the machine; the
 * matrix is in vectors along its blocks.
 *
 * What this does not bring to an end, or to a verdict that rows of loops repeat others and nothing else, the general
 * iteration does from the start.
 *
 * In: a state of such a mechanism, and h. Out: the state h later, or word that the other way is to take the step.
 */
#ifndef TN_METHOD_SPACE_SPACE_H
#define TN_METHOD_SPACE_SPACE_H

#include "method/alpha/alpha.h"
#include "method/blocks/loop_step.h"
#include "method/blocks/pairs.h"
#include "method/blocks/tiles.h"

enum { TN_SPACE_ROWS = 5, TN_SPACE_STRIDE = 6, TN_SPACE_SIDE = 4 };
enum { TN_BALL_ROWS = 3, TN_BALL_STRIDE = 4 };

/* Bytes of a line of the cache. */
enum { TN_SPACE_LINE = 64 };

/* A number of each of four bodies, or hinges. */
typedef double tn_four[TN_SPACE_SIDE];

/* Four bodies; those that are nobody weigh nothing and stay where they are. */
typedef struct tn_space_bodies {
    /* of the trial, world axes */
    tn_four q[4];
    /* as velocities are; dq: the increment of the pose, per second over the step */
    tn_four u[6], udot[6], dq[6];
    tn_four W[6]; /* (J + S)^-1: xx, yy, zz, xy, xz, yz */
    /* of the start */
    tn_four x_before[3], q_before[4];
    /* of the model */
    tn_four J[9], mass, by_own; /* 1/kg; 0: nobody */
    tn_four by_inertia[3];      /* body axes, as tn_model_body.inverse_inertia */
    tn_four gyration;           /* m^2, the largest moment of inertia by the mass */
} tn_space_bodies;

/* What others read of a body, or add to it, in rows: whole lines of the cache. */
typedef struct tn_space_body {
    double pose[12]; /* R by rows, and m, the centre of mass, of the trial */
    double pull[6];  /* N, N m: forces and moments, world axes */
    /* likewise, of a correction, divided by beta'; before the first kg m^2, S, the stiffness of the joints' forces: xx, yy,
     * zz, xy, xz, yz */
    double push[6];
    double way[6]; /* m, rad: H^-1 (f, m), world axes */
    int64_t at;    /* offset in velocities */
    int32_t body;  /* -1: ground, or nobody */
    int32_t spare;
    /* of the matrix */
    double W[6];    /* 1/(kg m^2), as tn_space_bodies.W */
    double by_own;  /* 1/kg; 0: it stands */
    double spare_2; /* of a line */
} tn_space_body;

/* Four hinges; those that are none are of the ground alone. */
typedef struct tn_space_hinges {
    /* of the trial, world axes */
    tn_four axes[9];              /* of G: x, y, z */
    tn_four arm_a[3], arm_b[3];   /* m, from the centres of mass to G's origin */
    tn_four force[3], moment[3];  /* N, N m, on body a at G's origin */
    tn_four error[TN_SPACE_ROWS]; /* m, rad */
    tn_four turn[2];              /* cosine and sine of the angle */
    tn_four X[9], r_a[3], r_b[3]; /* axes and arms of the matrix's pose */
    tn_four at_a[3], at_b[3];     /* m, in axes of the bodies */
    tn_four x_a[3], z_a[3];       /* x and z of C in a */
    tn_four x_b[3], z_b[3];       /* x and z of D in b */
    tn_four number;               /* of the joint; of none, of a joint behind the last */
    tn_space_body *a[TN_SPACE_SIDE], *b[TN_SPACE_SIDE];
    int32_t joint[TN_SPACE_SIDE];
} tn_space_hinges;

/* One side of a hinge in the matrix, by components: P, and (J + S)^-1 P. */
typedef struct tn_space_side {
    double P[3][TN_SPACE_STRIDE], Q[3][TN_SPACE_STRIDE];
} tn_space_side;

/* A hinge in the matrix. */
typedef struct tn_space_hinge {
    double force[3][TN_SPACE_STRIDE], moment[3][TN_SPACE_STRIDE]; /* of its rows, by components */
    double r_a[4], r_b[4];                                        /* m, arms */
    tn_space_side side_a, side_b;
    tn_vec3 z_a, z_b; /* z of C in a, z of D in b */
    int64_t y;        /* offset in row vectors */
    int32_t a, b, joint;
} tn_space_hinge;

/* Four ball joints; those that are none are of the ground alone. Whole lines of the cache: first what a correction needs, then what is
 * shown of them besides, then what the matrix does. */
typedef struct tn_space_balls {
    /* of the trial, world axes */
    tn_four arm_a[3], arm_b[3]; /* m, from the centres of mass to the point of b */
    tn_four error[3];           /* m */
    tn_four force[3];           /* N, on body a */
    tn_four at_a[3], at_b[3];   /* m, in axes of the bodies */
    tn_four r_a[3], r_b[3];     /* arms of the matrix's pose */
    tn_space_body *a[TN_SPACE_SIDE], *b[TN_SPACE_SIDE];
    tn_four number;               /* as of hinges */
    int32_t joint[TN_SPACE_SIDE]; /* -1: none */
    /* on a line of their own, however long pointers are */
    _Alignas(TN_SPACE_LINE) tn_four x_b[3];
    tn_four z_b[3];         /* x and z of D in b */
    tn_four x_a[3], z_a[3]; /* x and z of C in a */
    tn_four x[3], z[3];     /* of the matrix's pose: x and z of C */
    tn_four e[3];           /* E of the rows, by tn_loop_epsilon */
    tn_four by_own;         /* 1/kg, of both bodies */
} tn_space_balls;

/* A ball joint in the matrix. */
typedef struct tn_space_ball {
    int64_t y; /* as of a hinge */
    int32_t a, b, joint;
} tn_space_ball;

typedef struct tn_space tn_space;

/* What is in vectors, compiled for those of a machine; the same bits on all. */
typedef struct tn_space_kernel {
    /* Newton's iteration, from what tn_space_step has begun; false: it does not end, or some_rest. Out: in `y` the multipliers. */
    bool (*iterate)(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_step_report *report);
    /* Into `part` what is to be taken from the multipliers in `y`; false: forces hang on it. */
    bool (*find_part)(const tn_sim *sim, tn_space *space, tn_step_report *report);
    /* That, out of the multipliers, after the iteration: bodies are left to what remains. */
    void (*take_part)(tn_space *space);
    /* Then: bodies, and ball joints, to where everybody looks for them, and what is to be told of the step. */
    void (*tell)(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_loop_step_told *told);
} tn_space_kernel;

struct tn_space {
    tn_space_bodies *fours;       /* [(moving + 3) / 4] */
    tn_space_hinges *hinge_fours; /* [(hinge_count + 3) / 4] in the order of the matrix */
    tn_space_body
        *bodies; /* [moving, up to a multiple of four, + standing]; the last is the ground */
    tn_space_hinge *hinges; /* [hinge_count, up to a multiple of four] in the order of the matrix */
    /* of ball joints instead, as many */
    tn_space_balls *ball_fours;
    tn_space_ball *balls;
    tn_tiles tiles;         /* of fours of balls, and of bodies */
    tn_loop_step_told told; /* of balls, where all was shown on the way */
    bool is_told;           /* is it that of bodies as they are? */
    bool some_rest;         /* a body rested where the step began: it was not tried */
    int32_t
        corrections; /* of the last step that ended: what is shown and told on the way is the same wherever */
    tn_pairs pairs;
    tn_spd matrix;
    double *y, *once,
        *part; /* [hinge_count, up to a multiple of four][stride] what is solved for; of multipliers */
    double *e; /* the same: E of the rows, by tn_loop_epsilon */
    void *fours_block, *hinge_fours_block, *bodies_block; /* what they are aligned in */
    const tn_space_kernel *kernel;
    double mass; /* kg, of all that moves */
    int32_t moving, first_standing, standing, hinge_count;
    int32_t stride; /* of the numbers of a joint */
};

/* space_narrow.c, space_wide.c */
extern const tn_space_kernel tn_space_kernel_2, tn_space_kernel_4;
extern const tn_space_kernel tn_space_balls_2, tn_space_balls_4;

/* space_model.c: NULL in *out: it is no such mechanism. */
tn_status tn_space_create(const tn_model *model, tn_space **out);
void tn_space_destroy(tn_space *space);

/* Fours a tile: with their bodies, blocks and all that a step reads and writes some 8 kB each, so that a second cache of 1 MB holds a
 * tile from stage to stage. Fewer begin and end more often than what is asked for ahead can make up for; more than a second cache of
 * 512 kB holds cost it less than that. */
enum { TN_SPACE_TILE = 96 };
/* Of ball joints that are in their order, so many fours a tile. */
tn_status tn_space_make_tiles(tn_space *space, int32_t size);

/* space_step.c: can a step of h seconds go from one state to another (tn_method.shares_start)? */
bool tn_space_goes_on(const tn_sim *sim, double h);
/* The step, its start being tn_alpha_work.from; false: it is to be taken otherwise, from there. */
bool tn_space_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

#endif
