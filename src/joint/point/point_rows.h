/* point_rows.h: room joint/point: what the types that hold a point of A by D, and turn freely, share.
 *
 * Rows 0 .. 2 are forces along the axes of D at C's origin, in the type's order, rows 3 .. 5
 * moments about those of G.
 *
 * Room joint/point, in: points, lines and surfaces of C and D. Out: distances, nearest points, and
 * the rows that keep them: what several types share.
 */
#ifndef TN_POINT_ROWS_H
#define TN_POINT_ROWS_H

#include "joint/joint_class.h"

/* wrenches() and wrench_rates() with the forces in the orders x, y, z and z, x, y. */
void tn_point_wrenches_xyz(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6]);
void tn_point_wrench_rates_xyz(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6]);
void tn_point_wrenches_zxy(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6]);
void tn_point_wrench_rates_zxy(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6]);

/* project() of types without bilateral rows: every pose is legal, G is C. */
int tn_any_pose_is_legal(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD);

/* pose_to_coordinates() of distances from a plane of D: z of C's origin. */
void tn_point_height(const tn_joint_setup *setup, const tn_xform *T_GD, const double *reference,
                     double *q);
/* coordinates_to_pose() of one coordinate along z of D. */
void tn_point_at_height(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);

#endif
