/* linkage_tell.c: room method/linkage: what everybody would ask of a step of a planar linkage, once it is shown: whether
 * forces balance, the books of energy (step/part/books.c), by how much joints are off, and whether all numbers are such.
 *
 * In: the end of the iteration, what is left of its forces, and what across the plane is not borne. Out: tn_told, and
 * the errors of the report.
 */
#include <math.h>

#include "math/dense/worst.h"
#include "method/linkage/linkage.h"

/* What is added up, and found to be the worst. */
typedef struct tn_linkage_telling {
    tn_moved moved;
    double sum;             /* of all numbers: none where one of them is none */
    double position, angle; /* m, rad */
    double worst;
    int32_t joint;
    bool balances;
} tn_linkage_telling;

/* As body_book has it (method/alpha/body_books.h), of a turn about the normal. */
TN_INLINE void add_book(const tn_bar *bar, tn_v2 gravity, double h, tn_moved *b)
{
    const tn_v4 inertia = TN_BAR(bar->inertia), now = TN_BAR(bar->u),
                before = TN_BAR(bar->u_before);
    const tn_v4 change = now - before, both = now + before;
    const tn_v4 gained = inertia * change * both, ran = inertia * both * both,
                pushed = inertia * change * change;
    const double fallen = bar->inertia[0] * p2_dot(gravity, bar->x - bar->x_before);
    const double run = ran[0] + ran[1], push = pushed[0] + pushed[1];
    b->made += 0.5 * (gained[0] + gained[1] + gained[2]) - fallen;
    b->moved +=
        0.5 * (sqrt(push * run) + sqrt(pushed[2] * ran[2]) + 0.25 * h * ran[2] * fabs(both[2])) +
        fabs(fallen);
    b->size += fabs(fallen);
    b->run += 0.25 * run;
    b->pushed += push;
    b->spun += 0.25 * ran[2];
    b->twisted += pushed[2];
}

/* Is what is left of forces below what is unknown, squared, and of moments below that at the radius of gyration? As
 * tn_force_balance_among has it, which measures arms that are at least as long. */
TN_INLINE bool is_balanced(const tn_linkage *linkage, int32_t k, double beta_prime, double unknown)
{
    const tn_bar *bar = &linkage->bars[k];
    const tn_v4 f = beta_prime * TN_BAR(bar->f), square = f * f;
    const tn_v4 lack = TN_BAR(linkage->lack + TN_BAR_STRIDE * k), other = lack * lack;
    return square[0] + square[1] + other[0] <= unknown &&
           square[2] + other[1] + other[2] <= unknown * bar->gyration;
}

TN_INLINE void tell_bars(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage,
                         tn_linkage_telling *told)
{
    const tn_v2 gravity = bar_in_plane(linkage, sim->model->gravity);
    const double force = linkage->mass * sim->options.position_tolerance / (c->h * c->h);
    tn_v4 sum = {0.0};
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        const tn_bar *bar = &linkage->bars[k];
        add_book(bar, gravity, c->h, &told->moved);
        told->balances &= is_balanced(linkage, k, c->beta_prime, force * force);
        sum += TN_BAR(bar->u) + TN_BAR(bar->udot);
        sum += (tn_v4){bar->x[0], bar->x[1], bar->half[0], bar->half[1]};
    }
    told->sum += (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The first of those that are as far off. */
TN_INLINE void note_worst(double off, int32_t joint, tn_linkage_telling *told)
{
    if (off < told->worst || off == 0.0)
        return;
    told->joint = off == told->worst && told->joint < joint ? told->joint : joint;
    told->worst = off;
}

TN_INLINE void tell_pins(const tn_sim *sim, const tn_linkage *linkage, tn_linkage_telling *told)
{
    tn_v4 sum = {0.0};
    tn_v2 rest = {0.0};
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const size_t j = (size_t)linkage->pins[k].joint;
        const double *error = sim->sys.kin[j].error;
        const double *lambda = sim->state.lambda + j * TN_MAX_ROWS;
        const double off = tn_worst(tn_worst(fabs(error[0]), fabs(error[1])), fabs(error[2]));
        told->position = tn_worst(told->position, off);
        note_worst(off, (int32_t)j, told);
        sum += TN_BAR(lambda);
        rest += tn_v2_load(lambda + 4);
        told->sum += off + sim->state.coordinates[j * TN_MAX_COORDINATES];
    }
    told->sum += ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (rest[0] + rest[1]);
    for (int32_t n = 0; n < linkage->held_count; n++) {
        const double off = fabs(linkage->held[n].error);
        told->angle = tn_worst(told->angle, off);
        note_worst(off, linkage->pins[linkage->held[n].pin].joint, told);
        told->sum += off;
    }
}

TN_INLINE void tell(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage,
                    tn_linkage_telling *told)
{
    *told = (tn_linkage_telling){.joint = -1, .balances = true};
    tell_bars(sim, c, linkage, told);
    tell_pins(sim, linkage, told);
}

static void tell_narrow(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage,
                        tn_linkage_telling *told)
{
    tell(sim, c, linkage, told);
}

TN_WIDE static void tell_wide(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage,
                              tn_linkage_telling *told)
{
    tell(sim, c, linkage, told);
}

void tn_linkage_tell(tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage,
                     tn_step_report *report)
{
    tn_linkage_telling told;
    if (TN_WIDE_COPIES && linkage->wide) {
        tell_wide(sim, c, linkage, &told);
    } else {
        tell_narrow(sim, c, linkage, &told);
    }
    sim->told = (tn_told){.moves = true,
                          .sound = isfinite(told.sum),
                          .errors = true,
                          .balances = told.balances,
                          .moved = told.moved};
    report->position_error = told.position;
    report->angle_error = told.angle;
    report->worst_joint.i = told.joint;
    report->skipped_rows = 0;
}
