/* se3.h: room math: exponential and logarithm of rigid motions, and how fast the logarithm changes.
 *
 * d = (v, w) is a 6-vector, linear part first, w a rotation vector in rad. With ad the matrix
 *     ad(d) = [ [w] [v] ; 0 [w] ]
 * a pose T = exp(d) that moves with the twist t in its own axes has
 *     d' = T^-1(d) t,    T^-1(d) = 1 + ad/2 + sum of |B_2k| / (2k)! (-1)^(k+1) ad^2k.
 * As ad is block triangular, T^-1 = [ A B ; 0 A ], where
 *     A = 1 + [w]/2 + b [w]^2,    b = (1 - (|w|/2) cot(|w|/2)) / |w|^2,
 * and B is the derivative of A along v.
 *
 * Limits: |w| below pi for a logarithm that is unique. Sonneville, Cardona, Bruels 2014.
 */
#ifndef TN_MATH_SE3_H
#define TN_MATH_SE3_H

#include "math/m3.h"

/* The pose of a motion with constant twist d in its own axes for one second. */
tn_xform tn_se3_exp(const double d[6]);

/* d with exp(d) = T. */
void tn_se3_log(const tn_xform *T, double d[6]);

/* T^-1(d), and its derivative while d changes with d_rate. */
void tn_se3_tangent(const double d[6], double J[6][6]);
void tn_se3_tangent_rate(const double d[6], const double d_rate[6], double dJ[6][6]);

#endif
