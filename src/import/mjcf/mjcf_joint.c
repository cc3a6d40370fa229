/* mjcf_joint.c: the joints of a body (mjcf.h).
 *
 * Room import/mjcf. A body with joints 1 .. n hangs on its parent by links without mass,
 *     parent - joint 1 - link - joint 2 - ... - joint n - body,
 * all of which are at the body's place at the start, where coordinates have the value 'ref'.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct joint_type {
    const char *name;
    tn_robot_motion motion;
} joint_type;

static const joint_type TYPES[] = {{"hinge", TN_ROBOT_TURN},
                                   {"slide", TN_ROBOT_SLIDE},
                                   {"ball", TN_ROBOT_BALL},
                                   {"free", TN_ROBOT_FREE}};

static tn_robot_motion read_type(tn_mjcf *m, tn_xml_element *element, int32_t class)
{
    const char *name = tn_mjcf_text(m, element, class, "type");
    if (tn_xml_is(element, "freejoint"))
        return TN_ROBOT_FREE;
    for (size_t i = 0; name != NULL && i < TN_COUNT_OF(TYPES); i++) {
        if (strcmp(name, TYPES[i].name) == 0)
            return TYPES[i].motion;
    }
    if (name != NULL)
        tn_xml_error(m->import, element, "type", "there are: hinge, slide, ball, free",
                     "there is no type of joint '%.60s'", name);
    return TN_ROBOT_TURN;
}

static void read_range(tn_mjcf *m, tn_xml_element *element, int32_t class, double unit,
                       tn_robot_joint *joint)
{
    double range[2] = {0.0, 0.0};
    const bool given = tn_mjcf_numbers(m, element, class, "range", range, 2, 2) == 2;
    if (tn_mjcf_is_limited(m, element, class, "limited", given ? range : NULL)) {
        joint->lower = unit * range[0];
        joint->upper = unit * range[1];
    }
    const bool bounded = tn_mjcf_numbers(m, element, class, "actuatorfrcrange", range, 2, 2) == 2;
    if (tn_mjcf_is_limited(m, element, class, "actuatorfrclimited", bounded ? range : NULL)) {
        joint->act_lower = range[0];
        joint->act_upper = range[1];
    }
}

/* Springs, friction and the like of a coordinate. */
static void read_forces(tn_mjcf *m, tn_xml_element *element, int32_t class, double unit,
                        tn_robot_joint *joint)
{
    joint->viscous = tn_mjcf_number(m, element, class, "damping", 0.0);
    joint->friction = tn_mjcf_number(m, element, class, "frictionloss", 0.0);
    joint->spring.stiffness = tn_mjcf_number(m, element, class, "stiffness", 0.0);
    joint->spring.rest = unit * tn_mjcf_number(m, element, class, "springref", 0.0);
    joint->armature = tn_mjcf_number(m, element, class, "armature", 0.0);
    if (joint->viscous < 0.0 || joint->friction < 0.0 || joint->spring.stiffness < 0.0 ||
        joint->armature < 0.0)
        tn_xml_error(m->import, element, NULL, NULL,
                     "damping, friction, stiffness and armature of joint '%.100s' must not be "
                     "negative",
                     joint->name);
}

/* Forces of joints without a single coordinate. */
static void lose_forces(tn_mjcf *m, tn_xml_element *element, int32_t class,
                        const tn_robot_joint *joint)
{
    static const char *const names[] = {"damping", "frictionloss", "stiffness", "armature",
                                        "range"};
    double v[8] = {0.0};
    for (size_t i = 0; i < TN_COUNT_OF(names); i++) {
        v[0] = v[1] = 0.0;
        if (tn_mjcf_numbers(m, element, class, names[i], v, 1, 8) > 0 &&
            (v[0] != 0.0 || v[1] != 0.0))
            tn_xml_warning(m->import, element, names[i], NULL,
                           "'%s' of joint '%.100s' is not carried over: it has no single "
                           "coordinate",
                           names[i], joint->name);
    }
}

static void read_joint(tn_mjcf *m, tn_xml_element *element, int32_t body_class,
                       tn_robot_joint *joint)
{
    const int32_t class = tn_mjcf_find_class(m, element, "class", body_class);
    double axis[3] = {0.0, 0.0, 1.0}, at[3] = {0.0, 0.0, 0.0};
    joint->motion = read_type(m, element, class);
    tn_mjcf_numbers(m, element, class, "pos", at, 3, 3);
    tn_mjcf_numbers(m, element, class, "axis", axis, 3, 3);
    const bool one = joint->motion == TN_ROBOT_TURN || joint->motion == TN_ROBOT_SLIDE;
    const double unit = joint->motion == TN_ROBOT_TURN ? m->angle : 1.0;
    joint->in_child.p = (tn_vec3){at[0], at[1], at[2]};
    if (!one && joint->motion == TN_ROBOT_BALL)
        lose_forces(m, element, class, joint);
    if (!one)
        return;
    joint->in_child = tn_robot_axis_frame(m->robot, element, "axis", joint->in_child.p,
                                          (tn_vec3){axis[0], axis[1], axis[2]});
    read_range(m, element, class, unit, joint);
    read_forces(m, element, class, unit, joint);
    joint->start = unit * tn_mjcf_number(m, element, class, "ref", 0.0);
}

/* Frames on both sides: the body's place is where the coordinate is at its start. */
static void place_frames(tn_robot_joint *joint, tn_pose at)
{
    const tn_pose c = joint->in_child;
    joint->in_parent = tn_pose_multiply(at, c);
    joint->in_child = tn_pose_multiply(c, tn_robot_motion_pose(joint->motion, joint->start));
}

static bool is_joint(const tn_xml_element *element)
{
    return tn_xml_is(element, "joint") || tn_xml_is(element, "freejoint");
}

static const char *joint_name(tn_mjcf *m, tn_xml_element *element, const char *body, int32_t count)
{
    const char *name = tn_xml_text(element, "name");
    return name != NULL ? name
           : count == 0 ? tn_import_print(m->import, "%.100s_joint", body)
                        : tn_import_print(m->import, "%.100s_joint%d", body, (int)count + 1);
}

/* One more joint on the way from a link to the body, and the link behind it. */
static int32_t add_step(tn_mjcf *m, const char *name, tn_xml_element *element, int32_t from,
                        tn_pose at, int32_t class, bool reads)
{
    tn_robot *robot = m->robot;
    if (tn_robot_add_link(robot, NULL, element) == NULL)
        return TN_NO_LINK;
    tn_robot_joint *joint = tn_robot_add_joint(robot, name, element);
    if (joint == NULL)
        return TN_NO_LINK;
    joint->parent = from;
    joint->child = robot->link_count - 1;
    robot->links[joint->child].pose = tn_pose_multiply(robot->links[from].pose, at);
    if (reads) {
        element->read = true;
        read_joint(m, element, class, joint);
    }
    place_frames(joint, at);
    return joint->child;
}

static void name_link(tn_mjcf *m, int32_t index, const char *name, const tn_xml_element *element)
{
    tn_robot_link *link = &m->robot->links[index];
    link->name = name;
    link->element = element;
    const tn_status status = tn_names_add(&m->robot->link_names, name, strlen(name), index);
    if (status == TN_ERROR_MEMORY) {
        m->import->status = status;
    } else if (status != TN_OK) {
        tn_xml_error(m->import, element, "name", NULL, "there are two bodies called '%.100s'",
                     name);
    }
}

int32_t tn_mjcf_read_joints(tn_mjcf *m, tn_xml_element *body, const char *name, tn_mjcf_place place,
                            int32_t class)
{
    int32_t link = place.link, count = 0;
    tn_pose at = place.frame;
    for (tn_xml_element *e = body->first; e != NULL && link != TN_NO_LINK; e = e->next) {
        if (!is_joint(e))
            continue;
        link = add_step(m, joint_name(m, e, name, count++), e, link, at, class, true);
        at = tn_pose_identity();
    }
    if (count == 0)
        link = add_step(m, tn_import_print(m->import, "%.100s_weld", name), body, link, at, class,
                        false);
    if (link != TN_NO_LINK)
        name_link(m, link, name, body);
    return link;
}
