/* robot_chain.c: joints in a row with nothing that has mass in between (robot.h).
 *
 * Room import/robot. A joint that turns or slides is a screw about a line of the body below,
 *     T = E_1(q_1) E_2(q_2) ... E_n(q_n) T(0).
 * Where the lines of all turns meet in a point o and slides come before turns, or along their axes,
 * that is a custom joint at o: the turns one after the other, and the sum of the slides. Other rows
 * need a mass in between: one that the reader allows, or they are refused.
 */
#include "import/robot/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/m3.h"

/* m and rad, relative: lines that meet, axes that are parallel; files have six digits and more. */
#define MEETING 1e-7
/* next_joint of a link with more than one */
#define SEVERAL (-2)

typedef struct chain {
    int32_t joints[TN_MAX_COORDINATES];
    int32_t count;
    tn_vec3 axis[TN_MAX_COORDINATES], point[TN_MAX_COORDINATES]; /* in the body below, at zero */
    tn_pose end; /* of the last link's body there, at zero */
    tn_vec3 meeting;
} chain;

static bool is_hollow(const tn_robot *robot, int32_t index)
{
    return index >= 0 && robot->links[index].carrier == index &&
           robot->links[index].mass.mass == 0.0 && !robot->links[index].grounded;
}

static int32_t carrier(const tn_robot *robot, int32_t link)
{
    return link >= 0 ? robot->links[link].carrier : TN_NO_LINK;
}

/* The one joint that goes on from each hollow link; -1: none, or several, or one of a loop. */
static void find_next(tn_robot *robot)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        robot->links[i].next_joint = -1;
    }
    for (int32_t j = 0; j < robot->joint_count; j++) {
        const tn_robot_joint *joint = &robot->joints[j];
        const int32_t below = carrier(robot, joint->parent), above = carrier(robot, joint->child);
        if (below == above)
            continue;
        if (below >= 0)
            robot->links[below].next_joint =
                robot->links[below].next_joint == -1 && !joint->loop ? j : SEVERAL;
        if (above >= 0 && joint->loop)
            robot->links[above].next_joint = SEVERAL;
    }
}

static int32_t joint_above(const tn_robot *robot, int32_t hollow)
{
    return robot->links[hollow].next_joint;
}

static bool moves_one_way(const tn_robot_joint *joint)
{
    return joint->motion == TN_ROBOT_TURN || joint->motion == TN_ROBOT_SLIDE;
}

/* The row of joints that begins with this one; false: it ends in nothing, or splits. */
static bool follow(const tn_robot *robot, int32_t first, chain *c)
{
    int32_t j = first;
    for (c->count = 0; c->count < TN_MAX_COORDINATES;) {
        if (j < 0 || !moves_one_way(&robot->joints[j]))
            return false;
        c->joints[c->count++] = j;
        const int32_t child = carrier(robot, robot->joints[j].child);
        if (!is_hollow(robot, child))
            return true;
        j = joint_above(robot, child);
    }
    return false;
}

static void trace(const tn_robot *robot, chain *c)
{
    tn_pose at = tn_pose_identity(); /* of the body that the joint's parent is part of */
    for (int32_t i = 0; i < c->count; i++) {
        const tn_robot_joint *joint = &robot->joints[c->joints[i]];
        const tn_robot_link *child = &robot->links[joint->child];
        const tn_pose in_body =
            joint->parent >= 0 ? robot->links[joint->parent].in_carrier : tn_pose_identity();
        const tn_pose d = tn_pose_multiply(tn_pose_multiply(at, in_body), joint->in_parent);
        c->axis[i] = tn_pose_rotate_vector(d, v3(0.0, 0.0, 1.0));
        c->point[i] = d.p;
        const tn_pose link = tn_pose_multiply(d, tn_pose_inverse(joint->in_child));
        at = tn_pose_multiply(link, tn_pose_inverse(child->in_carrier));
    }
    c->end = at;
}

static bool parallel(tn_vec3 a, tn_vec3 b)
{
    return v3_norm(v3_cross(a, b)) < MEETING;
}

static double distance_from_line(tn_vec3 p, tn_vec3 on, tn_vec3 axis)
{
    return v3_norm(v3_cross(v3_sub(p, on), axis));
}

/* The point of line a nearest to line b, which is not parallel to it. */
static tn_vec3 nearest(tn_vec3 a, tn_vec3 along_a, tn_vec3 b, tn_vec3 along_b)
{
    const tn_vec3 between = v3_sub(b, a);
    const double cosine = v3_dot(along_a, along_b);
    const double t =
        (v3_dot(between, along_a) - cosine * v3_dot(between, along_b)) / (1.0 - cosine * cosine);
    return v3_axpy(a, t, along_a);
}

static bool find_meeting(const tn_robot *robot, chain *c)
{
    int32_t first = -1, turns = 0;
    bool crossed = false;
    c->meeting = c->point[0];
    for (int32_t i = 0; i < c->count; i++) {
        if (robot->joints[c->joints[i]].motion != TN_ROBOT_TURN)
            continue;
        turns++;
        if (first < 0) {
            first = i;
            c->meeting = c->point[i];
        } else if (!crossed && !parallel(c->axis[first], c->axis[i])) {
            c->meeting = nearest(c->point[first], c->axis[first], c->point[i], c->axis[i]);
            crossed = true;
        }
    }
    for (int32_t i = 0; i < c->count; i++) {
        if (robot->joints[c->joints[i]].motion == TN_ROBOT_TURN &&
            distance_from_line(c->meeting, c->point[i], c->axis[i]) >
                MEETING * (1.0 + v3_norm(c->meeting)))
            return false;
    }
    return turns <= 3 && c->count - turns <= 3;
}

static bool slides_first(const tn_robot *robot, const chain *c)
{
    for (int32_t i = 0; i < c->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            if (robot->joints[c->joints[i]].motion == TN_ROBOT_SLIDE &&
                robot->joints[c->joints[k]].motion == TN_ROBOT_TURN &&
                !parallel(c->axis[i], c->axis[k]))
                return false;
        }
    }
    return true;
}

static tn_body body_of(const tn_robot *robot, int32_t link)
{
    const int32_t index = carrier(robot, link);
    return index >= 0 ? robot->links[index].body : tn_ground();
}

/* Coordinates have names that formulas can say: letters and digits, no digit first. */
static const char *coordinate_name(tn_robot *robot, const tn_robot_joint *joint,
                                   const tn_coordinate_info *before, int32_t count)
{
    char name[64];
    const bool digit = joint->name[0] >= '0' && joint->name[0] <= '9';
    snprintf(name, sizeof name, "%s%.50s", digit ? "_" : "", joint->name);
    for (char *c = name; *c != '\0'; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        *c = letter || (*c >= '0' && *c <= '9') ? *c : '_';
    }
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(before[i].name, name) == 0)
            return tn_import_print(robot->import, "%s_%d", name, (int)count + 1);
    }
    if (strcmp(name, joint->name) != 0)
        tn_xml_note(robot->import, joint->element, "name", NULL,
                    "joint '%.100s' is the coordinate '%s' here", joint->name, name);
    return tn_import_print(robot->import, "%s", name);
}

static void swallow(tn_robot *robot, const chain *c)
{
    for (int32_t i = 0; i + 1 < c->count; i++) {
        tn_robot_link *link = &robot->links[robot->joints[c->joints[i]].child];
        tn_robot_link *body = &robot->links[link->carrier];
        body->swallowed = true;
        if (link->name != NULL)
            tn_xml_note(robot->import, link->element, NULL, NULL,
                        "link '%.100s' moves and has no mass: its joints are in one with the next",
                        link->name);
        if (body->shape_count > 0)
            tn_xml_note(robot->import, body->element, NULL, NULL,
                        "link '%.100s' is therefore not drawn", body->name);
    }
}

static void add_custom(tn_robot *robot, const chain *c)
{
    const tn_robot_joint *first = &robot->joints[c->joints[0]];
    const tn_robot_joint *last = &robot->joints[c->joints[c->count - 1]];
    const tn_robot_link *child = &robot->links[last->child];
    tn_coordinate_info coordinates[TN_MAX_COORDINATES];
    tn_joint_axis axes[TN_MAX_COORDINATES];
    tn_drive_def drives[TN_MAX_COORDINATES];
    double rest[TN_MAX_COORDINATES][2];
    tn_joint_data data = {.coordinates = coordinates, .axes = axes};
    tn_joint_def def = tn_default_joint_def();
    for (int32_t i = 0; i < c->count; i++) {
        tn_robot_joint *joint = &robot->joints[c->joints[i]];
        const int32_t angular = joint->motion == TN_ROBOT_TURN;
        coordinates[i] =
            (tn_coordinate_info){coordinate_name(robot, joint, coordinates, i), angular};
        axes[i] = (tn_joint_axis){.angular = angular, .axis = c->axis[i], .coordinate = i};
        def.lower[i] = joint->lower;
        def.upper[i] = joint->upper;
        def.armature[i] = joint->armature > 0.0 ? joint->armature : def.armature[i];
        def.speed[i] = joint->speed != 0.0 ? joint->speed : def.speed[i];
        def.drive_count += tn_robot_drive(joint, i, rest[i], &drives[def.drive_count]);
        joint->done = true;
        joint->coordinate = i;
    }
    data.coordinate_count = data.axis_count = c->count;
    def.name = tn_robot_name(robot, TN_ROBOT_JOINTS,
                             child->name != NULL ? child->name : first->name, first->element);
    def.type = "custom";
    def.data = &data;
    def.drives = drives;
    def.a = body_of(robot, last->child);
    def.b = body_of(robot, first->parent);
    def.at = first->element->at;
    def.placement = TN_PLACE_BODY_FRAMES;
    const tn_pose d = {c->meeting, tn_pose_identity().q};
    def.frame_d = d;
    def.frame_c = tn_pose_multiply(tn_pose_inverse(c->end), d);
    tn_joint added = {-1, 0};
    const tn_status status = tn_spec_add_joint(robot->import->spec, &def, &added);
    robot->import->status = status != TN_OK ? status : robot->import->status;
    for (int32_t i = 0; i < c->count; i++) {
        robot->joints[c->joints[i]].joint = added;
    }
}

/* A millionth of the body above, and of its motion. */
#define STAND_IN 1e-6

/* The mass of the next link that has any, the way up. */
static const tn_robot_link *next_mass(const tn_robot *robot, int32_t hollow)
{
    for (int32_t i = 0, at = hollow; i < robot->link_count; i++) {
        const int32_t j = joint_above(robot, at);
        at = j >= 0 ? carrier(robot, robot->joints[j].child) : -1;
        if (at < 0)
            return NULL;
        if (robot->links[at].mass.mass > 0.0)
            return &robot->links[at];
    }
    return NULL;
}

/* A ball of the mass given, or a small share of the link above. */
static void stand_in(tn_robot *robot, int32_t index)
{
    tn_robot_link *link = &robot->links[index];
    const tn_robot_link *next = link->name == NULL ? next_mass(robot, index) : NULL;
    double mass = link->stand_in, moment = 0.4 * mass * 0.01; /* of radius 0.1 m */
    if (next != NULL) {
        const tn_mat3 *J = &next->mass.inertia;
        mass = STAND_IN * next->mass.mass;
        moment = STAND_IN * (J->m[0][0] + J->m[1][1] + J->m[2][2]);
    }
    if (!(mass > 0.0)) {
        tn_xml_error(robot->import, link->element, NULL,
                     "give it an inertial with a mass, or '--set massless=1e-3' for 1 g",
                     "link '%.100s' moves and has no mass", link->name != NULL ? link->name : "");
        link->swallowed = true;
        return;
    }
    link->mass.mass = mass;
    for (int i = 0; i < 3; i++) {
        link->mass.inertia.m[i][i] = moment;
    }
    tn_xml_warning(
        robot->import, link->element, NULL, NULL,
        link->name != NULL
            ? "link '%.100s' moves and has no mass: it is given %g kg"
            : "%.0stwo joints whose axes do not meet, or are one, have %g kg between them",
        link->name != NULL ? link->name : "", mass);
}

/* Is it the first of a row that has no mass behind its first joint? */
static bool begins(const tn_robot *robot, const tn_robot_joint *joint)
{
    const int32_t below = carrier(robot, joint->parent), above = carrier(robot, joint->child);
    return !joint->done && !joint->loop && below != above && is_hollow(robot, above) &&
           !is_hollow(robot, below);
}

/* Turns about one line, or slides along one way: one of a custom joint's coordinates would be enough for both. */
static bool has_twins(const tn_robot *robot, const chain *c)
{
    for (int32_t i = 0; i + 1 < c->count; i++) {
        for (int32_t k = i + 1; k < c->count; k++) {
            const bool adjacent =
                k == i + 1 || robot->joints[c->joints[i]].motion == TN_ROBOT_SLIDE;
            if (adjacent &&
                robot->joints[c->joints[i]].motion == robot->joints[c->joints[k]].motion &&
                parallel(c->axis[i], c->axis[k]))
                return true;
        }
    }
    return false;
}

static bool is_custom(const tn_robot *robot, int32_t joint, chain *c)
{
    if (!follow(robot, joint, c))
        return false;
    trace(robot, c);
    return !has_twins(robot, c) && find_meeting(robot, c) && slides_first(robot, c);
}

void tn_robot_join_chains(tn_robot *robot)
{
    chain c;
    bool changed = true;
    find_next(robot);
    for (int32_t pass = 0; changed && pass < robot->link_count; pass++) {
        changed = false;
        for (int32_t j = 0; j < robot->joint_count; j++) {
            const tn_robot_joint *joint = &robot->joints[j];
            tn_robot_link *above = &robot->links[joint->child >= 0 ? joint->child : 0];
            if (!begins(robot, joint) || robot->links[above->carrier].swallowed)
                continue;
            if (is_custom(robot, j, &c)) {
                swallow(robot, &c);
            } else {
                stand_in(robot, above->carrier);
                changed = true;
            }
        }
    }
}

void tn_robot_add_chain(tn_robot *robot, int32_t joint)
{
    chain c;
    if (begins(robot, &robot->joints[joint]) && is_custom(robot, joint, &c))
        add_custom(robot, &c);
}
