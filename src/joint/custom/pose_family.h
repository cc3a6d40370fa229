/* pose_family.h: room joint/custom: legal poses as a family over coordinates, whatever computes them.
 *
 * A custom joint goes through its class by this seam: where its poses come from, axes with
 * functions (custom_axes.h) or one callback (custom_motion.h), only its family knows. Everything is
 * in D, with the derivative along given speeds of the coordinates (NULL: none).
 *
 * Room joint/custom, in: what the user says of a joint of his own. Out: a joint class like any
 * other.
 */
#ifndef TN_JOINT_CUSTOM_POSE_FAMILY_H
#define TN_JOINT_CUSTOM_POSE_FAMILY_H

#include "joint/joint_class.h"
#include "math/function/dual.h"

/* The pose and the twists of the coordinates: velocity of G's origin, angular velocity. */
typedef struct tn_family_point {
    tn_xform T_GD;
    tn_dual3 v[TN_MAX_COORDINATES], w[TN_MAX_COORDINATES];
} tn_family_point;

typedef struct tn_pose_family tn_pose_family;

/* What is known of the coordinates of the nearest legal pose without a search: nothing; a start near
 * them; all. */
typedef enum tn_closed_form { TN_CLOSED_NONE, TN_CLOSED_START, TN_CLOSED_EXACT } tn_closed_form;

/* First member of what a joint's setup points to. */
struct tn_pose_family {
    tn_joint_class cls; /* with the joint's own info */
    tn_joint_own_info own;
    void (*at)(const tn_pose_family *family, const double *q, const double *speeds,
               tn_family_point *out);
    /* NULL, or a closed form: from the coordinates before to those of the legal pose nearest to T_CD. */
    tn_closed_form (*closed)(const tn_pose_family *family, const tn_xform *T_CD, double *q);
    /* Forces and moments of all rows. */
    void (*rows)(const tn_pose_family *family, const double *q, const double *speeds,
                 tn_dual3 force[6], tn_dual3 moment[6]);
};

/* Counts of a joint with these coordinates, which all move; room for its rows. The bilateral ones
 * are the caller's, the motion rows are named. */
void tn_family_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                        tn_joint_own_info *own);

#endif
