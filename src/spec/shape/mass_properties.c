/* mass_properties.c (room: spec/shape): sums, changes of frame, principal axes and the sanity of masses.
 *
 * Inertias are about the centre of mass. Parallel axes: a part of mass m whose centre is d away
 * from the common centre adds m (|d|^2 1 - d d^T). A body exists when the second moments of its
 * matter, S = tr(I)/2 1 - I, are not negative: with principal moments a <= b <= c that is a + b >=
 * c.
 */
#include "math/none.h"
#include "tenon/shape.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "math/dense/eig3.h"

/* Part of the largest moment by which a + b may fall short of c: people write inertias of flat
 * plates, where a + b = c exactly, with six digits. */
#define TRIANGLE_TOLERANCE 1e-5

/* Part of the largest entry by which mirrored entries may differ, and by which a principal moment
 * may be negative: the round-off of computing either in another frame. */
#define ROUND_OFF (64.0 * DBL_EPSILON)

/* I += m (|d|^2 1 - d d^T). */
static void add_point(tn_mat3 *inertia, double m, tn_vec3 d)
{
    double v[3] = {d.x, d.y, d.z}, square = d.x * d.x + d.y * d.y + d.z * d.z;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inertia->m[i][j] -= m * v[i] * v[j];
        }
        inertia->m[i][i] += m * square;
    }
}

tn_mass_properties tn_mass_properties_combine(const tn_mass_properties *parts, int32_t count)
{
    TN_DEMAND(parts || count <= 0, tn_no_mass());
    tn_mass_properties sum = {0};
    for (int32_t k = 0; k < count; k++) {
        /* A running mean instead of a sum of moments: exact for equal centres, no overflow. */
        const tn_mass_properties *part = &parts[k];
        sum.mass += part->mass;
        double share = sum.mass > 0.0 ? part->mass / sum.mass : 0.0;
        sum.com.x += share * (part->com.x - sum.com.x);
        sum.com.y += share * (part->com.y - sum.com.y);
        sum.com.z += share * (part->com.z - sum.com.z);
    }
    for (int32_t k = 0; k < count; k++) {
        const tn_mass_properties *part = &parts[k];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                sum.inertia.m[i][j] += part->inertia.m[i][j];
            }
        }
        add_point(
            &sum.inertia, part->mass,
            (tn_vec3){part->com.x - sum.com.x, part->com.y - sum.com.y, part->com.z - sum.com.z});
    }
    return sum;
}

/* R I R^T, symmetric to the last bit. */
static tn_mat3 rotate_symmetric(const tn_mat3 *r, const tn_mat3 *inertia)
{
    double half[3][3];
    tn_mat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            half[i][j] = r->m[i][0] * inertia->m[0][j] + r->m[i][1] * inertia->m[1][j] +
                         r->m[i][2] * inertia->m[2][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            out.m[i][j] = out.m[j][i] =
                half[i][0] * r->m[j][0] + half[i][1] * r->m[j][1] + half[i][2] * r->m[j][2];
        }
    }
    return out;
}

tn_mass_properties tn_mass_properties_transform(tn_pose t_ba, const tn_mass_properties *props)
{
    TN_DEMAND(props, tn_no_mass());
    tn_mat3 rotation = tn_quat_to_matrix(t_ba.q);
    return (tn_mass_properties){
        .mass = props->mass,
        .com = tn_pose_transform_point(t_ba, props->com),
        .inertia = rotate_symmetric(&rotation, &props->inertia),
    };
}

void tn_mass_properties_principal(const tn_mass_properties *props, tn_vec3 *moments, tn_quat *axes)
{
    TN_DEMAND_OR_RETURN(props);
    double values[3];
    tn_mat3 vectors;
    tn_eig3(&props->inertia, values, &vectors);
    if (moments != NULL) {
        *moments = (tn_vec3){values[0], values[1], values[2]};
    }
    if (axes != NULL) {
        *axes = tn_quat_from_matrix(&vectors);
    }
}

static tn_status check_mass(const tn_mass_properties *props, tn_mass_check check, tn_location at,
                            tn_diagnostics *diags)
{
    if (!isfinite(props->mass)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL, "mass is not finite (%g)",
                           props->mass);
        return TN_ERROR_INPUT;
    }
    if (props->mass < 0.0 || (props->mass == 0.0 && check == TN_MASS_POSITIVE)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL, "mass must be %s, not %g kg",
                           check == TN_MASS_POSITIVE ? "positive" : "positive or zero",
                           props->mass);
        return TN_ERROR_INPUT;
    }
    if (!isfinite(props->com.x) || !isfinite(props->com.y) || !isfinite(props->com.z)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                           "centre of mass is not finite (%g, %g, %g)", props->com.x, props->com.y,
                           props->com.z);
        return TN_ERROR_INPUT;
    }
    return TN_OK;
}

/* The largest entry of a finite symmetric inertia; on failure a diagnostic. */
static tn_status check_entries(const tn_mat3 *inertia, double *largest, tn_location at,
                               tn_diagnostics *diags)
{
    *largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (!isfinite(inertia->m[i][j])) {
                tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                                   "inertia[%d][%d] is not finite (%g)", i, j, inertia->m[i][j]);
                return TN_ERROR_INPUT;
            }
            *largest = fmax(*largest, fabs(inertia->m[i][j]));
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            if (fabs(inertia->m[i][j] - inertia->m[j][i]) > ROUND_OFF * *largest) {
                tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                                   "inertia is not symmetric: [%d][%d] is %g, [%d][%d] is %g", i, j,
                                   inertia->m[i][j], j, i, inertia->m[j][i]);
                return TN_ERROR_INPUT;
            }
        }
    }
    return TN_OK;
}

static tn_status check_principal(const tn_mass_properties *props, double largest, tn_location at,
                                 tn_diagnostics *diags)
{
    double moment[3];
    tn_eig3(&props->inertia, moment, NULL);
    if (moment[0] < -ROUND_OFF * largest) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                           "inertia has a negative principal moment: %g, %g, %g kg m^2", moment[0],
                           moment[1], moment[2]);
        return TN_ERROR_INPUT;
    }
    /* As a difference: the sum of two moments near the largest double would overflow. */
    if (moment[2] - moment[1] > moment[0] + TRIANGLE_TOLERANCE * moment[2]) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at,
                           "Inertia is about the centre of mass; check units and signs.",
                           "no body has this inertia: principal moment %.9g is larger than the sum "
                           "of the others, %.9g and %.9g kg m^2",
                           moment[2], moment[0], moment[1]);
        return TN_ERROR_INPUT;
    }
    return TN_OK;
}

tn_status tn_mass_properties_check(const tn_mass_properties *props, tn_mass_check check,
                                   tn_location at, tn_diagnostics *diags)
{
    TN_DEMAND(props, TN_ERROR_ARGUMENT);
    double largest = 0.0;
    tn_status status = check_mass(props, check, at, diags);
    if (status != TN_OK) {
        return status;
    }
    status = check_entries(&props->inertia, &largest, at, diags);
    if (status != TN_OK) {
        return status;
    }
    if (props->mass == 0.0 && largest > 0.0) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                           "a body without mass cannot have inertia (%g kg m^2)", largest);
        return TN_ERROR_INPUT;
    }
    return check_principal(props, largest, at, diags);
}
