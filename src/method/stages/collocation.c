/* collocation.c: room method/stages: a part of a step by a method whose stages depend on each other, as those of
 * collocation do.
 *
 * In: the start of the part in sim->mark. Out: stages Y_i = Y + h sum_j a_ij F(Y_j), j = 1 .. s. With
 * a = L U, L lower and U with ones on its diagonal, they are found by sweeps through the stages,
 *     Y_i = Y + h sum_j a_ij F_j + h sum_(j<=i) L_ij (F_j* - F_j),    F_i* = F(Y_i),
 * each of which is a stage with a weight L_ii of its own (implicit_system.c), and one correction of
 * Newton's with a matrix of its own too, that of the first sweep. Of y' = z y a sweep leaves
 * (1 - z L)^-1 z (a - L) of the error (van der Houwen, de Swart 1997; Weiser 2015): for s = 5 by its
 * eigenvalues at most 0.21 where z < 0, nothing where z is large, 0.61 of what swings undamped. What
 * the matrices lack and what remains is mixed (solve/mixing.h). The sweeps begin with the
 * accelerations of the polynomial of the part before, if it was such a one, else with those of the
 * start.
 *
 * Limits: what does not get there in TN_SWEEPS fails, and the part is tried again, shorter. Friction
 * by reactions is none of this.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/stages/implicit.h"
#include "motion/closing/project.h"
#include "solve/mixing.h"

#define TN_SWEEPS 16
/* All are solved when the largest correction, the error before it, is this share of what a part may
 * err; what is left is some tenth of it. */
#define TN_SWEEP_SHARE 1e-2
/* Of the rates of turns from velocities, before the first sweep: each gains some digits. */
#define TN_RATE_PASSES 2

/* A stage. Its rate and accelerations are those of rkmk.h. */
typedef struct tn_node {
    double *rate, *udot, *lambda;          /* as the last sweep left them */
    double *rate_by, *udot_by, *lambda_by; /* what this one changes */
    double *closing_q, *closing_u;         /* see tn_implicit */
    double *force;                         /* multipliers of all rows, those that yield too */
    double open, open_before;              /* tn_implicit.closed, and in the sweep before */
    tn_kkt_factor *factor;                 /* of its matrix */
} tn_node;

struct tn_together {
    tn_node node[TN_RKMK_STAGES];
    double *x, *f;  /* all nodes: accelerations, rates, multipliers; by how much they change */
    double *weight; /* of accelerations of all nodes */
    double *mixing_block;
    tn_mixing mixing;
    double *block;
};

static tn_together *together_of(const tn_sim *sim)
{
    return tn_rkmk_of(sim)->implicit->together;
}

static int count_of(const tn_sim *sim)
{
    return tn_rkmk_of(sim)->tableau->last;
}

static size_t velocities_bytes(const tn_sim *sim)
{
    return sizeof(double) * (size_t)sim->model->size.velocities;
}

static size_t rows_bytes(const tn_sim *sim)
{
    return sizeof(double) * tn_implicit_rows(sim);
}

/* Numbers of a node that are mixed. */
static int64_t numbers_of(const tn_sim *sim)
{
    return 2 * (int64_t)sim->model->size.velocities + (int64_t)tn_implicit_rows(sim);
}

tn_status tn_together_create(tn_sim *sim, tn_together **out)
{
    const int64_t n = sim->model->size.velocities, rows = (int64_t)tn_implicit_rows(sim);
    const int64_t all = TN_MOST_TOGETHER * numbers_of(sim);
    tn_together *t = *out = TN_NEW(tn_together);
    if (!t)
        return TN_ERROR_MEMORY;
    double *at = t->block =
        TN_NEW_ARRAY(double, 2 * all + TN_MOST_TOGETHER * (3 * n + rows) + tn_mixing_numbers(all));
    if (!at)
        return TN_ERROR_MEMORY;
    t->x = at;
    t->f = at += all;
    t->weight = at += all;
    at += TN_MOST_TOGETHER * n;
    for (int i = 1; i <= TN_MOST_TOGETHER; i++, at += 2 * n + rows) {
        memcpy(t->weight + (i - 1) * n, tn_rkmk_of(sim)->implicit->weight, velocities_bytes(sim));
        t->node[i].closing_q = at;
        t->node[i].closing_u = at + n;
        t->node[i].force = at + 2 * n;
        const tn_status status = tn_kkt_factor_create(sim->model->kkt, &t->node[i].factor);
        if (status != TN_OK)
            return status;
    }
    t->mixing_block = at;
    return TN_OK;
}

void tn_together_destroy(tn_together *t)
{
    if (!t)
        return;
    for (int i = 0; i < TN_RKMK_STAGES; i++)
        tn_kkt_factor_destroy(t->node[i].factor);
    tn_free(t->block);
    tn_free(t);
}

/* The nodes of the method at hand, one behind the other: all that is judged comes first. */
static void arrange(tn_sim *sim)
{
    tn_together *t = together_of(sim);
    const int count = count_of(sim);
    const int64_t n = sim->model->size.velocities, rows = (int64_t)tn_implicit_rows(sim);
    for (int i = 1; i <= count; i++) {
        tn_node *node = &t->node[i];
        node->udot = t->x + (i - 1) * n;
        node->rate = t->x + (count + i - 1) * n;
        node->lambda = t->x + 2 * count * n + (i - 1) * rows;
        node->udot_by = t->f + (node->udot - t->x);
        node->rate_by = t->f + (node->rate - t->x);
        node->lambda_by = t->f + (node->lambda - t->x);
        node->open = node->open_before = 0.0;
        memset(node->closing_q, 0, 2 * velocities_bytes(sim));
    }
    t->mixing = tn_mixing_of((int32_t)(count * numbers_of(sim)), (int32_t)(count * n), t->weight,
                             t->mixing_block);
    tn_mixing_begin(&t->mixing);
}

/* to += weight from. */
static void add(const tn_sim *sim, double weight, const double *from, double *to)
{
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        to[k] += weight * from[k];
}

/* ---- where the sweeps begin ---- */

static tn_choice *memory_of(const tn_sim *sim)
{
    return sim->state.memory;
}

/* Lagrange's polynomial j of the nodes, at a time in units of a part. */
static double lagrange(const tn_tableau *t, int j, double time)
{
    double value = 1.0;
    for (int k = 1; k <= t->last; k++)
        value *= k == j ? 1.0 : (time - t->at[k]) / (t->at[j] - t->at[k]);
    return value;
}

/* Accelerations of node i by the polynomial of the part before, or those of the start. */
static void guess_udot(const tn_sim *sim, int i, double h, double *udot)
{
    const tn_tableau *t = tn_rkmk_of(sim)->tableau;
    const tn_choice *c = memory_of(sim);
    if (c->kept != t->last) {
        memcpy(udot, sim->mark.udot, velocities_bytes(sim));
        return;
    }
    const double *kept = (const double *)(c + 1);
    memset(udot, 0, velocities_bytes(sim));
    for (int j = 1; j <= t->last; j++) {
        const double weight = lagrange(t, j, 1.0 + h * t->at[i] / c->kept_length);
        add(sim, weight, kept + (j - 1) * (int64_t)sim->model->size.velocities, udot);
    }
}

/* Velocity of stage i into the state. */
static void gather_velocity(const tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_rkmk_weigh(sim, r->tableau->a[i], count_of(sim) + 1, r->dq, r->known_udot);
    memcpy(sim->state.u, sim->mark.u, velocities_bytes(sim));
    add(sim, h, r->known_udot, sim->state.u);
}

/* Rates of all nodes that go with their accelerations; before, those of the start. */
static void guess_rates(const tn_sim *sim, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    for (int i = 1; i <= count_of(sim); i++)
        memcpy(r->rate[i], sim->mark.u, velocities_bytes(sim));
    for (int pass = 0; pass < TN_RATE_PASSES; pass++) {
        for (int i = 1; i <= count_of(sim); i++) {
            gather_velocity(sim, i, h);
            tn_rkmk_find_rate(sim, h, r->rate[i]);
        }
    }
}

static void guess(tn_sim *sim, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const tn_node *node = together_of(sim)->node;
    for (int i = 1; i <= count_of(sim); i++) {
        guess_udot(sim, i, h, r->udot[i]);
        memcpy(node[i].udot, r->udot[i], velocities_bytes(sim));
        memcpy(node[i].lambda, sim->mark.lambda, rows_bytes(sim));
    }
    guess_rates(sim, h);
    for (int i = 1; i <= count_of(sim); i++)
        memcpy(node[i].rate, r->rate[i], velocities_bytes(sim));
}

void tn_collocation_keep(tn_sim *sim, double h)
{
    tn_choice *c = memory_of(sim);
    double *kept = (double *)(c + 1);
    c->kept = count_of(sim);
    c->kept_length = h;
    for (int j = 1; j <= c->kept; j++) {
        memcpy(kept + (j - 1) * (int64_t)sim->model->size.velocities, tn_rkmk_of(sim)->udot[j],
               velocities_bytes(sim));
    }
}

/* ---- sweeps ---- */

/* What is known of stage i. */
static void gather(const tn_sim *sim, int i)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double *by = r->tableau->sweeps->by[i];
    const tn_node *node = together_of(sim)->node;
    tn_rkmk_weigh(sim, r->tableau->a[i], count_of(sim) + 1, r->known_rate, r->known_udot);
    for (int j = 1; j < i; j++) {
        add(sim, by[j], node[j].rate_by, r->known_rate);
        add(sim, by[j], node[j].udot_by, r->known_udot);
    }
    add(sim, -by[i], r->rate[i], r->known_rate);
    add(sim, -by[i], r->udot[i], r->known_udot);
}

/* The stage as it is, in the state. */
static void place(tn_sim *sim, int i, double h)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const tn_node *node = &together_of(sim)->node[i];
    w->own = tn_rkmk_of(sim)->tableau->sweeps->by[i][i];
    w->closing_q = node->closing_q;
    w->closing_u = node->closing_u;
    memcpy(sim->state.udot, node->udot, velocities_bytes(sim));
    memcpy(sim->state.lambda, node->lambda, rows_bytes(sim));
    tn_implicit_place(sim, i, h);
}

void tn_collocation_place(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double own = r->tableau->sweeps->by[i][i];
    tn_rkmk_weigh(sim, r->tableau->a[i], count_of(sim) + 1, r->known_rate, r->known_udot);
    add(sim, -own, r->rate[i], r->known_rate);
    add(sim, -own, r->udot[i], r->known_udot);
    place(sim, i, h);
    memcpy(sim->state.lambda, together_of(sim)->node[i].force, rows_bytes(sim));
}

/* What the correction changes of node i, at its pose and with its factor in the system. */
static tn_status correct(tn_sim *sim, int i, double h, double *off, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    tn_node *node = &together_of(sim)->node[i];
    tn_status status = tn_implicit_correct(sim, report);
    if (status != TN_OK)
        return status;
    *off = tn_rkmk_larger(*off, tn_implicit_off(sim, h, TN_SWEEP_SHARE));
    memcpy(node->force, sim->state.lambda, rows_bytes(sim));
    memcpy(node->udot_by, w->change, velocities_bytes(sim));
    memcpy(node->lambda_by, w->change + sim->model->size.velocities, rows_bytes(sim));
    report->iterations++;
    if (!tn_rkmk_of(sim)->closes)
        return TN_OK;
    status = tn_implicit_close(sim, h, report);
    node->open_before = node->open;
    node->open = w->closed;
    return status;
}

/* The same of its rate: that of the corrected velocity. */
static void correct_rate(tn_sim *sim, int i, double h)
{
    const tn_node *node = &together_of(sim)->node[i];
    add(sim, tn_implicit_own_time(sim, h), node->udot_by, sim->state.u);
    tn_rkmk_find_rate(sim, h, node->rate_by);
    add(sim, -1.0, node->rate, node->rate_by);
}

/* Node i, whose matrix is made in the first sweep. */
static tn_status sweep_node(tn_sim *sim, int i, bool first, double h, double *off,
                            tn_step_report *report)
{
    const tn_node *node = &together_of(sim)->node[i];
    gather(sim, i);
    place(sim, i, h);
    tn_kkt_factor_swap(sim->sys.factor, node->factor);
    tn_status status = first ? tn_implicit_factor(sim, h, report) : TN_OK;
    if (status == TN_OK)
        status = correct(sim, i, h, off, report);
    tn_kkt_factor_swap(sim->sys.factor, node->factor);
    if (status == TN_OK)
        correct_rate(sim, i, h);
    return status;
}

/* The next iterate of all nodes. */
static void mix(tn_sim *sim)
{
    tn_together *t = together_of(sim);
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_mixing_next(&t->mixing, t->x, t->f);
    for (int i = 1; i <= count_of(sim); i++) {
        memcpy(r->udot[i], t->node[i].udot, velocities_bytes(sim));
        memcpy(r->rate[i], t->node[i].rate, velocities_bytes(sim));
    }
}

/* All nodes; the largest correction in units of what a stage may be off. */
static tn_status sweep(tn_sim *sim, bool first, double h, double *off, tn_step_report *report)
{
    *off = 0.0;
    for (int i = 1; i <= count_of(sim); i++) {
        const tn_status status = sweep_node(sim, i, first, h, off, report);
        if (status != TN_OK)
            return status;
    }
    if (!isfinite(*off))
        return TN_ERROR_NOT_FINITE;
    mix(sim);
    return TN_OK;
}

static bool is_closed(const tn_sim *sim)
{
    const tn_node *node = together_of(sim)->node;
    for (int i = 1; i <= count_of(sim); i++) {
        if (!tn_implicit_is_closed(sim, node[i].open, node[i].open_before))
            return false;
    }
    return true;
}

tn_status tn_collocation_solve(tn_sim *sim, double h, tn_step_report *report)
{
    double off = INFINITY;
    arrange(sim);
    guess(sim, h);
    for (int k = 0; k < TN_SWEEPS; k++) {
        const double before = off;
        const tn_status status = sweep(sim, k == 0, h, &off, report);
        if (status != TN_OK)
            return status;
        if ((off <= 1.0 || tn_implicit_is_rounding(off, before)) && is_closed(sim))
            return TN_OK;
    }
    return TN_ERROR_NOT_CONVERGED;
}

tn_status tn_collocation_smooth(tn_sim *sim, double *udot, tn_step_report *report)
{
    tn_kkt_factor *factor = together_of(sim)->node[count_of(sim)].factor;
    tn_kkt_factor_swap(sim->sys.factor, factor);
    const tn_status status = tn_implicit_smooth(sim, udot, report);
    tn_kkt_factor_swap(sim->sys.factor, factor);
    return status;
}
