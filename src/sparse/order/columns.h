/* columns.h: block structure of the factor for a given elimination order. Room sparse/order. */
#ifndef TN_SPARSE_ORDER_COLUMNS_H
#define TN_SPARSE_ORDER_COLUMNS_H

#include "sparse/order/ordering.h"

/* Column p holds the later nodes (positions, ascending) that node order[p] is coupled to in the
 * factor, fill included. */
typedef struct tn_columns {
    int32_t n;
    int32_t *order;    /* position -> node */
    int32_t *position; /* node -> position */
    int64_t *start;    /* n + 1 */
    int32_t *row;
} tn_columns;

/* order is an elimination order of the graph; it is replaced by an equivalent one in which every
 * subtree of the elimination tree is contiguous. */
tn_status tn_columns_build(const tn_order_graph *graph, const int32_t *order, tn_columns *out);
void tn_columns_free(tn_columns *columns);

#endif
