/* holds.c: room assemble: the table of holds.h. */
#include "assemble/holds.h"

#include <math.h>

static bool is_driven(const tn_drive_settings *s)
{
    return s->driven;
}

static double bound_of_friction(const tn_drive *drive, double sticks)
{
    (void)drive;
    return sticks;
}

/* Dry friction helps a motor that holds its coordinate at rest. */
static double shared(const tn_drive *drive, double sticks)
{
    return drive->slip == 0 ? sticks : 0.0;
}

static double bound_of_motor(const tn_drive *drive, double sticks)
{
    return drive->set.motor_force + shared(drive, sticks);
}

/* The row is implicit in both; viscous friction is what the speed says. */
static void share_spring(const tn_drive *drive, tn_held_row row, tn_drive_forces *f)
{
    f->friction -= drive->set.viscous * row.speed;
    f->spring += row.lambda + drive->set.viscous * row.speed;
}

static void share_friction(const tn_drive *drive, tn_held_row row, tn_drive_forces *f)
{
    (void)drive;
    f->friction += row.lambda;
}

/* A motor that holds against less than friction would bear leaves it to friction. */
static void share_motor(const tn_drive *drive, tn_held_row row, tn_drive_forces *f)
{
    const double bound = tn_has_friction(&drive->set) ? shared(drive, row.sticks) : 0.0;
    const double borne = fmin(fmax(row.lambda, -bound), bound);
    f->friction += borne;
    f->motor += row.lambda - borne;
}

static void share_driver(const tn_drive *drive, tn_held_row row, tn_drive_forces *f)
{
    (void)drive;
    f->driver = row.lambda;
}

const tn_hold_kind tn_hold_kinds[TN_HOLD_COUNT] = {
    [TN_HOLD_NONE] = {TN_HELD_BY_NOTHING, 0, false, NULL, NULL, NULL},
    [TN_HOLD_SPRING] = {TN_HELD_BY_SPRING, 0, false, NULL, NULL, share_spring},
    [TN_HOLD_FRICTION] = {TN_HELD_BY_FRICTION, 0, false, tn_has_friction, bound_of_friction,
                          share_friction},
    [TN_HOLD_MOTOR] = {TN_HELD_BY_MOTOR, 0, true, tn_has_motor, bound_of_motor, share_motor},
    [TN_HOLD_DRIVER] = {TN_HELD_BY_DRIVER, 0, true, is_driven, NULL, share_driver},
    [TN_HOLD_LOCK] = {TN_HELD_BY_LOCK, 0, false, NULL, NULL, NULL},
    [TN_HOLD_PINNED] = {TN_HELD_BY_LIMIT, 0, false, NULL, NULL, NULL},
    [TN_HOLD_LOWER] = {TN_HELD_BY_LIMIT, 1, false, NULL, NULL, NULL},
    [TN_HOLD_UPPER] = {TN_HELD_BY_LIMIT, -1, false, NULL, NULL, NULL},
};

tn_hold tn_hold_wanted(const tn_drive_settings *s)
{
    tn_hold hold = TN_HOLD_DRIVER;
    while (hold > TN_HOLD_SPRING && !tn_hold_kinds[hold].is_set(s))
        hold--;
    return hold > TN_HOLD_SPRING ? hold : TN_HOLD_NONE;
}
