/* shape_check.c (room: spec/shape): refuses dimensions, poses and densities that make no solid.
 *
 * In: a definition straight from a user. Out: a status and one diagnostic for each problem, naming
 * kind, parameter and value. What needs the whole outline or surface (a polygon that crosses
 * itself, a mesh with a hole) is refused where it is integrated: polygon.c and mesh_surface.c.
 */
#include "spec/shape/shape_check.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

/* |q| may differ from 1 by this much: six written digits are a unit quaternion, four are not. */
#define UNIT_TOLERANCE 1e-5

static const char *kind_name(const tn_shape_def *def)
{
    return tn_shape_kind_get(def->kind)->name;
}

/* What is wrong with a number that must be finite and positive; NULL when nothing is. */
static const char *positive_problem(double value)
{
    if (isnan(value)) {
        return "is not set or not a number";
    }
    if (isinf(value)) {
        return "must be finite";
    }
    return value > 0.0 ? NULL : "must be positive";
}

/* The start of an array parameter and its number of entries. */
typedef struct entries {
    const double *reals;
    int32_t count;
    int32_t width; /* doubles per entry */
} entries;

static tn_status check_reals(const tn_shape_def *def, const tn_shape_parameter *parameter,
                             tn_location at, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    const double *value = tn_shape_reals_const(def, parameter);
    for (int32_t i = 0; i < parameter->count; i++) {
        const char *problem = positive_problem(value[i]);
        if (problem == NULL) {
            continue;
        }
        status = TN_ERROR_INPUT;
        if (parameter->count == 1) {
            tn_diagnostics_add(diags, TN_ERROR, status, at, parameter->doc, "%s: %s %s (%g)",
                               kind_name(def), parameter->name, problem, value[i]);
        } else {
            tn_diagnostics_add(diags, TN_ERROR, status, at, parameter->doc, "%s: %s[%d] %s (%g)",
                               kind_name(def), parameter->name, (int)i, problem, value[i]);
        }
    }
    return status;
}

static tn_status check_integer(const tn_shape_def *def, const tn_shape_parameter *parameter,
                               tn_location at, tn_diagnostics *diags)
{
    int32_t value = tn_shape_integer_const(def, parameter);
    if (value == 0 || (value >= parameter->minimum && value % parameter->multiple_of == 0 &&
                       value <= TN_SHAPE_MAX_SLICES)) {
        return TN_OK;
    }
    const char *name = kind_name(def);
    if (parameter->multiple_of > 1) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, parameter->doc,
                           "%s: %s must be 0 or a multiple of %d up to %d, not %d", name,
                           parameter->name, (int)parameter->multiple_of, TN_SHAPE_MAX_SLICES,
                           (int)value);
    } else {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, parameter->doc,
                           "%s: %s must be 0 or from %d to %d, not %d", name, parameter->name,
                           (int)parameter->minimum, TN_SHAPE_MAX_SLICES, (int)value);
    }
    return TN_ERROR_INPUT;
}

/* Present, long enough, and every coordinate finite; only the first bad entry is named. */
static tn_status check_entries(const tn_shape_def *def, const tn_shape_parameter *parameter,
                               entries list, tn_location at, tn_diagnostics *diags)
{
    if (list.count < parameter->minimum || list.reals == NULL) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, parameter->doc,
                           "%s: %s needs at least %d entries, not %d", kind_name(def),
                           parameter->name, (int)parameter->minimum,
                           list.reals == NULL ? 0 : (int)list.count);
        return TN_ERROR_INPUT;
    }
    for (int32_t i = 0; i < list.count; i++) {
        for (int32_t k = 0; k < list.width; k++) {
            double value = list.reals[(size_t)i * (size_t)list.width + (size_t)k];
            if (!isfinite(value)) {
                tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, parameter->doc,
                                   "%s: %s[%d] is not finite (%g)", kind_name(def), parameter->name,
                                   (int)i, value);
                return TN_ERROR_INPUT;
            }
        }
    }
    return TN_OK;
}

static tn_status check_triangles(const tn_shape_def *def, const tn_shape_parameter *parameter,
                                 tn_location at, tn_diagnostics *diags)
{
    if (def->triangle_count < parameter->minimum || def->triangles == NULL) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, parameter->doc,
                           "%s: a closed surface has at least %d triangles, not %d", kind_name(def),
                           (int)parameter->minimum,
                           def->triangles == NULL ? 0 : (int)def->triangle_count);
        return TN_ERROR_INPUT;
    }
    for (int32_t t = 0; t < def->triangle_count; t++) {
        const int32_t *v = def->triangles[t].v;
        for (int k = 0; k < 3; k++) {
            if (v[k] < 0 || v[k] >= def->vertex_count) {
                tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                                   "%s: triangles[%d] names vertex %d of %d", kind_name(def),
                                   (int)t, (int)v[k], (int)def->vertex_count);
                return TN_ERROR_INPUT;
            }
        }
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                               "%s: triangles[%d] names a vertex twice (%d, %d, %d)",
                               kind_name(def), (int)t, (int)v[0], (int)v[1], (int)v[2]);
            return TN_ERROR_INPUT;
        }
    }
    return TN_OK;
}

/* A file must have been read by whoever filled the definition; one without is described inline. */
static tn_status check_file(const tn_shape_def *def, tn_location at, tn_diagnostics *diags)
{
    if (def->file == NULL || def->triangle_count > 0) {
        return TN_OK;
    }
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                       "%s: no triangles have been read from '%s'", kind_name(def), def->file);
    return TN_ERROR_INPUT;
}

tn_status tn_shape_check_parameter(const tn_shape_def *def, const tn_shape_parameter *parameter,
                                   tn_location at, tn_diagnostics *diags)
{
    TN_DEMAND(def && parameter && tn_shape_kind_get(def->kind), TN_ERROR_ARGUMENT);
    switch (parameter->type) {
    case TN_SHAPE_PARAMETER_REAL:
        return check_reals(def, parameter, at, diags);
    case TN_SHAPE_PARAMETER_INTEGER:
        return check_integer(def, parameter, at, diags);
    case TN_SHAPE_PARAMETER_POINTS:
        return check_entries(
            def, parameter, (entries){(const double *)def->points, def->point_count, 2}, at, diags);
    case TN_SHAPE_PARAMETER_VERTICES:
        return check_entries(def, parameter,
                             (entries){(const double *)def->vertices, def->vertex_count, 3}, at,
                             diags);
    case TN_SHAPE_PARAMETER_TRIANGLES:
        return check_triangles(def, parameter, at, diags);
    case TN_SHAPE_PARAMETER_FILE:
        return check_file(def, at, diags);
    }
    return TN_ERROR_ARGUMENT;
}

static tn_status check_pose(const tn_shape_def *def, tn_diagnostics *diags)
{
    const tn_pose *t = &def->pose;
    if (!isfinite(t->p.x) || !isfinite(t->p.y) || !isfinite(t->p.z)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                           "%s: position is not finite (%g, %g, %g)", kind_name(def), t->p.x,
                           t->p.y, t->p.z);
        return TN_ERROR_INPUT;
    }
    double length = sqrt(t->q.w * t->q.w + t->q.x * t->q.x + t->q.y * t->q.y + t->q.z * t->q.z);
    if (!(fabs(length - 1.0) <= UNIT_TOLERANCE)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                           "%s: rotation is not a unit quaternion (length %g)", kind_name(def),
                           length);
        return TN_ERROR_INPUT;
    }
    return TN_OK;
}

/* One given amount of matter; NAN means unset and is no problem here. */
static tn_status check_amount(const tn_shape_def *def, const char *what, double value,
                              tn_diagnostics *diags)
{
    const char *problem = isnan(value) ? NULL : positive_problem(value);
    if (problem == NULL) {
        return TN_OK;
    }
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL, "%s: %s %s (%g)",
                       kind_name(def), what, problem, value);
    return TN_ERROR_INPUT;
}

/* Exactly one of density, mass and the density of the body decides. */
static tn_status check_matter(const tn_shape_def *def, double density, tn_diagnostics *diags)
{
    bool has_density = !isnan(def->density), has_mass = !isnan(def->mass);
    if (has_density && has_mass) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at,
                           "Give one; the other follows from the volume.",
                           "%s: density and mass are both set", kind_name(def));
        return TN_ERROR_INPUT;
    }
    if (!has_density && !has_mass && isnan(density)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at,
                           "Give the shape or its body a density, or the shape a mass.",
                           "%s: neither density nor mass is set", kind_name(def));
        return TN_ERROR_INPUT;
    }
    bool inherits = !has_density && !has_mass;
    tn_status own = check_amount(def, "density", def->density, diags);
    tn_status mass = check_amount(def, "mass", def->mass, diags);
    tn_status inherited =
        inherits ? check_amount(def, "density of the body", density, diags) : TN_OK;
    return own != TN_OK || mass != TN_OK || inherited != TN_OK ? TN_ERROR_INPUT : TN_OK;
}

tn_status tn_shape_check(const tn_shape_def *def, double density, tn_diagnostics *diags)
{
    const tn_shape_kind_info *info = tn_shape_kind_get(def->kind);
    if (def->cookie != TN_SHAPE_DEF_COOKIE || info == NULL) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_ARGUMENT, def->at,
                           "Start from tn_default_shape_def.", "the shape definition is not set");
        return TN_ERROR_ARGUMENT;
    }
    tn_status status = TN_OK;
    for (int32_t i = 0; i < info->parameter_count; i++) {
        if (tn_shape_check_parameter(def, &info->parameters[i], def->at, diags) != TN_OK) {
            status = TN_ERROR_INPUT;
        }
    }
    if (check_pose(def, diags) != TN_OK) {
        status = TN_ERROR_INPUT;
    }
    if (check_matter(def, density, diags) != TN_OK) {
        status = TN_ERROR_INPUT;
    }
    return status;
}
