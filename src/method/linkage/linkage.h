/* linkage.h: room method/linkage: steps of planar linkages modelled in space: rigid bodies on hinges that are all
 * parallel to each other, with any loops.
 *
 * Such bodies move in parallel planes under any load, and the equations of alpha_residual.c separate. In the plane
 * there are three unknowns a body and two rows a hinge. Across the plane nothing moves: the hinges carry a force
 * along the axis and two moments, and the minimum-norm solution is computed directly. Each loop has three redundant
 * rows across the plane; in the plane usually none.
 *
 * In the plane a Newton step is, with H = diag(m, m, J + S) of each body and G of its pins,
 *     (G H^-1 G^T) y = g - G H^-1 f,    d = H^-1 (f + G^T y),
 * with one block of 2 x 2 a hinge, without regularisation E. Where that matrix is singular (singular configurations,
 * or redundant rows in the plane) the general iteration takes the step. Poses are angles about the normal, so that
 * bodies cannot leave the plane.
 *
 * Angles that are held, by locks, motors and prescribed motions, add a row each, D, and a moment: with
 * Z = (G H^-1 G^T)^-1 G H^-1 D^T and y first without them,
 *     (D H^-1 D^T - D H^-1 G^T Z) z = residual of the angles,    y - Z z,
 * one more solve for each.
 *
 * Across the plane, with y a virtual displacement of each body, Q the map of a hinge's wrench to a body and
 * W = diag(A) the weights of the minimum norm (solve/singular.h),
 *     (sum Q W^-1 Q^T) y = residual wrenches of the bodies,    lambda = W^-1 Q^T y,
 * with one block of 3 x 3 a body; the matrix is definite whenever all bodies are connected to fixed ones by hinges.
 *
 * In: a state of such a linkage, and h. Out: the state h later, or false: the general iteration is to take the step.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_H
#define TN_METHOD_LINKAGE_LINKAGE_H

#include "method/alpha/alpha_plane.h"
#include "method/blocks/loop_step.h"
#include "method/blocks/pairs.h"
#include "method/blocks/tiles.h"
#include "solve/singular.h"

/* Down to TN_FAR^2 E the filter of multipliers leaves round-off of rows (TN_FILTERINGS), and no singular
 * configuration is reported. Where only a pivot is known, which bounds the eigenvalues loosely, it has to be well
 * above that. */
#define TN_CLEARLY_REGULAR (TN_CLEAR * TN_FAR * TN_FAR * TN_EPSILON)

/* Most held angles of a step. Each costs one more solve and a row of a dense matrix: with more of them the general
 * iteration takes the step. */
enum { TN_PIN_ROWS = 2, TN_ACROSS_ROWS = 3, TN_BAR_STRIDE = 4, TN_LINKAGE_HELD = 4 };

/* A body, in axes of the plane: two in it and the normal. The body's own two axes are perpendicular to the normal, too.
 * Vectors of the plane are (x, y, about the normal, 0). */
typedef struct tn_bar {
    /* read in every pass: of the trial, */
    double f[4];                 /* N, N m; divided by beta' in a correction */
    double d[4];                 /* m, rad: H^-1 f */
    double inverse[4];           /* of H; 0: the body is fixed */
    double u[4], udot[4], dq[4]; /* dq: the increment of the pose, per second over the step */
    tn_v2 x;                     /* m, centre of mass */
    tn_v2 half, axis;            /* cosine and sine of half the angle, and of the angle */
    /* of the start of the step, */
    tn_v2 x_before, half_before;
    /* and of the model */
    double inertia[4], by_inertia[4]; /* (m, m, J, 0) and their inverses */
    /* read at the start and the end of a step only */
    double S;           /* kg m^2, stiffness of the hinges' forces */
    double z;           /* m, along the normal */
    double base[4];     /* the part of a+ that is constant within the step */
    double u_before[4]; /* of the start */
    double gyration;    /* m^2, the largest moment of inertia by the mass */
    tn_vec3 normal;     /* in the body */
    int64_t at;         /* offset in velocities */
    int32_t body;       /* -1: ground */
    bool stands;
    /* With half = (c, s) the orientation is the quaternion c turn[0] + s turn[1]; the other two vectors span the
     * quaternions that no pose has. */
    double turn[2][4], turned[4][4]; /* turned: all four, component by component */
    tn_v2 off;                       /* kg m^2: products of inertia with the normal */
} tn_bar;

/* Four numbers of a bar as one vector. */
#define TN_BAR(p)    (*(const tn_v4 *)(const void *)(p))
#define TN_BAR_AT(p) (*(tn_v4 *)(void *)(p))

typedef struct tn_linkage_pin {
    /* read in every pass: of the trial, */
    tn_v2 arm_a, arm_b; /* m, from the centres of mass */
    tn_v2 force;        /* N, on body a */
    tn_v2 error;        /* m */
    /* and of the model */
    tn_v2 at_a, at_b; /* m, in axes of the bars */
    int32_t a, b;     /* bars */
    int32_t joint;
    int32_t coupling; /* its block of the matrix across the plane; -1: one of the bodies is fixed */
    /* read at the prediction and at the end */
    double side;          /* 1: its z is the normal; -1: the opposite */
    int64_t y;            /* offset in row vectors */
    tn_v2 axis_a, axis_b; /* x of C in a, of D in b */
    double z_a, z_b;      /* m, arms along the normal */
    /* where there are loads across the plane: x of G, the three multipliers across, N, N m, and 1 / A: of the force
     * along the normal; of the moments about x and y of G, their mean and half their difference */
    tn_v2 axis;
    double across[4];
    double yield_force, yield_mean, yield_half;
} tn_linkage_pin;

/* An angle of a pin that is held, by a moment about the normal, with the sign of the pin's own axis. */
typedef struct tn_linkage_held {
    tn_v2 target;  /* cosine and sine of the angle at the end of the step */
    double moment; /* N m, on body a */
    double error;  /* rad, of the trial */
    double more;   /* N m / beta': the correction of the moment */
    /* [pin_count][2] response of the pins' forces to the moment: (G H^-1 G^T)^-1 G H^-1 D^T */
    double *column;
    int32_t pin;
} tn_linkage_held;

/* Results of a step that its verification needs. */
typedef struct tn_linkage_results {
    tn_loop_step_results of;
    double worst; /* m, rad: of the worst joint */
} tn_linkage_results;

typedef struct tn_linkage {
    tn_bar *bars; /* [bar_count + standing_count] moving ones first, in the order of `across` */
    tn_linkage_pin *pins; /* [pin_count] in the order of along */
    tn_pairs pairs;       /* pairs of pins that share a moving bar */
    tn_tiles tiles;       /* of pins in the order of along, and of their bars */
    tn_spd along, across;
    /* [pin_count][2], the same, [bar_count][4]: right-hand sides and solutions */
    double *y, *once, *load;
    /* [bar_count][4] N, N m: residual forces along the normal and moments across the plane */
    double *lack;
    double mass;        /* kg, of all that moves */
    double pivot;       /* the smallest of the pins, relative to the scale, in this step */
    double forces;      /* of the pins, in the metric of the masses, where rows may be weak */
    double least_pivot; /* below it the general iteration takes the step */
    bool wide;          /* this machine runs the AVX2 copies of the passes (same bits) */
    /* Centres of mass and hinges are at one height, and the normal is a principal axis of all bodies: without
     * gravity there are no loads across the plane. */
    bool level;
    bool some_rest;   /* a bar rested at the start of the step, which was therefore not tried */
    bool has_rhs;     /* `once` is the right-hand side of the pins' next solve */
    bool has_results; /* the trial has been written back and its results computed: */
    tn_linkage_results results;
    int32_t bar_count, standing_count, pin_count;
    /* of the last step that ended: after as many, results are computed during the iteration */
    int32_t corrections;
    tn_linkage_held held[TN_LINKAGE_HELD]; /* [held_count] of this step */
    int32_t held_count;
    double *columns; /* the arrays of tn_linkage_held.column */
    double held_matrix[TN_LINKAGE_HELD]
                      [TN_LINKAGE_HELD]; /* factored: L, and the inverse pivots on the diagonal */
    tn_vec3 e[3];                        /* axes of the plane and its normal, in the world */
} tn_linkage;

/* Pins a tile: with their bars, blocks and all that a step reads and writes they take about 2 kB each, so that a
 * second-level cache of 256 kB holds a tile from stage to stage; with 192 and 512 pins steps take up to 1.02 and
 * 1.03 times as long. */
enum { TN_LINKAGE_TILE = 64 };
/* linkage_model.c: divides the pins, which are in order, into tiles of this many. */
tn_status tn_linkage_make_tiles(tn_linkage *linkage, int32_t size);

/* NULL in *out: the model is no such linkage. */
tn_status tn_linkage_create(const tn_model *model, tn_linkage **out);
void tn_linkage_destroy(tn_linkage *linkage);

/* linkage_step.c: can a step of h seconds go from one state to another (tn_method.shares_start)? */
bool tn_linkage_goes_on(const tn_sim *sim, double h);
/* The step, which starts at tn_alpha_work.from; false: the general iteration is to take it from there. */
bool tn_linkage_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

/* linkage_held.c: finds the angles that are held in this step; false: something else acts, or there are too many. */
bool tn_linkage_hold(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage);
/* After the iteration: writes their moments and errors back to the state and the system. */
void tn_linkage_show_held(tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage);

/* linkage_iterate.c: Newton's iteration, from the start that tn_linkage_step has prepared; false: it does not
 * converge, or bars have left the plane. */
bool tn_linkage_iterate(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                        tn_step_report *report);

/* linkage_rows.c: after it: is it certain that no force depends on weak rows? For loops that are weak only because
 * they are long, E is made finer, as in motion/closing/purge.h. */
bool tn_linkage_rows_are_clear(tn_sim *sim, tn_linkage *linkage, tn_step_report *report);

/* linkage_show.c: after it: writes everything back, and computes the results for the verification. */
tn_linkage_results tn_linkage_finish(const tn_sim *sim, const tn_alpha *c,
                                     const tn_linkage *linkage);

/* linkage_across.c: sets the multipliers of the pins across the plane; false: the matrix is not definite enough. */
bool tn_linkage_bear(const tn_sim *sim, tn_linkage *linkage);
/* Are there loads across the plane? */
bool tn_linkage_is_loaded(const tn_sim *sim, const tn_linkage *linkage);

static inline tn_v2 bar_in_plane(const tn_linkage *linkage, tn_vec3 v)
{
    return (tn_v2){v3_dot(linkage->e[0], v), v3_dot(linkage->e[1], v)};
}

static inline tn_vec3 bar_in_space(const tn_linkage *linkage, tn_v2 v, double z)
{
    return v3_axpy(v3_axpy(v3_scale(z, linkage->e[2]), v[0], linkage->e[0]), v[1], linkage->e[1]);
}

/* The axis of an angle from that of half the angle. */
static inline tn_v2 bar_double(tn_v2 half)
{
    const double c = half[0], s = half[1];
    return (tn_v2){c * c - s * s, 2.0 * c * s};
}

static inline double p2_dot(tn_v2 a, tn_v2 b)
{
    return a[0] * b[0] + a[1] * b[1];
}

#endif
