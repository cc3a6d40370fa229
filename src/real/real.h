/* real.h: room real: the functions of real numbers that IEEE 754 does not fix, by algorithms that it
 * does fix: sums, products, quotients and square roots in one order. The same bits on every machine,
 * compiler and C library; C libraries differ in the last one. Errors are below one unit in the last
 * place (tests/test_real.c measures them); special values are those of C17, annex F.
 *
 * Nothing in src calls the C library's own ones (scripts/check_rooms.py looks).
 *
 * In: doubles. Out: doubles, the same everywhere.
 */
#ifndef TN_REAL_REAL_H
#define TN_REAL_REAL_H

#include <math.h>

#include "base/base.h"

TN_SIBLING double tn_sin(double x);
TN_SIBLING double tn_cos(double x);
TN_SIBLING double tn_tan(double x);

TN_SIBLING double tn_asin(double x);
TN_SIBLING double tn_acos(double x);
TN_SIBLING double tn_atan(double x);
TN_SIBLING double tn_atan2(double y, double x);

TN_SIBLING double tn_exp(double x);
TN_SIBLING double tn_log(double x);
TN_SIBLING double tn_log10(double x);
TN_SIBLING double tn_pow(double x, double y);
TN_SIBLING double tn_hypot(double x, double y);

TN_SIBLING double tn_sinh(double x);
TN_SIBLING double tn_cosh(double x);
TN_SIBLING double tn_tanh(double x);

#endif
