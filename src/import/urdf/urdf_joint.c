/* urdf_joint.c: a joint (urdf.h).
 *
 * Room import/urdf. The joint's frame is the child's, at the origin in the parent; its axis is in that frame, of any
 * length, x where nothing is said. At the start coordinates are 0, or the end of the range nearest
 * to it.
 */
#include "import/urdf/urdf.h"

#include <math.h>
#include <string.h>

typedef struct joint_type {
    const char *name;
    tn_robot_motion motion;
    bool axis, range, needs_range;
} joint_type;

static const joint_type TYPES[] = {
    {"revolute", TN_ROBOT_TURN, true, true, true},
    {"continuous", TN_ROBOT_TURN, true, false, false},
    {"prismatic", TN_ROBOT_SLIDE, true, true, true},
    {"fixed", TN_ROBOT_FIXED, false, false, false},
    {"floating", TN_ROBOT_FREE, false, false, false},
    {"planar", TN_ROBOT_PLANE, true, false, false},
    {"spherical", TN_ROBOT_BALL, false, false, false}, /* of a draft, and of others' dialects */
};

static const joint_type *find_type(tn_import *import, tn_xml_element *element)
{
    const char *name = tn_xml_needed(import, element, "type");
    if (name == NULL)
        return NULL;
    tn_suggestion suggestion = tn_suggestion_for(name);
    char hint[TN_HINT_SIZE];
    for (size_t i = 0; i < TN_COUNT_OF(TYPES); i++) {
        if (strcmp(TYPES[i].name, name) == 0)
            return &TYPES[i];
        tn_suggestion_offer(&suggestion, TYPES[i].name);
    }
    tn_xml_error(import, element, "type", tn_suggestion_hint(&suggestion, NULL, hint),
                 "there is no type of joint '%.60s'", name);
    return NULL;
}

static int32_t read_end(tn_robot *robot, tn_xml_element *element, const char *end)
{
    tn_xml_element *e = tn_xml_child(element, end);
    if (e == NULL) {
        tn_xml_error(robot->import, element, NULL, NULL, "joint '%.100s' has no '%s'",
                     tn_xml_peek(element, "name") != NULL ? tn_xml_peek(element, "name") : "", end);
        return TN_NO_LINK;
    }
    return tn_robot_find_link(robot, e, "link");
}

static double nearest_to_zero(double lower, double upper)
{
    const double q = lower > 0.0 ? lower : upper;
    return lower > 0.0 || upper < 0.0 ? q : 0.0;
}

static void read_range(tn_import *import, tn_xml_element *limit, tn_robot_joint *joint)
{
    if (tn_xml_peek(limit, "lower") == NULL && tn_xml_peek(limit, "upper") == NULL) {
        tn_xml_warning(import, limit, NULL, NULL,
                       "the 'limit' of joint '%.100s' has neither 'lower' nor 'upper': it moves "
                       "without end, not from 0 to 0",
                       joint->name);
        return;
    }
    joint->lower = tn_xml_number(import, limit, "lower", 0.0);
    joint->upper = tn_xml_number(import, limit, "upper", 0.0);
    if (joint->lower > joint->upper) {
        tn_xml_error(import, limit, "lower", NULL, "the 'lower' limit is above the 'upper' one");
        return;
    }
    if (joint->lower == joint->upper)
        tn_xml_warning(import, limit, NULL, NULL,
                       "the range of joint '%.100s' is a single value, %g: it is locked there",
                       joint->name, joint->lower);
    joint->start = nearest_to_zero(joint->lower, joint->upper);
    if (joint->start != 0.0 && joint->lower != joint->upper)
        tn_xml_note(import, limit, NULL, NULL,
                    "joint '%.100s' starts at %g, since 0 is outside of its range", joint->name,
                    joint->start);
}

static void read_limit(tn_import *import, tn_xml_element *element, const joint_type *type,
                       tn_robot_joint *joint)
{
    tn_xml_element *limit = tn_xml_child(element, "limit");
    if (limit != NULL && type->range) {
        read_range(import, limit, joint);
    } else if (limit == NULL && type->needs_range) {
        tn_xml_warning(import, element, NULL, NULL,
                       "joint '%.100s' is %s and has no 'limit': it moves without end", joint->name,
                       type->name);
    } else if (limit != NULL && (tn_xml_peek(limit, "lower") || tn_xml_peek(limit, "upper"))) {
        tn_xml_text(limit, "lower");
        tn_xml_text(limit, "upper");
        if (type->motion != TN_ROBOT_FIXED)
            tn_xml_warning(import, limit, NULL, NULL,
                           "a %s joint has no range: 'lower' and 'upper' of '%.100s' are left out",
                           type->name, joint->name);
    }
}

static void read_dynamics(tn_import *import, tn_xml_element *element, tn_robot_joint *joint)
{
    tn_xml_element *dynamics = tn_xml_child(element, "dynamics");
    if (dynamics == NULL)
        return;
    joint->viscous = tn_xml_amount(import, dynamics, "damping", 0.0);
    joint->friction = tn_xml_amount(import, dynamics, "friction", 0.0);
    const bool moves = joint->motion == TN_ROBOT_TURN || joint->motion == TN_ROBOT_SLIDE;
    if (!moves && (joint->viscous > 0.0 || joint->friction > 0.0)) {
        joint->viscous = joint->friction = 0.0;
        tn_xml_warning(import, dynamics, NULL, NULL,
                       "damping and friction of joint '%.100s' are left out: it has no single "
                       "coordinate",
                       joint->name);
    }
}

static void read_frames(tn_robot *robot, tn_xml_element *element, const joint_type *type,
                        tn_robot_joint *joint)
{
    tn_import *import = robot->import;
    const tn_pose origin = tn_urdf_origin(import, element);
    tn_xml_element *axis = tn_xml_child(element, "axis");
    joint->in_parent = origin;
    if (axis != NULL && !type->axis)
        tn_xml_text(axis, "xyz");
    if (!type->axis)
        return;
    const tn_vec3 x = {1.0, 0.0, 0.0};
    const tn_vec3 along = axis != NULL ? tn_xml_vector(import, axis, "xyz", x) : x;
    joint->in_child = tn_robot_axis_frame(robot, axis != NULL ? axis : element, "xyz",
                                          (tn_vec3){0.0, 0.0, 0.0}, along);
    joint->in_parent = tn_pose_multiply(origin, joint->in_child);
}

void tn_urdf_read_joint(tn_robot *robot, tn_xml_element *element)
{
    tn_import *import = robot->import;
    element->read = true;
    const char *name = tn_xml_needed(import, element, "name");
    const joint_type *type = find_type(import, element);
    tn_robot_joint *joint = tn_robot_add_joint(robot, name != NULL ? name : "", element);
    if (joint == NULL)
        return;
    joint->parent = read_end(robot, element, "parent");
    joint->child = read_end(robot, element, "child");
    if (type == NULL)
        return;
    if (joint->child >= 0 && joint->child == joint->parent)
        tn_xml_error(import, element, NULL, NULL, "joint '%.100s' joins a link to itself",
                     joint->name);
    joint->motion = type->motion;
    read_frames(robot, element, type, joint);
    read_limit(import, element, type, joint);
    read_dynamics(import, element, joint);
    if (type->motion == TN_ROBOT_FREE)
        tn_xml_note(import, element, NULL, NULL,
                    "joint '%.100s' is floating: its link moves freely, without a joint",
                    joint->name);
}

/* ---- mimic: q = multiplier q_other + offset ---- */

/* Joints that follow others that follow others start where these have theirs. */
#define MOST_FOLLOWERS 8

static void settle_starts(tn_robot *robot)
{
    for (int pass = 0; pass < MOST_FOLLOWERS; pass++) {
        for (int32_t i = 0; i < robot->coupling_count; i++) {
            const tn_robot_coupling *c = &robot->couplings[i];
            if (c->a >= 0 && c->b >= 0)
                robot->joints[c->a].start = c->factor * robot->joints[c->b].start + c->offset;
        }
    }
}

static void read_mimic(tn_robot *robot, int32_t index, tn_xml_element *mimic)
{
    tn_import *import = robot->import;
    const int32_t other = tn_robot_find_joint(robot, mimic, "joint");
    const double factor = tn_xml_number(import, mimic, "multiplier", 1.0);
    const double offset = tn_xml_number(import, mimic, "offset", 0.0);
    if (other == index)
        tn_xml_error(import, mimic, "joint", NULL, "joint '%.100s' follows itself",
                     robot->joints[index].name);
    if (other < 0 || other == index)
        return;
    const char *name = tn_import_print(import, "%.100s_mimic", robot->joints[index].name);
    tn_robot_coupling *c = tn_robot_add_coupling(robot, name, mimic);
    if (c == NULL)
        return;
    c->a = index;
    c->b = other;
    c->factor = factor;
    c->offset = offset;
}

void tn_urdf_read_mimics(tn_robot *robot, tn_xml_element *root)
{
    int32_t index = 0;
    for (tn_xml_element *e = root->first; e != NULL && index < robot->joint_count; e = e->next) {
        if (!tn_xml_is(e, "joint"))
            continue;
        tn_xml_element *mimic = tn_xml_child(e, "mimic");
        if (mimic != NULL)
            read_mimic(robot, index, mimic);
        index++;
    }
    settle_starts(robot);
}
