/* linkage_iterate.c: room method/linkage: Newton's iteration of a planar linkage, tile by tile in the order of its pins
 * (method/blocks/tiles.h). See linkage.h.
 *
 * In: the start of the step, and the hinges' multipliers there. Out: the same at the end, or a failure.
 */
#include <math.h>

#include "method/linkage/linkage_tell.h"
#include "method/linkage/linkage_terms.h"

/* The data of a step, and its results so far. */
typedef struct tn_linkage_way {
    const tn_alpha *c;
    tn_linkage *linkage;
    tn_v2 gravity;
    double by_beta, by_h;
    double off;   /* m, rad: by how much bars have left the plane */
    double pivot; /* the smallest */
    /* squared, of the pins, in the metric of the masses: for the check of weak rows */
    double forces;
    bool weak;  /* rows may be weak */
    bool rests; /* some bar is at rest */
    /* this may be the last trial: it is written back, with its results in `tally` */
    bool writes_back;
    tn_linkage_tally tally;
    tn_sizes sizes;
} tn_linkage_way;

TN_INLINE tn_linkage_way begin_way(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    return (tn_linkage_way){.c = c,
                            .linkage = linkage,
                            .gravity = bar_in_plane(linkage, sim->model->gravity),
                            .by_beta = 1.0 / c->beta_prime,
                            .by_h = 1.0 / c->h,
                            .pivot = INFINITY,
                            .weak = linkage->pivot < TN_CLEARLY_REGULAR,
                            .sizes = TN_NO_SIZES};
}

/* The held angles of pin k, after a correction of their moments. */
TN_INLINE void place_held(const tn_linkage_way *way, int32_t k, tn_sizes *sizes)
{
    tn_linkage *linkage = way->linkage;
    for (int32_t n = 0; n < linkage->held_count; n++) {
        tn_linkage_held *held = &linkage->held[n];
        if (held->pin != k)
            continue;
        held->moment += way->c->beta_prime * held->more;
        held_place(linkage, held);
        tn_sizes_note(sizes, 0, (tn_v2){fabs(held->error)});
    }
}

/* ---- forwards ---- */

TN_INLINE void predict_tile(tn_linkage_way *way, const tn_linkage_past *past, int32_t t)
{
    tn_linkage *linkage = way->linkage;
    const tn_tiles *tiles = &linkage->tiles;
    tn_sizes sizes = way->sizes;
    double off = way->off;
    EACH_TURN(&tiles->begun, t, k, {
        way->rests |= bar_rests(way->c, past, &linkage->bars[k]);
        off = tn_worst(off, begin_bar(way->c, past, linkage, &linkage->bars[k]));
    })
    EACH_TURN(&tiles->begun, t, k, move_bar(way->c, way->gravity, &linkage->bars[k]);)
    EACH_TURN(&tiles->predicted, t, k, {
        predict_pin(way->c, past, linkage, &linkage->pins[k]);
        place_held(way, k, &sizes);
        tn_sizes_note(&sizes, 1, tn_v2_abs(linkage->pins[k].error));
    })
    EACH_TURN(&tiles->measured, t, k, {
        measure_bar(way->by_beta, &linkage->bars[k], &sizes);
        invert_mass(way->by_beta, &linkage->bars[k]);
        fall_freely(&linkage->bars[k]);
    })
    way->sizes = sizes;
    way->off = off;
}

TN_INLINE void factor_tile(tn_linkage_way *way, int32_t t, const int32_t **target)
{
    tn_linkage *linkage = way->linkage;
    const tn_tiles *tiles = &linkage->tiles;
    EACH_TURN(&tiles->filled, t, k,
              set_rhs_of_pin(linkage, &linkage->pins[k], linkage->y + TN_PIN_ROWS * k);)
    EACH_RUN(&tiles->filled, t, from, to, fill_rows(linkage, from, to);)
    const int32_t first = tiles->size * t, rest = linkage->pin_count - first;
    const double pivot =
        spd_factor_nodes(&linkage->along, linkage->y, first,
                         first + (rest < tiles->size ? rest : tiles->size), target, TN_PIN_ROWS);
    way->pivot = pivot > 0.0 ? spd_smaller(pivot, way->pivot) : -INFINITY;
}

/* Is the matrix regular, or will linkage_rows.c decide that? */
TN_INLINE bool is_regular(tn_linkage *linkage, double pivot, tn_step_report *report)
{
    linkage->pivot = pivot;
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return pivot >= linkage->least_pivot &&
           (linkage->held_count == 0 ||
            (pivot >= TN_CLEARLY_REGULAR && held_factor(linkage) >= TN_CLEARLY_REGULAR));
}

/* The prediction, G H^-1 G^T of it, and the first half of its solve. *before: its residual. */
TN_INLINE bool predict_and_factor(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                                  double *before, tn_step_report *report)
{
    tn_linkage_way way = begin_way(sim, c, linkage);
    const tn_linkage_past past = past_of(sim, &sim->state);
    const int32_t *target = linkage->along.target;
    for (int32_t t = 0; t < linkage->tiles.count && !way.rests; t++) {
        predict_tile(&way, &past, t);
        factor_tile(&way, t, &target);
    }
    *before = tn_sizes_largest(&way.sizes);
    linkage->some_rest = way.rests;
    return !way.rests && way.off <= sim->options.position_tolerance && !isnan(*before) &&
           is_regular(linkage, way.pivot, report);
}

/* Factorizes the matrix of the present trial, once that of the prediction has proved stale. Forces on weak rows are
 * not predicted well; where no rows are weak, the general iteration is the better choice. */
TN_INLINE bool factor_anew(const tn_alpha *c, tn_linkage *linkage, tn_step_report *report)
{
    const double by_beta = 1.0 / c->beta_prime;
    if (linkage->pivot >= TN_CLEARLY_REGULAR)
        return false;
    for (int32_t k = 0; k < linkage->bar_count; k++)
        linkage->bars[k].S = 0.0;
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        stiffen(pin, &linkage->bars[pin->a], &linkage->bars[pin->b]);
    }
    for (int32_t k = 0; k < linkage->bar_count; k++)
        invert_mass(by_beta, &linkage->bars[k]);
    fill_rows(linkage, 0, linkage->pin_count);
    linkage->has_rhs = false;
    const int32_t *target = linkage->along.target;
    const double pivot =
        spd_factor_nodes(&linkage->along, NULL, 0, linkage->pin_count, &target, TN_PIN_ROWS);
    return is_regular(linkage, pivot, report);
}

/* ---- backwards ---- */

/* The right-hand side of the next solve, into `once`, which becomes y; or, if this may be the last trial, writes all
 * back. */
TN_INLINE void correct_tile(tn_linkage_way *way, int32_t t)
{
    tn_linkage *linkage = way->linkage;
    const tn_tiles *tiles = &linkage->tiles;
    const int32_t first = tiles->size * (tiles->count - 1 - t), rest = linkage->pin_count - first,
                  end = first + (rest < tiles->size ? rest : tiles->size);
    tn_sizes sizes = way->sizes;
    if (linkage->held_count == 0)
        spd_backward_nodes(&linkage->along, linkage->y, first, end, TN_PIN_ROWS);
    for (int32_t k = first; k < end; k++)
        push_both(linkage, &linkage->pins[k], tn_v2_load(linkage->y + TN_PIN_ROWS * k));
    EACH_TURN(&tiles->corrected, t, k, correct_bar(way->c, way->by_h, &linkage->bars[k]);)
    EACH_TURN(&tiles->corrected, t, k, move_bar(way->c, way->gravity, &linkage->bars[k]);)
    EACH_TURN(&tiles->placed, t, k, {
        correct_pin(way->c, linkage, &linkage->pins[k], linkage->y + TN_PIN_ROWS * k);
        place_held(way, k, &sizes);
        tn_sizes_note(&sizes, 1, tn_v2_abs(linkage->pins[k].error));
    })
    EACH_TURN(&tiles->residual, t, k, {
        if (way->weak)
            way->forces += size_of_push(way->gravity, &linkage->bars[k]);
        measure_bar(way->by_beta, &linkage->bars[k], &sizes);
    })
    way->sizes = sizes;
    if (way->writes_back) {
        EACH_TURN(&tiles->placed, t, k, finish_pin(&way->tally, k);)
        EACH_TURN(&tiles->residual, t, k, finish_bar(&way->tally, k);)
    } else {
        EACH_TURN(&tiles->residual, t, k, fall_freely(&linkage->bars[k]);)
        EACH_TURN(&tiles->rhs, t, k,
                  set_rhs_of_pin(linkage, &linkage->pins[k], linkage->once + TN_PIN_ROWS * k);)
    }
}

/* The second half of a solve, and the trial to which it leads. Returns the largest residual there as a distance, m
 * or rad, like tn_alpha_residual.all; NaN if anything is not finite. */
TN_INLINE double correct(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                         bool writes_back)
{
    tn_linkage_way way = begin_way(sim, c, linkage);
    way.tally = begin_tally(sim, c, linkage);
    linkage->has_results = way.writes_back = writes_back;
    if (linkage->held_count > 0) {
        spd_backward(&linkage->along, linkage->y, TN_PIN_ROWS);
        held_solve(linkage);
    }
    for (int32_t t = 0; t < linkage->tiles.count; t++)
        correct_tile(&way, t);
    linkage->has_rhs = !writes_back;
    linkage->forces = sqrt(way.forces);
    linkage->results = results_of(&way.tally);
    return tn_sizes_largest(&way.sizes);
}

/* The first half of the next solve. */
TN_INLINE void solve_forward(tn_linkage *linkage)
{
    double *const once = linkage->once;
    if (linkage->has_rhs) {
        linkage->once = linkage->y;
        linkage->y = once;
    } else {
        for (int32_t k = 0; k < linkage->bar_count; k++)
            fall_freely(&linkage->bars[k]);
        for (int32_t k = 0; k < linkage->pin_count; k++)
            set_rhs_of_pin(linkage, &linkage->pins[k], linkage->y + TN_PIN_ROWS * k);
    }
    spd_forward(&linkage->along, linkage->y, TN_PIN_ROWS);
}

/* ---- the iteration ---- */

TN_INLINE bool iterate(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                       tn_step_report *report)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    const int32_t most = sim->options.max_iterations;
    const bool two_states = sim->state.elsewhere != NULL; /* a result written early can be undone */
    const bool is_loaded = tn_linkage_is_loaded(sim, linkage);
    double before;
    if (!predict_and_factor(sim, c, linkage, &before, report))
        return false;
    for (int32_t count = 1; count <= most; count++) {
        report->iterations++;
        report->solves++;
        const double now =
            correct(sim, c, linkage, count == linkage->corrections && two_states && !is_loaded);
        if (now <= enough) {
            linkage->corrections = count;
            return true;
        }
        const bool stale = tn_alpha_is_stale(now, before, enough, most - count);
        if (isnan(now) || (stale && !(now < before && factor_anew(c, linkage, report))))
            return false;
        solve_forward(linkage);
        before = now;
    }
    return false;
}

static bool iterate_narrow(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                           tn_step_report *report)
{
    return iterate(sim, c, linkage, report);
}

TN_WIDE static bool iterate_wide(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                                 tn_step_report *report)
{
    return iterate(sim, c, linkage, report);
}

bool tn_linkage_iterate(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                        tn_step_report *report)
{
    return TN_WIDE_COPIES && linkage->wide ? iterate_wide(sim, c, linkage, report)
                                           : iterate_narrow(sim, c, linkage, report);
}
