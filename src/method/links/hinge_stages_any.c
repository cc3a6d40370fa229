/* hinge_stages_any.c: room method/links: four links at a time, on every machine. See hinge_stages.h. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wpsabi" /* no vector leaves or enters a function that is not inlined */
#endif
#define TN_LANES 4
#include "method/links/hinge_stages.h"
#include "method/links/hinge_rows.h"
#include "method/links/hinge_show.h"
#include "method/links/hinge_show_forces.h"
#include "method/links/hinge_spin.h"

const tn_hinge_stages tn_hinge_stages_any = {start, turn,   strive,      cross,       eliminate,
                                             nudge, settle, show_motion, show_forces, spin};
