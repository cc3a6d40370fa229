/* halving.c: room step/part: how long the parts of a step may be, of methods that take what they are
 * told.
 *
 * A part whose energy does not balance is tried again, half as long, and what went well is
 * remembered: the next parts, of the next steps too, are as long. (A step that does not converge is
 * taken in parts for once.) Only after so many that would have gone well at twice the
 * length are they that, and after every halving it takes twice as many. For the energy that a
 * method of second order misses in a swing, h^2 F(state), comes back with the swing; but not where
 * it went with one h and comes back with another. Steps that are halved and made whole again at
 * every turn of a crank pump (h1^2 - h2^2) F into it each time; a motion that comes back has to
 * find the length that suits all of it, and stay there. Methods of first order have no such thing
 * to come back to: their next step is whole again.
 */
#include "step/part/halving.h"

#include <math.h>

/* Parts that must go well before one twice as long is tried: at first, and in the end. */
#define TN_PATIENCE      16
#define TN_MOST_PATIENCE 4096

/* What a method of second order misses grows eightfold with twice the length. */
#define TN_EASY 0.125

/* Lengths this close, relative, are one. */
#define TN_SAME_LENGTH 1e-9

bool tn_halving_is_local(const tn_sim *sim)
{
    return tn_integrator_order(sim->options.integrator) > 1;
}

void tn_halving_begin(tn_sim *sim)
{
    if (!tn_halving_is_local(sim))
        sim->state.head->part_size = 0.0;
    sim->missed = TN_OK;
}

double tn_halving_length(const tn_sim *sim, double step, double remaining)
{
    const double size = sim->state.head->part_size;
    if (!(size > 0.0) || size >= fmin(step, remaining))
        return remaining;
    return remaining / ceil(remaining / size - TN_SAME_LENGTH); /* no scrap at the end */
}

double tn_halving_shortest(double step, double section)
{
    const double shortest = ldexp(step, -TN_MOST_HALVINGS) * (1.0 + TN_SAME_LENGTH);
    return section > shortest ? shortest : ldexp(section, -TN_MOST_HALVINGS);
}

bool tn_halving_is_easy(double error)
{
    return error <= TN_EASY;
}

/* Parts of this length from now on, and for longer. */
static void keep(tn_state_head *head)
{
    head->easy_parts = 0;
    head->patience = head->patience < TN_PATIENCE ? TN_PATIENCE : 2 * head->patience;
    if (head->patience > TN_MOST_PATIENCE)
        head->patience = TN_MOST_PATIENCE;
}

void tn_halving_take(tn_sim *sim, double length, tn_status status)
{
    sim->state.head->part_size = sim->mark.head->part_size = length;
    if (sim->missed != TN_ERROR_INACCURATE)
        sim->missed = status;
}

/* Into the report. */
static void tell(double length, tn_step_report *report)
{
    const bool first = report->parts++ == 0;
    report->shortest_part = first ? length : fmin(report->shortest_part, length);
    report->longest_part = first ? length : fmax(report->longest_part, length);
}

void tn_halving_note(tn_sim *sim, double step, double length, double error, tn_step_report *report)
{
    tn_state_head *head = sim->state.head;
    if (!(head->part_size > 0.0))
        return;
    tell(length, report);
    head->easy_parts = !tn_halving_is_easy(error) ? 0 : head->easy_parts + 1;
    if (head->patience == 0 || head->easy_parts < head->patience) /* 0: parts for once */
        return;
    head->easy_parts = 0;
    head->part_size *= 2.0;
    if (head->part_size >= step * (1.0 - TN_SAME_LENGTH))
        head->part_size = 0.0;
}

void tn_halving_end(tn_sim *sim)
{
    if (sim->missed == TN_ERROR_INACCURATE) {
        keep(sim->state.head);
    } else if (sim->missed != TN_OK) {
        sim->state.head->part_size = sim->backup.head->part_size;
    }
}
