/* pinned.h: room method/pinned: steps of trees of planar bodies on pins (hinges, ball joints) without drives.
 *
 * Equations, predictions and ends are those of alpha_residual.c and alpha_plane_pass.c in world axes. The unknowns
 * are poses and forces too, not the angles alone: the length of a taut chain depends on the sum of the squares of
 * its angles, so that errors of a first correction in angles would strain a long one. The matrix is that of each
 * trial pose, with the stiffness of the forces, so that Newton's iteration converges quadratically.
 *
 * A tree is eliminated inward with two quantities a pin. If the pin moves by p, the force of all that hangs on it
 * changes by A p + b. With d the increment of a body, t its turn, a its arm to the pin rotated by a right angle, s
 * the same for the vector from its pin to an outer pin (c), e the opening of a pin, and f, n the residual force and
 * moment of a body, all divided by beta':
 *     d = p - t a,    p_c = p + t s_c - e_c,
 *     t = w - g . p,    D = J + S + m a.a + sum s_c . A_c s_c,    g = (sum A_c s_c - m a) / D,
 *     M = n - a . f - sum s_c . (b_c - A_c e_c),    w = M / D,
 *     A = m + sum A_c - D g g^T,    b = sum (b_c - A_c e_c) - f + M g.
 * A floating root has p from A p + b = 0. Reports count these as back-solves, since the KKT matrix is not factorized.
 *
 * In: a state of such a tree, and h. Out: the state h later, or TN_PINNED_ELSEWHERE: another iteration is to take the
 * step.
 */
#ifndef TN_METHOD_PINNED_PINNED_H
#define TN_METHOD_PINNED_PINNED_H

#include "method/alpha/alpha_plane.h"

/* The data of a body and of the pin to its inner body. Vectors in world axes unless noted; forces are divided by beta'.
 * Vectors come first, so that none crosses a cache line. */
typedef struct tn_pinned_link {
    /* of the trial */
    tn_v2 axis;      /* its own x axis */
    tn_v2 arm, base; /* m, to the pin from the centres of mass of the body and of the inner one */
    tn_v2 error;     /* m, opening of the pin */
    tn_v2 force;     /* kg m, of the pin on the body */
    tn_v2 lag;       /* m, udot / beta' */
    tn_v2 f;         /* kg m, residual force */
    tn_v2 n;         /* kg m^2: stiffness of the pins' forces; residual moment */
    /* of the solve */
    tn_v2 p;    /* m */
    tn_v2 span; /* m: s */
    tn_v2 g;    /* 1/m */
    tn_v2 A[2]; /* kg, columns */
    tn_v2 b;    /* kg m */
    /* of the start of the step, and of the model */
    tn_v2 x_drift; /* m, position without the contribution of udot */
    tn_v2 half_before;
    tn_v2 at,
        inner_at; /* m, the pin, in axes of the body and of the inner one; of ground in the world */
    tn_v2 by_mass, by_inertia;       /* 1/kg; 0 and 1/(kg m^2) */
    double lag_turn;                 /* rad */
    double w, t;                     /* rad, of the solve */
    double drift;                    /* rad, of the start */
    double mass, inertia, about_pin; /* kg; kg m^2, about its centre of mass and about the pin */
    int32_t inner;                   /* link; -1: ground */
    bool floats;                     /* it is a floating root */
    bool ends;                       /* no body hangs on it */
    bool passes;                     /* the next link hangs on it, and no other body */
    bool last;                       /* it is the last of those that hang on the inner one */
} tn_pinned_link;

/* The body and its pin in the model. */
typedef struct tn_pinned_place {
    tn_v2 axis_a, axis_b;     /* x of C in a, of D in b */
    double z_a, z_b;          /* m, the third component of the origins */
    double sign;              /* 1: the body is a of the pin; -1: it is b */
    tn_v2 gap;                /* m, from D to C when a start is prepared */
    int64_t u, y;             /* offsets in velocities and row vectors */
    int32_t body, inner_body; /* inner_body -1: ground */
    int32_t joint;            /* -1: it floats */
    bool is_hinge;
} tn_pinned_place;

/* Sums over the links that hang on a body. */
typedef struct tn_pinned_load {
    tn_v2 A[2]; /* kg, sum of A_c */
    tn_v2 w;    /* kg m, of A_c s_c */
    tn_v2 b;    /* kg m, of b_c - A_c e_c */
    double e;   /* kg m^2, of s_c . A_c s_c */
    double n;   /* kg m^2, of s_c . (b_c - A_c e_c) */
} tn_pinned_load;

struct tn_pinned {
    tn_pinned_link *links;   /* [count] inner ones first */
    tn_pinned_place *places; /* [count] */
    tn_pinned_load *loads;   /* [count] */
    int32_t count;
    bool wide; /* this machine runs the AVX2 copies of the passes (same bits) */
};

/* pinned_model.c: NULL in *out: the model is no such tree. */
tn_status tn_pinned_create(const tn_model *model, tn_pinned **out);
void tn_pinned_destroy(tn_pinned *pinned);

typedef enum tn_pinned_end {
    TN_PINNED_DONE,
    TN_PINNED_ELSEWHERE, /* another iteration is to take the step, from its start */
    TN_PINNED_FAR        /* the prediction is too far off for the matrix of its pose */
} tn_pinned_end;

/* pinned_step.c: is the model such a tree on which nothing acts now? */
bool tn_pinned_serves(const tn_sim *sim);
/* Will the next step, of h seconds, be tried here, given the memory of the method? */
bool tn_pinned_goes_on(const tn_sim *sim, double h);
/* The step, if it can be taken here, from tn_alpha_work.from; the result is complete (a+, rates, errors). */
tn_pinned_end tn_pinned_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

/* The coefficients of the method for a step. */
typedef struct tn_pinned_rule {
    double h, by_beta, beta, gamma;
    double coast_udot, coast_acc; /* of the part of a+ that is constant within the step */
    double drift_acc, drift_coast;
    double u_acc, u_coast;
    double keep; /* share of the new udot in a+ */
} tn_pinned_rule;

static inline tn_pinned_rule tn_pinned_rule_of(const tn_alpha *c)
{
    const double rest = 1.0 / (1.0 - c->am);
    return (tn_pinned_rule){.h = c->h,
                            .by_beta = 1.0 / c->beta_prime,
                            .beta = c->beta_prime,
                            .gamma = c->gamma_prime,
                            .coast_udot = c->af * rest,
                            .coast_acc = -c->am * rest,
                            .drift_acc = c->h * c->h * (0.5 - c->beta),
                            .drift_coast = c->h * c->h * c->beta,
                            .u_acc = c->h * (1.0 - c->gamma),
                            .u_coast = c->h * c->gamma,
                            .keep = (1.0 - c->af) * rest};
}

/* The part of a+ that is constant within the step. */
#define TN_PINNED_COAST(c, udot, acc) ((c)->coast_udot * (udot) + (c)->coast_acc * (acc))

/* pinned_show.c: writes the result back to the state and the system, and computes what the verification needs: the
 * energy accounting, the errors, and whether all numbers are finite. */
void tn_pinned_show(tn_sim *sim, const tn_pinned_rule *c, tn_step_report *report);

/* pinned_iterate.c: Newton's iteration, from the start that tn_pinned_step has prepared. */
tn_pinned_end tn_pinned_iterate(const tn_sim *sim, const tn_alpha *c, tn_pinned *pinned,
                                tn_step_report *report);

/* pinned_start.c: does tn_alpha_prepare for steps of h seconds, if tn_alpha_change_step will need it and if it is
 * possible here. */
void tn_pinned_prepare(tn_sim *sim, double h, tn_step_report *report);

static inline double pinned_dot(tn_v2 a, tn_v2 b)
{
    const tn_v2 ab = a * b;
    return ab[0] + ab[1];
}

/* The arm to the pin at the present orientation. */
static inline double pinned_about(const tn_pinned_link *k, tn_v2 arm)
{
    return k->inertia + k->mass * pinned_dot(arm, arm);
}

/* The axis of half the angle at the end of the step. */
static inline tn_v2 pinned_half(const tn_pinned_link *k)
{
    const double angle = k->drift + k->lag_turn;
    double cosine, sinc;
    tn_half_angle(0.25 * angle * angle, &cosine, &sinc);
    return p2_turn(k->half_before, (tn_v2){cosine, 0.5 * sinc * angle});
}

static inline tn_v2 pinned_place(const tn_pinned_link *k)
{
    return k->x_drift + k->lag;
}

#endif
