/* two_points.c: room joint/point: see two_points.h. */
#include "joint/point/two_points.h"

#include <math.h>

#include "joint/row_vectors.h"

const tn_row_info tn_two_points_rows[] = {
    {"length", TN_LENGTH_ROW(0)}, {"fx", TN_LENGTH_ROW(-1)}, {"fy", TN_LENGTH_ROW(-1)},
    {"mx", TN_ANGLE_ROW(-1)},     {"my", TN_ANGLE_ROW(-1)},  {"mz", TN_ANGLE_ROW(-1)},
};
const tn_coordinate_info tn_two_points_coordinates[] = {{"length", 0}};

const tn_draw_item tn_two_points_draw[] = {
    {TN_DRAW_LINE, TN_DRAW_IN_D, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

void tn_two_points_length(const tn_joint_setup *setup, const tn_xform *T_GD,
                          const double *reference, double *q)
{
    (void)setup;
    (void)reference;
    q[0] = v3_norm(T_GD->p);
}

/* Along the line; where there is none, along z. */
void tn_two_points_adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    const double length = v3_norm(T_GD->p);
    T_GD->p = length > TN_ZERO_LENGTH ? v3_scale(q[0] / length, T_GD->p) : v3(0.0, 0.0, q[0]);
}

/* n, t1, t2 in D and, with the velocity v of p in D, their rates (dn may be NULL). t1 is across the
 * axis that n is farthest from. Returns 0 if there is no n; that of z is then given. */
static int directions(tn_vec3 p, const tn_vec3 *v, tn_vec3 n[3], tn_vec3 dn[3])
{
    const double length = v3_norm(p);
    const int exists = length > TN_ZERO_LENGTH;
    n[0] = exists ? v3_scale(1.0 / length, p) : v3(0.0, 0.0, 1.0);
    const double x = fabs(n[0].x), y = fabs(n[0].y), z = fabs(n[0].z);
    const tn_vec3 e = tn_unit(x <= y && x <= z ? 0 : y <= z ? 1 : 2);
    const tn_vec3 across = v3_cross(e, n[0]);
    const double size = v3_norm(across);
    n[1] = v3_scale(1.0 / size, across);
    n[2] = v3_cross(n[0], n[1]);
    if (!dn)
        return exists;
    dn[0] =
        exists ? v3_scale(1.0 / length, v3_axpy(*v, -v3_dot(n[0], *v), n[0])) : v3(0.0, 0.0, 0.0);
    const tn_vec3 turned = v3_scale(1.0 / size, v3_cross(e, dn[0]));
    dn[1] = v3_axpy(turned, -v3_dot(n[1], turned), n[1]);
    dn[2] = v3_add(v3_cross(dn[0], n[1]), v3_cross(n[0], dn[1]));
    return exists;
}

void tn_two_points_wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                            double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    tn_vec3 n[3];
    const int exists = directions(T_GD->p, NULL, n, NULL);
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], m3_tmulv(&T_GD->R, n[k]));
        tn_row_angular(W[3 + k], tn_unit(k));
    }
    if (!exists)
        tn_row_linear(W[0], v3(0.0, 0.0, 0.0));
}

void tn_two_points_wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                                const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    tn_vec3 n[3], dn[3];
    const tn_vec3 v = m3_mulv(&T_GD->R, v3_load(twist_GD)), w = v3_load(twist_GD + 3);
    const int exists = directions(T_GD->p, &v, n, dn);
    for (int k = exists ? 0 : 1; k < 3; k++) {
        const tn_vec3 in_G = m3_tmulv(&T_GD->R, n[k]);
        tn_row_linear(dW[k], v3_sub(m3_tmulv(&T_GD->R, dn[k]), v3_cross(w, in_G)));
    }
}
