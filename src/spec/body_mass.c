/* body_mass.c: the mass properties that a body definition stands for (body_mass.h).
 *
 * Room spec. In: a definition with any of mass, com, inertia, shapes. Out: mass properties in the
 * body frame. The sum over shapes is by parallel axes (shape.h).
 */
#include "spec/body_mass.h"
#include "spec/spec_internal.h"

#include <math.h>

#include "base/base.h"
#include "spec/shape/shape_check.h"

/* Any density does where only ratios between the shapes matter, kg/m^3. */
#define RELATIVE_DENSITY 1.0

static double shape_density(const tn_body_def *def)
{
    int only_ratios = !isnan(def->mass) || def->kind == TN_BODY_FIXED;
    return isnan(def->density) && only_ratios ? RELATIVE_DENSITY : def->density;
}

/* Are shapes only drawn? */
static int is_all_given(const tn_body_def *def)
{
    return def->kind == TN_BODY_FIXED ||
           (!isnan(def->mass) && !isnan(def->com.x) && !isnan(def->inertia.m[0][0]));
}

/* A surface that is only drawn may be open. */
static tn_status weigh_shape(const tn_body_def *def, const tn_shape_def *shape,
                             tn_diagnostics *diags, tn_mass_properties *out)
{
    if (is_all_given(def) && shape->kind == TN_SHAPE_MESH)
        return tn_shape_check(shape, shape_density(def), diags);
    return tn_shape_mass_properties(shape, shape_density(def), out, diags);
}

/* The sum of all shapes; every bad shape is reported. */
static tn_status sum_shapes(const tn_body_def *def, tn_diagnostics *diags, tn_mass_properties *out)
{
    tn_mass_properties *parts = TN_NEW_ARRAY(tn_mass_properties, def->shape_count);
    if (parts == NULL) {
        return TN_ERROR_MEMORY;
    }
    tn_status status = TN_OK;
    for (int32_t i = 0; i < def->shape_count; i++) {
        tn_status one = weigh_shape(def, &def->shapes[i], diags, &parts[i]);
        status = status == TN_OK || one == TN_ERROR_MEMORY ? one : status;
    }
    if (status == TN_OK) {
        *out = tn_mass_properties_combine(parts, def->shape_count);
    }
    tn_free(parts);
    return status;
}

static void scale_to_mass(tn_mass_properties *props, double mass)
{
    for (int i = 0; i < 9; i++) {
        (&props->inertia.m[0][0])[i] *= mass / props->mass;
    }
}

tn_status tn_body_known_mass(const tn_body_def *def, tn_mass_properties *out, tn_diagnostics *diags)
{
    const double nan = (double)NAN;
    tn_mass_properties props = {.mass = nan};
    for (int i = 0; i < 9; i++) {
        (&props.inertia.m[0][0])[i] = nan;
    }
    if (def->shape_count > 0) {
        tn_status status = sum_shapes(def, diags, &props);
        if (status != TN_OK) {
            return status;
        }
    }
    if (!isnan(def->inertia.m[0][0])) {
        props.inertia = def->inertia;
    } else if (!isnan(def->mass) && def->shape_count > 0) {
        scale_to_mass(&props, def->mass);
    }
    if (!isnan(def->mass)) {
        props.mass = def->mass;
    }
    if (!isnan(def->com.x)) {
        props.com = def->com;
    }
    *out = props;
    return TN_OK;
}

/* Whether a body of this kind feels entry (i, j) of an inertia. */
static int feels(tn_body_kind kind, int i, int j)
{
    return kind == TN_BODY_PLANAR ? i == 2 && j == 2 : !tn_kind_is_point(kind);
}

tn_status tn_body_def_mass(const tn_body_def *def, tn_mass_properties *out, tn_diagnostics *diags)
{
    tn_mass_properties props;
    tn_status status = tn_body_known_mass(def, &props, diags);
    if (status != TN_OK) {
        return status;
    }
    props.mass = isnan(props.mass) ? 0.0 : props.mass;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double *entry = &props.inertia.m[i][j];
            *entry = feels(def->kind, i, j) && !isnan(*entry) ? *entry : 0.0;
        }
    }
    *out = props;
    return TN_OK;
}
