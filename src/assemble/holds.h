/* holds.h: room assemble: what the kinds of hold are: one row for each tn_hold.
 *
 * In: a drive and the forces of its row. Out: what of it is bounded, what moves, who gives which
 * force. Rules that differ by kind are columns here; the order of tn_hold (state.h) says who gives
 * way to whom.
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
    tn_coordinate_holder holder; /* as users are told */
    int8_t pushes;               /* of a limit: +1 up only, -1 down only; 0: both ways */
    bool moves;                  /* its value moves, with the drive's rate and acceleration */
    /* Do the settings ask for it? NULL: it is none of the drive's. */
    bool (*is_set)(const tn_drive_settings *s);
    /* Largest force of its row, N or N m, given the bound of friction that sticks; NULL: none. */
    double (*bound)(const tn_drive *drive, double sticks);
    /* Adds the row's force to those of the drive. NULL: it is none of them. */
    void (*share)(const tn_drive *drive, tn_held_row row, tn_drive_forces *f);
} tn_hold_kind;

extern const tn_hold_kind tn_hold_kinds[TN_HOLD_COUNT];

/* What holds a coordinate of an element. */
static inline const tn_hold_kind *tn_hold_kind_of(const tn_state *state, int32_t j, int32_t i)
{
    return &tn_hold_kinds[state->switches[j].hold[i]];
}

/* The strongest hold that the settings ask for, of those that end where their bound is reached or
 * have none. */
tn_hold tn_hold_wanted(const tn_drive_settings *s);

#endif
