/* shape_mass.c (room: spec/shape): from a shape to the mass properties of its body.
 *
 * In: a definition and the density of its body. Out: mass, centre and inertia in the body frame.
 *     density rho = given, or mass / V;  m = rho V;  I = rho (tr(S) 1 - S)
 * with V and S from the kind's tn_moments_ function; then into the body frame by the shape's pose.
 */
#include "tenon/shape.h"

#include <math.h>

#include "base/base.h"
#include "spec/shape/moments.h"
#include "spec/shape/shape_check.h"

/* A pose as accepted has a quaternion of six digits; what is computed with has sixteen. */
static tn_pose unit_pose(tn_pose t)
{
    double n = sqrt(t.q.w * t.q.w + t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z);
    t.q = (tn_quat){t.q.w / n, t.q.x / n, t.q.y / n, t.q.z / n};
    return t;
}

static tn_mass_properties from_moments(const tn_moments *moments, double mass)
{
    double rho = mass / moments->volume;
    double trace = moments->second.m[0][0] + moments->second.m[1][1] + moments->second.m[2][2];
    tn_mass_properties props = {.mass = mass, .com = moments->centroid};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            props.inertia.m[i][j] = -rho * moments->second.m[i][j];
        }
        props.inertia.m[i][i] += rho * trace;
    }
    return props;
}

tn_status tn_shape_mass_properties(const tn_shape_def *def, double density, tn_mass_properties *out,
                                   tn_diagnostics *diags)
{
    TN_DEMAND(def && out, TN_ERROR_ARGUMENT);
    tn_status status = tn_shape_check(def, density, diags);
    if (status != TN_OK) {
        return status;
    }
    tn_moments moments;
    status = tn_moments_of_kind(def->kind)(def, &moments, diags);
    if (status != TN_OK) {
        return status;
    }
    double rho = isnan(def->density) ? density : def->density;
    double mass = isnan(def->mass) ? rho * moments.volume : def->mass;
    tn_mass_properties own = from_moments(&moments, mass);
    tn_mass_properties props = tn_mass_properties_transform(unit_pose(def->pose), &own);
    /* Only dimensions near the ends of the range of double fail here. */
    status = tn_mass_properties_check(&props, TN_MASS_POSITIVE, def->at, diags);
    if (status == TN_OK) {
        *out = props;
    }
    return status;
}
