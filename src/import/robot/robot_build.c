/* robot_build.c: bodies, joints, markers and couplings of the spec (robot.h).
 *
 * Room import/robot.
 */
#include "import/robot/robot.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"
#include "tenon/load.h"

static void note_status(tn_robot *robot, tn_status status)
{
    if (status != TN_OK)
        robot->import->status = status;
}

/* ---- bodies ---- */

static bool has_body(const tn_robot *robot, int32_t index)
{
    const tn_robot_link *link = &robot->links[index];
    return link->carrier == index && !link->swallowed;
}

/* The shapes of all links that are part of a body, in its frame; *count of them. */
static const tn_shape_def *gather_shapes(tn_robot *robot, int32_t index, const int32_t *first,
                                         const int32_t *next, int32_t *count)
{
    *count = 0;
    for (int32_t i = first[index]; i >= 0; i = next[i]) {
        *count += robot->links[i].shape_count;
    }
    tn_shape_def *shapes = tn_import_alloc(robot->import, *count, sizeof *shapes);
    int32_t used = 0;
    for (int32_t i = first[index]; shapes != NULL && i >= 0; i = next[i]) {
        const tn_robot_link *link = &robot->links[i];
        for (int32_t k = 0; k < link->shape_count; k++) {
            shapes[used] = link->shapes[k];
            shapes[used++].pose = tn_pose_multiply(link->in_carrier, link->shapes[k].pose);
        }
    }
    *count = shapes != NULL ? *count : 0;
    return shapes;
}

static void add_body(tn_robot *robot, int32_t index, const int32_t *first, const int32_t *next)
{
    tn_robot_link *link = &robot->links[index];
    tn_body_def def = tn_default_body_def();
    def.name = tn_robot_name(robot, TN_ROBOT_BODIES, link->name != NULL ? link->name : "between",
                             link->element);
    def.at = link->element->at;
    def.pose = link->pose;
    def.shapes = gather_shapes(robot, index, first, next, &def.shape_count);
    if (link->grounded)
        def.kind = TN_BODY_FIXED;
    if (link->mass.mass > 0.0) {
        def.mass = link->mass.mass;
        def.com = link->mass.com;
        def.inertia = link->mass.inertia;
    }
    note_status(robot, tn_spec_add_body(robot->import->spec, &def, &link->body));
}

void tn_robot_add_bodies(tn_robot *robot)
{
    const int32_t count = robot->link_count;
    int32_t *first = tn_import_alloc(robot->import, count, sizeof *first);
    int32_t *next = tn_import_alloc(robot->import, count, sizeof *next);
    if (first == NULL || next == NULL)
        return;
    for (int32_t i = 0; i < count; i++) {
        first[i] = -1;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        const int32_t carrier = robot->links[i].carrier;
        if (carrier >= 0) {
            next[i] = first[carrier];
            first[carrier] = i;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (has_body(robot, i))
            add_body(robot, i, first, next);
    }
}

/* ---- markers ---- */

static void add_marker(tn_robot *robot, const char *name, const tn_xml_element *element,
                       int32_t link, tn_pose pose)
{
    tn_marker_def def = tn_default_marker_def();
    const int32_t carrier = link >= 0 ? robot->links[link].carrier : TN_NO_LINK;
    if (carrier >= 0 && robot->links[carrier].swallowed)
        return;
    if (link >= 0)
        pose = tn_pose_multiply(robot->links[link].in_carrier, pose);
    def.name = tn_robot_name(robot, TN_ROBOT_MARKERS, name, element);
    def.body = carrier >= 0 ? robot->links[carrier].body : tn_ground();
    def.position = pose.p;
    def.rotation = q_normalize(pose.q);
    def.at = element->at;
    note_status(robot, tn_spec_add_marker(robot->import->spec, &def, NULL));
}

/* Links that are no bodies, and the markers of the file. */
static void add_markers(tn_robot *robot)
{
    for (int32_t i = 0; i < robot->link_count; i++) {
        const tn_robot_link *link = &robot->links[i];
        if (link->carrier != i && link->name != NULL && link->joint >= 0)
            add_marker(robot, link->name, link->element, i, tn_pose_identity());
    }
    for (int32_t i = 0; i < robot->marker_count; i++) {
        const tn_robot_marker *m = &robot->markers[i];
        add_marker(robot, m->name, m->element, m->link, m->pose);
    }
}

/* ---- couplings, efforts ---- */

static tn_coupling_term term_of(const tn_robot *robot, int32_t index, double ratio)
{
    const tn_robot_joint *joint = &robot->joints[index];
    return (tn_coupling_term){
        .joint = joint->joint, .coordinate = joint->coordinate, .ratio = ratio};
}

static bool can_couple(const tn_robot *robot, const tn_robot_coupling *c, int32_t joint)
{
    if (robot->joints[joint].joint.i >= 0)
        return true;
    tn_xml_warning(robot->import, c->element, NULL, NULL,
                   "joint '%.100s' does not move along a coordinate: the coupling is left out",
                   robot->joints[joint].name);
    return false;
}

static void add_coupling(tn_robot *robot, const tn_robot_coupling *c)
{
    tn_coupling_def def = tn_default_coupling_def();
    tn_coupling_term terms[2];
    if (!can_couple(robot, c, c->a) || (c->b >= 0 && !can_couple(robot, c, c->b)))
        return;
    terms[def.term_count++] = term_of(robot, c->a, 1.0);
    if (c->b >= 0 && c->factor != 0.0)
        terms[def.term_count++] = term_of(robot, c->b, -c->factor);
    def.name = tn_robot_name(robot, TN_ROBOT_JOINTS, c->name, c->element);
    def.terms = terms;
    def.value = c->offset;
    def.at = c->element->at;
    note_status(robot, tn_spec_add_coupling(robot->import->spec, &def, NULL));
}

/* A coordinate that is the joint's own once more, on which one more spring can act. */
static void add_spring(tn_robot *robot, const tn_robot_effort *e)
{
    tn_coupling_def def = tn_default_coupling_def();
    const tn_coupling_term term = term_of(robot, e->joint, 1.0);
    double numbers[2];
    def.name = tn_robot_name(robot, TN_ROBOT_JOINTS, e->name, e->element);
    def.terms = &term;
    def.term_count = 1;
    def.hold = TN_COUPLING_IN_RANGE;
    def.drive.spring = tn_robot_spring_def(&e->spring, numbers);
    def.at = e->element->at;
    note_status(robot, tn_spec_add_coupling(robot->import->spec, &def, NULL));
}

static void add_effort(tn_robot *robot, const tn_robot_effort *e)
{
    tn_load_def def = tn_default_load_def(TN_LOAD_EFFORT);
    const tn_robot_joint *joint = &robot->joints[e->joint];
    if (joint->joint.i < 0)
        return;
    if (tn_robot_has_spring(&e->spring)) {
        add_spring(robot, e);
        return;
    }
    def.name = tn_robot_name(robot, TN_ROBOT_LOADS, e->name, e->element);
    def.joint = joint->joint;
    def.coordinate = joint->coordinate;
    def.effort = (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = &e->effort, .count = 1};
    def.at = e->element->at;
    note_status(robot, tn_spec_add_load(robot->import->spec, &def, NULL));
}

/* Of a body that gravity pulls more or less than others. */
static void add_weight(tn_robot *robot, int32_t index)
{
    const tn_robot_link *link = &robot->links[index];
    tn_load_def def = tn_default_load_def(TN_LOAD_GRAVITY);
    if (link->weight == 1.0 || link->grounded || !has_body(robot, index))
        return;
    def.name =
        tn_robot_name(robot, TN_ROBOT_LOADS,
                      tn_import_print(robot->import, "%.100s_gravity", link->name), link->element);
    def.bodies = &link->body;
    def.body_count = 1;
    def.scale = link->weight;
    def.at = link->element->at;
    note_status(robot, tn_spec_add_load(robot->import->spec, &def, NULL));
}

static void add_rest(tn_robot *robot)
{
    tn_robot_tell_lost(robot);
    add_markers(robot);
    for (int32_t i = 0; i < robot->link_count; i++) {
        add_weight(robot, i);
    }
    for (int32_t i = 0; i < robot->coupling_count; i++) {
        if (robot->couplings[i].a >= 0)
            add_coupling(robot, &robot->couplings[i]);
    }
    for (int32_t i = 0; i < robot->effort_count; i++) {
        add_effort(robot, &robot->efforts[i]);
    }
}

void tn_robot_build(tn_robot *robot)
{
    static void (*const stages[])(tn_robot *) = {tn_robot_plant,       tn_robot_group,
                                                 tn_robot_join_chains, tn_robot_add_bodies,
                                                 tn_robot_add_joints,  add_rest};
    for (size_t i = 0; i < TN_COUNT_OF(stages); i++) {
        if (robot->import->status != TN_OK || robot->import->problems > 0)
            return;
        stages[i](robot);
    }
}
