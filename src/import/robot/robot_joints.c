/* robot_joints.c: joints of the spec with what acts along them (robot.h).
 *
 * Room import/robot.
 */
#include "import/robot/robot.h"

#include <math.h>

#include "math/m3.h"

typedef struct motion_row {
    const char *type;
    int32_t coordinates;
} motion_row;

static const motion_row MOTIONS[] = {
#define MOTION_ROW(motion, type, coordinates) {type, coordinates},
    TN_ROBOT_MOTION_LIST(MOTION_ROW)
#undef MOTION_ROW
};

bool tn_robot_has_spring(const tn_robot_spring *spring)
{
    return spring->stiffness > 0.0 || spring->damping > 0.0;
}

tn_spring_def tn_robot_spring_def(const tn_robot_spring *spring, double *numbers)
{
    tn_spring_def def = tn_default_spring_def();
    if (spring->stiffness > 0.0 || spring->damping == 0.0)
        def.stiffness = spring->stiffness;
    if (spring->damping > 0.0)
        def.damping = spring->damping;
    numbers[0] = spring->rest;
    numbers[1] = spring->rate;
    if (spring->rate != 0.0) {
        def.rest =
            (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = numbers, .count = 2};
    } else if (spring->rest != 0.0) {
        def.rest = (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = numbers, .count = 1};
    }
    if (isfinite(spring->max_force))
        def.max_force = spring->max_force;
    return def;
}

bool tn_robot_drive(const tn_robot_joint *joint, int32_t coordinate, double *numbers,
                    tn_drive_def *out)
{
    *out = tn_default_drive_def();
    out->coordinate = coordinate;
    if (joint->friction > 0.0)
        out->friction.force = joint->friction;
    if (joint->viscous > 0.0)
        out->friction.viscous = joint->viscous;
    const bool spring = tn_robot_has_spring(&joint->spring);
    if (spring)
        out->spring = tn_robot_spring_def(&joint->spring, numbers);
    return joint->friction > 0.0 || joint->viscous > 0.0 || spring;
}

/* A frame of a joint in the body of a link. */
static tn_pose in_body(const tn_robot *robot, int32_t link, tn_pose frame)
{
    return link >= 0 ? tn_pose_multiply(robot->links[link].in_carrier, frame) : frame;
}

static const tn_robot_link *body_of(const tn_robot *robot, int32_t link)
{
    const int32_t carrier = link >= 0 ? robot->links[link].carrier : TN_NO_LINK;
    return carrier >= 0 ? &robot->links[carrier] : NULL;
}

static bool stands(const tn_robot_link *body)
{
    return body == NULL || body->grounded;
}

/* Joints move their first body: where that is the ground, frames change sides, z axes turned round
 * so that coordinates keep their signs. */
static void swap_sides(tn_joint_def *def)
{
    const tn_pose round = {{0, 0, 0}, {0, 1, 0, 0}};
    const tn_pose c = def->frame_c;
    const tn_body a = def->a;
    def->frame_c = tn_pose_multiply(def->frame_d, round);
    def->frame_d = tn_pose_multiply(c, round);
    def->a = def->b;
    def->b = a;
}

/* A coordinate of more than half a turn cannot be seen from the places of the bodies. */
static void say_start(const tn_robot *robot, const tn_robot_joint *joint, tn_joint_def *def)
{
    if (fabs(joint->start) < 3.0 || joint->motion != TN_ROBOT_TURN || joint->loop)
        return;
    const tn_robot_link *b = body_of(robot, joint->parent);
    const tn_pose world = b != NULL ? b->pose : tn_pose_identity();
    def->placement = TN_PLACE_WORLD_FRAME;
    def->frame_d = tn_pose_multiply(world, def->frame_d);
    def->frame_c = tn_pose_identity();
    def->initial[0] = joint->start;
}

static void say_coordinates(const tn_robot_joint *joint, int32_t count, double rest[2],
                            tn_drive_def *drives, tn_joint_def *def)
{
    for (int32_t i = 0; i < count; i++) {
        def->lower[i] = joint->lower;
        def->upper[i] = joint->upper;
        def->armature[i] = joint->armature > 0.0 ? joint->armature : def->armature[i];
        def->speed[i] = joint->speed != 0.0 ? joint->speed : def->speed[i];
        def->drive_count += tn_robot_drive(joint, i, rest, &drives[def->drive_count]);
    }
    def->drives = drives;
    if (count == 1 && joint->lower == joint->upper) {
        def->locked[0] = 1;
        def->lower[0] = -(double)INFINITY;
        def->upper[0] = (double)INFINITY;
    }
}

static void add_joint(tn_robot *robot, tn_robot_joint *joint)
{
    const tn_robot_link *a = body_of(robot, joint->child), *b = body_of(robot, joint->parent);
    const motion_row *row = &MOTIONS[joint->motion];
    tn_drive_def drives[TN_MAX_COORDINATES];
    double rest[2] = {0.0, 0.0};
    tn_joint_def def = tn_default_joint_def();
    if (a == b || (stands(a) && stands(b)) || joint->motion == TN_ROBOT_FREE)
        return;
    def.type = row->type;
    def.at = joint->element->at;
    def.a = a != NULL ? a->body : tn_ground();
    def.b = b != NULL ? b->body : tn_ground();
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = in_body(robot, joint->child, joint->in_child);
    def.frame_d = in_body(robot, joint->parent, joint->in_parent);
    say_coordinates(joint, row->coordinates, rest, drives, &def);
    if (stands(a))
        swap_sides(&def);
    say_start(robot, joint, &def);
    def.name = tn_robot_name(robot, TN_ROBOT_JOINTS, joint->name, joint->element);
    const tn_status status = tn_spec_add_joint(robot->import->spec, &def, &joint->joint);
    robot->import->status = status != TN_OK ? status : robot->import->status;
    joint->coordinate = 0;
    if (row->coordinates == 0)
        joint->joint.i = -1;
}

void tn_robot_add_joints(tn_robot *robot)
{
    for (int32_t j = 0; j < robot->joint_count; j++) {
        robot->joints[j].joint.i = -1;
    }
    for (int32_t j = 0; j < robot->joint_count; j++) {
        tn_robot_add_chain(robot, j);
    }
    for (int32_t j = 0; j < robot->joint_count; j++) {
        if (!robot->joints[j].done)
            add_joint(robot, &robot->joints[j]);
    }
}
