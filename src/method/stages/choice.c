/* choice.c: room method/stages: which of two methods takes the parts of steps, the explicit one of Dormand
 * and Prince or the implicit one of Kennedy and Carpenter.
 *
 * In: lengths and work of the parts each has taken, and how fast the accelerations change with the
 * motion. Out: the method of the next part. Explicit parts that are as long as stability lets them
 * (their stiffness, rkmk.c, is above TN_STIFF) call for a trial of some implicit ones; who comes
 * further for its work goes on. Implicit ones are followed now and then by a trial of explicit
 * ones. A trial that fails doubles the wait for the next. What is not stiff is never tried
 * otherwise, and all is decided by counts: same input, same bits.
 *
 * Where an implicit part cannot be solved at all, as at change points, explicit ones go on.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"

#include "method/stages/rkmk.h"

/* What moves at a rate r and is followed with a relative error e in parts of order 5 takes parts of
 * some e^(1/5) / r. Where the fastest rate is this much faster than that, it is not followed: it
 * keeps parts short all the same. At most 1, where what swings gets unstable. */
#define TN_STIFF      5.0
#define TN_MOST_STIFF 1.0
/* Parts in a row that say so, more or less. */
#define TN_STIFF_PARTS 15
/* Parts of a trial: the first ones find their length. */
#define TN_TRIAL 6
/* Parts between trials, the first time and at most. */
#define TN_FIRST_WAIT 32
#define TN_MOST_WAIT  1024
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

static void take_tableau(tn_sim *sim)
{
    tn_rkmk_of(sim)->tableau =
        memory_of(sim)->implicit ? &tn_tableau_kennedy_carpenter : &tn_tableau_dormand_prince;
}

void tn_choice_begin(tn_sim *sim, const tn_step_report *report)
{
    if (!tn_rkmk_of(sim)->chooses)
        return;
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
    if (c->course[c->implicit].speed > c->course[!c->implicit].speed)
        stay(c);
    else
        go_back(c);
}

static bool is_stiff(const tn_sim *sim)
{
    const double followed = tn_pow(sim->options.relative_tolerance, 0.2);
    return tn_rkmk_of(sim)->stiffness > fmin(TN_STIFF * followed, TN_MOST_STIFF);
}

/* Without a trial: is it time for one? */
static void look(const tn_sim *sim, tn_choice *c)
{
    c->until -= c->until > 0;
    if (!c->implicit)
        c->signs += is_stiff(sim) ? 1 : -(c->signs > 0);
    if (c->until == 0 && (c->implicit || c->signs >= TN_STIFF_PARTS))
        try_other(c);
}

void tn_choice_taken(tn_sim *sim, double length, tn_step_report *report)
{
    tn_choice *c = memory_of(sim);
    const tn_rkmk *r = tn_rkmk_of(sim);
    report->implicit_parts += is_implicit(sim);
    if (!r->chooses)
        return;
    tn_course *course = tn_choice_course(sim);
    const double speed = length / fmax(work_of(report) - r->work, 1);
    course->speed = c->trial > 0 || course->speed == 0.0
                        ? speed
                        : (1.0 - TN_NEWEST) * course->speed + TN_NEWEST * speed;
    if (c->trial == 0)
        look(sim, c);
    else if (--c->trial == 0)
        decide(c);
}

void tn_choice_rejected(tn_sim *sim, tn_part *part, tn_status status)
{
    tn_choice *c = memory_of(sim);
    if (!tn_rkmk_of(sim)->chooses || !c->implicit ||
        (status == TN_OK && part->rejected < TN_MOST_REJECTED))
        return;
    go_back(c);
    memcpy(sim->mark.memory, c, sizeof *c); /* where the next try begins */
    take_tableau(sim);
    const double known = tn_choice_course(sim)->size;
    if (known > 0.0)
        part->length = fmin(part->length, known);
    part->known = known;
}
