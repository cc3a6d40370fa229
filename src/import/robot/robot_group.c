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

/* The first link above with a body, through fixed joints; false: there is none yet. */
static bool go_up(tn_robot *robot, tn_robot_link *link, const bool *settled)
{
    tn_pose pose = tn_pose_identity();
    const tn_robot_link *at = link;
    for (int32_t i = 0; is_fixed(robot, at) && i < robot->link_count; i++) {
        const int32_t parent = parent_of(robot, at);
        pose = tn_pose_multiply(in_parent(robot, at), pose);
        if (parent < 0) {
            link->carrier = TN_NO_LINK;
            link->in_carrier = pose;
            return true;
        }
        at = &robot->links[parent];
        if (settled[parent]) {
            link->carrier = at->carrier;
            link->in_carrier = tn_pose_multiply(at->in_carrier, pose);
            return true;
        }
    }
    return false;
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

/* Is it fixed to the world, with nothing that moves in between? */
static bool stands(const tn_robot *robot, const tn_robot_link *link)
{
    for (int32_t i = 0; is_fixed(robot, link) && i < robot->link_count; i++) {
        if (parent_of(robot, link) < 0)
            return true;
        link = &robot->links[parent_of(robot, link)];
        if (link->mass.mass > 0.0 && !link->grounded)
            return false;
    }
    return link->grounded;
}

/* What has shapes and is fixed to the bare ground needs a body that does not move. */
static void settle_standing(tn_robot *robot, bool *settled)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        tn_robot_link *link = &robot->links[i];
        if (settled[i] || !stands(robot, link) || is_ground(link))
            continue;
        settled[i] = link->grounded = true;
    }
}

static void settle_above(tn_robot *robot, bool *settled)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        if (!settled[i] && !is_fixed(robot, &robot->links[i]))
            continue;
        if (!settled[i])
            settled[i] = go_up(robot, &robot->links[i], settled);
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
