/* none.h: room math: what is returned for what does not exist: NaN, so that it cannot be used
 * unnoticed. */
#ifndef TN_MATH_NONE_H
#define TN_MATH_NONE_H

#include <math.h>

#include "tenon/math.h"
#include "tenon/shape.h"

static inline tn_vec3 tn_no_place(void)
{
    return (tn_vec3){NAN, NAN, NAN};
}

static inline tn_pose tn_no_pose(void)
{
    return (tn_pose){tn_no_place(), {NAN, NAN, NAN, NAN}};
}

static inline tn_twist tn_no_twist(void)
{
    return (tn_twist){tn_no_place(), tn_no_place()};
}

static inline tn_wrench tn_no_wrench(void)
{
    return (tn_wrench){tn_no_place(), tn_no_place()};
}

static inline tn_mass_properties tn_no_mass(void)
{
    return (tn_mass_properties){
        NAN, tn_no_place(), {{{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}}};
}

#endif
