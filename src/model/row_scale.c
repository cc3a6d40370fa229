/* row_scale.c: room model: what a row's bodies oppose to it.
 *
 * In: the covector of a row on its bodies. Out: G_i M^-1 G_i^T, its inverse effective mass, over the
 * directions that have inertia.
 */
#include <math.h>

#include "math/dense/eig3.h"
#include "model/model.h"

/* A row is dropped when no component a body can feel exceeds this fraction of its largest. */
#define TN_DROP_ROW 1e-10

/* A principal inertia below this fraction of the largest counts as zero: slender rods. */
#define TN_ZERO_INERTIA 1e-12

/* What directions with inertia give to a row's scale must be more than this share of what all
 * directions would, had they inertia: a moment about a slender rod is else scaled by round-off. */
#define TN_SCALE_SHARE 1e-6

/* r . M^-1 r over the components the body has; *felt is the largest component it feels. Directions
 * without inertia are left out, but for *supposed, where they have the body's largest. */
static double inverse_mass(const tn_model_body *body, const double row[6], double *felt,
                           double *supposed)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    double r[6] = {0};
    for (int32_t i = 0; i < s->dim; i++) {
        r[s->column[i]] = row[s->column[i]];
        *felt = fmax(*felt, fabs(r[s->column[i]]));
    }
    double sum = body->mass > 0.0 ? (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / body->mass : 0.0;
    double moments[3];
    tn_mat3 axes;
    tn_eig3(&body->J, moments, &axes);
    for (int i = 0; i < 3; i++) {
        const double along = v3_dot(m3_column(&axes, i), v3_load(r + 3));
        if (moments[i] > TN_ZERO_INERTIA * moments[2]) {
            sum += along * along / moments[i];
        } else if (moments[2] > 0.0) {
            *supposed += along * along / moments[2];
        }
    }
    *supposed += sum;
    return sum;
}

double tn_model_inverse_mass(const tn_model_body *body, const double row[6], double *felt)
{
    double supposed = 0.0;
    return inverse_mass(body, row, felt, &supposed);
}

double tn_model_row_scale_of(const tn_model_joint *joint, const tn_model_body *a,
                             const tn_model_body *b, const tn_joint_kinematics *kin,
                             const tn_mat3 *R_A, const tn_mat3 *R_B, int32_t k, int *acts)
{
    double row[6], scale = 0.0, supposed = 0.0, felt = 0.0, largest = 0.0;
    const tn_model_body *bodies[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        if (!bodies[side])
            continue;
        tn_joint_row_covector(&joint->geometry, kin, k, side ? R_B : R_A,
                              side ? kin->r_B : kin->r_A, side ? -1.0 : 1.0, row);
        for (int i = 0; i < 6; i++)
            largest = fmax(largest, fabs(row[i]));
        scale += inverse_mass(bodies[side], row, &felt, &supposed);
    }
    *acts = felt > TN_DROP_ROW * largest || tn_joint_row_vanished(&joint->geometry, kin, k);
    if (!(scale > TN_SCALE_SHARE * supposed))
        scale = supposed;
    return scale > 0.0 ? scale : 1.0;
}

double tn_model_row_scale(const tn_model *model, const tn_model_joint *joint,
                          const tn_joint_kinematics *kin, const tn_mat3 *R_A, const tn_mat3 *R_B,
                          int32_t k, int *acts)
{
    return tn_model_row_scale_of(joint, &model->bodies[joint->a],
                                 joint->b < 0 ? NULL : &model->bodies[joint->b], kin, R_A, R_B, k,
                                 acts);
}
