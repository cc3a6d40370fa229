/* holds.h: room assemble: the kinds of hold: one row of a table for each tn_hold.
 *
 * In: a drive and the force of its row. Out: the bound of that force, whether the held value moves, and the shares of
 * the drive's parts in the force. Rules that differ by kind are columns of the table; the order of tn_hold
 * (state.h) is the priority.
 */
#ifndef TN_ASSEMBLE_HOLDS_H
#define TN_ASSEMBLE_HOLDS_H

#include <stdbool.h>

#include "assemble/drive_terms.h"
#include "tenon/sim.h"

typedef struct tn_held_row {
    double lambda; /* N, N m */
    double speed;  /* m/s, rad/s */
    double sticks; /* N, N m: what dry friction bears while it sticks */
} tn_held_row;

typedef struct tn_hold_kind {
    tn_coordinate_holder holder; /* as reported to users */
    int8_t pushes;               /* of a limit: +1 up only, -1 down only; 0: both ways */
    bool moves;                  /* its value moves, with the drive's rate and acceleration */
    /* True if the settings request this hold. NULL: no hold of a drive. */
    bool (*is_set)(const tn_drive_settings *s);
    /* Largest force of its row, N or N m; sticks: bound of static friction. NULL: unbounded. */
    double (*bound)(const tn_drive *drive, double sticks);
    /* Adds the row's force to the parts of the drive's forces. NULL: it belongs to none of them. */
    void (*share)(const tn_drive *drive, tn_held_row row, tn_drive_forces *f);
} tn_hold_kind;

extern const tn_hold_kind tn_hold_kinds[TN_HOLD_COUNT];

/* What holds a coordinate of an element. */
static inline const tn_hold_kind *tn_hold_kind_of(const tn_state *state, int32_t j, int32_t i)
{
    return &tn_hold_kinds[state->switches[j].hold[i]];
}

/* The hold of highest priority among those the settings request: those that end when their bound is reached, and
 * those without bound. */
tn_hold tn_hold_wanted(const tn_drive_settings *s);

#endif
