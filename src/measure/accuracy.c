/* accuracy.c: room measure: how well the motion since the start has obeyed mechanics.
 *
 * In: the sums kept by the verification of steps (step/part/judge.c), which are part of the state. Out:
 * their worst, each beside what may be.
 */
#include <math.h>

#include "step/part/judge.h"
#include "tenon/results.h"

/* Share of the energies that were added up which counts as turned over in any case: what round-off
 * moves is no motion. */
#define TN_AT_REST 1e-9

tn_accuracy tn_sim_accuracy(const tn_sim *sim)
{
    tn_accuracy a = {.holds = 1};
    if (!sim)
        return a;
    const tn_state_head *head = sim->state.head;
    const tn_tally *tally = &head->tally;
    a.loses = tn_judge_lets_lose(sim);
    const double made = a.loses ? tally->most_made : fmax(tally->most_made, tally->most_lost);
    a.energy_made = fmax(0.0, made - tally->noise);
    a.energy_turnover =
        fmax(fmax(tally->kinetic, fabs(head->work)), fmax(head->lost, TN_AT_REST * tally->size));
    a.energy_share = a.energy_made > 0.0 ? a.energy_made / a.energy_turnover : 0.0;
    a.energy_allowed = tn_judge_allowed(sim);
    a.force = tally->force;
    a.moment = tally->moment;
    a.balance_allowed = tn_judge_allowed_balance(sim);
    a.open = tally->open;
    a.open_allowed = TN_OPEN_IN_A_RUN;
    a.pull = tally->pull;
    a.beyond = tally->beyond;
    a.beyond_allowed = tn_judge_allowed_beyond();
    a.idle = tally->idle;
    a.unwatched = tally->unwatched;
    a.holds = a.energy_share <= a.energy_allowed && a.open <= a.open_allowed &&
              fmax(fmax(a.force, a.moment), fmax(a.pull, a.idle)) <= a.balance_allowed &&
              a.beyond <= a.beyond_allowed && a.unwatched == 0;
    return a;
}
