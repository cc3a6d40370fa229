/* kept.c: what a factor was made of, and how far a refined solve with it has come, for who asks for the
 * same again.
 *
 * Room sparse. In: the factor, its values, right-hand sides. Out: whether all are the same, number by
 * number: then factorizing and solving from zero would come to the same bits.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"

#include <string.h>

tn_status tn_kkt_make_room(const tn_kkt *kkt, tn_kkt_factor *factor)
{
    tn_kkt_kept *kept = factor->kept = TN_NEW(tn_kkt_kept);
    if (kept == NULL) {
        return TN_ERROR_MEMORY;
    }
    kept->b = TN_NEW_ARRAY(double, kkt->layout.u_size);
    kept->g = TN_NEW_ARRAY(double, kkt->layout.y_size);
    const tn_status status = tn_kkt_values_create(kkt, &kept->values);
    return kept->b != NULL && kept->g != NULL ? status : TN_ERROR_MEMORY;
}

void tn_kkt_free_kept(tn_kkt_factor *factor)
{
    if (factor->kept == NULL) {
        return;
    }
    tn_kkt_values_destroy(factor->kept->values);
    tn_free(factor->kept->b);
    tn_free(factor->kept->g);
    tn_free(factor->kept);
}

void tn_kkt_forget(tn_kkt_factor *factor)
{
    if (factor->kept != NULL) {
        factor->kept->factored = factor->kept->solved = false;
    }
}

bool tn_kkt_keeps(const tn_kkt_factor *factor)
{
    return factor->kept != NULL && factor->kept->factored;
}

static void copy(double *to, const double *from, int64_t n)
{
    memcpy(to, from, (size_t)n * sizeof(double));
}

static bool same(const double *a, const double *b, int64_t n)
{
    return memcmp(a, b, (size_t)n * sizeof(double)) == 0;
}

void tn_kkt_keep(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor)
{
    const tn_kkt_layout *l = &kkt->layout;
    if (factor->kept == NULL) {
        return;
    }
    const tn_kkt_values *own = factor->kept->values;
    copy(own->h, values->h, l->h_size);
    copy(own->g, values->g, l->g_size);
    copy(own->r, values->r, l->y_size);
    copy(own->e, values->e, l->y_size);
    copy(own->a, values->a, l->y_size);
    copy(own->delta, values->delta, l->u_size);
    memcpy(own->rows, values->rows, (size_t)l->n_dual * sizeof *own->rows);
    factor->kept->factored = true;
    factor->kept->solved = false;
}

bool tn_kkt_is_kept(const tn_kkt *kkt, const tn_kkt_values *values, const tn_kkt_factor *factor)
{
    const tn_kkt_layout *l = &kkt->layout;
    if (!tn_kkt_keeps(factor)) {
        return false;
    }
    const tn_kkt_values *own = factor->kept->values;
    return memcmp(own->rows, values->rows, (size_t)l->n_dual * sizeof *own->rows) == 0 &&
           same(own->e, values->e, l->y_size) && same(own->r, values->r, l->y_size) &&
           same(own->a, values->a, l->y_size) && same(own->delta, values->delta, l->u_size) &&
           same(own->h, values->h, l->h_size) && same(own->g, values->g, l->g_size);
}

void tn_kkt_keep_solution(const tn_kkt *kkt, const double *b, const double *g,
                          const tn_kkt_course *course, tn_kkt_factor *factor)
{
    tn_kkt_kept *kept = factor->kept;
    copy(kept->b, b, kkt->layout.u_size);
    copy(kept->g, g, kkt->layout.y_size);
    kept->course = *course;
    kept->solved = true;
}

void tn_kkt_forget_solution(tn_kkt_factor *factor)
{
    if (factor->kept != NULL) {
        factor->kept->solved = false;
    }
}

/* Of active rows: the others are anything. */
static bool same_rows(const tn_kkt *kkt, const int32_t *rows, const double *a, const double *b)
{
    for (int32_t k = 0; k < kkt->layout.n_dual; k++) {
        const int64_t at = kkt->layout.y_offset[k];
        if (!same(a + at, b + at, rows[k])) {
            return false;
        }
    }
    return true;
}

bool tn_kkt_was_solved(const tn_kkt *kkt, const double *b, const double *g,
                       const tn_kkt_factor *factor, tn_kkt_course *course)
{
    const tn_kkt_kept *kept = factor->kept;
    if (kept == NULL || !kept->solved || b == NULL || g == NULL ||
        !same(kept->b, b, kkt->layout.u_size) || !same_rows(kkt, kept->values->rows, kept->g, g)) {
        return false;
    }
    *course = kept->course;
    return true;
}
