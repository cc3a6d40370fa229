/* joint_data.h: which lists of points and axes make a joint (tn_joint_data).
 *
 * Room spec/joint. In: what the user gave and the kind the type wants. Out: every fault, passed to a
 * callback; both the validation and the maps of unattached joints use it.
 */
#ifndef TN_SPEC_JOINT_JOINT_DATA_H
#define TN_SPEC_JOINT_JOINT_DATA_H

#include "tenon/joint.h"

/* At most this many turns, and as many shifts. */
#define TN_AXES_OF_A_KIND 3

/* key: of the model file, "points", "coordinates" or "axes"; item: number in that list, -1: all. */
typedef void (*tn_fault_sink)(void *context, const char *key, int32_t item, const char *hint,
                              const char *text);

/* Number of faults; sink may be NULL. data may be NULL. */
int32_t tn_joint_data_faults(tn_joint_data_kind wanted, const tn_joint_data *data,
                             tn_fault_sink sink, void *context);

/* Does the coordinate of an axis move it, as far as the form of the function shows? */
int tn_joint_axis_moves(const tn_joint_axis *axis);

/* Are counts and pointers such that the lists can be read at all? */
int tn_joint_data_is_readable(const tn_joint_data *data);

/* What is wrong with a motion computed by the program, as the end of a sentence; NULL: nothing.
 * Coordinates must be counted right. */
const char *tn_joint_motion_problem(const tn_joint_data *data);

#endif
