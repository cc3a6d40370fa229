/* ordering.h: weighted minimum-degree elimination order with gates. Room sparse/order.
 *
 * In: the graph of a matrix, as lists of neighbours. Out: an order of elimination with little
 * fill. Knows no numbers.
 */
#ifndef TN_SPARSE_ORDER_ORDERING_H
#define TN_SPARSE_ORDER_ORDERING_H

#include <stdbool.h>
#include <stdint.h>

#include "tenon/status.h"

/* A symmetric graph in compressed rows, no self loops, no duplicates. weight[i] > 0 is the scalar
 * size of node i. A node with wait[i] > 0 is gated: it may be eliminated only after a neighbour of
 * weight >= enough[i] was, or after wait[i] neighbours that are not gated themselves were; if
 * key[i]
 * >= 0, only after that neighbour was, which must not be gated. */
typedef struct tn_order_graph {
    int32_t n;
    const int64_t *start; /* n + 1 */
    const int32_t *neighbour;
    const int32_t *weight;
    const int32_t *wait;
    const int32_t *enough;
    const int32_t *key;
} tn_order_graph;

/* order[p] = node eliminated p-th. Deterministic. */
tn_status tn_order_minimum_degree(const tn_order_graph *graph, int32_t *order);

#endif
