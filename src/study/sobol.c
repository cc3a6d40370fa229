/* sobol.c: room study: points of Sobol's sequence.
 *
 * Direction numbers of S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional
 * projections, SIAM J. Sci. Comput. 30 (2008) 2635-2654: the first axes of their table
 * new-joe-kuo-6.21201. Axis 0 is van der Corput's sequence. Points come in the order of their numbers,
 * not in Gray code: any 2^k of them from a multiple of 2^k on are a net.
 */
#include "study/study.h"

#define BITS 32

/* Degree of the primitive polynomial, its inner coefficients as bits, first direction numbers. */
typedef struct axis_start {
    uint8_t degree, polynomial, start[8];
} axis_start;

static const axis_start axes[TN_SOBOL_AXES - 1] = {{1, 0, {1}},
                                                   {2, 1, {1, 3}},
                                                   {3, 1, {1, 3, 1}},
                                                   {3, 2, {1, 1, 1}},
                                                   {4, 1, {1, 1, 3, 3}},
                                                   {4, 4, {1, 3, 5, 13}},
                                                   {5, 2, {1, 1, 5, 5, 17}},
                                                   {5, 4, {1, 1, 5, 5, 5}},
                                                   {5, 7, {1, 1, 7, 11, 19}},
                                                   {5, 11, {1, 1, 5, 1, 1}},
                                                   {5, 13, {1, 1, 1, 3, 11}},
                                                   {5, 14, {1, 3, 5, 5, 31}},
                                                   {6, 1, {1, 3, 3, 9, 7, 49}},
                                                   {6, 13, {1, 1, 1, 15, 21, 21}},
                                                   {6, 16, {1, 3, 1, 13, 27, 49}},
                                                   {6, 19, {1, 1, 1, 15, 7, 5}},
                                                   {6, 22, {1, 3, 1, 15, 13, 25}},
                                                   {6, 25, {1, 1, 5, 5, 19, 61}},
                                                   {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                   {7, 4, {1, 3, 7, 13, 13, 15, 69}},
                                                   {7, 7, {1, 1, 3, 13, 7, 35, 63}},
                                                   {7, 8, {1, 3, 5, 9, 1, 25, 53}},
                                                   {7, 14, {1, 3, 1, 13, 9, 35, 107}},
                                                   {7, 19, {1, 3, 1, 5, 27, 61, 31}},
                                                   {7, 21, {1, 1, 5, 11, 19, 41, 61}},
                                                   {7, 28, {1, 3, 5, 3, 3, 13, 69}},
                                                   {7, 31, {1, 1, 7, 13, 1, 19, 1}},
                                                   {7, 32, {1, 3, 7, 5, 13, 19, 59}},
                                                   {7, 37, {1, 1, 3, 9, 25, 29, 41}},
                                                   {7, 41, {1, 3, 5, 13, 23, 1, 55}},
                                                   {7, 42, {1, 3, 7, 3, 13, 59, 17}},
                                                   {7, 50, {1, 3, 1, 3, 5, 53, 69}},
                                                   {7, 55, {1, 1, 5, 5, 23, 33, 13}},
                                                   {7, 56, {1, 1, 7, 7, 1, 61, 123}},
                                                   {7, 59, {1, 1, 7, 9, 13, 61, 49}},
                                                   {7, 62, {1, 3, 3, 5, 3, 55, 33}},
                                                   {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
                                                   {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
                                                   {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
                                                   {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
                                                   {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
                                                   {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
                                                   {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
                                                   {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
                                                   {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
                                                   {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
                                                   {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
                                                   {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
                                                   {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}}};

/* The directions of an axis, the first bit highest. */
static void directions(int32_t axis, uint32_t v[BITS])
{
    const axis_start none = {0, 0, {0}};
    const axis_start *a = axis > 0 ? &axes[axis - 1] : &none;
    const int s = axis > 0 ? a->degree : BITS;
    for (int i = 0; i < s; i++)
        v[i] = (axis > 0 ? (uint32_t)a->start[i] : 1u) << (BITS - 1 - i);
    for (int i = s; i < BITS; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): every degree is above 0 */
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (int k = 1; k < s; k++) {
            if ((a->polynomial >> (s - 1 - k) & 1) != 0)
                v[i] ^= v[i - k];
        }
    }
}

uint32_t tn_sobol(int32_t axis, uint32_t index)
{
    uint32_t v[BITS], point = 0;
    directions(axis, v);
    for (int i = 0; i < BITS && index >> i != 0; i++) {
        if ((index >> i & 1) != 0)
            point ^= v[i];
    }
    return point;
}
