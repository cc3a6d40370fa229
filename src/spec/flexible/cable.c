/* cable.c: room spec/flexible: a cable as particles with rods between them.
 *
 * In: corners of a line, mass and stiffness per length, a number of elements. Out: particles, one at each corner, with the
 * mass of half the elements at them; rods that hold the distance they start with, hard or with the
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

/* Piece i of the line leads from point i to the next. */
static double length_of_piece(const tn_cable_def *def, int32_t i)
{
    return v3_norm(v3_sub(def->points[i + 1], def->points[i]));
}

static double length_of(const tn_cable_def *def)
{
    double length = 0.0;
    for (int32_t i = 0; i < def->point_count - 1; i++)
        length += length_of_piece(def, i);
    return length;
}

static bool has_pieces(const tn_cable_def *def)
{
    bool all = isfinite(length_of(def));
    for (int32_t i = 0; i < def->point_count - 1 && all; i++)
        all = length_of_piece(def, i) > 0.0;
    return all;
}

/* Elements first .. behind - 1 lie on a piece, of one length. */
typedef struct part_of_cable {
    int32_t piece, first, behind;
    double length; /* m, of an element */
} part_of_cable;

/* Pieces get elements by their lengths, one at least: every corner is a node, and rods lie on the line. Where an element
 * is. */
static part_of_cable part_at(const tn_cable_def *def, int32_t element)
{
    const int32_t pieces = def->point_count - 1;
    const double whole = length_of(def);
    part_of_cable part = {-1, 0, 0, 0.0};
    double end = 0.0;
    do {
        part.piece++;
        part.first = part.behind;
        const double own = length_of_piece(def, part.piece);
        const int32_t most = def->elements - (pieces - 1 - part.piece);
        end += own;
        part.behind = (int32_t)fmax(part.first + 1, round(def->elements * (end / whole)));
        part.behind = part.behind > most || part.piece == pieces - 1 ? most : part.behind;
        part.length = own / (part.behind - part.first);
    } while (element >= part.behind);
    return part;
}

static tn_vec3 place_of(const tn_cable_def *def, int32_t i)
{
    if (i == def->elements)
        return def->points[def->point_count - 1];
    const part_of_cable part = part_at(def, i);
    const tn_vec3 from = def->points[part.piece];
    const tn_vec3 way = v3_sub(def->points[part.piece + 1], from);
    return v3_axpy(from, (double)(i - part.first) / (part.behind - part.first), way);
}

/* Half of each element at a node. */
static double length_about(const tn_cable_def *def, int32_t i)
{
    const double before = i > 0 ? part_at(def, i - 1).length : 0.0;
    const double behind = i < def->elements ? part_at(def, i).length : 0.0;
    return 0.5 * (before + behind);
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
    if (!has_pieces(def))
        return "points of a cable that follow each other must be apart";
    if (def->elements < def->point_count - 1)
        return "a cable has a node at each of its points: it needs more elements";
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
    tn_body_def node = tn_default_body_def();
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_SPHERE);
    shape.radius = 0.5 * def->diameter;
    node.name = name;
    node.kind = TN_BODY_PARTICLE;
    node.pose.p = place_of(def, i);
    node.mass = length_about(def, i) * def->mass;
    node.com = v3(0.0, 0.0, 0.0);
    node.shapes = def->diameter > 0.0 ? &shape : NULL;
    node.shape_count = def->diameter > 0.0;
    node.at = def->at;
    return tn_spec_add_body(spec, &node, out);
}

static void set_element(const void *context, int32_t i, tn_joint_def *joint)
{
    const tn_cable_def *def = context;
    const double length = part_at(def, i).length;
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
