/* space.h: room method/space: steps of rigid bodies on hinges in space, or on ball joints, with loops and without
 * drives.
 *
 * Equations and iteration are those of alpha_residual.c and alpha_newton.c, with E on rows of loops and the filter
 * of multipliers (solve/singular.h). Only the elimination is different: bodies are eliminated first. With
 * H = diag(m, J + S) of each body, in axes of the world,
 *     (G H^-1 G^T + E) y = g - G H^-1 f,    d = H^-1 (f + G^T y),
 * one block of 5 x 5 a hinge, and one for each two hinges of one body. A hinge's rows are along x, y, z of G and
 * about x and y; with X its axes, r the arm of a body and P = (r x X, x, y),
 *     G H^-1 G^T = sum (X^T X / m + P^T (J + S)^-1 P).
 * For ball joints the block is 3 x 3, in axes of the world (space_balls.h). Four bodies, or four joints, are computed
 * side by side in SIMD lanes; the matrix uses vectors along its blocks.
 *
 * Steps whose iteration does not converge here, or whose rows are neither clearly regular nor clearly redundant, are
 * taken by the general iteration from their start.
 *
 * In: a state of such a mechanism, and h. Out: the state h later, or false: the general iteration is to take the
 * step.
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

/* One number of each of four bodies, or four hinges. */
typedef double tn_four[TN_SPACE_SIDE];

/* Four bodies; lanes without a body have zero mass and stay where they are. */
typedef struct tn_space_bodies {
    /* of the trial, world axes */
    tn_four q[4];
    /* as velocities are; dq: the increment of the pose, per second over the step */
    tn_four u[6], udot[6], dq[6];
    tn_four W[6]; /* (J + S)^-1: xx, yy, zz, xy, xz, yz */
    /* of the start */
    tn_four x_before[3], q_before[4];
    /* of the model */
    tn_four J[9], mass, by_own; /* by_own: 1/kg; 0: no body */
    tn_four by_inertia[3];      /* body axes, as tn_model_body.inverse_inertia */
    tn_four gyration;           /* m^2, the largest moment of inertia by the mass */
} tn_space_bodies;

/* The numbers of a body that joints read, or add to, in rows: whole cache lines. */
typedef struct tn_space_body {
    double pose[12]; /* R by rows, and m, the centre of mass, of the trial */
    double pull[6];  /* N, N m: residual forces and moments, world axes */
    /* likewise, of a correction, divided by beta'; before the first kg m^2, S, the stiffness of the joints' forces:
     * xx, yy, zz, xy, xz, yz */
    double push[6];
    double way[6]; /* m, rad: H^-1 (f, m), world axes */
    int64_t at;    /* offset in velocities */
    int32_t body;  /* -1: ground, or none */
    int32_t spare;
    /* of the matrix */
    double W[6];    /* 1/(kg m^2), as tn_space_bodies.W */
    double by_own;  /* 1/kg; 0: it is fixed */
    double spare_2; /* padding of a cache line */
} tn_space_body;

/* Four hinges; lanes without a hinge connect ground to itself. */
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
    tn_four number;               /* index of the joint; in an empty lane one past the last */
    tn_space_body *a[TN_SPACE_SIDE], *b[TN_SPACE_SIDE];
    int32_t joint[TN_SPACE_SIDE];
} tn_space_hinges;

/* One body's side of a hinge in the matrix, by components: P, and Q = (J + S)^-1 P. */
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

/* Four ball joints; lanes without one connect ground to itself. Whole cache lines: first the data of a correction,
 * then what is written back besides, then the data of the matrix. */
typedef struct tn_space_balls {
    /* of the trial, world axes */
    tn_four arm_a[3], arm_b[3]; /* m, from the centres of mass to the point of b */
    tn_four error[3];           /* m */
    tn_four force[3];           /* N, on body a */
    tn_four at_a[3], at_b[3];   /* m, in axes of the bodies */
    tn_four r_a[3], r_b[3];     /* arms of the matrix's pose */
    tn_space_body *a[TN_SPACE_SIDE], *b[TN_SPACE_SIDE];
    tn_four number;               /* as in tn_space_hinges */
    int32_t joint[TN_SPACE_SIDE]; /* -1: none */
    /* on a cache line of its own, whatever the size of pointers */
    _Alignas(TN_SPACE_LINE) tn_four x_b[3];
    tn_four z_b[3];         /* x and z of D in b */
    tn_four x_a[3], z_a[3]; /* x and z of C in a */
    tn_four x[3], z[3];     /* of the matrix's pose: x and z of C */
    tn_four e[3];           /* E of the rows, by tn_loop_epsilon */
    tn_four by_own;         /* 1/kg, of both bodies */
} tn_space_balls;

/* A ball joint in the matrix. */
typedef struct tn_space_ball {
    int64_t y; /* as in tn_space_hinge */
    int32_t a, b, joint;
} tn_space_ball;

typedef struct tn_space tn_space;

/* The functions that use vectors, compiled for each width, with the same bits on all. */
typedef struct tn_space_kernel {
    /* Newton's iteration, from the start that tn_space_step has prepared; false: it does not converge, or some_rest.
     * Out: the multipliers, in `y`. */
    bool (*iterate)(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_step_report *report);
    /* Sets `part` to the null-space component of the multipliers in `y`; false: forces depend on it. */
    bool (*find_part)(const tn_sim *sim, tn_space *space, tn_step_report *report);
    /* After the iteration: subtracts it from the multipliers, and updates the residuals of bodies. */
    void (*take_part)(tn_space *space);
    /* Then: writes bodies and ball joints back, and computes the results for the verification. */
    void (*finish)(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                   tn_loop_step_results *results);
} tn_space_kernel;

struct tn_space {
    tn_space_bodies *fours;       /* [(moving + 3) / 4] */
    tn_space_hinges *hinge_fours; /* [(hinge_count + 3) / 4] in the order of the matrix */
    tn_space_body *bodies;  /* [moving, up to a multiple of four, + fixed]; the last is ground */
    tn_space_hinge *hinges; /* [hinge_count, up to a multiple of four] in the order of the matrix */
    /* for ball joints, instead of hinges */
    tn_space_balls *ball_fours;
    tn_space_ball *balls;
    tn_tiles tiles;               /* of fours of balls, and of bodies */
    tn_loop_step_results results; /* of ball joints, if all was written back during the iteration */
    bool has_results;             /* are these the results of the present trial? */
    bool some_rest; /* a body rested at the start of the step, which was therefore not tried */
    /* of the last step that ended: after as many, results are computed during the iteration */
    int32_t corrections;
    tn_pairs pairs;
    tn_spd matrix;
    double *y, *once,
        *part; /* [hinge_count, up to a multiple of four][stride] right-hand sides, solutions and multipliers */
    double *e; /* the same: E of the rows, by tn_loop_epsilon */
    void *fours_block, *hinge_fours_block,
        *bodies_block; /* the allocations that contain the aligned arrays */
    const tn_space_kernel *kernel;
    double mass; /* kg, of all that moves */
    int32_t moving, first_standing, standing, hinge_count;
    int32_t stride; /* of the numbers of a joint */
};

/* space_narrow.c, space_wide.c */
extern const tn_space_kernel tn_space_kernel_2, tn_space_kernel_4;
extern const tn_space_kernel tn_space_balls_2, tn_space_balls_4;

/* space_model.c: NULL in *out: the model is no such mechanism. */
tn_status tn_space_create(const tn_model *model, tn_space **out);
void tn_space_destroy(tn_space *space);

/* Fours a tile: with their bodies, blocks and all that a step reads and writes they take about 8 kB each, so that a
 * second-level cache of 1 MB holds a tile from stage to stage. With smaller tiles the starts and ends of stages cost
 * more than prefetching saves; tiles larger than a second-level cache of 512 kB cost that machine less than that. */
enum { TN_SPACE_TILE = 96 };
/* Divides ball joints, which are in order, into tiles of this many fours. */
tn_status tn_space_make_tiles(tn_space *space, int32_t size);

/* space_step.c: can a step of h seconds go from one state to another (tn_method.shares_start)? */
bool tn_space_goes_on(const tn_sim *sim, double h);
/* The step, which starts at tn_alpha_work.from; false: the general iteration is to take it from there. */
bool tn_space_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

#endif
