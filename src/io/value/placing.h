/* placing.h: items of a placed instance of a part, from the part's axes to those of the world.
 *
 * Room io/value. What is given in a body's own frame stays. Nothing is touched in a frame that is not
 * placed, so that a model without instances keeps its bits.
 */
#ifndef TN_IO_VALUE_PLACING_H
#define TN_IO_VALUE_PLACING_H

#include "io/reader/frame.h"

void tn_place_body(const tn_reader *reader, tn_body_def *def);
void tn_place_joint(const tn_reader *reader, tn_joint_def *def);
void tn_place_marker(const tn_reader *reader, tn_marker_def *def);
void tn_place_pulley(const tn_reader *reader, tn_pulley_def *def);

#endif
