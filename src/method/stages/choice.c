/* choice.c: room method/stages: which methods take the parts of steps, explicit ones of Dormand and Prince
 * or implicit ones.
 *
 * The explicit one is of order 8 where what acts is smooth and steps are long, else of order 5. The
 * implicit one is Radau's of order 9 where what acts is smooth, else Kennedy's and Carpenter's of
 * order 5, whose parts cost less: what is not smooth cuts them short. Radau's stages, found together, know
 * forces less well than accelerations: what leads a motion would do work of that.
 *
 * In: lengths and work of the parts each has taken, and how fast the accelerations change with the
 * motion. Out: the method of the next part. Explicit parts that are as long as stability lets them
 * (their stiffness, rkmk.c, is above TN_STIFF) call for a trial of some implicit ones; who comes
 * further for its work goes on. Implicit ones are followed now and then by a trial of explicit
 * ones, explicit ones that are slower than the implicit ones before them by one of those. A trial that
 * fails doubles the wait for the next. What is not stiff is never tried otherwise, and all is decided by
 * counts: same input, same bits.
 *
 * Where an implicit part cannot be solved at all, as at change points, explicit ones go on.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"

#include "method/stages/rkmk.h"
#include "motion/closing/gap.h"
#include "motion/loads.h"

/* What moves at a rate r and is followed with a relative error e in parts of order p takes parts of
 * some e^(1/p) / r. Where the fastest rate is this much faster than that, it is not followed: it
 * keeps parts short all the same. At most 1, where what swings gets unstable by order 5. And where
 * it is followed, in parts so much shorter than the motion at large needs, it may be for nothing:
 * an implicit part costs as much as some of them. */
#define TN_STIFF      5.0
#define TN_MOST_STIFF 1.0
#define TN_FOLLOWED   0.5
/* Parts in a row that say so, more or less. */
#define TN_STIFF_PARTS 15
/* Parts of a trial: the first ones find their length. */
#define TN_TRIAL 6
/* Parts between trials, the first time and at most. */
#define TN_FIRST_WAIT 32
#define TN_MOST_WAIT  1024
/* Parts that end where the step does after one in which something happened: where much does, a long one is in vain. */
#define TN_MET_PARTS 4
/* Rejections of one implicit part, after which explicit ones go on. */
#define TN_MOST_REJECTED 4
/* Of the newest part, in the mean of how far they come. */
#define TN_NEWEST 0.2

static tn_choice *memory_of(const tn_sim *sim)
{
    return sim->state.memory;
}

static int is_implicit(const tn_sim *sim)
{
    return tn_rkmk_of(sim)->tableau->gamma > 0.0;
}

tn_course *tn_choice_course(const tn_sim *sim)
{
    return &memory_of(sim)->course[is_implicit(sim)];
}

/* A system factored with all its terms, or another look at them with a factor that is there. */
static int32_t work_of(const tn_step_report *report)
{
    return report->factorizations + report->iterations;
}

/* Of what swings, y' = i y, parts of order 8 are this many times tol^(1/8 - 1/5) as long as those
 * of order 5, by what both are told: */
#define TN_LONGER 1.5
/* twice as long at this tolerance, which makes up for twice as many stages, and more at finer ones. */
#define TN_COARSEST_OF_ORDER_8 1e-2

/* A part of order 8 by one of order 5. */
static double times_as_long(const tn_sim *sim)
{
    const tn_tableau *five = &tn_tableau_dormand_prince, *eight = &tn_tableau_order_8;
    tn_rkmk *r = tn_rkmk_of(sim);
    if (!(r->longer > 0.0)) {
        r->longer = TN_LONGER *
                    tn_pow(sim->options.relative_tolerance, 1.0 / eight->order - 1.0 / five->order);
    }
    return r->longer;
}

/* How many parts of order 5 cost as much as one of order 8. */
static double times_as_dear(void)
{
    return (double)tn_tableau_order_8.last / tn_tableau_dormand_prince.last;
}

/* Where something is about to happen within this share of a part a long one is in vain. */
#define TN_SOON 0.1

/* An order above 5, in parts about as long as that; not soon after something was met in one. */
static bool may_be_high(const tn_sim *sim, double length)
{
    return sim->options.relative_tolerance <= TN_COARSEST_OF_ORDER_8 && memory_of(sim)->met == 0 &&
           tn_rkmk_is_smooth(sim, TN_SOON * length);
}

/* Where nothing happens within a part of order 8 it need not end where the step does (dense.c). Loops
 * with gaps have more to go on from than their state; where motors are is known at the ends of parts. */
static bool may_look(const tn_sim *sim, bool smooth)
{
    return smooth && !memory_of(sim)->implicit && !tn_gap_is_on(&sim->state) && !sim->pieces &&
           !tn_rkmk_leads(sim).motors;
}

/* Which order the explicit part is of, of a step of which so much remains: 5 where it is to end
 * there and is short, or no length is known. What it makes of that lasts until the part is tried: the
 * state is then that before it. */
static void choose_order(const tn_sim *sim, double remaining)
{
    tn_choice *c = memory_of(sim);
    tn_rkmk *r = tn_rkmk_of(sim);
    double *size = &c->course[0].size;
    const double longer = times_as_long(sim), short_step = c->high ? 1.0 / longer : times_as_dear();
    const double first = tn_parts_first_length(sim, tn_rkmk_pace(sim, sim->state.u).any);
    const double length = (c->high ? 1.0 : longer) * (*size > 0.0 ? *size : first);
    const bool smooth = may_be_high(sim, length);
    r->looks = may_look(sim, smooth);
    r->high = r->looks || (smooth && *size > 0.0 && remaining > short_step * *size);
    if (r->high != (c->high != 0))
        *size *= r->high ? longer : 1.0 / longer;
}

static void take_tableau(tn_sim *sim)
{
    const tn_tableau *one =
        tn_rkmk_of(sim)->high ? &tn_tableau_order_8 : &tn_tableau_dormand_prince;
    const bool smooth = may_be_high(sim, memory_of(sim)->course[1].size) && !tn_rkmk_leads(sim).any;
    const tn_tableau *other = smooth ? &tn_tableau_radau : &tn_tableau_kennedy_carpenter;
    tn_rkmk_of(sim)->tableau = memory_of(sim)->implicit ? other : one;
    tn_rkmk_of(sim)->is_clear = tn_rkmk_of(sim)->tableau->order > tn_tableau_dormand_prince.order;
}

void tn_choice_begin(tn_sim *sim, double remaining, const tn_step_report *report)
{
    if (!tn_rkmk_of(sim)->chooses)
        return;
    choose_order(sim, remaining);
    take_tableau(sim);
    tn_rkmk_of(sim)->work = work_of(report);
}

/* The other method from now on, the first few parts as a trial. Implicit ones begin with the length
 * of the explicit ones. */
static void try_other(tn_choice *c)
{
    c->implicit = !c->implicit;
    if (c->implicit)
        c->course[1].size = fmax(c->course[1].size, c->course[0].size);
    c->trial = TN_TRIAL;
}

/* The method before the trial again, and a longer wait for the next. */
static void go_back(tn_choice *c)
{
    c->implicit = !c->implicit;
    c->trial = 0;
    c->signs = 0;
    c->wait = c->wait > 0 ? (int32_t)fmin(2.0 * c->wait, TN_MOST_WAIT) : TN_FIRST_WAIT;
    c->until = c->wait;
}

static void stay(tn_choice *c)
{
    c->signs = 0;
    c->wait = c->until = TN_FIRST_WAIT;
}

/* At the end of a trial. */
static void decide(tn_choice *c)
{
    if (c->course[c->implicit].speed > c->course[!c->implicit].speed) {
        stay(c);
    } else {
        go_back(c);
    }
}

static bool is_stiff(const tn_sim *sim)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double followed = tn_rkmk_followed(sim);
    const double way = tn_rkmk_way(sim, r->part, tn_rkmk_pace(sim, sim->state.u).any);
    return r->stiffness > fmin(TN_STIFF * followed, TN_MOST_STIFF) ||
           (r->high && r->stiffness > TN_FOLLOWED * followed && TN_STIFF * way < 1.0);
}

/* Without a trial: is it time for one? */
static void look(const tn_sim *sim, tn_choice *c)
{
    c->until -= c->until > 0;
    if (!c->implicit)
        c->signs += is_stiff(sim) ? 1 : -(c->signs > 0);
    const bool was_slower = c->course[0].speed < c->course[1].speed;
    if (c->until == 0 && (c->implicit || was_slower || c->signs >= TN_STIFF_PARTS))
        try_other(c);
}

void tn_choice_taken(tn_sim *sim, double length, tn_step_report *report)
{
    tn_choice *c = memory_of(sim);
    const tn_rkmk *r = tn_rkmk_of(sim);
    report->implicit_parts += is_implicit(sim);
    if (!r->chooses)
        return;
    c->high = r->high;
    c->met -= c->met > 0;
    tn_course *course = tn_choice_course(sim);
    const double speed = length / fmax(work_of(report) - r->work, 1);
    course->speed = c->trial > 0 || course->speed == 0.0
                        ? speed
                        : (1.0 - TN_NEWEST) * course->speed + TN_NEWEST * speed;
    if (c->trial == 0) {
        look(sim, c);
    } else if (--c->trial == 0) {
        decide(c);
    }
}

void tn_choice_rejected(tn_sim *sim, tn_part *part, tn_status status)
{
    tn_choice *c = memory_of(sim);
    if (!tn_rkmk_of(sim)->chooses || !c->implicit ||
        (status == TN_OK && part->rejected < TN_MOST_REJECTED))
        return;
    c->wait = c->trial > 0 ? c->wait : 0; /* what was tried and given up is not what failed now */
    go_back(c);
    memcpy(sim->mark.memory, c, sizeof *c); /* where the next try begins */
    take_tableau(sim);
    const double known = tn_choice_course(sim)->size;
    if (known > 0.0)
        part->length = fmin(part->length, known);
    part->known = known;
}

void tn_choice_lower(tn_sim *sim, tn_part *part)
{
    tn_choice *c = memory_of(sim);
    tn_rkmk *r = tn_rkmk_of(sim);
    c->met = TN_MET_PARTS;
    memcpy(sim->mark.memory, c, sizeof *c);
    r->tableau = c->implicit ? &tn_tableau_kennedy_carpenter : &tn_tableau_dormand_prince;
    r->is_clear = false;
    if (!c->implicit && r->high) {
        c->course[0].size /= times_as_long(sim);
        r->high = r->looks = false;
        part->known = c->course[0].size;
        memcpy(sim->mark.memory, c, sizeof *c);
    }
    const double known = tn_choice_course(sim)->size;
    part->length = fmin(fmin(part->length, part->remaining), known > 0.0 ? known : INFINITY);
}
