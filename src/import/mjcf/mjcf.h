/* mjcf.h: models in MJCF, the format of MuJoCo.
 *
 * Room import/mjcf. In: the tree of a <mujoco>. Out: its links and joints, and what of them is lost.
 */
#ifndef TN_IMPORT_MJCF_MJCF_H
#define TN_IMPORT_MJCF_MJCF_H

#include "import/robot/robot.h"

void tn_mjcf_read(tn_robot *robot, tn_xml_element *root);

#endif
