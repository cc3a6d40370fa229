/* robot_plant.c: which joint carries which link, and the initial poses of the links (robot.h).
 *
 * Room import/robot. The first joint to a link carries it; another one to the same link closes a
 * loop. Links that no joint carries are roots. Links that only carry each other, in a circle, have
 * no defined pose, which is an error.
 */
#include "import/robot/robot.h"

#include "math/m3.h"

static void find_carriers(tn_robot *robot)
{
    for (int32_t j = 0; j < robot->joint_count; j++) {
        tn_robot_joint *joint = &robot->joints[j];
        tn_robot_link *child = joint->child >= 0 ? &robot->links[joint->child] : NULL;
        if (child == NULL || joint->loop)
            continue;
        if (child->joint < 0) {
            child->joint = j;
        } else {
            joint->loop = true;
            tn_xml_warning(robot->import, joint->element, NULL, NULL,
                           "joint '%.100s' is a second one that carries '%.100s', after "
                           "'%.100s': taken as closing a loop",
                           joint->name, child->name, robot->joints[child->joint].name);
        }
    }
}

static void place_root(tn_robot *robot, int32_t index)
{
    tn_robot_link *link = &robot->links[index];
    link->placed = true;
    link->grounded = !robot->free_root || link->mass.mass == 0.0;
    if (!robot->free_root && link->mass.mass > 0.0) {
        tn_xml_note(robot->import, link->element, NULL,
                    "'--set root=free' lets it move; a floating joint says so in the file",
                    "link '%.100s' stands on the ground, since no joint carries it", link->name);
    }
}

static void place_child(tn_robot *robot, tn_robot_link *link)
{
    const tn_robot_joint *joint = &robot->joints[link->joint];
    const tn_pose parent =
        joint->parent >= 0 ? robot->links[joint->parent].pose : tn_pose_identity();
    const tn_pose d = tn_pose_multiply(parent, joint->in_parent);
    tn_pose moved = tn_robot_motion_pose(joint->motion, joint->start);
    if (joint->motion == TN_ROBOT_BALL)
        moved.q = joint->start_turn;
    const tn_pose c = tn_pose_multiply(d, moved);
    link->pose = tn_pose_multiply(c, tn_pose_inverse(joint->in_child));
    link->pose.q = q_normalize(link->pose.q);
    link->placed = true;
}

/* Places a link after all the links that carry it, from the ground up; way: memory, [link_count]. */
static void place(tn_robot *robot, int32_t index, int32_t *way)
{
    int32_t length = 0, at = index;
    for (; at >= 0 && !robot->links[at].placed && length < robot->link_count; length++) {
        way[length] = at;
        const int32_t joint = robot->links[at].joint;
        if (joint < 0) {
            place_root(robot, at);
            length++;
            break;
        }
        at = robot->joints[joint].parent;
    }
    if (at >= 0 && !robot->links[at].placed)
        return; /* a circle */
    for (int32_t i = length - 1; i >= 0; i--) {
        if (robot->links[way[i]].joint >= 0)
            place_child(robot, &robot->links[way[i]]);
        robot->order[robot->ordered++] = way[i];
    }
}

static void tell_circle(tn_robot *robot)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        const tn_robot_link *link = &robot->links[i];
        if (!link->placed) {
            tn_xml_error(robot->import, robot->joints[link->joint].element, NULL,
                         "one link must be a root, which is no joint's child",
                         "link '%.100s' hangs on itself: its joints go round in a circle",
                         link->name != NULL ? link->name : "");
            return;
        }
    }
}

static void tell_roots(tn_robot *robot)
{
    const tn_robot_link *first = NULL;
    for (int32_t i = 0; i < robot->link_count; i++) {
        const tn_robot_link *link = &robot->links[i];
        if (link->joint >= 0)
            continue;
        if (first != NULL) {
            tn_xml_warning(robot->import, link->element, NULL, NULL,
                           "no joint carries link '%.100s', nor '%.100s': each is a root",
                           link->name, first->name);
        } else {
            first = link;
        }
    }
}

void tn_robot_plant(tn_robot *robot)
{
    int32_t *way = tn_import_alloc(robot->import, robot->link_count, sizeof *way);
    robot->order = tn_import_alloc(robot->import, robot->link_count, sizeof *robot->order);
    if (way == NULL || robot->order == NULL)
        return;
    find_carriers(robot);
    for (int32_t i = 0; i < robot->link_count; i++) {
        place(robot, i, way);
    }
    tell_circle(robot);
    tell_roots(robot);
}
