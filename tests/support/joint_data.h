/* joint_data.h: test support: random lists of points and axes for the joint types that need some.
 */
#ifndef TENON_TESTS_JOINT_DATA_H
#define TENON_TESTS_JOINT_DATA_H

#include "joint_samples.h"

/* Without faults; NULL for types that take none. It lives until the process ends. Angles are
 * driven by angular coordinates, each coordinate is the value of one axis, and the functions of
 * the others bend within lengths and angles of the order of one. */
const tn_joint_data *sample_joint_data(tn_joint_type type, uint64_t *seed);

/* A joint of axes whose motion is computed by a callback. */
const tn_joint_data *joint_data_by_callback(tn_joint_type type, const tn_joint_data *axes);

#endif
