/* kkt_impl.h: the insides of the symbolic object and of the factor. Room sparse, private.
 *
 * Factor storage. Column k (node k in elimination order, dimension d) is contiguous: first the
 * upper part of its pivot block, then one block per later node r it couples to, d rows of stride
 * s(dim r), where s(n) is n rounded up to even (whole SSE2 registers; the padding stays zero). Row
 * j of a pivot block starts at column j rounded down to even (tn_upper). Offsets and strides come from the rows
 * that are active now (panels.c). The columns of a front are stored as one column: one block of pivots, and one
 * block of the coupling to later nodes, in rows that run through all these nodes (sparse/front/front.h).
 *
 *     pivot block: row j holds 1/p_j at j and, right of it, row j of the unit upper L^T
 *     block (k, r): U = P^-1 L^-1 A_kr, rows j of L^T again
 *                   (columns in condensed form, TN_FOLDED: A_kk^-1 A_kr)
 *
 * that is, scalar LDL^T with signed pivots p_j (primal > 0, dual < 0).
 */
#ifndef TN_SPARSE_KKT_IMPL_H
#define TN_SPARSE_KKT_IMPL_H

#include "sparse/front/front.h"
#include "sparse/kkt.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the matrix entry of an off-diagonal block comes from. Plain: the source has the column
 * node's rows; transposed: it has the column node's columns. */
typedef enum tn_source_kind { TN_SOURCE_FILL, TN_SOURCE_G, TN_SOURCE_G_TRANSPOSED } tn_source_kind;

/* One off-diagonal block of the factor. */
typedef struct tn_kkt_row {
    int64_t block; /* offset in the factor */
    int32_t node;  /* elimination position of the later node */
    uint8_t kind;  /* tn_source_kind */
    bool first;    /* no earlier column touches that node */
    bool opens;    /* nor its panel; it is filled in now */
} tn_kkt_row;

/* One node, in elimination order. Small on purpose: the sweeps of a solve stream these. */
typedef struct tn_kkt_node {
    int64_t diagonal; /* offset of the pivot block in the factor */
    int32_t row;      /* first of its tn_kkt_row; the next node's row ends them */
    int32_t vector;   /* offset in u (primal) or y (dual) */
    int32_t work;     /* offset in the padded work vector */
    int32_t index;    /* primal or dual index of the caller */
    int16_t size;     /* dimension or row capacity */
    bool dual;
    bool untouched; /* no earlier column touches it */
    bool opens;     /* nor its panel, whose first one it is: it is filled in at its own turn */
    bool front;     /* it is in one */
    /* Of the first node of a panel (panels.c) how many it has, of the others how many come before, negative; 1: it
     * is alone. */
    int16_t panel;
} tn_kkt_node;

/* A panel whose rows are dense, with the rows that are active. */
typedef struct tn_kkt_front {
    int64_t pivots, rest; /* offsets in the factor */
    int32_t depth;        /* rows */
    int32_t stride;       /* of the rest */
    int32_t later;        /* first of its tn_kkt_later; the next front's ends them */
} tn_kkt_front;

/* A node of the rest of a front, as the sweeps of a solve need it. */
typedef struct tn_kkt_later {
    int32_t work; /* as of the node */
    int16_t size; /* active */
    bool first;   /* as of the row */
} tn_kkt_later;

struct tn_kkt {
    tn_kkt_layout layout;
    tn_kkt_node *node; /* n_order + 1 */
    tn_kkt_row *row;
    int64_t *source;        /* per row: offset in values->g */
    int32_t *dual_position; /* per dual: elimination position, -1 when absent */
    int64_t work_size;      /* doubles of the padded work vector */
    int64_t widest;         /* doubles of the largest set of blocks of one column */
    int64_t panel_doubles;  /* and of that of the rest of a front */
    int32_t widest_rest;    /* its most columns */
    int32_t most_rest;      /* and nodes */
    int32_t n_later;        /* nodes of all rests */
    int32_t n_fronts;
    int32_t *front_of; /* by elimination position; -1: in none */
    /* owned storage behind the layout's pointers */
    int32_t *primal_dim, *dual_cap, *dual_start, *dual_primal, *pair_primal, *order;
    int64_t *u_offset, *y_offset, *h_offset, *g_offset, *pair_offset;
};

/* How far a refined solve from zero has come (refine.c); the iterate is best_u, best_l of the factor. */
typedef struct tn_kkt_course {
    double reach, tolerance; /* of its options; the residual is so small */
    double energy;           /* of the last direction; 0: no direction yet */
    bool gradients;
    int32_t passes;
} tn_kkt_course;

/* kept.c: of many numbers. */
typedef struct tn_kkt_sum {
    uint64_t part[4];
} tn_kkt_sum;

typedef struct tn_kkt_kept {
    bool factored; /* the factor is that of: */
    tn_kkt_sum values;
    int32_t *rows; /* [n_dual] */
    bool solved;   /* and this is how far it has come with: */
    tn_kkt_sum sides;
    tn_kkt_course course;
} tn_kkt_kept;

struct tn_kkt_factor {
    tn_kkt_node *node; /* those of the analysis, with blocks where they are in this factor */
    tn_kkt_row *row;
    double *block; /* factor_doubles */
    int16_t *size; /* active dimension by elimination position */
    /* TN_SHAPE or TN_FOLDED of a node with one later neighbour that has rows, else 0. */
    int16_t *shape;
    double *work;            /* padded vector in elimination order */
    double *unscaled;        /* P U of the blocks of one column */
    double *panel;           /* [panel_doubles] P U of the rest of a front (factor/fronts.h) */
    double *gather;          /* [widest_rest] what a front pushes to, or pulls */
    tn_kkt_front *front;     /* [n_fronts + 1] */
    tn_kkt_later *later;     /* [n_later] */
    const int32_t *front_of; /* that of the analysis */
    int16_t *place;          /* by elimination position: first row of the node in its front */
    struct tn_run *run;      /* [most_rest] of factor/fronts.h */
    const tn_front_kernel *kernel;
    double *h_scale; /* u_size: H_ii, made positive: scale of the residuals */
    /* refinement: layout of u (ru, *_u, *_b) or of y */
    double *ru, *rl, *best_u, *best_l;
    double *direction_u, *direction_l, *product;
    tn_kkt_kept *kept; /* NULL: there is no room */
    double smallest_pivot;
    int32_t smallest_dual;
    bool wide; /* this machine runs the AVX2 copies of the kernels (same bits) */
};

/* solve.c: what a solve goes through. */
typedef struct tn_sweep {
    const tn_kkt_node *node;
    const tn_kkt_row *row;
    const double *block; /* these of the factor */
    double *work, *gather;
    const int16_t *size, *shape;
    const tn_kkt_front *front;
    const tn_kkt_later *later;
    const int32_t *front_of;
    const tn_front_kernel *kernel;
    int32_t n;
    double *vector[2]; /* the caller's u and y, by tn_kkt_node.dual */
    bool prefetch;     /* the factor is larger than the cache */
    bool far;          /* and that of a net, whose nodes the caller has in another order */
    /* The first half of the solve of node k, or of the panel that begins there: of the machine's kind. */
    void (*forward)(const struct tn_sweep *sweep, int32_t k);
} tn_sweep;
tn_sweep tn_sweep_of(const tn_kkt *kkt, tn_kkt_factor *factor, double *u, double *y);

/* A factor of this size stays in the cache between the sweeps. */
#define TN_CACHED_DOUBLES 100000

/* Columns to ask for in advance; a chain's column is about half a kilobyte. */
#define TN_PREFETCH_NODES 8

/* Numbers in a line of the cache. */
enum { TN_LINE_DOUBLES = 8 };

static inline int32_t tn_stride(int32_t n)
{
    return (n + 1) & ~1;
}

/* Dimension and stride of a block as one number. */
#define TN_SHAPE(d, s) ((d)*16 + (s))

/* Shape of a column in condensed form, whose block is A_kk^-1 A_kr = L^-T U. A solve then waits for one
 * product per column, where L^-1 and L^-T cost one per row. Used for planar bodies and rows of two, outside
 * loops. Inside loops E alone may keep A_kk regular, and plain columns have smaller errors. */
#define TN_FOLDED(d, s) (0x100 + TN_SHAPE(d, s))

/* Doubles of the pivot block of a node of size d. */
static inline int32_t tn_upper_doubles(int32_t d)
{
    return tn_upper(d, tn_stride(d)) + (d & ~1);
}

/* Columns of the rest of a front that lie side by side in a later one, or in a later column. */
typedef struct tn_run {
    double *at; /* where the first one is in the later one's first row */
    int32_t stride;
    int32_t from, columns;
} tn_run;

/* The first node of the panel of node k. */
static inline int32_t tn_panel_head(const tn_kkt_node *node, int32_t k)
{
    return node[k].panel > 0 ? k : k + node[k].panel;
}

/* The first row of node k, with which a panel begins, that is of a node below the panel. */
static inline int32_t tn_rest_begin(const tn_kkt_node *node, int32_t k)
{
    return node[k].row + node[k].panel - 1;
}

/* panels.c: once columns and rows are placed. */
tn_status tn_kkt_find_panels(tn_kkt *kkt);
/* Blocks go where they take no more room than the rows that are active, factor->size. */
void tn_kkt_place_blocks(const tn_kkt *kkt, tn_kkt_factor *factor);

/* kept.c: the factor is about to be another. */
void tn_kkt_forget(tn_kkt_factor *factor);
void tn_kkt_free_kept(tn_kkt_factor *factor);
/* How far a solve from zero has come, with the factor that is kept if one is; and where did one with these
 * right-hand sides come to? */
bool tn_kkt_keeps(const tn_kkt_factor *factor);
void tn_kkt_keep_solution(const tn_kkt *kkt, const double *b, const double *g,
                          const tn_kkt_course *course, tn_kkt_factor *factor);
void tn_kkt_forget_solution(tn_kkt_factor *factor);
bool tn_kkt_was_solved(const tn_kkt *kkt, const double *b, const double *g,
                       const tn_kkt_factor *factor, tn_kkt_course *course);

/* The second half of a solve whose first is in the work vector. */
void tn_kkt_solve_backward(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout,
                           double *y_inout);

/* w = G u + R lambda on active rows. */
void tn_kkt_apply_s(const tn_kkt *kkt, const tn_kkt_values *values, const double *u,
                    const double *lambda, double *w);

#endif
