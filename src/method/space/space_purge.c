/* space_purge.c: room method/space: multipliers of hinges in space without what nothing determines. See space.h.
 *
 * What least_multipliers.c does with passes of the filter F = E (S + E)^-1 that leave no forces, with the matrix at
 * hand, which is S + E. Where that does not tell, nobody here does.
 */
#include "method/space/space.h"
#include "motion/closing/purge.h"
#include "solve/singular.h"

bool tn_space_purge(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    if (!tn_rows_repeat(sim, report))
        return true;
    if (!space->kernel->find_part(sim, space, report))
        return false;
    space->kernel->take_part(space);
    return true;
}
