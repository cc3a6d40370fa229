/* mjcf_actuator.c: actuators of joints, as they act with controls of 0 (mjcf.h).
 *
 * Room import/mjcf. The force is affine in the joint's coordinate q and its speed,
 *     f = gain u + b0 + b1 g q + b2 g q',   on the joint g f,   g the gear, u = 0 or the nearest control,
 * which is a spring of stiffness -b1 g^2, a damping -b2 g^2 and a constant effort.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct actuator {
    tn_mjcf *m;
    tn_xml_element *element;
    int32_t class;
    double gain, bias[3];
    bool lost;
} actuator;

static void read_motor(actuator *a)
{
    a->gain = 1.0;
}

static void read_position(actuator *a)
{
    const double kp = tn_mjcf_number(a->m, a->element, a->class, "kp", 1.0);
    const double kv = tn_mjcf_number(a->m, a->element, a->class, "kv", 0.0);
    a->gain = kp;
    a->bias[1] = -kp;
    a->bias[2] = -kv;
}

static void read_velocity(actuator *a)
{
    a->gain = tn_mjcf_number(a->m, a->element, a->class, "kv", 1.0);
    a->bias[2] = -a->gain;
}

static bool says(const actuator *a, const char *attribute, const char *word)
{
    const char *text = tn_mjcf_text(a->m, a->element, a->class, attribute);
    return text != NULL && strcmp(text, word) == 0;
}

static void read_general(actuator *a)
{
    double gain[10] = {1.0}, bias[10] = {0.0};
    tn_mjcf_numbers(a->m, a->element, a->class, "gainprm", gain, 1, 10);
    tn_mjcf_numbers(a->m, a->element, a->class, "biasprm", bias, 1, 10);
    const char *kind = tn_mjcf_text(a->m, a->element, a->class, "gaintype");
    a->gain = gain[0];
    for (int i = 0; i < 3 && says(a, "biastype", "affine"); i++) {
        a->bias[i] = bias[i];
    }
    a->lost = (kind != NULL && strcmp(kind, "fixed") != 0) || says(a, "biastype", "muscle") ||
              says(a, "biastype", "user");
    if (a->lost)
        tn_xml_warning(a->m->import, a->element, NULL, NULL,
                       "the actuator is not carried over: its force is not linear");
}

typedef struct actuator_kind {
    const char *name;
    void (*read)(actuator *a);
} actuator_kind;

static const actuator_kind KINDS[] = {{"motor", read_motor},
                                      {"position", read_position},
                                      {"velocity", read_velocity},
                                      {"general", read_general}};

/* A range that counts: by its flag, or because it is there. */
static bool read_range(const actuator *a, const char *range, const char *flag, double out[2])
{
    const bool given = tn_mjcf_numbers(a->m, a->element, a->class, range, out, 2, 2) == 2;
    const char *limited = tn_mjcf_text(a->m, a->element, a->class, flag);
    if (limited != NULL && strcmp(limited, "auto") != 0)
        return given && strcmp(limited, "true") == 0;
    return given && a->m->autolimits;
}

static double nearest_to_zero(const double range[2])
{
    const double upper = range[1] < 0.0 ? range[1] : 0.0;
    return range[0] > 0.0 ? range[0] : upper;
}

/* One more spring along the coordinate: together they are one. */
static void add_spring(const actuator *a, tn_robot_joint *joint, double stiffness, double gear)
{
    double range[2];
    const double sum = joint->stiffness + stiffness;
    const bool alone = joint->stiffness == 0.0;
    joint->rest = sum > 0.0 ? joint->stiffness * joint->rest / sum : joint->rest;
    joint->stiffness = sum;
    if (!read_range(a, "forcerange", "forcelimited", range) || !(range[1] > 0.0))
        return;
    if (alone && range[0] == -range[1]) {
        joint->max_force = range[1] * fabs(gear);
    } else {
        tn_xml_warning(a->m->import, a->element, "forcerange", NULL,
                       "'forcerange' is not carried over: it is not the same both ways, or another "
                       "spring acts there too");
    }
}

static void add_effort(const actuator *a, int32_t joint, double effort)
{
    const char *name = tn_xml_text(a->element, "name");
    if (name == NULL)
        name = tn_import_print(a->m->import, "%s%d", a->element->name, (int)++a->m->unnamed);
    tn_robot_effort *e = tn_robot_add_effort(a->m->robot, name, a->element);
    if (e == NULL)
        return;
    e->joint = joint;
    e->effort = effort;
}

static void act(const actuator *a, int32_t index)
{
    tn_robot_joint *joint = &a->m->robot->joints[index];
    double gear[6] = {1.0}, range[2] = {0.0, 0.0};
    tn_mjcf_numbers(a->m, a->element, a->class, "gear", gear, 1, 6);
    const double g = gear[0];
    const double control =
        read_range(a, "ctrlrange", "ctrllimited", range) ? nearest_to_zero(range) : 0.0;
    const double stiffness = -a->bias[1] * g * g, damping = -a->bias[2] * g * g;
    const double effort = g * (a->gain * control + a->bias[0]);
    if (stiffness < 0.0 || damping < 0.0) {
        tn_xml_warning(a->m->import, a->element, NULL, NULL,
                       "the actuator is not carried over: it pushes with what moves");
        return;
    }
    if (stiffness > 0.0)
        add_spring(a, joint, stiffness, g);
    if (stiffness > 0.0) {
        joint->spring_damping += damping;
    } else {
        joint->viscous += damping;
    }
    if (effort != 0.0)
        add_effort(a, index, effort);
}

static bool read_actuator(tn_mjcf *m, tn_xml_element *e)
{
    const char *name = tn_xml_peek(e, "joint") != NULL ? "joint" : "jointinparent";
    for (size_t k = 0; k < TN_COUNT_OF(KINDS); k++) {
        if (!tn_xml_is(e, KINDS[k].name) || tn_xml_peek(e, name) == NULL)
            continue;
        e->read = true;
        actuator a = {.m = m, .element = e};
        a.class = tn_mjcf_find_class(m, e, "class", 0);
        const int32_t joint = tn_robot_find_joint(m->robot, e, name);
        if (joint < 0)
            return false;
        const tn_robot_motion motion = m->robot->joints[joint].motion;
        KINDS[k].read(&a);
        if (a.lost)
            return false;
        if (motion == TN_ROBOT_TURN || motion == TN_ROBOT_SLIDE) {
            act(&a, joint);
        } else {
            tn_xml_warning(m->import, e, name, NULL,
                           "the actuator is not carried over: the joint has no single coordinate");
        }
        return true;
    }
    return false;
}

void tn_mjcf_read_actuators(tn_mjcf *m)
{
    const tn_xml_element *first = NULL;
    int32_t count = 0;
    for (tn_xml_element *s = tn_xml_child(m->root, "actuator"); s != NULL; s = tn_xml_same(s)) {
        for (tn_xml_element *e = s->first; e != NULL; e = e->next) {
            if (!read_actuator(m, e))
                continue;
            first = first == NULL ? e : first;
            count++;
        }
    }
    if (first != NULL)
        tn_xml_note(m->import, first, NULL,
                    "a program or a 'motor', 'drive' or load in the model can do more",
                    "%d actuator%s act%s as with controls of 0: springs of servos are kept, "
                    "motors do nothing",
                    (int)count, count == 1 ? "" : "s", count == 1 ? "s" : "");
}
