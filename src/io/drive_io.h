/* drive_io.h: drive, motor, friction and spring of a joint's coordinates, read by tables.
 *
 * Room io. Each key of a joint is a mapping from coordinates to a section; a section's table
 * (drive_tables.c) has its offsets in tn_drive_def.
 */
#ifndef TN_IO_DRIVE_IO_H
#define TN_IO_DRIVE_IO_H

#include "io/field.h"

extern const tn_table tn_driver_table, tn_motor_table, tn_friction_table, tn_spring_table;

/* A function of time whose values are in the unit of the coordinate, and one of the coordinate. */
extern const tn_field_kind tn_field_time_function, tn_field_force_law;

#endif
