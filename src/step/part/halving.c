/* halving.c: room step/part: the length of sub-steps, for methods that do not choose it themselves.
 *
 * A sub-step whose energy does not balance is tried again at half its length, and the length that succeeded is kept
 * for the next sub-steps, of the next steps too. (After a step that did not converge, the length is halved for that
 * step only.) The sub-step is doubled only after TN_PATIENCE sub-steps in a row whose error would have been accepted at
 * twice the length, and after every halving it takes twice as many. Reason: the energy error of a method of second
 * order in a swing, h^2 F(state), comes back with the swing, but only if h is the same on both ways. Steps that are
 * halved and doubled at every turn of a crank pump (h1^2 - h2^2) F into it each time. A periodic motion has to find
 * the length that suits all of it, and keep it. The error of methods of first order does not come back: their next
 * step is whole again.
 */
#include "step/part/halving.h"

#include <math.h>

/* Sub-steps that must be accepted before twice the length is tried: at first, and at most. */
#define TN_PATIENCE      16
#define TN_MOST_PATIENCE 4096

/* The error of a method of second order grows eightfold with twice the length: this share of the allowed error. */
#define TN_EASY 0.125

/* Lengths this close, relative, are equal. */
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
    return remaining / ceil(remaining / size - TN_SAME_LENGTH); /* no tiny sub-step at the end */
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

/* Keeps sub-steps of this length, and for longer than last time. */
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

/* Counts the sub-step and its length in the report. */
static void report_part(double length, tn_step_report *report)
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
    report_part(length, report);
    head->easy_parts = !tn_halving_is_easy(error) ? 0 : head->easy_parts + 1;
    if (head->patience == 0 || head->easy_parts < head->patience) /* 0: halved for this step only */
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
