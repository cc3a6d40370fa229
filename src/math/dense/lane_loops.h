/* lane_loops.h: room math/dense: rows of blocks of an even stride in vectors, 4 numbers then 2. */
#ifndef TN_MATH_DENSE_LANE_LOOPS_H
#define TN_MATH_DENSE_LANE_LOOPS_H

#include "math/lanes.h"

/* Runs the statements for the columns from .. s-1 (both even) in lanes of 4 and a last one of 2;
 * inside, `at` is the first column and `lane` the vector type. */
#define TN_LANE_LOOP_FROM(from, s, ...)                                                            \
    {                                                                                              \
        TN_UNROLL                                                                                  \
        for (int at = (from); at + 4 <= (s); at += 4) {                                            \
            typedef tn_v4 lane;                                                                    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
        if ((((s) - (from)) & 2) != 0) {                                                           \
            const int at = (s)-2;                                                                  \
            typedef tn_v2 lane;                                                                    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TN_LANE_LOOP(s, ...)   TN_LANE_LOOP_FROM(0, s, __VA_ARGS__)
#define TN_LANE(pointer)       (*(lane *)(pointer))
#define TN_CONST_LANE(pointer) (*(const lane *)(pointer))

#endif
