/* mjcf_keyframe.c: where a model starts: as it is drawn, or at one of its keyframes (mjcf.h).
 *
 * Room import/mjcf. qpos has the numbers of all joints in the order of the bodies: of a hinge and a slide the
 * coordinate, of a ball a quaternion, of a free body its place and a quaternion. qvel has speeds likewise, ctrl a
 * control for each actuator.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/m3.h"

static bool has_qpos(const tn_robot_joint *joint)
{
    return !joint->loop && joint->motion != TN_ROBOT_FIXED;
}

static bool has_one(const tn_robot_joint *joint)
{
    return joint->motion == TN_ROBOT_TURN || joint->motion == TN_ROBOT_SLIDE;
}

static int32_t positions_of(const tn_robot_joint *joint)
{
    return !has_qpos(joint) ? 0 : has_one(joint) ? 1 : joint->motion == TN_ROBOT_BALL ? 4 : 7;
}

static int32_t speeds_of(const tn_robot_joint *joint)
{
    return !has_qpos(joint) ? 0 : has_one(joint) ? 1 : joint->motion == TN_ROBOT_BALL ? 3 : 6;
}

/* Exactly `wanted` numbers of an attribute; NULL: none, or another count, which is reported. */
static const double *read_numbers(tn_mjcf *m, tn_xml_element *key, const char *name, int32_t wanted)
{
    int32_t count = 0;
    const double *list = tn_xml_list(m->import, key, name, &count);
    if (list == NULL || count == wanted)
        return list;
    tn_xml_error(m->import, key, name, NULL, "'%s' has %d numbers, the model %d", name, (int)count,
                 (int)wanted);
    return NULL;
}

static int32_t sum_of(const tn_robot *robot, int32_t (*of)(const tn_robot_joint *))
{
    int32_t sum = 0;
    for (int32_t j = 0; j < robot->joint_count; j++) {
        sum += of(&robot->joints[j]);
    }
    return sum;
}

static bool is_inside(const tn_robot_joint *joint, double q)
{
    const double slack = 1e-6 * (1.0 + fabs(q)); /* files are rounded */
    return q >= joint->lower - slack && q <= joint->upper + slack;
}

static const tn_robot_joint *find_outside(const tn_robot *robot, const double *qpos)
{
    for (int32_t j = 0; j < robot->joint_count; j++) {
        const tn_robot_joint *joint = &robot->joints[j];
        if (has_qpos(joint) && has_one(joint) &&
            !is_inside(joint, qpos != NULL ? *qpos : joint->start))
            return joint;
        qpos = qpos != NULL ? qpos + positions_of(joint) : NULL;
    }
    return NULL;
}

static void place_at(tn_mjcf *m, tn_xml_element *key, tn_robot_joint *joint, const double *q)
{
    tn_quat turn = tn_pose_identity().q;
    const double *quaternion = q + (joint->motion == TN_ROBOT_FREE ? 3 : 0);
    if (has_one(joint)) {
        joint->start = *q;
        return;
    }
    if (!q_unit((tn_quat){quaternion[0], quaternion[1], quaternion[2], quaternion[3]}, &turn))
        tn_xml_error(m->import, key, "qpos", NULL, "the quaternion of joint '%.100s' is zero",
                     joint->name);
    if (joint->motion == TN_ROBOT_BALL) {
        joint->start_turn = turn;
    } else {
        joint->in_parent = (tn_pose){v3_load(q), turn};
        joint->in_child = tn_pose_identity();
    }
}

static void start_at(tn_mjcf *m, tn_xml_element *key)
{
    tn_robot *robot = m->robot;
    const double *q = read_numbers(m, key, "qpos", sum_of(robot, positions_of));
    const double *u = read_numbers(m, key, "qvel", sum_of(robot, speeds_of));
    bool lost = false;
    m->controls = tn_xml_list(m->import, key, "ctrl", &m->control_count);
    for (int32_t j = 0; j < robot->joint_count; j++) {
        tn_robot_joint *joint = &robot->joints[j];
        if (q != NULL && has_qpos(joint))
            place_at(m, key, joint, q);
        if (u != NULL && has_one(joint) && has_qpos(joint))
            joint->speed = *u;
        for (int32_t i = 0; u != NULL && !has_one(joint) && i < speeds_of(joint); i++) {
            lost = lost || u[i] != 0.0;
        }
        q = q != NULL ? q + positions_of(joint) : NULL;
        u = u != NULL ? u + speeds_of(joint) : NULL;
    }
    if (lost)
        tn_xml_warning(m->import, key, "qvel", NULL,
                       "speeds of free and ball joints are not carried over: they start at rest");
}

/* Calls for each key until one answers true. */
static tn_xml_element *find_key(tn_mjcf *m, bool (*is)(tn_mjcf *, tn_xml_element *, int32_t))
{
    int32_t index = 0;
    for (tn_xml_element *s = m->root->first; s != NULL; s = s->next) {
        if (!tn_xml_is(s, "keyframe"))
            continue;
        for (tn_xml_element *e = s->first; e != NULL; e = e->next) {
            if (tn_xml_is(e, "key") && is(m, e, index++))
                return e;
        }
    }
    return NULL;
}

static bool is_chosen(tn_mjcf *m, tn_xml_element *key, int32_t index)
{
    const char *name = tn_xml_peek(key, "name"), *wanted = m->robot->keyframe;
    char *end = NULL;
    if (name != NULL && strcmp(name, wanted) == 0)
        return true;
    return strtol(wanted, &end, 10) == index && end != wanted && *end == '\0';
}

static bool is_good(tn_mjcf *m, tn_xml_element *key, int32_t index)
{
    int32_t count = 0;
    (void)index;
    const double *q = tn_xml_list(m->import, key, "qpos", &count);
    return q != NULL && count == sum_of(m->robot, positions_of) &&
           find_outside(m->robot, q) == NULL;
}

/* What starts outside of its range, and the first keyframe that does not. */
static void propose(tn_mjcf *m)
{
    const tn_robot_joint *joint = find_outside(m->robot, NULL);
    tn_xml_element *key = joint != NULL ? find_key(m, is_good) : NULL;
    if (key == NULL)
        return;
    const char *name = tn_xml_peek(key, "name");
    tn_xml_note(m->import, joint->element, "range",
                tn_import_print(m->import, "--keyframe '%.100s' starts inside all ranges",
                                name != NULL ? name : "0"),
                "joint '%.100s' is drawn at %g, outside of its range", joint->name, joint->start);
}

void tn_mjcf_read_keyframe(tn_mjcf *m)
{
    if (m->robot->keyframe == NULL) {
        propose(m);
        return;
    }
    tn_xml_element *key = find_key(m, is_chosen);
    if (key == NULL) {
        tn_xml_error(m->import, m->root, NULL, NULL, "there is no keyframe '%.100s' in the model",
                     m->robot->keyframe);
        return;
    }
    start_at(m, key);
    for (tn_xml_element *s = tn_xml_child(m->root, "keyframe"); s != NULL; s = tn_xml_same(s)) {
        tn_xml_take(s);
    }
}
