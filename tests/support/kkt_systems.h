/* kkt_systems.h: builds KKT systems for tests, with their dense counterparts.
 *
 * A pattern is built body by body and joint by joint, then filled with random numbers from a seed.
 */
#ifndef KKT_SYSTEMS_H
#define KKT_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sparse/kkt.h"

typedef struct kkt_system {
    int32_t n_primal, n_dual, n_incidence;
    int32_t *primal_dim, *dual_cap, *dual_start, *dual_primal;
    int32_t capacity;
    tn_kkt *kkt;
    tn_kkt_values *values;
    tn_kkt_factor *factor;
    const tn_kkt_layout *l;
    double *b, *g;      /* right-hand side */
    double *u, *lambda; /* solution */
    double *ru, *rl;    /* scratch */
    uint64_t seed;
} kkt_system;

/* 0 <= x < 1, and -1 <= x < 1; deterministic. */
double kkt_uniform(kkt_system *s);
double kkt_random(kkt_system *s);
/* 0 .. n-1 */
int32_t kkt_pick(kkt_system *s, int32_t n);

kkt_system *kkt_system_new(uint64_t seed);
void kkt_system_free(kkt_system *s);
int32_t kkt_add_body(kkt_system *s, int32_t dim);
/* count primals follow. Returns the dual. */
int32_t kkt_add_joint(kkt_system *s, int32_t cap, const int32_t *primals, int32_t count);
/* A joint between two bodies; b < 0 is ground. */
int32_t kkt_add_pair(kkt_system *s, int32_t cap, int32_t a, int32_t b);

tn_kkt_pattern kkt_pattern_of(const kkt_system *s);
/* Analysis and storage; aborts the test on failure. */
void kkt_build(kkt_system *s);

/* Random symmetric positive definite H, random G, R on a share of the rows. */
void kkt_fill_random(kkt_system *s, double share_compliant);
/* Row r of a dual := random combination of other active rows of duals on the same primals. Returns
 * false when there is none. */
bool kkt_repeat_row(kkt_system *s, int32_t dual, int32_t row, int32_t other);
/* a_i = G_i (H + delta)^-1 G_i^T by the diagonal blocks of H, 1 for rows of zeros, and e_i = eps
 * a_i of all active rows. */
void kkt_scale_rows(kkt_system *s, double eps);
/* b, g of a random solution, so that the system is consistent whatever its rank. */
void kkt_consistent_rhs(kkt_system *s);

/* Number of unknowns u plus active rows; index of y row r of dual k in the dense system. */
int32_t kkt_dense_size(const kkt_system *s);
/* Active rows in order: position in the layout of y. Returns the count. */
int32_t kkt_active_rows(const kkt_system *s, int64_t *position);
/* Column-major dense H (nu x nu), G (m x nu). */
void kkt_dense_h(const kkt_system *s, double *h);
void kkt_dense_g(const kkt_system *s, double *g);

/* A random mechanism of one of the families. */
typedef enum kkt_family {
    KKT_CHAIN,
    KKT_TREE,
    KKT_LOOPS,
    KKT_RING,
    KKT_HUB,
    KKT_GRID,
    KKT_FOREST,
    KKT_COUPLED,
    KKT_FAMILIES
} kkt_family;
kkt_system *kkt_random_mechanism(kkt_family family, int32_t bodies, uint64_t seed);

#endif
