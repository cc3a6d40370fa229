/* urdf.h: robots in URDF, the format of ROS.
 *
 * Room import/urdf. In: the tree of a <robot>. Out: its links and joints, and what of them is lost;
 * meshes are opened. What an attribute means is as in the pages of urdf/XML of the ROS wiki.
 */
#ifndef TN_IMPORT_URDF_URDF_H
#define TN_IMPORT_URDF_URDF_H

#include "import/robot/robot.h"

void tn_urdf_read(tn_robot *robot, tn_xml_element *root);

/* The parts of it. */
void tn_urdf_read_link(tn_robot *robot, tn_xml_element *element);
void tn_urdf_read_shapes(tn_robot *robot, int32_t link, tn_xml_element *element);
void tn_urdf_read_joint(tn_robot *robot, tn_xml_element *element);
/* Which joint follows which, after all joints are known. */
void tn_urdf_read_mimics(tn_robot *robot, tn_xml_element *root);

/* The <origin> in an element: xyz, then rpy about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll). */
tn_pose tn_urdf_origin(tn_import *import, const tn_xml_element *element);

#endif
