/* mlcp_pivot.c: active-set iterations: block pivots, then single ones.
 *
 * Room solve/mlcp. In: a start set. Out: the set whose solution has all signs right, or why not.
 *
 * Flipping every infeasible row at once is fast and usually right, but may go in circles; as long
 * as the count of infeasible rows keeps falling within a few steps it cannot. Otherwise only the
 * most violated row is flipped: that may circle too, which is noticed because the next set then
 * depends on the present set only.
 */
#include "solve/mlcp/mlcp_impl.h"

#include <math.h>

/* splitmix64's finaliser (Steele, Lea, Flood 2014) */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t tn_mlcp_fingerprint(const tn_mlcp_run *run)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < run->m->n_bounded; k++) {
        int64_t i = run->m->bounded[k];
        sum ^= mix(3 * (uint64_t)i + (uint64_t)(run->state[i] + 1) + 0x9e3779b97f4a7c15u);
    }
    return sum;
}

/* The state row i should have, and by how much it is wrong now (0 when it is not). */
static int8_t wanted(const tn_mlcp_run *run, int64_t i, double *wrong)
{
    double scale = sqrt(run->values->a[i]);
    double reference = run->now.reference;
    double w = -run->m->rl[i] / scale;
    double below = (run->lo[i] - run->lambda[i]) * scale;
    double above = (run->lambda[i] - run->hi[i]) * scale;
    *wrong = 0.0;
    if (!(run->lo[i] < run->hi[i])) {
        return run->state[i];
    }
    if (run->state[i] == TN_MLCP_FREE) {
        *wrong = fmax(fmax(below, above), 0.0) / reference;
        return *wrong <= run->options->tolerance ? TN_MLCP_FREE
               : below > above                   ? TN_MLCP_LO
                                                 : TN_MLCP_HI;
    }
    reference = fmax(reference, fabs(run->g[i]) / scale);
    *wrong = fmax(run->state[i] == TN_MLCP_LO ? -w : w, 0.0) / reference;
    return *wrong <= run->options->tolerance ? run->state[i] : TN_MLCP_FREE;
}

/* Infeasible rows, and the worst of them (-1: none). */
static int64_t count_infeasible(const tn_mlcp_run *run, int64_t *worst)
{
    int64_t count = 0;
    double most = 0.0;
    *worst = -1;
    for (int64_t k = 0; k < run->m->n_bounded; k++) {
        int64_t i = run->m->bounded[k];
        double wrong;
        if (wanted(run, i, &wrong) == run->state[i]) {
            continue;
        }
        count++;
        if (wrong > most) {
            most = wrong;
            *worst = i;
        }
    }
    return count;
}

static void flip_all(tn_mlcp_run *run)
{
    for (int64_t k = 0; k < run->m->n_bounded; k++) {
        double wrong;
        int64_t i = run->m->bounded[k];
        run->state[i] = wanted(run, i, &wrong);
    }
}

/* False if the present set occurred before, or if the list of sets is full. */
static bool remember(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    uint64_t fingerprint = tn_mlcp_fingerprint(run);
    for (int32_t k = 0; k < m->n_seen; k++) {
        if (m->seen[k] == fingerprint) {
            return false;
        }
    }
    if (m->n_seen == TN_MLCP_SEEN) {
        return false;
    }
    m->seen[m->n_seen++] = fingerprint;
    return true;
}

tn_mlcp_end tn_mlcp_active_set(tn_mlcp_run *run, int32_t max_sets, tn_status *status)
{
    int64_t fewest = INT64_MAX;
    int32_t patience = run->options->patience;
    run->m->n_seen = 0;
    run->stats->method = TN_MLCP_BLOCK;
    for (int32_t set = 0; set < max_sets; set++) {
        *status = tn_mlcp_try(run, NULL, NULL);
        if (*status != TN_OK) {
            return TN_MLCP_END_FAILED;
        }
        if (tn_mlcp_done(run)) {
            return TN_MLCP_END_SOLVED;
        }
        int64_t worst;
        int64_t count = count_infeasible(run, &worst);
        if (count == 0) {
            return TN_MLCP_END_STUCK;
        }
        if (count < fewest) {
            fewest = count;
            patience = run->options->patience;
            run->m->n_seen = 0;
            flip_all(run);
        } else if (patience > 0) {
            patience--;
            flip_all(run);
        } else {
            if (!remember(run)) {
                return TN_MLCP_END_CYCLE;
            }
            run->stats->method = TN_MLCP_PIVOT;
            double wrong;
            run->state[worst] = wanted(run, worst, &wrong);
        }
    }
    return TN_MLCP_END_CYCLE;
}
