/* urdf.c: a whole URDF file (urdf.h).
 *
 * Room import/urdf.
 */
#include "import/urdf/urdf.h"

#include <string.h>

#include "math/m3.h"

/* What URDF has and Tenon does not take over. */
static const tn_xml_loss LOSSES[] = {
    {"link/collision", TN_NOTE, "bodies do not touch each other here"},
    {"material", TN_NOTE, "shapes have no colours and textures of their own"},
    {"visual@name", TN_NOTE, "shapes have no names"},
    {"collision@name", TN_NOTE, "shapes have no names"},
    {"link@type", TN_NOTE, "it says nothing of the motion"},
    {"robot@version", TN_NOTE, "it says nothing of the motion"},
    {"gazebo", TN_NOTE, "it is for another simulator: its plugins, sensors and contacts"},
    {"transmission", TN_NOTE, "what drives a joint is said at the joint: motor, drive, spring"},
    {"ros2_control", TN_NOTE, "what drives a joint is said at the joint: motor, drive, spring"},
    {"sensor", TN_NOTE, "measures and markers report what happens"},
    {"safety_controller", TN_NOTE, "it is for a controller; the range is kept"},
    {"calibration", TN_NOTE, "it is for the machine itself"},
    {"limit@effort", TN_NOTE,
     "a limit of motors, and no motor is in the file: 'motor' has a "
     "'max_force'"},
    {"limit@velocity", TN_NOTE, "a limit of motors, and no motor is in the file"},
    {"limit@acceleration", TN_NOTE, "a limit of motors, and no motor is in the file"},
    {"limit@jerk", TN_NOTE, "a limit of motors, and no motor is in the file"},
    {"loop_joint", TN_WARNING, "a loop of another dialect; in a Tenon model it is a joint"},
    {"constraint", TN_WARNING, "a loop of another dialect; in a Tenon model it is a joint"},
    {"link/contact", TN_NOTE, "bodies do not touch each other here"},
    {"robot/self_collide", TN_NOTE, "bodies do not touch each other here"},
    {"robot/mujoco", TN_NOTE, "it is for another program"},
    {"drake:joint", TN_WARNING, "it is for another program"},
    {NULL, TN_NOTE, NULL},
};

tn_pose tn_urdf_origin(tn_import *import, const tn_xml_element *element)
{
    tn_xml_element *origin = tn_xml_child(element, "origin");
    tn_pose pose = tn_pose_identity();
    if (origin == NULL)
        return pose;
    const tn_vec3 rpy = tn_xml_vector(import, origin, "rpy", (tn_vec3){0.0, 0.0, 0.0});
    pose.p = tn_xml_vector(import, origin, "xyz", pose.p);
    if (tn_xml_peek(origin, "quat_xyzw") != NULL) {
        double q[4];
        if (tn_xml_numbers(import, origin, "quat_xyzw", q, 4, 4) == 4 &&
            !q_unit((tn_quat){q[3], q[0], q[1], q[2]}, &pose.q))
            tn_xml_error(import, origin, "quat_xyzw", NULL, "'quat_xyzw' has no direction");
        return pose;
    }
    pose.q = tn_quat_from_rpy(rpy.z, rpy.y, rpy.x);
    return pose;
}

/* Macros and formulas of xacro that were not worked out. */
static bool is_xacro(const tn_xml_element *element)
{
    if (strncmp(element->name, "xacro:", 6) == 0)
        return true;
    for (int32_t i = 0; i < element->attribute_count; i++) {
        const char *value = element->attributes[i].value;
        if (strstr(value, "${") != NULL || strstr(value, "$(") != NULL)
            return true;
    }
    return false;
}

static const tn_xml_element *find_xacro(const tn_xml_element *element)
{
    const tn_xml_element *found = is_xacro(element) ? element : NULL;
    for (const tn_xml_element *e = element->first; e != NULL && found == NULL; e = e->next) {
        found = tn_xml_is(e, "gazebo") ? NULL : find_xacro(e);
    }
    return found;
}

static void set_world(tn_robot *robot, tn_xml_element *root)
{
    tn_world_def world = tn_default_world_def();
    world.name = tn_xml_text(root, "name");
    if (world.name == NULL)
        tn_xml_warning(robot->import, root, NULL, NULL, "the robot has no 'name'");
    world.at = root->at;
    const tn_status status = tn_spec_set_world(robot->import->spec, &world);
    robot->import->status = status != TN_OK ? status : robot->import->status;
}

void tn_urdf_read(tn_robot *robot, tn_xml_element *root)
{
    tn_import *import = robot->import;
    const tn_xml_element *xacro = find_xacro(root);
    if (xacro != NULL) {
        tn_xml_error(import, xacro, NULL, "run xacro first: xacro robot.urdf.xacro > robot.urdf",
                     "this is a xacro file, from which a URDF file is yet to be made");
        return;
    }
    set_world(robot, root);
    for (tn_xml_element *e = root->first; e != NULL; e = e->next) {
        if (tn_xml_is(e, "link"))
            tn_urdf_read_link(robot, e);
    }
    for (tn_xml_element *e = root->first; e != NULL; e = e->next) {
        if (tn_xml_is(e, "joint"))
            tn_urdf_read_joint(robot, e);
    }
    tn_urdf_read_mimics(robot, root);
    if (robot->link_count == 0 && import->problems == 0)
        tn_xml_error(import, root, NULL, NULL, "there are no links in the robot");
    if (import->problems == 0)
        tn_xml_tell_unread(import, root, LOSSES, "URDF");
}
