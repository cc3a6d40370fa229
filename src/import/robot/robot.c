/* robot.c: links, joints and what goes with them, by name (robot.h).
 *
 * Room import/robot.
 */
#include "import/robot/robot.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

void tn_robot_free(tn_robot *robot)
{
    tn_names_free(&robot->link_names);
    tn_names_free(&robot->joint_names);
    for (int i = 0; i < TN_ROBOT_NAME_KINDS; i++) {
        tn_names_free(&robot->given[i]);
    }
}

static void register_name(tn_robot *robot, tn_names *names, const char *what, const char *name,
                          int32_t index, const tn_xml_element *element)
{
    if (name == NULL)
        return;
    const tn_status status = tn_names_add(names, name, strlen(name), index);
    if (status == TN_ERROR_MEMORY) {
        robot->import->status = status;
    } else if (status != TN_OK) {
        tn_xml_error(robot->import, element, "name", NULL, "there are two %ss called '%.100s'",
                     what, name);
    }
}

#define PUSH(robot, list, count)                                                                   \
    ((list) = push((robot)->import, (list), &(count), sizeof *(list)),                             \
     (robot)->import->status == TN_OK ? &(list)[(count)-1] : NULL)

static void *push(tn_import *import, void *array, int32_t *count, size_t size)
{
    void *grown = tn_import_push(import, array, *count, size);
    if (grown == NULL)
        return array;
    memset((char *)grown + (size_t)*count * size, 0, size);
    ++*count;
    return grown;
}

tn_robot_link *tn_robot_add_link(tn_robot *robot, const char *name, const tn_xml_element *element)
{
    tn_robot_link *link = PUSH(robot, robot->links, robot->link_count);
    if (link == NULL)
        return NULL;
    const int32_t index = robot->link_count - 1;
    *link = (tn_robot_link){.name = name,
                            .element = element,
                            .joint = -1,
                            .carrier = index,
                            .stand_in = robot->stand_in,
                            .weight = 1.0,
                            .in_carrier = tn_pose_identity(),
                            .pose = tn_pose_identity()};
    register_name(robot, &robot->link_names, "link", name, index, element);
    return link;
}

tn_robot_joint *tn_robot_add_joint(tn_robot *robot, const char *name, const tn_xml_element *element)
{
    tn_robot_joint *joint = PUSH(robot, robot->joints, robot->joint_count);
    if (joint == NULL)
        return NULL;
    *joint = (tn_robot_joint){.name = name,
                              .element = element,
                              .parent = TN_NO_LINK,
                              .child = TN_NO_LINK,
                              .in_parent = tn_pose_identity(),
                              .in_child = tn_pose_identity(),
                              .start_turn = tn_pose_identity().q,
                              .lower = -(double)INFINITY,
                              .upper = (double)INFINITY,
                              .spring = {.max_force = (double)INFINITY},
                              .act_lower = -(double)INFINITY,
                              .act_upper = (double)INFINITY};
    register_name(robot, &robot->joint_names, "joint", name, robot->joint_count - 1, element);
    return joint;
}

tn_robot_coupling *tn_robot_add_coupling(tn_robot *robot, const char *name,
                                         const tn_xml_element *element)
{
    tn_robot_coupling *coupling = PUSH(robot, robot->couplings, robot->coupling_count);
    if (coupling != NULL)
        *coupling =
            (tn_robot_coupling){.name = name, .element = element, .a = -1, .b = -1, .factor = 1.0};
    return coupling;
}

tn_robot_marker *tn_robot_add_marker(tn_robot *robot, const char *name,
                                     const tn_xml_element *element)
{
    tn_robot_marker *marker = PUSH(robot, robot->markers, robot->marker_count);
    if (marker != NULL)
        *marker = (tn_robot_marker){name, element, TN_NO_LINK, tn_pose_identity()};
    return marker;
}

tn_robot_effort *tn_robot_add_effort(tn_robot *robot, const char *name,
                                     const tn_xml_element *element)
{
    tn_robot_effort *effort = PUSH(robot, robot->efforts, robot->effort_count);
    if (effort != NULL)
        *effort = (tn_robot_effort){.name = name, .element = element, .joint = -1};
    return effort;
}

tn_shape_def *tn_robot_add_shape(tn_robot *robot, tn_robot_link *link, tn_shape_kind kind,
                                 tn_pose pose, const tn_xml_element *element)
{
    tn_shape_def *shape = PUSH(robot, link->shapes, link->shape_count);
    if (shape == NULL)
        return NULL;
    *shape = tn_default_shape_def(kind);
    shape->pose = pose;
    shape->at = element->at;
    return shape;
}

static int32_t find(tn_robot *robot, const tn_names *names, const char *what,
                    tn_xml_element *element, const char *attribute)
{
    const char *name = tn_xml_needed(robot->import, element, attribute);
    if (name == NULL)
        return -1;
    const int32_t index = tn_names_find_text(names, name);
    if (index == TN_NO_NAME) {
        tn_suggestion suggestion = tn_suggestion_for(name);
        char hint[TN_HINT_SIZE];
        tn_names_offer(names, &suggestion);
        tn_xml_error(robot->import, element, attribute, tn_suggestion_hint(&suggestion, NULL, hint),
                     "there is no %s '%.100s'", what, name);
        return -1;
    }
    return index;
}

int32_t tn_robot_find_link(tn_robot *robot, tn_xml_element *element, const char *attribute)
{
    return find(robot, &robot->link_names, "link", element, attribute);
}

int32_t tn_robot_find_joint(tn_robot *robot, tn_xml_element *element, const char *attribute)
{
    return find(robot, &robot->joint_names, "joint", element, attribute);
}

tn_pose tn_robot_motion_pose(tn_robot_motion motion, double q)
{
    tn_pose pose = tn_pose_identity();
    if (motion == TN_ROBOT_TURN) {
        pose.q = tn_quat_from_axis_angle(v3(0.0, 0.0, 1.0), q);
    } else if (motion == TN_ROBOT_SLIDE) {
        pose.p.z = q;
    }
    return pose;
}

tn_pose tn_robot_axis_frame(tn_robot *robot, const tn_xml_element *element, const char *attribute,
                            tn_vec3 origin, tn_vec3 axis)
{
    tn_vec3 along;
    if (v3_unit(axis, &along) < TN_SMALLEST_NUMBER) {
        tn_xml_error(robot->import, element, attribute, NULL, "the axis has no direction");
        return (tn_pose){origin, tn_pose_identity().q};
    }
    return (tn_pose){origin, tn_quat_from_z_axis(along)};
}
