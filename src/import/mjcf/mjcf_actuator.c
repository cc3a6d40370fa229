/* mjcf_actuator.c: actuators of joints, as they act with controls of 0 (mjcf.h).
 *
 * Room import/mjcf. The force is affine in the joint's coordinate q and its speed, and bounded as a whole,
 *     f = gain u + b0 + b1 g q + b2 g q',   on the joint F = g clamp(f, forcerange),
 * g the gear, u = 0 or the nearest control. With k = -b1 g^2, d = -b2 g^2 and e = g (gain u + b0)
 *     F = mid + clamp((e - mid) - k q - d q', -half .. half),   mid +- half the bounds on the joint,
 * which is one spring with one cap, about the rest (e - mid) / k, and the constant mid. Without a stiffness the rest
 * moves at (e - mid) / d. Springs without caps add up to one; others are springs of their own.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct actuator {
    tn_mjcf *m;
    tn_xml_element *element;
    int32_t class, index;
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

/* A range that counts: by its flag, or because it is there and not of length 0. */
static bool read_range(const actuator *a, const char *range, const char *flag, double out[2])
{
    const bool given = tn_mjcf_numbers(a->m, a->element, a->class, range, out, 2, 2) == 2;
    return tn_mjcf_is_limited(a->m, a->element, a->class, flag, given ? out : NULL);
}

static double clamp(double value, const double range[2])
{
    return fmax(range[0], fmin(range[1], value));
}

/* The control: that of the keyframe or 0, or the nearest that there is. A servo may have the range of its joint, widened. */
static double control_of(const actuator *a, const tn_robot_joint *joint)
{
    double range[2] = {0.0, 0.0};
    const double control = a->index < a->m->control_count ? a->m->controls[a->index] : 0.0;
    if (read_range(a, "ctrlrange", "ctrllimited", range))
        return clamp(control, range);
    const double wide = tn_xml_is(a->element, "position")
                            ? tn_mjcf_number(a->m, a->element, a->class, "inheritrange", 0.0)
                            : 0.0;
    if (!(wide > 0.0) || !isfinite(joint->lower) || !isfinite(joint->upper))
        return control;
    const double mid = 0.5 * (joint->lower + joint->upper);
    const double half = 0.5 * wide * (joint->upper - joint->lower);
    return clamp(control, (double[2]){mid - half, mid + half});
}

/* On the joint: those of the actuator, and those of the joint's actuators together. */
static void read_bounds(const actuator *a, tn_robot_joint *joint, double gear, double bounds[2])
{
    double range[2] = {-(double)INFINITY, (double)INFINITY};
    bounds[0] = joint->act_lower;
    bounds[1] = joint->act_upper;
    if (joint->actuators++ > 0 && (isfinite(bounds[0]) || isfinite(bounds[1])))
        tn_xml_warning(
            a->m->import, joint->element, "actuatorfrcrange", NULL,
            "'actuatorfrcrange' of joint '%.100s' bounds each of its actuators here, not "
            "their sum",
            joint->name);
    if (gear == 0.0 || !read_range(a, "forcerange", "forcelimited", range))
        return;
    const double low = gear * range[gear < 0.0], high = gear * range[gear > 0.0];
    bounds[0] = fmax(bounds[0], fmin(low, bounds[1]));
    bounds[1] = fmin(bounds[1], fmax(high, bounds[0]));
}

static tn_robot_effort *add_effort(const actuator *a, int32_t joint)
{
    const char *name = tn_xml_text(a->element, "name");
    if (name == NULL)
        name = tn_import_print(a->m->import, "%s%d", a->element->name, (int)++a->m->unnamed);
    tn_robot_effort *e = tn_robot_add_effort(a->m->robot, name, a->element);
    if (e != NULL)
        e->joint = joint;
    return e;
}

static void add_constant(const actuator *a, int32_t joint, double effort)
{
    tn_robot_effort *e = effort != 0.0 ? add_effort(a, joint) : NULL;
    if (e != NULL)
        e->effort = effort;
}

/* The joint's own spring takes it where both have no cap, or where there is none. */
static void add_spring(const actuator *a, int32_t index, tn_robot_spring spring)
{
    tn_robot_spring *own = &a->m->robot->joints[index].spring;
    const double sum = own->stiffness + spring.stiffness;
    if (!tn_robot_has_spring(own)) {
        *own = spring;
    } else if (isinf(own->max_force) && isinf(spring.max_force) && sum > 0.0) {
        own->rest = (own->stiffness * own->rest + spring.stiffness * spring.rest) / sum;
        own->stiffness = sum;
        own->damping += spring.damping;
    } else {
        tn_robot_effort *e = add_effort(a, index);
        if (e != NULL)
            e->spring = spring;
    }
}

static void act(const actuator *a, int32_t index)
{
    tn_robot_joint *joint = &a->m->robot->joints[index];
    double gear[6] = {1.0}, bounds[2];
    tn_mjcf_numbers(a->m, a->element, a->class, "gear", gear, 1, 6);
    const double g = gear[0], control = control_of(a, joint);
    const double stiffness = -a->bias[1] * g * g, damping = -a->bias[2] * g * g;
    const double effort = g * (a->gain * control + a->bias[0]);
    if (stiffness < 0.0 || damping < 0.0) {
        tn_xml_warning(a->m->import, a->element, NULL, NULL,
                       "the actuator is not carried over: it pushes with what moves");
        return;
    }
    read_bounds(a, joint, g, bounds);
    if (stiffness == 0.0 && (damping == 0.0 || (isinf(bounds[0]) && isinf(bounds[1])))) {
        joint->viscous += damping;
        add_constant(a, index, fmin(fmax(effort, bounds[0]), bounds[1]));
        return;
    }
    tn_robot_spring spring = {.stiffness = stiffness, .damping = damping, .max_force = bounds[1]};
    const double mid = isfinite(bounds[1]) ? 0.5 * (bounds[0] + bounds[1]) : 0.0;
    spring.max_force -= mid;
    *(stiffness > 0.0 ? &spring.rest : &spring.rate) =
        (effort - mid) / (stiffness > 0.0 ? stiffness : damping);
    if (spring.max_force > 0.0)
        add_spring(a, index, spring);
    add_constant(a, index, mid);
}

static bool read_actuator(tn_mjcf *m, tn_xml_element *e)
{
    const char *name = tn_xml_peek(e, "joint") != NULL ? "joint" : "jointinparent";
    for (size_t k = 0; k < TN_COUNT_OF(KINDS); k++) {
        if (!tn_xml_is(e, KINDS[k].name) || tn_xml_peek(e, name) == NULL)
            continue;
        e->read = true;
        actuator a = {.m = m, .element = e, .index = m->actuators - 1};
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
            m->actuators++;
            if (!read_actuator(m, e))
                continue;
            first = first == NULL ? e : first;
            count++;
        }
    }
    if (first != NULL)
        tn_xml_note(m->import, first, NULL,
                    "a program or a 'motor', 'drive' or load in the model can do more",
                    "%d actuator%s act%s as with controls of %s: springs of servos are kept, "
                    "motors %s",
                    (int)count, count == 1 ? "" : "s", count == 1 ? "s" : "",
                    m->controls != NULL ? "the keyframe" : "0",
                    m->controls != NULL ? "push as these say" : "do nothing");
}
