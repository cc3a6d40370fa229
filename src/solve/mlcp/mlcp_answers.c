/* mlcp_answers.c: room solve/mlcp: see mlcp_answers.h. */
#include "solve/mlcp/mlcp_answers.h"

#include "solve/mlcp/mlcp.h"

/* Most sets tried. */
enum { TN_MLCP_RESPONDING = 10 };

/* A pivot below this share of its diagonal shows that rows at a bound are dependent. */
#define TN_MLCP_SAME_ROW 1e-8

/* Index of a row among those with known responses; computes the response if needed. -1: no room. */
static int32_t place_of(tn_mlcp_answers *z, int32_t b)
{
    for (int32_t q = 0; q < z->known; q++) {
        if (z->row[q] == b) {
            return q;
        }
    }
    if (z->known == TN_MLCP_RESPONSES) {
        return -1;
    }
    z->ask(z->of, z, b, z->answer[z->known]);
    z->row[z->known] = b;
    return z->known++;
}

double tn_mlcp_bound_of(const tn_mlcp_bounded *row)
{
    return row->state == TN_MLCP_LO ? row->lo : row->hi;
}

/* Lists the rows at a bound with their responses, and the change of multipliers they need. */
static bool let_go(tn_mlcp_answers *z)
{
    z->gone = 0;
    for (int32_t b = 0; b < z->count; b++) {
        if (z->rows[b].state == TN_MLCP_FREE) {
            continue;
        }
        const int32_t q = place_of(z, b);
        if (q < 0) {
            return false;
        }
        z->let_go[z->gone] = q;
        z->alpha[z->gone++] = tn_mlcp_bound_of(&z->rows[b]) - z->rows[b].lambda;
    }
    return true;
}

/* Computes alpha by elimination; false: the rows are dependent. */
static bool find_alpha(tn_mlcp_answers *z)
{
    const int32_t n = z->gone;
    double a[TN_MLCP_RESPONSES][TN_MLCP_RESPONSES];
    for (int32_t p = 0; p < n; p++) {
        for (int32_t q = 0; q < n; q++) {
            a[p][q] = z->answer[z->let_go[q]][z->row[z->let_go[p]]];
        }
    }
    for (int32_t k = 0; k < n; k++) {
        if (!(a[k][k] > TN_MLCP_SAME_ROW * z->answer[z->let_go[k]][z->row[z->let_go[k]]])) {
            return false;
        }
        for (int32_t p = k + 1; p < n; p++) {
            const double share = a[p][k] / a[k][k];
            z->alpha[p] -= share * z->alpha[k];
            for (int32_t q = k + 1; q < n; q++) {
                a[p][q] -= share * a[k][q];
            }
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t q = k + 1; q < n; q++) {
            z->alpha[k] -= a[k][q] * z->alpha[q];
        }
        z->alpha[k] /= a[k][k];
    }
    return true;
}

/* The multipliers of the rows with bounds. */
static void find_multipliers(tn_mlcp_answers *z)
{
    for (int32_t b = 0; b < z->count; b++) {
        z->rows[b].now = z->rows[b].lambda;
        for (int32_t p = 0; p < z->gone; p++) {
            z->rows[b].now += z->alpha[p] * z->answer[z->let_go[p]][b];
        }
    }
}

/* Rows with wrong signs, by more than `rounding` (the square root of an energy), change sides. Returns how many. */
static int32_t flip(tn_mlcp_answers *z, double rounding)
{
    int32_t flipped = 0, p = 0;
    for (int32_t b = 0; b < z->count; b++) {
        tn_mlcp_bounded *row = &z->rows[b];
        const int8_t before = row->state;
        const double w = before == TN_MLCP_FREE ? 0.0 : z->alpha[p++] / row->scale;
        if (before == TN_MLCP_FREE) {
            const double below = (row->lo - row->now) * row->scale,
                         above = (row->now - row->hi) * row->scale;
            row->state = below > rounding   ? TN_MLCP_LO
                         : above > rounding ? TN_MLCP_HI
                                            : TN_MLCP_FREE;
        } else if (row->lo < row->hi && (before == TN_MLCP_LO ? -w : w) > rounding) {
            row->state = TN_MLCP_FREE;
        }
        flipped += row->state != before;
    }
    return flipped;
}

bool tn_mlcp_find_set(tn_mlcp_answers *z, double rounding)
{
    int32_t wrong = 1;
    for (int32_t set = 0; set < TN_MLCP_RESPONDING && wrong > 0; set++) {
        if (!let_go(z) || !find_alpha(z)) {
            return false;
        }
        find_multipliers(z);
        wrong = flip(z, rounding);
    }
    return wrong == 0;
}
