/* skew.h: room spec/shape: the skew of a joint whose y axis leans, which no parameter gives.
 */
#ifndef TN_SPEC_SHAPE_SKEW_H
#define TN_SPEC_SHAPE_SKEW_H

#include <math.h>

#include "real/real.h"
#include "math/m3.h"
#include "tenon/spec.h"

/* Sets the parameter that the angle between axis and y_axis stands for, if it is one of the type's
 * and is not given. */
static inline void tn_joint_take_skew(const tn_joint_def *def, const tn_joint_type_info *info,
                                      double *parameters)
{
    const int32_t skew = info->skew_after - 1;
    if (skew >= 0 && isnan(parameters[skew]) && !isnan(def->y_axis.x)) {
        parameters[skew] =
            tn_atan2(v3_dot(def->axis, def->y_axis), v3_norm(v3_cross(def->axis, def->y_axis)));
    }
}

#endif
