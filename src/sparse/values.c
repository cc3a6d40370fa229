/* values.c: storage for the numbers of a system and for its factor.
 *
 * Room sparse. Everything that factor, solve and refinement need later is allocated here.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"
#include "sparse/dense.h"

#include <math.h>
#include <string.h>

tn_status tn_kkt_values_create(const tn_kkt *kkt, tn_kkt_values **out)
{
    const tn_kkt_layout *l = &kkt->layout;
    tn_kkt_values *values = TN_NEW(tn_kkt_values);
    *out = NULL;
    if (values == NULL) {
        return TN_ERROR_MEMORY;
    }
    *values = (tn_kkt_values){.h = TN_NEW_ARRAY(double, l->h_size),
                              .g = TN_NEW_ARRAY(double, l->g_size),
                              .r = TN_NEW_ARRAY(double, l->y_size),
                              .e = TN_NEW_ARRAY(double, l->y_size),
                              .a = TN_NEW_ARRAY(double, l->y_size),
                              .delta = TN_NEW_ARRAY(double, l->u_size),
                              .rows = TN_NEW_ARRAY(int32_t, l->n_dual)};
    if (values->h == NULL || values->g == NULL || values->r == NULL || values->e == NULL ||
        values->a == NULL || values->delta == NULL || values->rows == NULL) {
        tn_kkt_values_destroy(values);
        return TN_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < l->n_dual; k++) {
        values->rows[k] = l->dual_cap[k];
    }
    *out = values;
    return TN_OK;
}

void tn_kkt_values_destroy(tn_kkt_values *values)
{
    if (values == NULL) {
        return;
    }
    tn_free(values->h);
    tn_free(values->g);
    tn_free(values->r);
    tn_free(values->e);
    tn_free(values->a);
    tn_free(values->delta);
    tn_free(values->rows);
    tn_free(values);
}

void tn_kkt_clear_pairs(const tn_kkt *kkt, tn_kkt_values *values)
{
    const tn_kkt_layout *l = &kkt->layout;
    if (l->n_pair > 0) {
        memset(values->g + l->pair_start, 0, sizeof(double) * (size_t)(l->g_size - l->pair_start));
    }
}

#define TN_FACTOR_ARRAYS 21

static void list_arrays(const tn_kkt_factor *f, void *arrays[TN_FACTOR_ARRAYS])
{
    void *all[TN_FACTOR_ARRAYS] = {
        f->block,  f->size,   f->work,    f->unscaled,    f->h_scale,     f->ru,    f->rl,
        f->best_u, f->best_l, f->product, f->direction_u, f->direction_l, f->shape, f->panel,
        f->node,   f->row,    f->gather,  f->front,       f->place,       f->run,   f->later};
    memcpy(arrays, all, sizeof all);
}

tn_status tn_kkt_factor_create(const tn_kkt *kkt, tn_kkt_factor **out)
{
    const tn_kkt_layout *l = &kkt->layout;
    tn_kkt_factor *factor = TN_NEW(tn_kkt_factor);
    *out = NULL;
    if (factor == NULL) {
        return TN_ERROR_MEMORY;
    }
    *factor = (tn_kkt_factor){.node = TN_NEW_ARRAY(tn_kkt_node, l->n_order + 1),
                              .row = TN_NEW_ARRAY(tn_kkt_row, l->factor_blocks),
                              .block = TN_NEW_ARRAY(double, l->factor_doubles + TN_FRONT_SLACK),
                              .size = TN_NEW_ARRAY(int16_t, l->n_order),
                              .shape = TN_NEW_ARRAY(int16_t, l->n_order),
                              .work = TN_NEW_ARRAY(double, kkt->work_size),
                              .unscaled = TN_NEW_ARRAY(double, kkt->widest),
                              .panel = TN_NEW_ARRAY(double, kkt->panel_doubles),
                              .gather = TN_NEW_ARRAY(double, kkt->widest_rest),
                              .front = TN_NEW_ARRAY(tn_kkt_front, kkt->n_fronts + 1),
                              .later = TN_NEW_ARRAY(tn_kkt_later, kkt->n_later),
                              .front_of = kkt->front_of,
                              .place = TN_NEW_ARRAY(int16_t, l->n_order),
                              .run = TN_NEW_ARRAY(tn_run, kkt->most_rest),
                              .kernel = tn_front_kernel_of(TN_FRONT_SLACK),
                              .h_scale = TN_NEW_ARRAY(double, l->u_size),
                              .ru = TN_NEW_ARRAY(double, l->u_size),
                              .rl = TN_NEW_ARRAY(double, l->y_size),
                              .best_u = TN_NEW_ARRAY(double, l->u_size),
                              .best_l = TN_NEW_ARRAY(double, l->y_size),
                              .direction_u = TN_NEW_ARRAY(double, l->u_size),
                              .direction_l = TN_NEW_ARRAY(double, l->y_size),
                              .product = TN_NEW_ARRAY(double, l->y_size),
                              .smallest_dual = -1,
                              .wide = tn_wide_lanes()};
    void *arrays[TN_FACTOR_ARRAYS];
    list_arrays(factor, arrays);
    for (size_t k = 0; k < TN_FACTOR_ARRAYS; k++) {
        if (arrays[k] == NULL) {
            tn_kkt_factor_destroy(factor);
            return TN_ERROR_MEMORY;
        }
    }
    memcpy(factor->node, kkt->node, (size_t)(l->n_order + 1) * sizeof *factor->node);
    memcpy(factor->row, kkt->row, (size_t)l->factor_blocks * sizeof *factor->row);
    tn_kkt_place_blocks(kkt, factor);
    *out = factor;
    return TN_OK;
}

void tn_kkt_factor_destroy(tn_kkt_factor *factor)
{
    if (factor == NULL) {
        return;
    }
    void *arrays[TN_FACTOR_ARRAYS];
    list_arrays(factor, arrays);
    for (size_t k = 0; k < TN_FACTOR_ARRAYS; k++) {
        tn_free(arrays[k]);
    }
    tn_kkt_free_kept(factor);
    tn_free(factor);
}

void tn_kkt_factor_swap(tn_kkt_factor *a, tn_kkt_factor *b)
{
    const tn_kkt_factor of_a = *a;
    *a = *b;
    *b = of_a;
}

double tn_kkt_smallest_pivot(const tn_kkt_factor *factor, int32_t *dual)
{
    if (dual != NULL) {
        *dual = factor->smallest_dual;
    }
    return factor->smallest_pivot;
}

int32_t tn_kkt_count_pivots(const tn_kkt *kkt, const tn_kkt_values *values,
                            const tn_kkt_factor *factor, double bound)
{
    int32_t count = 0;
    for (int32_t k = 0; k < kkt->layout.n_order; k++) {
        const tn_kkt_node *node = &factor->node[k];
        const double *block = factor->block + node->diagonal;
        const int32_t d = node->dual ? factor->size[k] : 0;
        const int32_t first = node->front ? factor->place[k] : 0;
        const int32_t s = tn_stride(node->front ? factor->front[kkt->front_of[k]].depth : d);
        for (int32_t j = 0; j < d; j++) {
            const double size = values->a[node->vector + j] + values->r[node->vector + j];
            const double inverse = -block[tn_upper(first + j, s) + first +
                                          j]; /* see check_pivots of factor/columns.h */
            count += bound * size * inverse > 1.0;
        }
    }
    return count;
}
