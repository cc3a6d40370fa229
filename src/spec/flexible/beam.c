/* beam.c: room spec/flexible: a beam as nodes, elements and markers of a description.
 *
 * In: a helix, its section and a number of elements. Out: bodies with the mass and the moments of
 * inertia of the length about them, halves at the ends; joints of type beam between them, whose
 * compliance and damping per row are those of the length between; markers at the ends.
 * Limits: a lumped mass; frequencies converge with the square of the length of an element.
 */
#include <math.h>

#include "base/base.h"
#include "math/se3.h"
#include "real/real.h"
#include "spec/flexible/line.h"

/* A direction nearer to another than this sine has none across it. */
#define TN_LEAST_SINE 1e-9

tn_beam_def tn_default_beam_def(void)
{
    tn_beam_def def = {.cookie = TN_COOKIE_BEAM, .kind = TN_BODY_RIGID, .elements = 1};
    def.start = tn_pose_identity();
    return def;
}

/* curves ------------------------------------------------------------------------------------- */

/* Axes x and z, made square to x; 0: there are none. */
static int put_axes(tn_vec3 x, tn_vec3 z, tn_quat *q)
{
    tn_vec3 along, up, across;
    if (!(v3_unit(x, &along) > 0.0) || !(v3_unit(z, &up) > 0.0))
        return 0;
    if (!(v3_unit(v3_cross(up, along), &across) > TN_LEAST_SINE))
        return 0;
    up = v3_cross(along, across);
    const tn_mat3 R = {
        {{along.x, across.x, up.x}, {along.y, across.y, up.y}, {along.z, across.z, up.z}}};
    *q = tn_quat_from_matrix(&R);
    return 1;
}

int tn_beam_between(tn_beam_def *def, tn_vec3 from, tn_vec3 to, tn_vec3 up)
{
    const tn_vec3 way = v3_sub(to, from);
    TN_DEMAND(def, 0);
    if (!put_axes(way, up, &def->start.q))
        return 0;
    def->start.p = from;
    def->length = v3_norm(way);
    def->turn = v3(0.0, 0.0, 0.0);
    return 1;
}

int tn_beam_on_arc(tn_beam_def *def, tn_vec3 center, tn_vec3 axis, tn_vec3 from, double angle)
{
    tn_vec3 n;
    const tn_vec3 arm = v3_sub(from, center);
    TN_DEMAND(def, 0);
    if (!(v3_unit(axis, &n) > 0.0) || !(fabs(angle) > 0.0))
        return 0;
    const tn_vec3 tangent = v3_scale(angle > 0.0 ? 1.0 : -1.0, v3_cross(n, arm));
    if (!put_axes(tangent, n, &def->start.q))
        return 0;
    def->start.p = from;
    def->length = v3_norm(tangent) * fabs(angle);
    def->turn = v3(0.0, 0.0, angle);
    return 1;
}

/* faults ------------------------------------------------------------------------------------- */

static bool are_positive(const double *values, int count)
{
    bool positive = true;
    for (int i = 0; i < count; i++)
        positive = positive && values[i] > 0.0;
    return positive;
}

static bool has_stiffness(const tn_beam_section *s)
{
    return s->EA > 0.0 && are_positive(s->GA, 2) && s->GJ > 0.0 && are_positive(s->EI, 2);
}

static bool has_mass(const tn_beam_section *s)
{
    return isfinite(s->mass) && s->mass > 0.0 && are_positive(s->inertia, 2) &&
           isfinite(s->inertia[0]) && isfinite(s->inertia[1]);
}

const char *tn_beam_fault(const tn_beam_def *def)
{
    TN_DEMAND(def, NULL);
    const double most = TN_MAX_BEAM_TURN * def->elements;
    if (!def->name || def->name[0] == '\0')
        return "a beam has no name";
    if (def->elements < 1 || def->elements > TN_MAX_BEAM_ELEMENTS)
        return "a beam has between 1 and 10000 elements";
    if (!isfinite(def->length) || !(def->length > 0.0))
        return "the length must be positive";
    if (!(fabs(def->turn.x) < most && fabs(def->turn.y) < most && fabs(def->turn.z) < most))
        return "an element turns by 1.8 rad or more: use more elements";
    if (!has_stiffness(&def->section))
        return "the stiffnesses of the section must be positive";
    if (!has_mass(&def->section))
        return "mass and inertia of the section must be positive";
    if (!isfinite(def->damping) || def->damping < 0.0)
        return "the time constant of damping must not be negative";
    if (def->kind != TN_BODY_RIGID && def->kind != TN_BODY_PLANAR)
        return "nodes of beams are rigid or planar bodies";
    return NULL;
}

/* nodes -------------------------------------------------------------------------------------- */

/* Node i: a share of the helix. */
static tn_pose pose_of_node(const tn_beam_def *def, int32_t i)
{
    const double share = (double)i / def->elements;
    double d[6];
    v3_store(d, v3(share * def->length, 0.0, 0.0));
    v3_store(d + 3, v3_scale(share, def->turn));
    const tn_xform T = tn_se3_exp(d);
    return tn_pose_multiply(def->start, (tn_pose){T.p, q_exp(v3_load(d + 3))});
}

/* The share of the length before a node (side -1) and behind it (1), that it has the mass of. */
static double share_at(int32_t elements, int32_t i, int side)
{
    const bool is_end = side < 0 ? i == 0 : i == elements;
    return is_end ? 0.0 : 0.5 / elements;
}

static double length_at(const tn_beam_def *def, int32_t i, int side)
{
    return def->length * share_at(def->elements, i, side);
}

/* The diameter of a full round bar with this EA and EI: EI/EA = d^2/16. 0: there is none. */
static double likely_diameter(const tn_beam_section *s)
{
    const double d = 4.0 * sqrt(fmax(s->EI[0], s->EI[1]) / s->EA);
    return isfinite(d) ? d : 0.0;
}

/* What a node is drawn as; false: nothing. */
static bool put_shape(const tn_beam_def *def, int32_t i, tn_shape_def *shape)
{
    const double before = length_at(def, i, -1), behind = length_at(def, i, 1);
    const double y = def->section.size[0], z = def->section.size[1];
    const double diameter = y > 0.0 ? y : likely_diameter(&def->section);
    *shape = tn_default_shape_def(z > 0.0 ? TN_SHAPE_BOX : TN_SHAPE_CYLINDER);
    shape->size = v3(before + behind, y, z);
    shape->radius = 0.5 * diameter;
    shape->length = before + behind;
    shape->pose.p = v3(0.5 * (behind - before), 0.0, 0.0);
    if (!(z > 0.0))
        shape->pose.q = tn_quat_from_z_axis(v3(1.0, 0.0, 0.0));
    return diameter > 0.0;
}

static tn_status add_node(tn_spec *spec, const void *context, int32_t i, const char *name,
                          tn_body *out)
{
    const tn_beam_def *def = context;
    const double length = length_at(def, i, -1) + length_at(def, i, 1);
    const double *inertia = def->section.inertia;
    tn_body_def node = tn_default_body_def();
    tn_shape_def shape;
    node.name = name;
    node.kind = def->kind;
    node.pose = pose_of_node(def, i);
    node.mass = length * def->section.mass;
    node.com = v3(0.0, 0.0, 0.0);
    node.inertia = (tn_mat3){{{length * (inertia[0] + inertia[1]), 0.0, 0.0},
                              {0.0, length * inertia[0], 0.0},
                              {0.0, 0.0, length * inertia[1]}}};
    node.shape_count = put_shape(def, i, &shape);
    node.shapes = node.shape_count > 0 ? &shape : NULL;
    node.at = def->at;
    return tn_spec_add_body(spec, &node, out);
}

/* elements ----------------------------------------------------------------------------------- */

/* Of the rows of an element: length / stiffness, and damping; hard where the stiffness is infinite. */
static void put_rows(const tn_beam_def *def, double length, tn_joint_def *joint)
{
    const tn_beam_section *s = &def->section;
    const double stiffness[6] = {s->EA, s->GA[0], s->GA[1], s->GJ, s->EI[0], s->EI[1]};
    for (int k = 0; k < 6; k++) {
        const bool across = k >= 2 && k <= 4; /* of the plane: no row */
        if (isinf(stiffness[k]) || (across && def->kind == TN_BODY_PLANAR))
            continue;
        joint->compliance[k] = length / stiffness[k];
        joint->damping[k] = def->damping * stiffness[k] / length;
    }
}

static void set_element(const void *context, int32_t i, tn_joint_def *joint)
{
    const tn_beam_def *def = context;
    const double length = def->length / def->elements;
    (void)i;
    joint->type = "beam";
    joint->parameters[0] = length;
    v3_store(joint->parameters + 1, v3_scale(1.0 / def->elements, def->turn));
    put_rows(def, length, joint);
}

tn_status tn_spec_add_beam(tn_spec *spec, const tn_beam_def *def, tn_beam *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_BEAM || tn_beam_fault(def)) {
        return TN_ERROR_ARGUMENT;
    }
    const tn_line line = {def->name, def->elements, def->at, def, add_node, set_element};
    return tn_spec_add_line(spec, &line, out);
}
