/* linkage_show.c: room method/linkage: writes back a step that was not written back during its iteration. See
 * linkage.h. */
#include "method/linkage/linkage_tell.h"

TN_INLINE tn_linkage_results finish(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    const tn_tiles *tiles = &linkage->tiles;
    tn_linkage_tally tally = begin_tally(sim, c, linkage);
    for (int32_t t = 0; t < tiles->count; t++) {
        EACH_TURN(&tiles->placed, t, k, finish_pin(&tally, k);)
        EACH_TURN(&tiles->residual, t, k, finish_bar(&tally, k);)
    }
    return results_of(&tally);
}

static tn_linkage_results finish_narrow(const tn_sim *sim, const tn_alpha *c,
                                        const tn_linkage *linkage)
{
    return finish(sim, c, linkage);
}

TN_WIDE static tn_linkage_results finish_wide(const tn_sim *sim, const tn_alpha *c,
                                              const tn_linkage *linkage)
{
    return finish(sim, c, linkage);
}

tn_linkage_results tn_linkage_finish(const tn_sim *sim, const tn_alpha *c,
                                     const tn_linkage *linkage)
{
    return TN_WIDE_COPIES && linkage->wide ? finish_wide(sim, c, linkage)
                                           : finish_narrow(sim, c, linkage);
}
