/* linkage_show.c: room method/linkage: writes back a step that was not written back during its iteration. See
 * linkage.h. */
#include "method/linkage/linkage_tell.h"

TN_INLINE tn_linkage_told tell(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    const tn_tiles *tiles = &linkage->tiles;
    tn_linkage_tally tally = begin_tally(sim, c, linkage);
    for (int32_t t = 0; t < tiles->count; t++) {
        EACH_TURN(&tiles->placed, t, k, tell_pin(&tally, k);)
        EACH_TURN(&tiles->weighed, t, k, tell_bar(&tally, k);)
    }
    return told_of(&tally);
}

static tn_linkage_told tell_narrow(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    return tell(sim, c, linkage);
}

TN_WIDE static tn_linkage_told tell_wide(const tn_sim *sim, const tn_alpha *c,
                                         const tn_linkage *linkage)
{
    return tell(sim, c, linkage);
}

tn_linkage_told tn_linkage_tell(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    return TN_WIDE_COPIES && linkage->wide ? tell_wide(sim, c, linkage)
                                           : tell_narrow(sim, c, linkage);
}
