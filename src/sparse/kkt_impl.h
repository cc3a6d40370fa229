/* kkt_impl.h: the contents of the symbolic object and of the factor. Room sparse, private.
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
    bool first;    /* no earlier column updates that node */
    bool opens;    /* nor its panel, which is filled in now */
} tn_kkt_row;

/* One node, in elimination order. Small, because a solve reads all nodes in a row. */
typedef struct tn_kkt_node {
    int64_t diagonal; /* offset of the pivot block in the factor */
    int32_t row;      /* first of its tn_kkt_row; the next node's row ends them */
    int32_t vector;   /* offset in u (primal) or y (dual) */
    int32_t work;     /* offset in the padded work vector */
    int32_t index;    /* primal or dual index of the caller */
    int16_t size;     /* dimension or row capacity */
    bool dual;
    bool untouched; /* no earlier column updates it */
    bool opens; /* nor its panel, of which it is the first: filled in just before its elimination */
    bool front; /* it is in a front */
    /* First node of a panel (panels.c): its number of nodes; others: minus the number of nodes before; 1: a panel
     * of one node. */
    int16_t panel;
} tn_kkt_node;

/* A panel with dense rows; sizes count active rows. */
typedef struct tn_kkt_front {
    int64_t pivots, rest; /* offsets in the factor */
    int32_t depth;        /* rows */
    int32_t stride;       /* of the rest */
    int32_t later;        /* first of its tn_kkt_later; the next front's ends them */
} tn_kkt_front;

/* A node of the rest of a front, as a solve needs it. */
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
    int64_t widest;         /* most doubles in the blocks of one column */
    int64_t panel_doubles;  /* most doubles in the rest of a front */
    int32_t widest_rest;    /* most columns in it */
    int32_t most_rest;      /* most nodes in it */
    int32_t n_later;        /* nodes of all rests together */
    int32_t n_fronts;
    int32_t *front_of; /* by elimination position: index of the front, -1: none */
    /* owned storage behind the layout's pointers */
    int32_t *primal_dim, *dual_cap, *dual_start, *dual_primal, *pair_primal, *order;
    int64_t *u_offset, *y_offset, *h_offset, *g_offset, *pair_offset;
};

/* State of a refined solve from zero (refine.c); the iterate is best_u, best_l of the factor. */
typedef struct tn_kkt_course {
    double reach, tolerance; /* of its options; the tolerance was reached */
    double energy;           /* of the last direction; 0: no direction yet */
    bool gradients;
    int32_t passes;
} tn_kkt_course;

/* kept.c: hash of many numbers. */
typedef struct tn_kkt_sum {
    uint64_t part[4];
} tn_kkt_sum;

typedef struct tn_kkt_kept {
    bool factored; /* the factor is that of these values: */
    tn_kkt_sum values;
    int32_t *rows; /* [n_dual] */
    bool solved;   /* course is that of a solve with these right-hand sides: */
    tn_kkt_sum sides;
    tn_kkt_course course;
} tn_kkt_kept;

struct tn_kkt_factor {
    tn_kkt_node *node; /* those of the analysis, with the places of blocks in this factor */
    tn_kkt_row *row;
    double *block; /* factor_doubles */
    int16_t *size; /* active dimension by elimination position */
    /* TN_SHAPE or TN_FOLDED of a node with one later neighbour that has rows, else 0. */
    int16_t *shape;
    double *work;            /* padded vector in elimination order */
    double *unscaled;        /* P U of the blocks of one column */
    double *panel;           /* [panel_doubles] P U of the rest of a front (factor/fronts.h) */
    double *gather;          /* [widest_rest] entries that a front adds to, or reads */
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

/* solve.c: work data of a solve. */
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
    bool far;          /* and of a net, whose nodes are in another order in the caller's vectors */
    /* Forward half of the solve for node k, or the panel that begins there; compiled for this machine. */
    void (*forward)(const struct tn_sweep *sweep, int32_t k);
} tn_sweep;
tn_sweep tn_sweep_of(const tn_kkt *kkt, tn_kkt_factor *factor, double *u, double *y);

/* A factor of at most this size stays in the cache between the forward and backward half. */
#define TN_CACHED_DOUBLES 100000

/* Columns to prefetch; a chain's column is about half a kilobyte. */
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

/* Columns of the rest of a front that are consecutive in a later front or column. */
typedef struct tn_run {
    double *at; /* place of the first of them in the later one's first row */
    int32_t stride;
    int32_t from, columns;
} tn_run;

/* The first node of the panel of node k. */
static inline int32_t tn_panel_head(const tn_kkt_node *node, int32_t k)
{
    return node[k].panel > 0 ? k : k + node[k].panel;
}

/* Index of the first row, of the first node k of a panel, that belongs to a node after the panel. */
static inline int32_t tn_rest_begin(const tn_kkt_node *node, int32_t k)
{
    return node[k].row + node[k].panel - 1;
}

/* panels.c: to be called when columns and rows have been placed. */
tn_status tn_kkt_find_panels(tn_kkt *kkt);
/* Places the blocks without room for inactive rows, by factor->size. */
void tn_kkt_place_blocks(const tn_kkt *kkt, tn_kkt_factor *factor);

/* kept.c: to be called before the factor changes. */
void tn_kkt_forget(tn_kkt_factor *factor);
void tn_kkt_free_kept(tn_kkt_factor *factor);
/* True if the factor is a noted one; notes the course of a solve from zero with it; returns the course noted for these
 * right-hand sides. */
bool tn_kkt_keeps(const tn_kkt_factor *factor);
void tn_kkt_keep_solution(const tn_kkt *kkt, const double *b, const double *g,
                          const tn_kkt_course *course, tn_kkt_factor *factor);
void tn_kkt_forget_solution(tn_kkt_factor *factor);
bool tn_kkt_was_solved(const tn_kkt *kkt, const double *b, const double *g,
                       const tn_kkt_factor *factor, tn_kkt_course *course);

/* Backward half of a solve whose forward half is in the work vector. */
void tn_kkt_solve_backward(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout,
                           double *y_inout);

/* w = G u + R lambda on active rows. */
void tn_kkt_apply_s(const tn_kkt *kkt, const tn_kkt_values *values, const double *u,
                    const double *lambda, double *w);

#endif
