/* drive_io.h: drive, motor, friction and spring of a joint's coordinates, read by tables.
 *
 * Room io/field. Each key of a joint is a mapping from coordinates to a section, that of a coupling is
 * the section; a section's table (drive_tables.c) has its offsets in tn_drive_def.
 */
#ifndef TN_IO_FIELD_DRIVE_IO_H
#define TN_IO_FIELD_DRIVE_IO_H

#include "io/reader/field.h"
#include "tenon/spec.h"

extern const tn_table tn_driver_table, tn_motor_table, tn_friction_table, tn_spring_table,
    tn_pull_table;

/* Springs along all lengths of a joint: the one they share, first, and where each wants to be. */
typedef struct tn_pull {
    tn_drive_def each;
    tn_function_def target[TN_MAX_COORDINATES];
} tn_pull;

/* The drive of a coordinate of a joint: a new one if there is none yet; NULL when out of memory. */
tn_drive_def *tn_read_drive_of(tn_reader *reader, tn_joint_def *def, int32_t coordinate);

/* The section itself, without coordinates: of a coupling's value. */
extern const tn_field_kind tn_field_own_drive;

/* The targets by coordinate. */
extern const tn_field_kind tn_field_targets;

/* A function of time whose values are in the unit of the coordinate, and one of the coordinate. */
extern const tn_field_kind tn_field_time_function, tn_field_force_law;

#endif
