/* robot_group.c: which links are parts of whose bodies (robot.h).
 *
 * Room import/robot. Links that fixed joints hold together are a group. One with mass is a body of its own. One
 * without is part of the nearest with mass above it, else of the first below, else of the topmost
 * of the group, which then is hollow: it moves and has no mass (robot_chain.c).
 */
#include "import/robot/robot.h"

/* The pose of a link in the one that carries it by a fixed joint. */
static tn_pose in_parent(const tn_robot *robot, const tn_robot_link *link)
{
    const tn_robot_joint *joint = &robot->joints[link->joint];
    return tn_pose_multiply(joint->in_parent, tn_pose_inverse(joint->in_child));
}

static bool is_fixed(const tn_robot *robot, const tn_robot_link *link)
{
    return link->joint >= 0 && robot->joints[link->joint].motion == TN_ROBOT_FIXED;
}

static int32_t parent_of(const tn_robot *robot, const tn_robot_link *link)
{
    return link->joint >= 0 ? robot->joints[link->joint].parent : TN_NO_LINK;
}

/* Of a root, or of what is fixed to the world: does it need no body? */
static bool is_ground(const tn_robot_link *link)
{
    return link->mass.mass == 0.0 && link->shape_count == 0;
}

/* Becomes part of what the link above is part of, through a fixed joint; false: that has no body
 * yet. */
static bool join_parent(tn_robot *robot, tn_robot_link *link, const bool *settled)
{
    const int32_t parent = parent_of(robot, link);
    const tn_pose pose = in_parent(robot, link);
    if (parent >= 0 && !settled[parent])
        return false;
    link->carrier = parent >= 0 ? robot->links[parent].carrier : TN_NO_LINK;
    link->in_carrier = parent >= 0 ? tn_pose_multiply(robot->links[parent].in_carrier, pose) : pose;
    return true;
}

/* What is without a body above a link with mass becomes part of it. */
static void claim(tn_robot *robot, int32_t index, bool *settled)
{
    tn_pose pose = tn_pose_identity();
    const tn_robot_link *at = &robot->links[index];
    for (int32_t i = 0; is_fixed(robot, at) && i < robot->link_count; i++) {
        const int32_t parent = parent_of(robot, at);
        if (parent < 0 || settled[parent])
            return;
        pose = tn_pose_multiply(pose, tn_pose_inverse(in_parent(robot, at)));
        robot->links[parent].carrier = index;
        robot->links[parent].in_carrier = pose;
        settled[parent] = true;
        at = &robot->links[parent];
    }
}

/* Roots that stand, and what has mass. */
static void settle_bodies(tn_robot *robot, bool *settled)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        tn_robot_link *link = &robot->links[i];
        settled[i] = link->mass.mass > 0.0 || link->grounded;
        if (link->grounded && is_ground(link))
            link->carrier = TN_NO_LINK;
    }
}

/* What has shapes and is fixed to the bare ground, with nothing that has mass in between, needs a
 * body that does not move. */
static void settle_standing(tn_robot *robot, bool *settled)
{
    bool *stands = tn_import_alloc(robot->import, robot->link_count, sizeof *stands);
    for (int32_t k = 0; stands != NULL && k < robot->link_count; k++) {
        const int32_t i = robot->order[k];
        tn_robot_link *link = &robot->links[i];
        const int32_t parent = parent_of(robot, link);
        const bool fixed = is_fixed(robot, link) && (parent < 0 || stands[parent]);
        stands[i] = link->grounded || (fixed && link->mass.mass == 0.0);
        if (stands[i] && !settled[i] && !is_ground(link))
            settled[i] = link->grounded = true;
    }
}

static void settle_above(tn_robot *robot, bool *settled)
{
    for (int32_t k = 0; k < robot->link_count; k++) {
        const int32_t i = robot->order[k];
        if (!settled[i] && is_fixed(robot, &robot->links[i]))
            settled[i] = join_parent(robot, &robot->links[i], settled);
    }
}

/* Groups without mass are carried by the link on top of them. */
static void settle_hollow(tn_robot *robot, bool *settled)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        settled[i] = settled[i] || !is_fixed(robot, &robot->links[i]);
    }
    settle_above(robot, settled);
}

static void tell_massless(tn_robot *robot)
{
    const tn_robot_link *first = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < robot->link_count; i++) {
        const tn_robot_link *link = &robot->links[i];
        if (link->name != NULL && link->carrier != i && link->carrier != TN_NO_LINK) {
            first = first == NULL ? link : first;
            count++;
        }
    }
    if (first != NULL)
        tn_xml_note(robot->import, first->element, NULL, NULL,
                    "link '%.100s'%s without mass %s fixed to another: made %s", first->name,
                    count > 1 ? tn_import_print(robot->import, " and %d more", (int)count - 1) : "",
                    count > 1 ? "are" : "is", count > 1 ? "markers of those" : "a marker of that");
}

void tn_robot_group(tn_robot *robot)
{
    bool *settled = tn_import_alloc(robot->import, robot->link_count, sizeof *settled);
    if (settled == NULL)
        return;
    settle_bodies(robot, settled);
    settle_standing(robot, settled);
    settle_above(robot, settled);
    for (int32_t i = 0; i < robot->link_count; i++) {
        if (robot->links[i].mass.mass > 0.0)
            claim(robot, i, settled);
    }
    settle_hollow(robot, settled);
    tell_massless(robot);
}
