/* kept.c: notes the values of a factor, and how far a refined solve with it has come, so that equal work is not
 * repeated.
 *
 * Room sparse. In: the factor, its values, right-hand sides. Out: whether all are the same, by hashes of their
 * bytes. If they are, factorizing and solving from zero would give the same bits.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"
#include "base/hash.h"

#include <string.h>

/* Numbers hashed side by side. */
enum { SIDE = 4 };

/* Adds arrays, one after the other, to a hash of four parts that are computed independently. Each step is a
 * bijection of its part, so a change of one number is always found. Other changes are missed with a probability of
 * 2^-64 for each part they touch. */
static void add(tn_kkt_sum *sum, const void *from, int64_t bytes)
{
    const unsigned char *at = from;
    int64_t left = bytes;
    for (; left >= (int64_t)(SIDE * sizeof(uint64_t)); left -= SIDE * (int64_t)sizeof(uint64_t)) {
        for (int i = 0; i < SIDE; i++, at += sizeof(uint64_t))
            sum->part[i] = tn_hash_bytes(sum->part[i], at, sizeof(uint64_t));
    }
    sum->part[0] = tn_hash_bytes(sum->part[0], at, (size_t)left);
}

static void add_doubles(tn_kkt_sum *sum, const double *from, int64_t n)
{
    add(sum, from, n * (int64_t)sizeof *from);
}

static tn_kkt_sum start_sum(void)
{
    tn_kkt_sum sum;
    for (int i = 0; i < SIDE; i++)
        sum.part[i] = TN_HASH_START + (uint64_t)i;
    return sum;
}

static tn_kkt_sum sum_values(const tn_kkt_layout *l, const tn_kkt_values *values)
{
    tn_kkt_sum sum = start_sum();
    add(&sum, values->rows, l->n_dual * (int64_t)sizeof *values->rows);
    add_doubles(&sum, values->h, l->h_size);
    add_doubles(&sum, values->g, l->g_size);
    add_doubles(&sum, values->r, l->y_size);
    add_doubles(&sum, values->e, l->y_size);
    add_doubles(&sum, values->a, l->y_size);
    add_doubles(&sum, values->delta, l->u_size);
    return sum;
}

/* Of active rows: the others are anything. */
static tn_kkt_sum sum_sides(const tn_kkt_layout *l, const int32_t *rows, const double *b,
                            const double *g)
{
    tn_kkt_sum sum = start_sum();
    add_doubles(&sum, b, l->u_size);
    for (int32_t k = 0; k < l->n_dual; k++)
        add_doubles(&sum, g + l->y_offset[k], rows[k]);
    return sum;
}

static bool same(const tn_kkt_sum *a, const tn_kkt_sum *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

tn_status tn_kkt_make_room(const tn_kkt *kkt, tn_kkt_factor *factor)
{
    tn_kkt_kept *kept = factor->kept = TN_NEW(tn_kkt_kept);
    if (kept == NULL) {
        return TN_ERROR_MEMORY;
    }
    kept->rows = TN_NEW_ARRAY(int32_t, kkt->layout.n_dual);
    return kept->rows != NULL ? TN_OK : TN_ERROR_MEMORY;
}

void tn_kkt_free_kept(tn_kkt_factor *factor)
{
    if (factor->kept == NULL) {
        return;
    }
    tn_free(factor->kept->rows);
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

void tn_kkt_keep(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor)
{
    const tn_kkt_layout *l = &kkt->layout;
    tn_kkt_kept *kept = factor->kept;
    if (kept == NULL) {
        return;
    }
    kept->values = sum_values(l, values);
    memcpy(kept->rows, values->rows, (size_t)l->n_dual * sizeof *kept->rows);
    kept->factored = true;
    kept->solved = false;
}

bool tn_kkt_is_kept(const tn_kkt *kkt, const tn_kkt_values *values, const tn_kkt_factor *factor)
{
    const tn_kkt_layout *l = &kkt->layout;
    if (!tn_kkt_keeps(factor) ||
        memcmp(factor->kept->rows, values->rows, (size_t)l->n_dual * sizeof *values->rows) != 0) {
        return false;
    }
    const tn_kkt_sum now = sum_values(l, values);
    return same(&factor->kept->values, &now);
}

void tn_kkt_keep_solution(const tn_kkt *kkt, const double *b, const double *g,
                          const tn_kkt_course *course, tn_kkt_factor *factor)
{
    tn_kkt_kept *kept = factor->kept;
    kept->sides = sum_sides(&kkt->layout, kept->rows, b, g);
    kept->course = *course;
    kept->solved = true;
}

void tn_kkt_forget_solution(tn_kkt_factor *factor)
{
    if (factor->kept != NULL) {
        factor->kept->solved = false;
    }
}

bool tn_kkt_was_solved(const tn_kkt *kkt, const double *b, const double *g,
                       const tn_kkt_factor *factor, tn_kkt_course *course)
{
    const tn_kkt_kept *kept = factor->kept;
    if (kept == NULL || !kept->solved || b == NULL || g == NULL) {
        return false;
    }
    const tn_kkt_sum now = sum_sides(&kkt->layout, kept->rows, b, g);
    if (!same(&kept->sides, &now)) {
        return false;
    }
    *course = kept->course;
    return true;
}
