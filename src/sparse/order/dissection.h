/* dissection.h: nested dissection, the order of nets. Room sparse/order. */
#ifndef TN_SPARSE_ORDER_DISSECTION_H
#define TN_SPARSE_ORDER_DISSECTION_H

#include "sparse/order/ordering.h"

/* order[p] = node eliminated p-th, gated nodes after all of their neighbours. Deterministic. */
tn_status tn_order_dissect(const tn_order_graph *graph, int32_t *order);

#endif
