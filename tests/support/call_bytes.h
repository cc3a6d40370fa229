/* call_bytes.h: test support: bytes read as numbers, from plausible to absurd; 0 behind the last one. */
#ifndef TENON_TESTS_CALL_BYTES_H
#define TENON_TESTS_CALL_BYTES_H

#include <math.h>
#include <stdint.h>

#include "tenon/math.h"

typedef struct call_bytes {
    const uint8_t *at, *end;
    int wild; /* 1: every eighth number is absurd */
} call_bytes;

static inline unsigned byte(call_bytes *b)
{
    return b->at < b->end ? *b->at++ : 0u;
}

static inline int32_t below(call_bytes *b, int32_t count)
{
    return count > 0 ? (int32_t)byte(b) % count : 0;
}

/* -2 .. 2 */
static inline double plain(call_bytes *b)
{
    return (double)((int)(byte(b) << 8 | byte(b)) - 32768) / 16384.0;
}

static inline double number(call_bytes *b)
{
    static const double absurd[] = {0.0,
                                    -0.0,
                                    1e-9,
                                    1e-13,
                                    1e-100,
                                    1e-320,
                                    1e6,
                                    1e12,
                                    1e100,
                                    1e160,
                                    1e308,
                                    -1e9,
                                    -1e308,
                                    NAN,
                                    INFINITY,
                                    -INFINITY,
                                    1e15,
                                    100.0,
                                    3.14159265358979312,
                                    1.57079632679489656};
    const unsigned choice = byte(b);
    if (choice % (b->wild ? 8 : 128) == 3)
        return absurd[choice / 4 % (sizeof absurd / sizeof *absurd)];
    if (choice % 8 == 1)
        return (double)((int)(choice / 8) - 8) * 0.25;
    return plain(b);
}

static inline double positive(call_bytes *b)
{
    const double x = fabs(number(b));
    return x == 0.0 ? 1.0 : x;
}

static inline tn_vec3 vector(call_bytes *b)
{
    const double x = number(b), y = number(b), z = number(b);
    return (tn_vec3){x, y, z};
}

/* Mostly along an axis, as people draw. */
static inline tn_vec3 direction(call_bytes *b)
{
    const int32_t k = below(b, 5);
    return k < 3 ? (tn_vec3){k == 0, k == 1, k == 2} : vector(b);
}

static inline tn_pose pose(call_bytes *b)
{
    tn_pose p = tn_pose_identity();
    p.p = vector(b);
    if (byte(b) % 2) {
        tn_quat q = {number(b), plain(b), plain(b), plain(b)};
        const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (n > 0.0 && isfinite(n))
            p.q = (tn_quat){q.w / n, q.x / n, q.y / n, q.z / n};
    }
    return p;
}

#endif
