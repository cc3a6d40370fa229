/* cable.c: room spec/flexible: a cable as particles with rods between them.
 *
 * In: corners of a line, mass and stiffness per length, a number of elements. Out: particles with the mass of the
 * length about them, halves at the ends; rods that hold the distance they start with, hard or with the
 * compliance of their length.
 * Limits: rods push as well as they pull; shapes converge with the square of the length of an element.
 */
#include <math.h>

#include "base/base.h"
#include "math/m3.h"
#include "spec/flexible/line.h"

tn_cable_def tn_default_cable_def(void)
{
    return (tn_cable_def){
        .cookie = TN_COOKIE_CABLE, .elements = 1, .EA = (double)INFINITY, .diameter = 0.0};
}

static double length_of(const tn_cable_def *def)
{
    double length = 0.0;
    for (int32_t i = 1; i < def->point_count; i++)
        length += v3_norm(v3_sub(def->points[i], def->points[i - 1]));
    return length;
}

/* At this distance from the start, along the line. */
static tn_vec3 point_at(const tn_cable_def *def, double distance)
{
    for (int32_t i = 1; i < def->point_count; i++) {
        const tn_vec3 way = v3_sub(def->points[i], def->points[i - 1]);
        const double length = v3_norm(way);
        if (distance < length)
            return v3_axpy(def->points[i - 1], distance / length, way);
        distance -= length;
    }
    return def->points[def->point_count - 1];
}

static tn_vec3 place_of(const tn_cable_def *def, int32_t i)
{
    return i == def->elements ? def->points[def->point_count - 1]
                              : point_at(def, length_of(def) * i / def->elements);
}

/* The ends of an element that lies across a corner may coincide. */
static bool has_elements(const tn_cable_def *def)
{
    bool all = true;
    for (int32_t i = 0; i < def->elements && all; i++)
        all = v3_norm(v3_sub(place_of(def, i + 1), place_of(def, i))) > 0.0;
    return all;
}

const char *tn_cable_fault(const tn_cable_def *def)
{
    TN_DEMAND(def, NULL);
    if (!def->name || def->name[0] == '\0')
        return "a cable has no name";
    if (def->elements < 1 || def->elements > TN_MAX_BEAM_ELEMENTS)
        return "a cable has between 1 and 10000 elements";
    if (!def->points || def->point_count < 2)
        return "a cable goes through two points or more";
    if (!isfinite(length_of(def)) || !has_elements(def))
        return "elements of a cable must have a length";
    if (!(def->EA > 0.0) || !(def->mass > 0.0) || !isfinite(def->mass))
        return "stiffness and mass of a cable must be positive";
    if (!isfinite(def->damping) || def->damping < 0.0)
        return "the time constant of damping must not be negative";
    if (!isfinite(def->diameter) || def->diameter < 0.0)
        return "the diameter must not be negative";
    return NULL;
}

static tn_status add_node(tn_spec *spec, const void *context, int32_t i, const char *name,
                          tn_body *out)
{
    const tn_cable_def *def = context;
    const double share = tn_share_at(def->elements, i, -1) + tn_share_at(def->elements, i, 1);
    tn_body_def node = tn_default_body_def();
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_SPHERE);
    shape.radius = 0.5 * def->diameter;
    node.name = name;
    node.kind = TN_BODY_PARTICLE;
    node.pose.p = place_of(def, i);
    node.mass = share * length_of(def) * def->mass;
    node.com = v3(0.0, 0.0, 0.0);
    node.shapes = def->diameter > 0.0 ? &shape : NULL;
    node.shape_count = def->diameter > 0.0;
    node.at = def->at;
    return tn_spec_add_body(spec, &node, out);
}

static void set_element(const void *context, int32_t i, tn_joint_def *joint)
{
    const tn_cable_def *def = context;
    const double length = v3_norm(v3_sub(place_of(def, i + 1), place_of(def, i)));
    joint->type = "rod";
    if (isinf(def->EA))
        return;
    joint->compliance[0] = length / def->EA;
    joint->damping[0] = def->damping * def->EA / length;
}

tn_status tn_spec_add_cable(tn_spec *spec, const tn_cable_def *def, tn_beam *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_CABLE || tn_cable_fault(def)) {
        return TN_ERROR_ARGUMENT;
    }
    const tn_line line = {def->name, def->elements, def->at, def, add_node, set_element};
    return tn_spec_add_line(spec, &line, out);
}
